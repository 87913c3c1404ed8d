// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The messages of a plan as each class of nodes sees them, and the slots of its blocks: as few as
/// the machine's rules allow.
///
///     const PlanMemory memory(plan, network, Operation::total_exchange);
///     memory.for_each_message(0, [&](PlannedMessage message) { memory.slots_of(message); });

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "program/slot_pool.hpp"

namespace lockstep {

inline constexpr std::uint32_t no_slot = everyone;

/// A transfer at one of its ends. A node takes what arrived before it sends, port by port.
struct TransferEnd {
  std::uint32_t step;
  std::uint32_t port;      // of this end; of a class, through which the message is sent
  std::uint32_t transfer;  // doubled, and 1 more where it is sent
  [[nodiscard]] bool sends() const noexcept { return transfer % 2 != 0; }
  [[nodiscard]] std::uint32_t number() const noexcept { return transfer / 2; }
  [[nodiscard]] auto message() const noexcept { return std::tuple(step, sends(), port); }
};
using PlannedMessage = std::span<const TransferEnd>;

/// The time of a block at a node: from its arrival, or its first send, to its last send. Of a sum
/// there is one for each step that alters it.
struct Holding {
  std::uint32_t node;
  std::uint32_t since;
  std::uint32_t uses_left = 0;  ///< sends and additions
  std::uint32_t slot = no_slot;
  std::uint32_t sum_of = no_slot;  ///< the holding to which arrivals are added
  std::uint32_t last_sent = no_slot;
  bool delivered = false;
  bool is_own = false;        ///< loaded from the host
  bool is_continued = false;  ///< another is the sum of this one
};

/// The numbers of transfers or additions in the order of time, or of another key; equal ones stay
/// in their order.
template <class Item, class Key = std::uint32_t Item::*>
[[nodiscard]] std::vector<std::uint32_t> in_order(const std::vector<Item>& items,
                                                  const Key& key = &Item::step) {
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key_of = [&](std::uint32_t i) { return std::invoke(key, items[i]); };
  if (!std::ranges::is_sorted(order, {}, key_of)) std::ranges::stable_sort(order, {}, key_of);
  return order;
}

struct BlockName {
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t part;
};

/// An addition at a node, with its holdings and slots.
struct SlotAddition {
  std::uint32_t number;  ///< of the plan's addition
  std::uint32_t what;    ///< holdings
  std::uint32_t into;
  std::uint32_t operand = no_slot;  ///< the slot of what `into` was before; none: there was nothing
  bool loads_what = false;
  bool loads_operand = false;
};

/// A result without arrivals: the processor's own contribution, for this destination.
struct OwnResult {
  std::uint32_t node;
  std::uint32_t destination;
  std::uint32_t slot = 0;
};

/// The transfers in the order in which each class sees them, and the memory that they take.
class PlanMemory {
 public:
  /// `operation`: says what contributes to a sum. Precondition: plan and network outlive it.
  PlanMemory(const Transfers& plan, const ErasedTopology& network, Operation operation);

