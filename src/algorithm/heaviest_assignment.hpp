// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Arcs of the largest sum of weights of which no two begin, and no two end, at the same node.
///
///     const std::vector<WeightedArc> arcs{{0, 1, 5}, {0, 2, 4}, {3, 1, 4}};
///     heaviest_assignment(4, arcs);    // {1, 2}: 8 instead of 5
///
/// By successive shortest augmenting paths (the Hungarian method); O(nodes^2 arcs) at most.

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

struct WeightedArc {
  std::uint32_t from;
  std::uint32_t to;
  std::uint64_t weight;
};

/// Their numbers, rising. Arcs of weight 0 are not among them.
[[nodiscard]] std::vector<std::uint32_t> heaviest_assignment(std::uint64_t nodes,
                                                             std::span<const WeightedArc> arcs);

}  // namespace lockstep
