// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: how the violations that workers found in a pass become those of the
/// record, the same for every channel, schedule and number of workers.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans, class H>
bool Machine<Net, Prog, Chans, H>::settle_violations(Outcome& total, RunRecord& record) {
  if constexpr (one_message_per_node)
    if (!total.violations.empty()) count_crowded(total.violations);
  if (total.counts.taken != in_flight_) find_unread(total.violations);
  in_flight_ = total.counts.messages - total.counts.rejected + std::exchange(replayed_, 0);
  return detail::settle_violations(network_, total.violations, {step_, is_last_call()}, options_,
                                   record);
}

template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::find_unread(std::vector<Violation>& violations) {
  auto receiver = channels_.receiver(step_ - 1);
  for (std::uint64_t u = 0; u < shape_.nodes; ++u) {
    const NodeId node{u};
    const std::uint64_t taken = taken_[u];
    // A register keeps what was read; a queue does not.
    std::uint64_t arrived = queues ? taken : 0;
    Port lowest = port(std::numeric_limits<std::uint16_t>::max());
    if constexpr (queues)
      if (taken != 0) lowest = lowest_taken_[u];
    for (std::size_t p = 0; p < network_.degree(node); ++p) {
      if (!receiver.pull(node, port(p))) continue;
      ++arrived;
      lowest = std::min(lowest, port(p));
      if (ledger_.meets_own_send(step_ - 1, node, port(p)))
        violations.push_back({step_ - 1, node, port(p), Rule::half_duplex, 2});
    }
    if (arrived <= taken) continue;
    const bool too_many = !ledger_.allows_receptions(static_cast<std::uint32_t>(arrived));
    violations.push_back(
        {step_ - 1, node, lowest, too_many ? Rule::receptions : Rule::unread, arrived});
  }
}

/// Channels of one message per node report every further message by itself. Which came first is
/// chance; how many came, and through which lowest port, is not: that message stayed.
template <class Net, class Prog, class Chans, class H>
void Machine<Net, Prog, Chans, H>::count_crowded(std::vector<Violation>& violations) {
  const auto is_crowding = [this](const Violation& v) {
    return v.rule == Rule::receptions && v.step == step_;
  };
  std::map<NodeId, std::uint64_t> further;
  for (const Violation& v : violations)
    if (is_crowding(v)) ++further[v.node];
  std::erase_if(violations, is_crowding);
  auto receiver = channels_.receiver(step_);
  for (const auto& [node, count] : further) {
    Port stayed{};
    while (!receiver.pull(node, stayed)) stayed = port(index(stayed) + 1);
    violations.push_back({step_, node, stayed, Rule::receptions, count + 1});
  }
}

}  // namespace lockstep
