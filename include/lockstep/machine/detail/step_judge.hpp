// SPDX-License-Identifier: Apache-2.0
#pragma once

/// StepJudge: the only place where a machine checks the rules (style, principle
/// 5). It sees counts and ports, no bytes. verify/legality.hpp recounts from a trace without
/// sharing code with it. Internal; users see Violation.

#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/detail/port_ledger.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/port_model.hpp"

namespace lockstep {

/// The pass of a run: that of `step`. The last one takes what arrived, and sends nothing.
struct PassPlace {
  std::uint64_t step = 0;
  bool last_call = false;
};

namespace detail {

/// The judge of one task in one pass, which sends in `step` and receives what was sent in the step
/// before. A small value; a violation is appended to `found`, by cold code.
class StepJudge {
 public:
  /// `ledger`: for half-duplex links, else not looked at.
  StepJudge(const PortModel& model, PassPlace place, PortLedger* ledger,
            std::vector<Violation>& found) noexcept
      : found_(&found),
        ledger_(model.duplex == Duplex::half ? ledger : nullptr),
        step_(place.step),
        most_sends_(model.sends),
        most_receptions_(model.receptions),
        packet_(model.switching == Switching::packet),
        last_call_(place.last_call) {}

  // Sends of this step.

  /// Whether there is no sending any more.
  [[nodiscard, gnu::always_inline]] bool is_after_end(NodeId node, Port port) const {
    if (last_call_) [[unlikely]]
      report(step_, node, port, Rule::after_end, 1);
    return last_call_;
  }
  void no_such_port(NodeId node, Port port) const { report(step_, node, port, Rule::port, 1); }
  /// Whether a message over so many links is against the switching.
  [[nodiscard]] bool is_too_far(NodeId node, Port port, std::uint64_t links) const {
    const bool too_far = packet_ && links > 1;
    if (too_far) report(step_, node, port, Rule::switching, links);
    return too_far;
  }
  /// The link that leaves `node` through `port` is taken by both.
  void link_held(NodeId node, Port port, const MessageName& one, const MessageName& other,
                 std::uint64_t count = 2) const {
    report_link(found_, {step_, node, port, Rule::link_held, count}, one, other);
  }
  /// A switch loads or delivers.
  void no_host(NodeId node) const { report(step_, node, Port{}, Rule::host, 1); }
  /// A slot is not in the node's memory, or must not be altered; what was asked for is not done.
  void slot(NodeId node, Rule rule, Region region, std::uint32_t slot) const {
    report_slot(found_, {step_, node, Port{}, rule, 1, {}, {}, {}, region, slot});
  }
  /// Not one that the node took in this step, or not with so many blocks.
  void foreign_arrival(NodeId node, Port port) const {
    report(step_, node, port, Rule::arrival, 1);
  }
  /// The lane carries its message of this step already.
  void lane_taken(NodeId node, Port port) const {
    report(step_, node, port, Rule::arc_capacity, 2);
  }
  /// Through one port more.
  [[gnu::always_inline]] void sent(NodeId node, Port port) const noexcept {
    if (ledger_ != nullptr) [[unlikely]]
      ledger_->on_send(step_, node, port);
  }
  /// All of a node's, the last through `last`.
  [[gnu::always_inline]] void sends(NodeId node, Port last, std::uint32_t count) const {
    if (exceeds_sends(count)) [[unlikely]]
      report(step_, node, last, Rule::sends, count);
  }
  [[nodiscard, gnu::always_inline]] bool exceeds_sends(std::uint32_t count) const noexcept {
    return count > most_sends_;
  }
  /// A message did not enter the channel of `receiver`, which holds another's of this step.
  void crowded(NodeId receiver, Port port, std::uint64_t count) const {
    report(step_, receiver, port, Rule::receptions, count);
  }
  /// The same; known at once to have met another on its link.
  void met_another(NodeId receiver, Port port) const {
    report(step_, receiver, port, Rule::half_duplex, 2);
  }

  // Receptions, of what was sent in the step before.

  /// One that came through `port`.
  [[gnu::always_inline]] void received(NodeId node, Port port) const {
    if (ledger_ != nullptr && ledger_->meets_own_send(step_ - 1, node, port)) [[unlikely]]
      report(step_ - 1, node, port, Rule::half_duplex, 2);
  }
  /// All that a node took, through `lowest` and ports above.
  [[gnu::always_inline]] void receptions(NodeId node, Port lowest, std::uint32_t count) const {
    if (exceeds_receptions(count)) [[unlikely]]
      report(step_ - 1, node, lowest, Rule::receptions, count);
  }
  [[nodiscard, gnu::always_inline]] bool exceeds_receptions(std::uint64_t count) const noexcept {
    return count > most_receptions_;
  }
  /// Reports that not all of `arrived` messages were taken. Nobody is blamed for not reading too
  /// many.
  void unread(NodeId node, Port lowest, std::uint64_t arrived) const {
    report(step_ - 1, node, lowest, exceeds_receptions(arrived) ? Rule::receptions : Rule::unread,
           arrived);
  }

  // Half-duplex links of consecutive nodes that make the same moves; see PortLedger.

  void sent_by_all(NodeId first, std::size_t nodes, std::uint64_t ports) const noexcept {
    if (ledger_ != nullptr) ledger_->on_sends(step_, first, nodes, ports);
  }
  [[nodiscard]] std::uint64_t used_before(NodeId first, std::size_t nodes) const noexcept {
    return ledger_ == nullptr ? 0 : ledger_->sent_through(step_ - 1, first, nodes);
  }

 private:
  // Compiled once, and given no address of anything that lives in registers.

  [[gnu::always_inline]] void report(std::uint64_t step, NodeId node, Port port, Rule rule,
                                     std::uint64_t count) const {
    report_to(found_, step, node, port, rule, count);
  }
  [[gnu::cold]] static void report_to(std::vector<Violation>* found, std::uint64_t step,
                                      NodeId node, Port port, Rule rule, std::uint64_t count);
  [[gnu::cold]] static void report_link(std::vector<Violation>* found, const Violation& violation,
                                        const MessageName& one, const MessageName& other);
  /// The lowest of many slots of a node stands for all.
  [[gnu::cold]] static void report_slot(std::vector<Violation>* found, const Violation& violation);

  std::vector<Violation>* found_;
  PortLedger* ledger_;
  std::uint64_t step_;
  std::uint32_t most_sends_;
  std::uint32_t most_receptions_;
  bool packet_;
  bool last_call_;
};

}  // namespace detail

}  // namespace lockstep
