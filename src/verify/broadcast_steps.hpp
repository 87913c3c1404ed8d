// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The fewest steps of a broadcast under packet switching, by two arguments (lower_bounds.hpp).

#include <cstdint>
#include <vector>

namespace lockstep {

/// Nobody sends through a link twice, nor back: whoever is informed through one link has degree - 1
/// left, the root all of them, and uses up to `sends` of them in each step at once. Precondition:
/// degree >= 3, so that the informed multiply.
[[nodiscard]] std::uint64_t doubling_with_few_links(std::uint64_t processors, std::uint64_t degree,
                                                    std::uint64_t sends);

/// Theorem 3.3 of the thesis: with one send per node and step. `levels`: processors by distance.
/// Every T_d is at most d + log2 of the processors, so that the search is short.
[[nodiscard]] std::uint64_t steps_for_all_distances(const std::vector<std::uint64_t>& levels);

}  // namespace lockstep
