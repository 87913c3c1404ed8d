// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The steps that a broadcast takes at least where every node sends one message per step: theorem
/// 3.3 of V. V. Dimakopoulos, "Collective communication problems in multiprocessors", 1996, for
/// every distance. (Its closed form, corollary 3.4, is weaker, and wrong for distance 0: E3.)

#include <cstdint>
#include <vector>

#include "lockstep/core/fraction.hpp"

namespace lockstep {
namespace broadcast_detail {

/// Whether, for every d, the processors that t steps over d links or more can inform are as many as
/// there are at distance d or more: those are reached with k = t - d steps in which the block does
/// not move on, and there are (t over 0) + .. + (t over k) ways to place these. Precondition: t is
/// at least the largest distance; at_least[d] processors are d or more links away.
[[nodiscard]] inline bool can_inform(std::uint64_t t, const std::vector<std::uint64_t>& at_least) {
  const std::uint64_t all = at_least.front();
  WideCount ways = 1;  // (t over k)
  WideCount informed = 1;
  for (std::uint64_t k = 0; k <= t && informed < all; ++k) {
    if (t - k < at_least.size() && informed < at_least[t - k]) return false;
    ways = ways * (t - k) / (k + 1);
    informed += ways;
  }
  return true;
}

}  // namespace broadcast_detail

/// The largest T_d. `levels`: processors at distance 0, 1, 2, .. from the root. Every T_d is at
/// most d + log2 of the processors, so that the search is short.
[[nodiscard]] inline std::uint64_t least_broadcast_steps(std::vector<std::uint64_t> levels) {
  for (std::size_t d = levels.size() - 1; d > 0; --d) levels[d - 1] += levels[d];
  std::uint64_t steps = levels.size() - 1;
  while (!broadcast_detail::can_inform(steps, levels)) ++steps;
  return steps;
}

}  // namespace lockstep
