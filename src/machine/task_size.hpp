// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How a machine divides its nodes among workers.

#include <cstddef>
#include <cstdint>

namespace lockstep::detail {

/// Consecutive nodes that one worker runs in a step; `asked`: MachineOptions::processors_per_task.
[[nodiscard]] constexpr std::uint64_t nodes_per_task(std::uint64_t nodes, std::size_t workers,
                                                     std::uint64_t asked) noexcept {
  // Below this many nodes a step is shorter than the wake-up of another worker.
  constexpr std::uint64_t worth_sharing = 512;
  if (asked != 0) return asked;
  const std::uint64_t share = nodes < worth_sharing ? nodes : (nodes + workers - 1) / workers;
  return (share + 63) / 64 * 64;  // a word of the active set belongs to one task
}

}  // namespace lockstep::detail
