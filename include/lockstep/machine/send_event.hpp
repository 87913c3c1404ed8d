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

struct SendEvent {
  std::uint64_t step = 0;
  NodeId sender{};
  Port port{};  ///< at the sender
  NodeId receiver{};
  Port receiver_port{};
  std::uint64_t blocks = 0;

  friend auto operator<=>(const SendEvent&, const SendEvent&) = default;
};

using SendTrace = std::vector<SendEvent>;

}  // namespace lockstep
