// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Port models: how many messages a node may send and receive in a step, whether a link carries
/// both directions at once, how far a message goes in a step. Values, not types: the machine
/// compares counts with them at run time.
///
/// Truth table (tests/unit/program/port_model_test.cpp has one case per row):
///
///   name                   sends  receptions            duplex
///   single-port            1      1 (any other port)    full
///   single-port-send       1      all                   full
///   all-port               all    all                   full
///   all-port-half-duplex   all    all                   half: one direction per link and step
///   single-port-half-duplex  1    1 (any other port)    half
///   single-port-wormhole   1      1 (any other port)    full, wormhole
///   all-port-wormhole      all    all                   full, wormhole
///
/// Packet switching: a message crosses one link per step. Wormhole switching: a message takes a
/// route of any length and holds every directed link of the route during the step.
///
/// A node that is single-port may send and receive in the same step, through different ports or the
/// same one (star paper, section II: "a node can send, and simultaneously receive").

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace lockstep {

/// Whether a link carries one or both directions in a step.
enum class Duplex : std::uint8_t { half, full };

/// Whether a message goes over one link in a step, or over a route that it holds.
enum class Switching : std::uint8_t { packet, wormhole };

struct PortModel {
  std::string_view name;
  std::uint32_t sends;       ///< messages a node may send in a step
  std::uint32_t receptions;  ///< messages a node may receive in a step
  Duplex duplex;
  Switching switching = Switching::packet;

  friend bool operator==(const PortModel&, const PortModel&) = default;

  /// Whether every step legal under `weaker` is legal under this model too.
  [[nodiscard]] constexpr bool admits(const PortModel& weaker) const noexcept {
    return sends >= weaker.sends && receptions >= weaker.receptions && duplex >= weaker.duplex &&
           switching >= weaker.switching;
  }
};

namespace port_models {
inline constexpr std::uint32_t any_number = std::numeric_limits<std::uint32_t>::max();
inline constexpr PortModel single_port{"single-port", 1, 1, Duplex::full};
inline constexpr PortModel single_port_send{"single-port-send", 1, any_number, Duplex::full};
inline constexpr PortModel all_port{"all-port", any_number, any_number, Duplex::full};
inline constexpr PortModel all_port_half_duplex{"all-port-half-duplex", any_number, any_number,
                                                Duplex::half};
inline constexpr PortModel single_port_half_duplex{"single-port-half-duplex", 1, 1, Duplex::half};
inline constexpr PortModel single_port_wormhole{"single-port-wormhole", 1, 1, Duplex::full,
                                                Switching::wormhole};
inline constexpr PortModel all_port_wormhole{"all-port-wormhole", any_number, any_number,
                                             Duplex::full, Switching::wormhole};
inline constexpr std::array all{single_port,          single_port_send,        all_port,
                                all_port_half_duplex, single_port_half_duplex, single_port_wormhole,
                                all_port_wormhole};
}  // namespace port_models

}  // namespace lockstep
