// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: messages between nodes of different processes.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

/// The ports of a route behind the first.
template <class Net, class Prog, class Chans>
std::span<const Port> Machine<Net, Prog, Chans>::links_behind(
    [[maybe_unused]] std::uint32_t route) const {
  if constexpr (RoutingProgram<Prog>)
    if (route != 0) return program_.routes().ports(static_cast<Route>(route - 1)).subspan(1);
  return {};
}

template <class Net, class Prog, class Chans>
NodeId Machine<Net, Prog, Chans>::receiver_of(const detail::SentAway& sent) const {
  return detail::for_links(network_, sent.sender, sent.port, links_behind(sent.route),
                           [](NodeId, Port, const detail::RouteEnd&, bool) {})
      .node;
}

template <class Net, class Prog, class Chans>
std::uint64_t Machine<Net, Prog, Chans>::ports_used([[maybe_unused]] PassPlace place) const {
  if constexpr (in_groups)
    if (runs_in_groups(place)) return same_moves_->at(place.step).ports;
  return ~std::uint64_t{0};
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::take_from_channels([[maybe_unused]] PassPlace place,
                                                   std::vector<detail::SentAway>& all) {
  if constexpr (!GroupedPass::notes_sent_away) {
    auto entered = channels_.receiver(place.step);
    const std::uint64_t used = ports_used(place);
    for (std::size_t p = 0; p < crossing_.size(); ++p) {
      if (p < 64 && (used >> p & 1U) == 0) continue;
      for (const detail::CrossingArc& arc : crossing_[p]) {
        Message message = entered.pull(arc.receiver, arc.back);
        if constexpr (in_groups && requires { entered.row(arc.back); })
          if (!message) message = entered.row(arc.back);
        if (message) all.push_back({arc.sender, port(p), message});
      }
    }
  }
}

/// The arcs from own nodes to nodes of other processes. Where the reverse port of a port differs
/// between nodes, equal moves can break a rule at some nodes only, and every port counts as
/// crossing.
template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::find_crossing_arcs() {
  crossing_.resize(network_.max_degree());
  crossing_ports_ = 0;
  for (std::uint64_t u = own_.first; u < own_.last; ++u)
    for (std::size_t p = 0; p < network_.degree(NodeId{u}); ++p) {
      const NodeId receiver = network_.neighbor(NodeId{u}, port(p));
      const Port back = network_.reverse_port(NodeId{u}, port(p));
      if (p >= network_.degree(NodeId{0}) || back != network_.reverse_port(NodeId{0}, port(p)))
        crossing_ports_ = ~std::uint64_t{0};
      if (owns(receiver)) continue;
      crossing_[p].push_back({NodeId{u}, receiver, back});
      crossing_ports_ |= p < 64 ? std::uint64_t{1} << p : ~std::uint64_t{0};
    }
}

template <class Net, class Prog, class Chans>
std::span<const std::uint32_t> Machine<Net, Prog, Chans>::slots_of(
    [[maybe_unused]] std::uint32_t list) const {
  if constexpr (GatheringProgram<Prog>) return program_.gather_list(static_cast<GatherList>(list));
  return {};
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::accept(PassPlace place, const detail::SentAway& sent,
                                       Outcome& total) {
  const detail::StepJudge judge(options_.model, place, &ledger_, total.violations);
  const auto out = channels_.sender(place.step);
  Pushed pushed{};
  if constexpr (wormhole) {
    const NodeId receiver =
        detail::hold_links(network_, out, judge, sent, links_behind(sent.route), pushed).node;
    if constexpr (sparse)
      if (owns(receiver)) active_[(place.step + 1) % 2].insert(receiver);
    return;  // a lane that is taken was judged where the message was sent
  } else {
    const NodeId receiver = network_.neighbor(sent.sender, sent.port);
    const Port back = network_.reverse_port(sent.sender, sent.port);
    if constexpr (in_groups && requires { channels_.receiver(place.step).row(back); })
      if (channels_.receiver(place.step).row(back) == sent.message) return;
    if constexpr (receives_once) {
      if (once_) {
        const detail::PutOnce result = detail::put_once<one_message_per_node>(
            *once_, out, active_[(place.step + 1) % 2], receiver, back, sent.message);
        if (result.put == detail::Put::accepted) return;
        ++total.counts.rejected;
        rejected_.front().push_back({receiver, back, sent.sender, sent.port, result.put});
        return;
      }
    }
    pushed = out.push(receiver, back, sent.message);
    if (pushed == Pushed::accepted) {
      if constexpr (sparse) active_[(place.step + 1) % 2].insert(receiver);
      return;
    }
    ++total.counts.rejected;
    if (pushed == Pushed::full) return judge.lane_taken(sent.sender, sent.port);
    judge.crowded(receiver, back, 1);
  }
}

}  // namespace lockstep
