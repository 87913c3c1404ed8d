// SPDX-License-Identifier: Apache-2.0
#include "program/plan/lower.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/plan/plan_memory.hpp"

namespace lockstep {
namespace {

constexpr Region plan_memory{0};

[[nodiscard]] Schedule schedule_by_node(const Transfers& plan, const PlanMemory& memory) {
  std::uint32_t most = 0;
  for (const std::uint32_t size : memory.sizes()) most = std::max(most, size);
  Schedule schedule(plan.nodes(), {most});
  for (std::uint64_t u = 0; u < plan.nodes(); ++u) {
    const NodeId node{u};
    schedule.set_sizes(node, std::array{memory.sizes()[u]});
    std::uint32_t step = everyone;
    const auto origins = [&](const std::vector<std::uint32_t>& transfers) {
      std::vector<Origin> all;
      for (const std::uint32_t i : transfers) all.emplace_back(plan.list[i].source);
      return all;
    };
    const auto load = [&](std::uint32_t first, const std::vector<std::uint32_t>& transfers) {
      for (const std::uint32_t i : transfers) {
        const std::uint32_t destination = plan.list[i].destination;
        schedule.load(Blocks{plan_memory, first++, 1},
                      destination == everyone ? node : NodeId{destination});
      }
    };
    memory.for_each_message(u, [&](PlannedMessage message) {
      const TransferEnd& end = message.front();
      if (end.step != step) schedule.begin_turn(step = end.step, node);
      if (end.sends()) {
        memory.for_each_run(
            message, [&](const TransferEnd& one) { return memory.is_first_send(one); }, load);
        return schedule.send(port(end.port), plan_memory, memory.slots_of(message));
      }
      if (!memory.is_stored(message)) {
        std::vector<std::uint32_t> all;
        for (const TransferEnd& one : message) all.push_back(one.number());
        return schedule.take_deliver(port(end.port), 0, origins(all));
      }
      schedule.take_store(port(end.port), plan_memory, memory.slots_of(message));
      memory.for_each_run(
          message, [&](const TransferEnd& one) { return memory.holding(one).delivered; },
          [&](std::uint32_t first, const std::vector<std::uint32_t>& transfers) {
            schedule.deliver(plan_memory, first, origins(transfers));
          });
    });
  }
  schedule.close(plan.steps);
  return schedule;
}

/// Of a Cayley graph: addresses are relative to the node that acts.
class ClassWriter {
 public:
  ClassWriter(const Transfers& plan, const AnyCayley& group, const PlanMemory& memory)
      : plan_(plan), group_(group), memory_(memory), book_(group) {
    std::vector<NodeId> nodes;
    for (std::uint64_t g = 0; g < plan.nodes(); ++g) nodes.push_back(NodeId{g});
    nodes_ = book_.add_elements(nodes);
    (void)book_.add_region(*std::ranges::max_element(memory.sizes()));
  }

