// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The messages of a plan as each class of nodes sees them, and the slots of its blocks: as few as
/// the machine's rules allow.
///
///     const PlanMemory memory(plan, network, Operation::total_exchange);
///     memory.for_each_message(0, [&](PlannedMessage message) { memory.slots_of(message); });

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "program/plan/transfers.hpp"
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
  std::uint32_t sends_left = 0;
  std::uint32_t slot = no_slot;
  std::uint32_t sum_of = no_slot;  ///< the holding to which arrivals are added
  std::uint32_t last_sent = no_slot;
  bool delivered = false;
  bool is_own = false;        ///< loaded from the host
  bool is_continued = false;  ///< another is the sum of this one
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
        return end.message() != first->message();
      });
      visit(PlannedMessage(first, last));
      first = last;
    }
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
  /// Results, or blocks that arrived where they are expected. Precondition: every node is a class.
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

  void find_ports();
  void find_holdings();
  /// Transfer i, whose block has holdings from number `first` on.
  void hold_block(std::uint32_t i, std::size_t first);
  void hold_sum(std::uint32_t i, std::size_t first);
  [[nodiscard]] std::uint32_t sum_to_send(const Transfer& transfer, std::size_t first);
  [[nodiscard]] std::uint32_t sum_to_keep(const Transfer& transfer, std::size_t first);
  /// Delivers what the sums for this destination come to.
  void end_sum(std::uint32_t destination, std::size_t first);
  void find_own_results();
  [[nodiscard]] bool is_at(std::uint32_t node, std::size_t first) const {
    const std::uint32_t known = at_[node];
    return known >= first && known < holdings_.size() && holdings_[known].node == node;
  }
  [[nodiscard]] bool contributes(std::uint32_t node, std::uint32_t destination) const;
  [[nodiscard]] std::uint32_t new_holding(std::uint32_t node, std::uint32_t since);
  [[nodiscard]] std::uint32_t new_contribution(std::uint32_t node, std::uint32_t since);
  void sort();
  void give_slots();

  const Transfers& plan_;
  const ErasedTopology& network_;
  Operation operation_;
  std::vector<Port> ports_;
  std::vector<Holding> holdings_;
  std::vector<std::uint32_t> sent_from_;  // of a transfer: the holding at its sender,
  std::vector<std::uint32_t> kept_in_;    // and that at its receiver
  std::vector<std::uint32_t> at_;         // of the present block: its holding at a node
  std::vector<bool> loaded_;              // by end
  std::vector<std::uint32_t> operands_;   // of transfers of sums
  std::vector<bool> has_result_;          // of a processor, of a reduction
  std::vector<OwnResult> own_results_;
  std::vector<std::uint32_t> scratch_;  // of a class: its first slot
  std::vector<TransferEnd> ends_;       // class by class
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace lockstep
