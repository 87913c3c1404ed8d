// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Gap splitting: how the points of a line between two that know something are told it, or, the
/// levels read backwards, how what they hold is gathered. The building block of aggregations.
///
///     gap_levels(25, 5).front()     // 0 serves 5 and, far, 10; 25 serves 20 and, far, 15
/// Source: Y.-S. Chen, C.-Y. Chen, section 3, for five ways.

#include <cstdint>
#include <vector>

namespace lockstep {

/// x serves y, or y gives to x where all is gathered.
struct GapService {
  std::uint32_t server = 0;
  std::uint32_t served = 0;
  bool far = false;
};

/// Points 0 and `gap` know, those between are told, level by level, by the ends of the gaps that
/// are left: (ways - 1) / 2 by each end in a level, ceil(log_ways gap) levels. ways: 5 or 3.
[[nodiscard]] std::vector<std::vector<GapService>> gap_levels(std::uint32_t gap,
                                                              std::uint32_t ways);

/// The middle of every gap is served by both its ends: ceil(log2 gap) levels.
[[nodiscard]] std::vector<std::vector<GapService>> bisection_levels(std::uint32_t gap);

}  // namespace lockstep
