// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The largest of several lower bounds, with its reason (lower_bounds.hpp).

#include <cstdint>
#include <string_view>

#include "lockstep/core/fraction.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep::detail {

/// volume / capacity; less where a term of it exceeds 64 bits. Precondition: capacity >= 1.
[[nodiscard]] Fraction ratio(WideCount volume, WideCount capacity);

struct LeastStartups {
  std::uint64_t count = 0;
  std::string_view by{};

  void at_least(std::uint64_t other, std::string_view reason);
};

/// The reason of message times that nothing else raises.
inline constexpr std::string_view by_ports = "blocks per port";

/// Raises the message times. A bound by volume holds for parts of any size; a message of whole
/// blocks takes a whole number of message times.
void raise_message_times(LowerBound& bound, const Fraction& times, std::string_view reason);
/// Raises those of algorithms that keep blocks whole.
void raise_undivided(LowerBound& bound, std::uint64_t times, std::string_view reason);

/// Messages that a node's links allow in a step.
struct NodePorts {
  std::uint64_t sends;
  std::uint64_t receptions;
  std::uint64_t both;  ///< sends and receptions together

  NodePorts(const PortModel& model, std::uint64_t degree);
  /// A node that sends and receives at least so many blocks, in parts of any size. Precondition:
  /// a port for what it sends and receives.
  [[nodiscard]] Fraction times(WideCount sent, WideCount received) const;
};

/// The larger of each term, with its reason, if both bounds hold.
[[nodiscard]] LowerBound strongest(LowerBound one, const LowerBound& other);

/// With these start-ups: if blocks are whole, each takes at least one message time.
[[nodiscard]] LowerBound bound_of(const LeastStartups& startups, LowerBound times);

}  // namespace lockstep::detail
