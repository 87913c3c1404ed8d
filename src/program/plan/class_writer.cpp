// SPDX-License-Identifier: Apache-2.0
#include "program/plan/class_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
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
      : plan_(plan), group_(group), memory_(memory), book_(group) {
    (void)book_.add_region(*std::ranges::max_element(memory.sizes()));
    book_.reserve(2 * plan.list.size() + group.node_count(), plan.steps);
  }

  [[nodiscard]] ClassSchedule written() && {
    const std::uint64_t classes = plan_.representatives.size();
    ClassParts parts(classes, plan_.steps);
    for (std::uint64_t c = 0; c < classes; ++c) {
      std::uint64_t step = 0;
      std::uint64_t first = book_.action_count();
      const auto advance = [&](std::uint64_t to) {
        for (; step < to; ++step) {
          deliver_complete();
          parts(c, step) = {std::exchange(first, book_.action_count()), book_.action_count()};
          if (classes == 1) next_step();
        }
      };
      deliver_own(c);
      memory_.for_each_message(c, [&](PlannedMessage message) {
        advance(message.front().step);
        message.front().sends() ? send(message) : receive(message);
      });
      advance(plan_.steps);
      deliver_complete();
      parts(c, plan_.steps) = {first, book_.action_count()};
      parts_there_.clear();
    }
    return {std::move(book_), std::move(parts)};
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  void next_step() {
    for (; phase_ < plan_.phases.size() && plan_.phases[phase_].first_step == book_.step_count();
         ++phase_)
      book_.begin_phase(plan_.phases[phase_].name);
    book_.next_step();
  }

  /// A result to which no other processor contributes.
  void deliver_own(std::uint64_t of_class) {
    for (const OwnResult& own : memory_.own_results()) {
      if (own.node != plan_.representatives[of_class]) continue;
      book_.load({class_memory, own.slot, 1}, element(group_.identity()),
                 element(group_.identity()));
      complete_.emplace_back(own.slot, group_.identity());
    }
  }

  void send(PlannedMessage message) {
    deliver_complete();
    load(message);
    const Port through = port(message.front().port);
    const Numbers slots = memory_.slots_of(message);
    if (is_run(slots))
      book_.send(through, blocks(slots.front(), slots));
    else
      book_.send(through, class_memory, book_.add_list(slots));
  }

  void receive(PlannedMessage message) {
    const Port through = port(message.front().port);
    if (!memory_.is_stored(message)) {
      Numbers all;
      for (const TransferEnd& end : message) all.push_back(end.number());
      return book_.take_deliver(through, sources(all));
    }
    if (memory_.has_sums()) {
      combine(through, message);
      return;
    }
    const Numbers slots = memory_.slots_of(message);
    if (is_run(slots))
      book_.take_store(through, blocks(slots.front(), slots));
    else
      book_.take_scatter(through, class_memory, book_.add_list(slots));
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
    if (is_run(slots))
      book_.take_combine(through, blocks(slots.front(), slots));
    else
      book_.take_combine(through, class_memory, book_.add_list(slots));
  }

  /// What arrived in the step, whole: those of consecutive slots together.
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
      book_.deliver({class_memory, first->first, count}, elements(sources));
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
            book_.load(blocks(first, transfers), me, elements(transfers, wanted));
          });
    for (const TransferEnd& end : message)
      if (is_loaded(end))
        book_.load({class_memory, memory_.loaded_slot(end), 1}, me,
                   element(wanted(plan_.list[end.number()])));
  }

  [[nodiscard]] static bool is_run(const Numbers& slots) {
    return std::ranges::adjacent_find(
               slots, [](std::uint32_t a, std::uint32_t b) { return b != a + 1; }) == slots.end();
  }
  [[nodiscard]] static Blocks blocks(std::uint32_t first, const Numbers& list) {
    return {class_memory, first, static_cast<std::uint32_t>(list.size())};
  }
  /// The element by which `to` is reached from `from`.
  [[nodiscard]] NodeId seen_from(std::uint32_t from, std::uint32_t to) const {
    return group_.product(group_.inverse(NodeId{from}), NodeId{to});
  }
  /// Those that are used alone are listed once.
  [[nodiscard]] Elements element(NodeId one) {
    if (single_.empty()) single_.resize(plan_.nodes(), everyone);
    std::uint32_t& known = single_[index(one)];
    if (known == everyone) known = book_.add_elements(std::span(&one, 1)).first;
    return {known, 1};
  }
  template <class ElementOf>
  [[nodiscard]] Elements elements(const Numbers& transfers, const ElementOf& element_of) {
    std::vector<NodeId> all;
    for (const std::uint32_t i : transfers) all.push_back(element_of(plan_.list[i]));
    return elements(all);
  }
  [[nodiscard]] Elements elements(const std::vector<NodeId>& all) {
    return all.size() == 1 ? element(all.front()) : book_.add_elements(all);
  }
  [[nodiscard]] Elements sources(const Numbers& transfers) {
    return elements(transfers, [&](const Transfer& transfer) {
      return seen_from(transfer.to, transfer.source);
    });
  }

  const Transfers& plan_;
  const AnyCayley& group_;
  const PlanMemory& memory_;
  NodeInvariantSchedule book_;
  std::size_t phase_ = 0;
  Numbers single_;                                                // places of elements, by node
  std::vector<std::pair<std::uint32_t, NodeId>> complete_;        // slots and sources
  std::unordered_map<std::uint32_t, std::uint32_t> parts_there_;  // of the block of that slot
};

}  // namespace

ClassSchedule written_by_class(const Transfers& plan, const AnyCayley& group,
                               const PlanMemory& memory) {
  return ClassWriter(plan, group, memory).written();
}

}  // namespace lockstep
