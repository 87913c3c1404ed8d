// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Cost: what a run takes on the emulated machine, independent of t_s and t_m. The same type holds
/// the closed form of an algorithm, the counts of the machine and lower bounds.
///
///     Cost{229, 474} == Cost{.startups = 229, .message_times = 474}
///     Cost{.message_times = Fraction(457, 2)}                 // of blocks that travel in halves

#include <cstdint>

#include "lockstep/core/fraction.hpp"

namespace lockstep {

struct Cost {
  std::uint64_t startups = 0;       ///< steps in which anything moves
  Fraction message_times{};         ///< sum of the steps' largest messages, in blocks of the user
  std::uint64_t control_words = 0;  ///< the same for control words, which are not blocks

  friend constexpr bool operator==(const Cost&, const Cost&) noexcept = default;
  /// The cost of two runs, one after the other.
  [[nodiscard]] friend constexpr Cost operator+(const Cost& a, const Cost& b) {
    return {a.startups + b.startups, a.message_times + b.message_times,
            a.control_words + b.control_words};
  }
};

/// Converts a cost in equal parts of blocks to blocks.
[[nodiscard]] constexpr Cost in_blocks(const Cost& cost, std::uint64_t parts) {
  return {cost.startups, cost.message_times / parts, cost.control_words};
}

}  // namespace lockstep
