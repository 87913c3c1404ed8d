// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of step_view.hpp: what becomes of a send.

#include "lockstep/machine/detail/other_processes.hpp"
#include "lockstep/machine/detail/rejected_messages.hpp"
#include "lockstep/machine/detail/step_judge.hpp"
#include "lockstep/machine/step_view.hpp"

namespace lockstep {

/// The listed blocks, as a message.
template <class Pass>
[[gnu::always_inline]] inline Message StepView<Pass>::gathered(Region region,
                                                               GatherList list) const {
  const std::span<const std::uint32_t> slots = pass_.program->gather_list(list);
  const auto number = static_cast<std::uint32_t>(list);
  if (!PackedBlocks::fits({region, number, 0}) || slots.size() > max_region_blocks) [[unlikely]]
    detail::refuse_list(number, slots.size());
  return Message::of(region, list, static_cast<std::uint32_t>(slots.size()));
}

/// Blocks that no message can name are nobody's own.
template <class Pass>
[[gnu::noinline, gnu::cold]] inline void StepView<Pass>::refuse_unpacked(Port port, Blocks blocks) {
  if (pass_.unusual() && pass_.judge.is_after_end(node_, port)) return;
  if (index(port) >= degree()) return pass_.judge.no_such_port(node_, port);
  refuse_foreign(blocks);
}

/// Where such a thing may be sent.
template <class Pass>
inline bool StepView<Pass>::leads_somewhere(Route route) const {
  const std::span<const Port> ports = pass_.program->routes().ports(route);
  if (pass_.judge.is_after_end(node_, ports.front())) return false;
  NodeId at = node_;
  for (const Port port : ports) {
    if (index(port) >= pass_.network.degree(at)) {
      pass_.judge.no_such_port(at, port);
      return false;
    }
    at = pass_.network.neighbor(at, port);
  }
  return !pass_.judge.is_too_far(node_, ports.front(), ports.size());
}

template <class Pass>
inline void StepView<Pass>::push(Route route, Message message) {
  const std::span<const Port> ports = pass_.program->routes().ports(route);
  push(ports.front(), message, ports.subspan(1), static_cast<std::uint32_t>(route) + 1);
}

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::push(Port port, Message message,
                                                        std::span<const Port> further,
                                                        std::uint32_t route) {
  if (pass_.unusual() && pass_.judge.is_after_end(node_, port)) return;
  if (!pass_.regular && index(port) >= degree()) [[unlikely]]
    return pass_.judge.no_such_port(node_, port);
  if (!pass_.counts.is_again(port, message)) [[unlikely]] {
    if (index(port) >= pass_.network.max_degree()) return pass_.judge.no_such_port(node_, port);
    if (!owns_all(message)) return;
    pass_.counts.count_another(port, message, pass_.is_control(message.region()));
  } else if constexpr (Pass::uneven) {
    if (!owns_all(message)) return;
  }
  note_sent(message);
  (pass_.is_control(message.region()) ? pass_.counts.words : pass_.counts.blocks) +=
      message.blocks();
  if (pass_.times != nullptr) [[unlikely]] {
    if (pass_.times->are_kept()) count_waits(node_, message);
    leave_queues(port, message);
  }
  if (message.gathered()) pass_.counts.work.listed += message.blocks();
  if constexpr (Pass::wormhole) pass_.counts.links += 1 + further.size();
  ++sends_;
  last_sent_ = port;
  if (pass_.unusual()) {
    pass_.judge.sent(node_, port);
    if (sends_ == 1 && pass_.fault->strikes(pass_.step, node_)) {
      if (pass_.fault->kind == FaultKind::drop) {
        ++pass_.counts.rejected;
        return;
      }
      if (pass_.fault->kind == FaultKind::misroute) port = pass_.fault->wrong_port;
      if (pass_.fault->kind == FaultKind::duplicate) pass_.remember(node_, port, message);
    }
  }
  if constexpr (Pass::wormhole)
    hold_links(port, message, further, route);
  else
    enter_channel(port, message);
}

template <class Pass>
inline void StepView<Pass>::trace(Port port, NodeId receiver, Port back, Message message,
                                  std::span<const Port> further) {
  const bool control = pass_.is_control(message.region());
  std::vector<LinkName>& links =
      detail::add_event(pass_.trace, pass_.step, node_, port, receiver, back,
                        control ? 0 : message.blocks(), control ? message.blocks() : 0);
  NodeId at = pass_.network.neighbor(node_, port);
  for (const Port next : further) {
    detail::add_link(links, {at, next});
    at = pass_.network.neighbor(at, next);
  }
}

namespace detail {

/// The end of a route: its node, and the port through which the last link arrives there.
struct RouteEnd {
  NodeId node;
  Port port;
};

/// Visits the links of a route: (from, through, to, port of `to`, whether it is the last).
template <class Net, class Visit>
inline RouteEnd for_links(const Net& network, NodeId sender, Port port,
                          std::span<const Port> further, Visit visit) {
  NodeId from = sender;
  Port through = port;
  for (std::size_t i = 0;; ++i) {
    const RouteEnd end{network.neighbor(from, through), network.reverse_port(from, through)};
    visit(from, through, end, i == further.size());
    if (i == further.size()) return end;
    from = end.node;
    through = further[i];
  }
}

/// Sends a message over its links. The lane is the sender's own; links behind it may be taken by
/// others in the same step.
template <class Net, class Out>
inline RouteEnd hold_links(const Net& network, const Out& out, const StepJudge& judge,
                           const SentAway& sent, std::span<const Port> further, Pushed& left) {
  left = out.leave(sent.sender, sent.port, sent.message, sent.route);
  return for_links(
      network, sent.sender, sent.port, further,
      [&](NodeId from, Port through, const RouteEnd& end, bool is_last) {
        const MessageName mine{sent.sender, sent.port, is_last};
        MessageName before;
        if (left == Pushed::accepted && out.finds_held(end.node, end.port, mine, before))
          judge.link_held(from, through, mine, before);
      });
}

/// The result of a message to a node that receives once.
struct PutOnce {
  Pushed pushed = Pushed::accepted;
  Put put = Put::again;
};

/// Several that reach a node in one step all enter, so that it finds the one through the lowest
/// port, whichever came first.
template <bool one_message_per_node, class Out, class Active>
[[nodiscard]] inline PutOnce put_once(const OncePromise& once, const Out& out, Active& active,
                                      NodeId receiver, Port back, Message message) {
  if (once.is_reached(receiver)) return {};
  const Pushed pushed = out.push(receiver, back, message);
  bool first = active.insert(receiver);
  if constexpr (one_message_per_node) first = pushed == Pushed::accepted;
  return {pushed, first ? Put::accepted : Put::crowded};
}

}  // namespace detail

template <class Pass>
inline void StepView<Pass>::hold_links(Port port, Message message, std::span<const Port> further,
                                       std::uint32_t route) {
  const detail::SentAway sent{node_, port, message, route};
  Pushed left{};
  const auto [to, back] =
      detail::hold_links(pass_.network, pass_.out, pass_.judge, sent, further, left);
  if (pass_.trace != nullptr) trace(port, to, back, message, further);
  if (left != Pushed::accepted) return reject(left, node_, port);
  if (pass_.away != nullptr) pass_.away->push_back(sent);  // each process judges its own links
  pass_.activate(to);
}

/// Whether the arc carries a message of this step already. Channels of one message per arc know;
/// those of one per node may hold another sender's instead.
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::meets_earlier_send(Port port) {
  if constexpr (Pass::one_message_per_node || Pass::receives_once) {
    if (index(port) >= 64) return false;  // of channels of one message per arc
    const std::uint64_t bit = std::uint64_t{1} << index(port);
    bool used = (sent_through_ & bit) != 0;
    if (pass_.unusual()) used = used || pass_.replays_through(node_, port);
    sent_through_ |= bit;
    return used;
  }
  return false;
}

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::enter_channel(Port port, Message message) {
  const NodeId receiver = pass_.network.neighbor(node_, port);
  const Port back = pass_.network.reverse_port(node_, port);
  if (pass_.unusual() && pass_.trace != nullptr) trace(port, receiver, back, message, {});
  const bool used = meets_earlier_send(port);
  if constexpr (Pass::notes_sent_away)
    if (pass_.away != nullptr && !pass_.own.holds(receiver)) [[unlikely]] {
      if (used) return reject(Pushed::full, node_, port);
      return pass_.away->push_back({node_, port, message});
    }
  if constexpr (Pass::receives_once)
    if (pass_.once != nullptr) return enter_once(port, receiver, back, message, used);
  const Pushed pushed = used ? Pushed::full : pass_.out.push(receiver, back, message);
  if (pushed != Pushed::accepted) [[unlikely]]
    return reject(pushed, node_, port);
  pass_.activate(receiver);
}

/// A program that receives once: if several messages reach a node in one step, all but one are
/// rejected.
template <class Pass>
inline void StepView<Pass>::enter_once(Port port, NodeId receiver, Port back, Message message,
                                       bool used) {
  detail::PutOnce result;
  if (!used)
    result = detail::put_once<Pass::one_message_per_node>(
        *pass_.once, pass_.out, *pass_.next_active, receiver, back, message);
  if (used || result.pushed == Pushed::full) return reject(Pushed::full, node_, port);
  const detail::Put put = result.put;
  if (put == detail::Put::accepted) return;
  ++pass_.counts.rejected;
  detail::add_rejected(pass_.rejected, {receiver, back, node_, port, put});
}

/// A message from `node` through `port` did not enter its channel.
template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::reject(Pushed pushed, NodeId node, Port port) {
  ++pass_.counts.rejected;
  if (pushed == Pushed::full) return pass_.judge.lane_taken(node, port);
  pass_.judge.crowded(pass_.network.neighbor(node, port), pass_.network.reverse_port(node, port),
                      1);  // one more than one
}

}  // namespace lockstep
