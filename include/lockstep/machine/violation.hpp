// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The rules of the emulated machine and the description of a violation. A violation is data, not
/// an exception: the run stops at the end of the step.
///
///     if (!record.legal()) print(text_of(record.violations.front()));

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

enum class Rule : std::uint8_t {
  sends,         ///< more sends in a step than the port model allows
  receptions,    ///< more messages arrive at a node in a step than the port model allows
  half_duplex,   ///< a link was used in both directions in one step
  arc_capacity,  ///< a lane had to carry a second message in a step
  port,          ///< send through a port that the node does not have
  unread,        ///< a message arrived that the program did not take
  after_end,     ///< send after the last step
  link_held,     ///< two messages took the same directed link in one step
  switching,     ///< a message was sent over several links where switching is packet
  host,          ///< a switch, which has no host, loaded or delivered a block
  memory,        ///< a slot that is not in the node's memory, or of another kind, was named
  in_flight,     ///< a slot was altered that was sent in this step or the one before
  arrival        ///< an arrival was used that another step or node took, or a block it has not
};

[[nodiscard]] constexpr std::string_view name_of(Rule rule) noexcept {
  constexpr std::string_view names[] = {
      "sends",     "receptions", "half-duplex", "arc-capacity", "port",      "unread", "after-end",
      "link-held", "switching",  "host",        "memory",       "in-flight", "arrival"};
  return names[static_cast<std::size_t>(rule)];
}

/// A message of a step, by where it started.
struct MessageName {
  NodeId sender{};
  Port port{};           ///< at the sender
  bool arrives = false;  ///< the link in question is its last

  friend auto operator<=>(const MessageName&, const MessageName&) = default;
};

struct Violation {
  std::uint64_t step = 0;
  NodeId node{};
  Port port{};
  Rule rule{};
  std::uint64_t count = 0;  ///< what was counted, where the rule is a limit (e.g. 2 sends)
  /// The neighbour through the port; the node itself if it has no such port. Derived from the
  /// others.
  NodeId other_end{};
  /// Two of the messages that took a link held twice, the lowest first; `count` is their number.
  MessageName one{};
  MessageName other{};
  /// The lowest slot that violated a rule about memory.
  Region region{};
  std::uint32_t slot = 0;

  friend bool operator==(const Violation& a, const Violation& b) noexcept {
    return a.step == b.step && a.node == b.node && a.port == b.port && a.rule == b.rule &&
           a.count == b.count && a.one == b.one && a.other == b.other && a.region == b.region &&
           a.slot == b.slot;
  }
};

/// "step 0, node 0, port 1, link to node 21: rule half-duplex violated: 2 counted, 1 allowed".
[[nodiscard]] std::string text_of(const Violation& violation);
/// The same with the labels of nodes: "step 0, node 0 (1234), ..".
[[nodiscard]] std::string text_of(const Violation& violation,
                                  const std::map<NodeId, std::string>& labels);

/// ", region 0, slot 7" for rules about memory; empty for other rules.
[[nodiscard]] std::string slot_of(const Violation& violation);

/// ", taken from node 0, port 1, and from node 2, port 1" for a link that two messages took; empty
/// for other rules.
[[nodiscard]] std::string takers_of(const Violation& violation);

}  // namespace lockstep
