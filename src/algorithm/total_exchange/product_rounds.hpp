// SPDX-License-Identifier: Apache-2.0
#pragma once

/// In which round every block of a product rides in each dimension, where all dimensions work at
/// the same time (product_exchange.hpp, rounds).
///
///     const std::vector<RoundDimension> l3_l5{{3, 2}, {5, 6}};
///     const RoundMap map = round_map(l3_l5);
///     map.steps == 18;                                   // 15 / 5 rounds of 6 steps

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

struct RoundDimension {
  std::uint64_t size = 0;
  std::uint64_t steps = 0;  ///< of an exchange in it
};

struct RoundMap {
  std::uint64_t steps = 0;
  /// [job * dimensions + i]: the step in which the job's round in dimension i begins; of no meaning
  /// where it has no offset there. Jobs are offsets, numbered in mixed radix, dimension 0 most
  /// significant.
  std::vector<std::uint32_t> begin{};
};

/// Closed forms for 2 and 3 equal sizes, an edge colouring for more, matchings where sizes differ.
/// Throws InvalidParameter where no map is found.
[[nodiscard]] RoundMap round_map(std::span<const RoundDimension> dimensions);

}  // namespace lockstep