  /// visit(ends) for every message that nodes of the class receive or send, in their order.
  template <class Visit>
  void for_each_message(std::uint64_t of_class, const Visit& visit) const {
    const PlannedMessage all =
        PlannedMessage(ends_).subspan(begin_[of_class], begin_[of_class + 1] - begin_[of_class]);
    for (auto first = all.begin(); first != all.end();) {
      const auto last = std::find_if(first, all.end(), [&](const TransferEnd& end) {
        return end.message() != first->message() ||
               (&end != &*first && plan_.list[end.number()].begins_message);
      });
      visit(PlannedMessage(first, last));
      first = last;
    }
  }
  /// The same, with visit_addition(addition) for those of the node, between what it receives and
  /// what it sends.
  template <class Visit, class VisitAddition>
  void for_each_event(std::uint64_t of_class, const Visit& visit,
                      const VisitAddition& visit_addition) const {
    std::uint64_t next = additions_begin_.empty() ? 0 : additions_begin_[of_class];
    const std::uint64_t end = additions_begin_.empty() ? 0 : additions_begin_[of_class + 1];
    const auto add_before = [&](std::uint64_t step) {
      for (; next < end && plan_.additions[additions_[next].number].step < step; ++next)
        visit_addition(additions_[next]);
    };
    for_each_message(of_class, [&](PlannedMessage message) {
      const TransferEnd& first = message.front();
      add_before(first.step + (first.sends() ? std::uint64_t{1} : 0));
      visit(message);
    });
    add_before(~std::uint64_t{0});
  }
  [[nodiscard]] const Holding& held(std::uint32_t holding) const { return holdings_[holding]; }
  /// Precondition: there are sums or parts.
  [[nodiscard]] const BlockName& name(std::uint32_t holding) const { return names_[holding]; }
  [[nodiscard]] std::uint32_t kept_in(const TransferEnd& end) const {
    return kept_in_[end.number()];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& sizes() const noexcept { return sizes_; }
  [[nodiscard]] const Holding& holding(const TransferEnd& end) const {
    return holdings_[(end.sends() ? sent_from_ : kept_in_)[end.number()]];
  }
  /// Whether a message that arrives has to be stored: otherwise all of it is delivered at once.
  [[nodiscard]] bool is_stored(PlannedMessage message) const {
    return std::ranges::any_of(
        message, [&](const TransferEnd& end) { return holding(end).slot != no_slot; });
  }
  [[nodiscard]] std::vector<std::uint32_t> slots_of(PlannedMessage message) const {
    std::vector<std::uint32_t> slots;
    for (const TransferEnd& end : message) slots.push_back(holding(end).slot);
    return slots;
  }
  /// Whether the node loads the block in its turn, before it sends it or adds to it.
  [[nodiscard]] bool is_loaded(const TransferEnd& end) const {
    return loaded_[2 * end.number() + (end.sends() ? 1 : 0)];
  }
  /// The slot to which the arrival is added.
  [[nodiscard]] std::uint32_t operand(const TransferEnd& end) const {
    return operands_[end.number()];
  }
  /// The slot where the block that a node loads begins.
  [[nodiscard]] std::uint32_t loaded_slot(const TransferEnd& end) const {
    return (end.sends() ? holding(end).slot : operand(end)) - plan_.list[end.number()].part;
  }
  /// Whether some of its sums are added to others and some are stored: they are stored from slot
  /// scratch() on first, which needs a slot each.
  [[nodiscard]] bool is_mixed(PlannedMessage message) const;
  [[nodiscard]] std::uint32_t scratch(std::uint64_t of_class) const { return scratch_[of_class]; }
  [[nodiscard]] const std::vector<OwnResult>& own_results() const noexcept { return own_results_; }
  [[nodiscard]] bool has_sums() const noexcept { return is_reduction(operation_); }
  /// Results, or blocks that arrived where they are expected, of all nodes. Precondition: all nodes
  /// are one class, or each is one.
  [[nodiscard]] std::uint64_t deliveries() const;
  /// visit(first slot, its transfers): those that `wanted` names, in pieces of consecutive slots.
  template <class Wanted, class Visit>
  void for_each_run(PlannedMessage message, const Wanted& wanted, const Visit& visit) const {
    std::vector<std::uint32_t> run;
    std::uint32_t first = 0;
    for (const TransferEnd& end : message) {
      if (!wanted(end)) continue;
      const std::uint32_t slot = holding(end).slot;
      if (!run.empty() && slot != first + run.size()) {
        visit(first, run);
        run.clear();
      }
      if (run.empty()) first = slot;
      run.push_back(end.number());
    }
    if (!run.empty()) visit(first, run);
  }

 private:
  class Slots;
  class Sums;

  void find_ports();
  void find_holdings();
  /// Transfer i, whose block has holdings from number `first` on.
  void hold_block(std::uint32_t i, std::size_t first);
  void find_sums();
  /// Those of each node, in their order.
  void sort_additions();
  [[nodiscard]] bool is_at(std::uint32_t node, std::size_t first) const {
    const std::uint32_t known = at_[node];
    return known >= first && known < holdings_.size() && holdings_[known].node == node;
  }
  [[nodiscard]] std::uint32_t new_holding(std::uint32_t node, std::uint32_t since);
  void sort();
  void give_slots();

  const Transfers& plan_;
  const ErasedTopology& network_;
  Operation operation_;
  std::vector<Port> ports_;
  std::vector<Holding> holdings_;
  std::vector<BlockName> names_;          // of holdings, where there are sums or parts
  std::vector<std::uint32_t> sent_from_;  // of a transfer: the holding at its sender,
  std::vector<std::uint32_t> kept_in_;    // and that at its receiver
  std::vector<std::uint32_t> at_;         // of the present block: its holding at a node
  std::vector<bool> loaded_;              // by end
  std::vector<std::uint32_t> operands_;   // of transfers of sums
  std::vector<SlotAddition> additions_;   // node by node
  std::vector<std::uint64_t> additions_begin_;
  std::vector<OwnResult> own_results_;
  std::vector<std::uint32_t> scratch_;  // of a class: its first slot
  std::vector<TransferEnd> ends_;       // class by class
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace lockstep
