// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Faults: one message of a run is harmed in transit, to show that the proof of delivery notices.
/// The machine otherwise behaves as always; `lockstep stress` predicts the affected pairs.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lockstep/core/ids.hpp"

namespace lockstep {

enum class FaultKind : std::uint8_t {
  none,
  drop,       ///< the message never enters its channel
  duplicate,  ///< it enters the same channel once more in the next step
  corrupt,    ///< one byte of its first block arrives altered
  misroute    ///< it leaves through another port of its sender
};

[[nodiscard]] constexpr std::string_view name_of(FaultKind kind) noexcept {
  constexpr std::string_view names[] = {"none", "drop", "duplicate", "corrupt", "misroute"};
  static_assert(sizeof(names) / sizeof(names[0]) ==
                static_cast<std::size_t>(FaultKind::misroute) + 1);
  return names[static_cast<std::size_t>(kind)];
}

/// The first message that `sender` sends in `step` is harmed.
struct Fault {
  FaultKind kind = FaultKind::none;
  std::uint64_t step = 0;
  NodeId sender{};
  Port wrong_port{};               ///< misroute: the port it leaves through
  std::uint64_t corrupt_byte = 0;  ///< corrupt: offset in the block, below block_bytes

  [[nodiscard]] constexpr bool strikes(std::uint64_t at_step, NodeId at_node) const noexcept {
    return kind != FaultKind::none && at_step == step && at_node == sender;
  }
};

}  // namespace lockstep
