// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The rules of the emulated machine and the description of a violation. A violation is data, not
/// an exception: the run stops at the end of the step.
///
///     if (!record.legal()) print(text_of(record.violations.front()));

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

class ErasedTopology;

/// rule_list says what each of them means.
enum class Rule : std::uint8_t {
  sends,
  receptions,
  half_duplex,
  arc_capacity,
  port,
  unread,
  after_end,
  link_held,
  switching,
  host,
  memory,
  in_flight,
  arrival
};

struct RuleInfo {
  std::string_view name;       ///< in JSON
  std::string_view violation;  ///< what happened
};
/// By rule.
inline constexpr RuleInfo rule_list[] = {
    {"sends", "more messages sent in a step than the port model allows"},
    {"receptions", "more messages received in a step than the port model allows"},
    {"half-duplex", "link used in both directions in one step"},
    {"arc-capacity", "second message sent through a lane in one direction in one step"},
    {"port", "message sent through a port that the node does not have"},
    {"unread", "message arrived, but no action of the next step takes it"},
    {"after-end", "message sent after the last step"},
    {"link-held", "several messages took this link in one direction in one step"},
    {"switching", "message sent over several links, which needs wormhole switching"},
    {"host", "a switch loaded or delivered a block, which only processors may do"},
    {"memory", "access to a slot that does not exist or is of the wrong kind"},
    {"in-flight", "slot changed before the neighbour read the block sent from it"},
    {"arrival",
     "node took a block that is not in the message, or a message of another step or node"}};
static_assert(sizeof(rule_list) / sizeof(RuleInfo) == static_cast<std::size_t>(Rule::arrival) + 1);

[[nodiscard]] constexpr std::string_view name_of(Rule rule) noexcept {
  return rule_list[static_cast<std::size_t>(rule)].name;
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

/// "step 0, node 0, port 1, link to node 21: link used in both directions in one step (rule
/// half-duplex)".
[[nodiscard]] std::string text_of(const Violation& violation);
/// The same with the names or labels of nodes: "step 0, node 0 (1234), ..".
[[nodiscard]] std::string text_of(const Violation& violation, const ErasedTopology& network);

/// ", region 0, slot 7" for rules about memory; empty for other rules.
[[nodiscard]] std::string slot_of(const Violation& violation);

/// ", taken from node 0, port 1, and from node 2, port 1" for a link that two messages took; empty
/// for other rules. With the names of nodes, if the network has names.
[[nodiscard]] std::string takers_of(const Violation& violation, const ErasedTopology& network);

}  // namespace lockstep
