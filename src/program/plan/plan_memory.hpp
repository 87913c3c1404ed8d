// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The messages of a plan as each class of nodes sees them, and the slots of its blocks: as few as
/// the machine's rules allow.
///
///     const PlanMemory memory(plan, network);
///     memory.for_each_message(0, [&](PlannedMessage message) { memory.slots_of(message); });

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

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

/// The time of a block at a node: from its arrival, or its first send, to its last send.
struct Holding {
  std::uint32_t node;
  std::uint32_t since;
  std::uint32_t sends_left = 0;
  std::uint32_t slot = no_slot;
  bool delivered = false;
};

/// The transfers in the order in which each class sees them, and the memory that they take.
class PlanMemory {
 public:
  /// Precondition: plan and network outlive it.
  PlanMemory(const Transfers& plan, const ErasedTopology& network);

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
  /// Whether the sender made this block and has not sent it before.
  [[nodiscard]] bool is_first_send(const TransferEnd& end) const {
    return first_send_[end.number()] != 0;
  }
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
  void find_ports();
  void find_holdings();
  [[nodiscard]] std::uint32_t new_holding(std::uint32_t node, std::uint32_t since);
  void sort();
  void give_slots();
  void receive(SlotPool& pool, PlannedMessage message);
  void send(SlotPool& pool, PlannedMessage message);

  const Transfers& plan_;
  const ErasedTopology& network_;
  std::vector<Port> ports_;
  std::vector<Holding> holdings_;
  std::vector<std::uint32_t> sent_from_;  // of a transfer: the holding at its sender,
  std::vector<std::uint32_t> kept_in_;    // and that at its receiver
  std::vector<std::uint8_t> first_send_;
  std::vector<TransferEnd> ends_;  // class by class
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace lockstep
