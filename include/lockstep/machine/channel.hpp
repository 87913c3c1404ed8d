// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Channels: what realises the arcs. One concept, four kinds (design, section 4), and a fifth for
/// messages that hold more than one arc (machine/detail/wormhole_channels.hpp):
///
///   spsc     a boost::lockfree::spsc_queue per arc and step parity; the reference
///   slot     one stamped 8-byte register per arc and step parity; one message per arc and step
///   row      one stamped 8-byte register per port and step parity, for the messages of a step in
///            which all nodes make the same moves; slots for those of all other steps
///   mailbox  one stamped 8-byte register per node and step parity, for programs in which a node
///            receives at most one message per step; a second arrival is detected, not lost.
///            Where it receives one in the whole run, box and memory are one (machine/
///            receive_once_machine.hpp)
///
/// What is pushed in step t is pulled in step t+1; the end of the parallel loop lies between, and
/// orders the two (style, 5.6). Parity keeps the pushes of step t+1 away from the pulls of step t.
/// Stamps save the store that would empty a register; they repeat, so that begin_step() clears the
/// registers from time to time. "Full" depends on the pushes of one step alone, never on timing.

#include <concepts>
#include <cstdint>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/message.hpp"
#include "lockstep/topology/detail/arc_layout.hpp"

namespace lockstep {

enum class ChannelKind : std::uint8_t { automatic, spsc, slot, mailbox, wormhole, row };

/// The result of a push.
enum class Pushed : std::uint8_t {
  accepted,
  full,    ///< the arc carries its message of this step already
  crowded  ///< another arc of the receiver does, and the channel keeps one message per node
};

/// The two sides of a set of channels in one step, as small values that fit registers: made once
/// per task, used once per message.
template <class C>
concept Channels = requires(C& channels, typename C::Sender& sender, typename C::Receiver& receiver,
                            std::uint64_t step, NodeId node, Port port, Message message,
                            ArcLayout arcs) {
  C(arcs);
  { C::name } -> std::convertible_to<std::string_view>;
  { C::bytes(arcs) } -> std::same_as<std::uint64_t>;
  /// Called by one thread before any push of `step`.
  channels.begin_step(step);
  { channels.sender(step) } -> std::same_as<typename C::Sender>;
  /// For what was pushed in `step`.
  { channels.receiver(step) } -> std::same_as<typename C::Receiver>;
  /// Into port `port` of the receiver `node`.
  { sender.push(node, port, message) } -> std::same_as<Pushed>;
  /// The message pushed into port `port` of `node`, if any; taken at most once. Channels of one
  /// message per node also have occupied_port(node): that port, if any.
  { receiver.pull(node, port) } -> std::same_as<Message>;
};

}  // namespace lockstep