  [[nodiscard]] ClassSchedule written() && {
    const std::uint64_t classes = plan_.representatives.size();
    ClassParts parts(classes, plan_.steps);
    for (std::uint64_t c = 0; c < classes; ++c) {
      std::uint64_t step = 0;
      std::uint64_t first = book_.action_count();
      const auto advance = [&](std::uint64_t to) {
        for (; step < to; ++step) {
          parts(c, step) = {std::exchange(first, book_.action_count()), book_.action_count()};
          if (classes == 1) book_.next_step();
        }
      };
      memory_.for_each_message(c, [&](PlannedMessage message) {
        advance(message.front().step);
        message.front().sends() ? send(message) : receive(message);
      });
      advance(plan_.steps);
      parts(c, plan_.steps) = {first, book_.action_count()};
    }
    return {std::move(book_), std::move(parts)};
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  void send(PlannedMessage message) {
    memory_.for_each_run(
        message, [&](const TransferEnd& end) { return memory_.is_first_send(end); },
        [&](std::uint32_t first, const Numbers& transfers) {
          const Elements wanted = elements(transfers, [&](const Transfer& transfer) {
            return transfer.destination == everyone
                       ? group_.identity()
                       : seen_from(transfer.source, transfer.destination);
          });
          book_.load(blocks(first, transfers), element(group_.identity()), wanted);
        });
    const Port through = port(message.front().port);
    const Numbers slots = memory_.slots_of(message);
    if (is_run(slots))
      book_.send(through, blocks(slots.front(), slots));
    else
      book_.send(through, plan_memory, book_.add_list(slots));
  }

  void receive(PlannedMessage message) {
    const Port through = port(message.front().port);
    const auto sources = [&](const Numbers& transfers) {
      return elements(transfers, [&](const Transfer& transfer) {
        return seen_from(transfer.to, transfer.source);
      });
    };
    if (!memory_.is_stored(message)) {
      Numbers all;
      for (const TransferEnd& end : message) all.push_back(end.number());
      return book_.take_deliver(through, sources(all));
    }
    const Numbers slots = memory_.slots_of(message);
    if (is_run(slots))
      book_.take_store(through, blocks(slots.front(), slots));
    else
      book_.take_scatter(through, plan_memory, book_.add_list(slots));
    memory_.for_each_run(
        message, [&](const TransferEnd& end) { return memory_.holding(end).delivered; },
        [&](std::uint32_t first, const Numbers& transfers) {
          book_.deliver(blocks(first, transfers), sources(transfers));
        });
  }

  [[nodiscard]] static bool is_run(const Numbers& slots) {
    for (std::size_t i = 1; i < slots.size(); ++i)
      if (slots[i] != slots[0] + i) return false;
    return true;
  }
  [[nodiscard]] static Blocks blocks(std::uint32_t first, const Numbers& list) {
    return {plan_memory, first, static_cast<std::uint32_t>(list.size())};
  }
  /// The element by which `to` is reached from `from`.
  [[nodiscard]] NodeId seen_from(std::uint32_t from, std::uint32_t to) const {
    return group_.product(group_.inverse(NodeId{from}), NodeId{to});
  }
  [[nodiscard]] Elements element(NodeId one) const {
    return {nodes_.first + static_cast<std::uint32_t>(index(one)), 1};
  }
  template <class ElementOf>
  [[nodiscard]] Elements elements(const Numbers& transfers, const ElementOf& element_of) {
    if (transfers.size() == 1) return element(element_of(plan_.list[transfers.front()]));
    std::vector<NodeId> all;
    for (const std::uint32_t i : transfers) all.push_back(element_of(plan_.list[i]));
    return book_.add_elements(all);
  }

  const Transfers& plan_;
  const AnyCayley& group_;
  const PlanMemory& memory_;
  NodeInvariantSchedule book_;
  Elements nodes_;
};

/// Counts what the plan does, for all nodes.
void count(LoweredPlan& lowered, const Transfers& plan, const PlanMemory& memory) {
  std::vector<std::uint64_t> class_sizes(plan.representatives.size());
  for (const std::uint32_t c : plan.class_of) ++class_sizes[c];
  std::vector<std::uint64_t> largest(plan.steps);
  for (std::uint64_t c = 0; c < class_sizes.size(); ++c)
    memory.for_each_message(c, [&](PlannedMessage message) {
      if (message.front().sends()) {
        lowered.messages += class_sizes[c];
        std::uint64_t& most = largest.at(message.front().step);
        most = std::max<std::uint64_t>(most, message.size());
        return;
      }
      for (const TransferEnd& end : message)
        lowered.deliveries += memory.holding(end).delivered ? class_sizes[c] : 0;
    });
  for (const std::uint64_t blocks : largest) {
    lowered.cost.startups += blocks != 0 ? 1 : 0;
    lowered.cost.message_times += blocks;
  }
}

}  // namespace

LoweredPlan lower(const Transfers& plan, const ErasedTopology& network) {
  const PlanMemory memory(plan, network);
  LoweredPlan lowered;
  count(lowered, plan, memory);
  lowered.slots = memory.sizes();
  if (plan.by_node() || !network.symmetric())
    lowered.schedule = schedule_by_node(plan, memory);
  else
    lowered.schedule = ClassWriter(plan, *network.cayley(), memory).written();
  return lowered;
}

std::uint64_t lowering_bytes(const Transfers& plan) noexcept {
  constexpr std::uint64_t of_a_transfer = sizeof(Transfer) + sizeof(Port) +
                                          2 * (sizeof(TransferEnd) + sizeof(std::uint32_t)) +
                                          sizeof(Holding) + sizeof(std::uint32_t) + 1;
  return plan.list.size() * of_a_transfer + plan.nodes() * sizeof(std::uint32_t);
}

}  // namespace lockstep
