// SPDX-License-Identifier: Apache-2.0
#pragma once

/// SendEvent: one message at the moment it enters, or tries to enter, an arc. A trace of them is
/// what verify/legality.hpp recounts the port model from.
///
///     SendTrace trace;
///     ReferenceOptions options;
///     options.on_send = [&](const SendEvent& event) { trace.push_back(event); };

#include <compare>
#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {

/// A directed link, by where it begins.
struct LinkName {
  NodeId from{};
  Port through{};

  friend auto operator<=>(const LinkName&, const LinkName&) = default;
};

struct SendEvent {
  std::uint64_t step = 0;
  NodeId sender{};
  Port port{};  ///< at the sender
  NodeId receiver{};
  Port receiver_port{};
  std::uint64_t blocks = 0;
  std::uint64_t words = 0;  ///< of a message of control words, which has no blocks
  /// The links behind the first of a message over a route.
  std::vector<LinkName> further{};

  friend auto operator<=>(const SendEvent&, const SendEvent&) = default;
};

using SendTrace = std::vector<SendEvent>;

namespace detail {
/// Appends an event; the links behind the first are added to the list returned.
std::vector<LinkName>& add_event(SendTrace* trace, std::uint64_t step, NodeId sender, Port port,
                                 NodeId receiver, Port receiver_port, std::uint64_t blocks,
                                 std::uint64_t words);
void add_link(std::vector<LinkName>& links, LinkName link);
}  // namespace detail

}  // namespace lockstep
