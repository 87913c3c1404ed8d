// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: how the violations that workers found in a pass become those of the
/// record, the same for every channel, schedule and number of workers.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::end_pass(PassPlace place, Outcome& total) {
  if constexpr (one_message_per_node)
    if (!total.violations.empty()) count_crowded(place, total.violations);
  if constexpr (receives_once)
    if (once_) judge_promise(place, total.violations);
  if constexpr (wormhole)
    if (!total.violations.empty()) total.counts.rejected += count_held(place, total.violations);
  if constexpr (!wormhole) total.counts.links = total.counts.messages;
  if constexpr (CalendarProgram<Prog>)  // whose last start is still to come
    total.counts.awake += static_cast<std::uint64_t>(place.step < last_start_);
  if (total.counts.taken != in_flight_) find_unread(place, total.violations);
  in_flight_ = total.counts.messages - total.counts.rejected + std::exchange(replayed_, 0);
}

template <class Net, class Prog, class Chans>
NodeId Machine<Net, Prog, Chans>::other_end(NodeId node, Port port) const {
  return index(port) < network_.degree(node) ? network_.neighbor(node, port) : node;
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::find_unread(PassPlace place, std::vector<Violation>& violations) {
  const detail::StepJudge judge(options_.model, place, &ledger_, violations);
  auto receiver = channels_.receiver(place.step - 1);
  for (std::uint64_t u = 0; u < network_.node_count(); ++u) {
    const NodeId node{u};
    const std::uint64_t taken = taken_[u];
    // A register keeps what was read; a queue does not.
    std::uint64_t arrived = queues ? taken : 0;
    Port lowest = port(network_.max_degree());
    if constexpr (queues)
      if (taken != 0) lowest = lowest_taken_[u];
    for (std::size_t p = 0; p < network_.degree(node); ++p) {
      if (!receiver.pull(node, port(p))) continue;
      ++arrived;
      lowest = std::min(lowest, port(p));
      judge.received(node, port(p));
    }
    if (once_) arrived = taken != 0 ? taken : std::min<std::uint64_t>(arrived, 1);
    if (arrived > taken) judge.unread(node, lowest, arrived);
  }
}

/// Every message that found a link held reported the one before it. Which came first is chance; who
/// took the link is not, nor that of them the lowest keeps it. How many others would have arrived
/// with it, and did not.
template <class Net, class Prog, class Chans>
std::uint64_t Machine<Net, Prog, Chans>::count_held(PassPlace place,
                                                    std::vector<Violation>& violations) {
  using Place = std::pair<NodeId, Port>;
  std::map<Place, std::map<Place, bool>> links;  // who took each, and whether to arrive
  std::erase_if(violations, [&](const Violation& v) {
    if (v.rule == Rule::link_held && v.step == place.step)
      for (const MessageName& message : {v.one, v.other}) {
        bool& arrives = links[{v.node, v.port}][{message.sender, message.port}];
        arrives = arrives || message.arrives;
      }
    return v.rule == Rule::link_held && v.step == place.step;
  });
  const detail::StepJudge judge(options_.model, place, nullptr, violations);
  std::uint64_t lost = 0;
  for (const auto& [link, takers] : links) {
    const auto name = [](const auto& taker) {
      return MessageName{taker.first.first, taker.first.second, taker.second};
    };
    const auto lowest = takers.begin();
    const auto second = takers.size() == 1 ? lowest : std::next(lowest);  // one may take it twice
    judge.link_held(link.first, link.second, name(*lowest), name(*second),
                    std::max<std::uint64_t>(takers.size(), 2));
    lost += static_cast<std::uint64_t>(std::count_if(
        std::next(lowest), takers.end(), [](const auto& taker) { return taker.second; }));
  }
  return lost;
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::judge_promise(PassPlace place, std::vector<Violation>& violations) {
  std::vector<detail::RejectedMessage> all = detail::taken_from(rejected_);
  detail::judge_rejected(
      all, options_.model, place,
      [this, place](NodeId node, Port) { return lowest_sent_to(node, place.step); }, violations);
}

template <class Net, class Prog, class Chans>
Port Machine<Net, Prog, Chans>::lowest_sent_to(NodeId node, std::uint64_t step) {
  const auto receiver = channels_.receiver(step);
  const auto holds = [&](Port port) {
    if constexpr (queues)
      return receiver.holds(node, port);
    else
      return static_cast<bool>(receiver.pull(node, port));
  };
  Port lowest{};
  while (!holds(lowest)) lowest = port(index(lowest) + 1);
  return lowest;
}

/// Channels of one message per node report every further message by itself. Which came first is
/// chance; how many came, and through which lowest port, is not: that message stayed.
template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::count_crowded(PassPlace place, std::vector<Violation>& violations) {
  const auto is_crowding = [place](const Violation& v) {
    return v.rule == Rule::receptions && v.step == place.step;
  };
  std::map<NodeId, std::uint64_t> further;
  for (const Violation& v : violations)
    if (is_crowding(v)) ++further[v.node];
  std::erase_if(violations, is_crowding);
  const detail::StepJudge judge(options_.model, place, nullptr, violations);
  for (const auto& [node, count] : further)
    judge.crowded(node, lowest_sent_to(node, place.step), count + 1);
}

}  // namespace lockstep
