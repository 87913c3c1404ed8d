// SPDX-License-Identifier: Apache-2.0
#include "program/plan/class_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"

namespace lockstep {
namespace {

constexpr Region class_memory{0};

class ClassWriter {
 public:
  ClassWriter(const Transfers& plan, const AnyCayley& group, const PlanMemory& memory)
      : plan_(plan), group_(group), memory_(memory), schedule_(group, plan.class_of) {
    (void)schedule_.add_region(*std::ranges::max_element(memory.sizes()));
  }

  [[nodiscard]] Schedule written() && {
    for (std::uint64_t c = 0; c < plan_.representatives.size(); ++c) {
      std::uint32_t step = everyone;
      const auto at = [&](std::uint32_t now) {
        if (step == now) return;
        deliver_complete();
        schedule_.begin_turn_of_class(step = now, c);
      };
      deliver_own(c, at);
      memory_.for_each_message(c, [&](PlannedMessage message) {
        at(message.front().step);
        message.front().sends() ? send(message) : receive(message);
      });
      deliver_complete();
      parts_there_.clear();
    }
    schedule_.close(plan_.steps, plan_.phases);
    return std::move(schedule_);
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  /// A result to which no other processor contributes.
  template <class At>
  void deliver_own(std::uint64_t of_class, const At& at) {
    for (const OwnResult& own : memory_.own_results()) {
      if (own.node != plan_.representatives[of_class]) continue;
      at(0);
      schedule_.load({class_memory, own.slot, 1}, element(group_.identity()),
                     element(group_.identity()));
      complete_.emplace_back(own.slot, group_.identity());
    }
  }

  void send(PlannedMessage message) {
    deliver_complete();
    load(message);
    const Port through = port(message.front().port);
    const Numbers slots = memory_.slots_of(message);
    schedule_.send(through, class_memory, slots);
  }

  void receive(PlannedMessage message) {
    const Port through = port(message.front().port);
    if (!memory_.is_stored(message)) {
      Numbers all;
      for (const TransferEnd& end : message) all.push_back(end.number());
      return schedule_.take_deliver(through, sources(all));
    }
    if (memory_.has_sums()) {
      combine(through, message);
      return;
    }
    const Numbers slots = memory_.slots_of(message);
    schedule_.take_store(through, class_memory, slots);
    const auto is_delivered = [&](const TransferEnd& end) {
      return memory_.holding(end).delivered;
    };
    for (const TransferEnd& end : message) {
      if (!is_delivered(end)) continue;
      const Transfer& transfer = plan_.list[end.number()];
      const std::uint32_t first = memory_.holding(end).slot - transfer.part;
      if (plan_.parts == 1 || ++parts_there_[first] == plan_.parts)
        complete_.emplace_back(first, seen_from(transfer.to, transfer.source));
    }
  }

  /// Every node has contributed to the sum before, and has not sent it.
  void combine(Port through, PlannedMessage message) {
    load(message);
    const Numbers slots = memory_.slots_of(message);
    for (const TransferEnd& end : message) {
      const Holding& sum = memory_.holding(end);
      expects(memory_.operand(end) == sum.slot, "a sum of a class is added to where it is");
      if (sum.delivered) complete_ = {{sum.slot, group_.identity()}};
    }
    schedule_.take_combine(through, class_memory, slots, slots, Operands::own_first);
  }

  /// Delivers the whole blocks that arrived in the step: those of consecutive slots together.
  void deliver_complete() {
    const bool in_parts = plan_.parts > 1;
    for (auto first = complete_.begin(); first != complete_.end();) {
      std::vector<NodeId> sources;
      auto last = first;
      for (; last != complete_.end() && last->first == first->first + sources.size() &&
             (sources.empty() || !in_parts);
           ++last)
        sources.push_back(last->second);
      const auto count = static_cast<std::uint32_t>(sources.size());
      schedule_.deliver({class_memory, first->first, count}, schedule_.add_elements(sources));
      first = last;
    }
    complete_.clear();
  }

  void load(PlannedMessage message) {
    const auto is_loaded = [&](const TransferEnd& end) { return memory_.is_loaded(end); };
    const bool sends = message.front().sends();
    const auto wanted = [&](const Transfer& transfer) {
      return transfer.destination == everyone
                 ? group_.identity()
                 : seen_from(sends ? transfer.from : transfer.to, transfer.destination);
    };
    const Elements me = element(group_.identity());
    if (plan_.parts == 1)
      return memory_.for_each_run(
          message, is_loaded, [&](std::uint32_t first, const Numbers& transfers) {
            schedule_.load(blocks(first, transfers), me, elements(transfers, wanted));
          });
    for (const TransferEnd& end : message)
      if (is_loaded(end))
        schedule_.load({class_memory, memory_.loaded_slot(end), 1}, me,
                       element(wanted(plan_.list[end.number()])));
  }

  [[nodiscard]] static Blocks blocks(std::uint32_t first, const Numbers& list) {
    return {class_memory, first, static_cast<std::uint32_t>(list.size())};
  }
  /// The element by which `to` is reached from `from`.
  [[nodiscard]] NodeId seen_from(std::uint32_t from, std::uint32_t to) const {
    return group_.product(group_.inverse(NodeId{from}), NodeId{to});
  }
  [[nodiscard]] Elements element(NodeId one) { return schedule_.add_elements(std::span(&one, 1)); }
  template <class ElementOf>
  [[nodiscard]] Elements elements(const Numbers& transfers, const ElementOf& element_of) {
    std::vector<NodeId> all;
    for (const std::uint32_t i : transfers) all.push_back(element_of(plan_.list[i]));
    return schedule_.add_elements(all);
  }
  [[nodiscard]] Elements sources(const Numbers& transfers) {
    return elements(transfers, [&](const Transfer& transfer) {
      return seen_from(transfer.to, transfer.source);
    });
  }

  const Transfers& plan_;
  const AnyCayley& group_;
  const PlanMemory& memory_;
  Schedule schedule_;
  std::vector<std::pair<std::uint32_t, NodeId>> complete_;        // slots and sources
  std::unordered_map<std::uint32_t, std::uint32_t> parts_there_;  // of the block of that slot
};

}  // namespace

Schedule written_by_class(const Transfers& plan, const AnyCayley& group, const PlanMemory& memory) {
  return ClassWriter(plan, group, memory).written();
}

}  // namespace lockstep
