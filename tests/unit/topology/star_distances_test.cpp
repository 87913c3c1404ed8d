// SPDX-License-Identifier: Apache-2.0
#include "topology/star_distances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

/// Sum over the substars of k symbols, which are blocks of k! consecutive nodes, of the distance to
/// their nearest node.
std::uint64_t sum_by_search(const std::vector<std::uint32_t>& distances, std::size_t k) {
  const auto size = static_cast<std::ptrdiff_t>(factorial(k));
  std::uint64_t sum = 0;
  for (auto block = distances.begin(); block != distances.end(); block += size)
    sum += *std::min_element(block, block + size);
  return sum;
}

TEST(StarDistances, ClosedFormIsBreadthFirstSearch) {
  for (std::size_t n = 2; n <= 8; ++n) {
    const std::vector<std::uint32_t> distances = distances_from(StarGraph{n}, NodeId{0});
    for (std::size_t k = 1; k <= n; ++k)
      EXPECT_EQ(star_distance_sum(n, k), sum_by_search(distances, k)) << n << " " << k;
  }
}

TEST(StarDistances, OneSymbolIsOneNode) { EXPECT_EQ(star_distance_sum(1, 1), 0U); }

TEST(StarDistances, TheWholeGraphIsNotAway) {
  for (std::size_t n = 1; n <= max_star_distance_symbols; ++n)
    EXPECT_EQ(star_distance_sum(n, n), 0U) << n;
}

/// The nodes of a 2-substar are neighbours, and no two neighbours are equally far: the further one
/// adds its distance, one more than the nearer one's.
TEST(StarDistances, PairsOfNodesDifferByOne) {
  for (std::size_t n = 2; n <= max_star_distance_symbols; ++n)
    EXPECT_EQ(star_distance_sum(n, 1), 2 * star_distance_sum(n, 2) + factorial(n) / 2) << n;
}

/// Beyond the sizes of a search: two closed forms that share nothing.
TEST(StarDistances, SumOfTheDistribution) {
  for (std::size_t n = 2; n <= max_star_distance_symbols; ++n) {
    const std::vector<std::uint64_t> levels = star_level_sizes(n);
    std::uint64_t sum = 0;
    for (std::size_t d = 0; d < levels.size(); ++d) sum += d * levels[d];
    EXPECT_EQ(star_distance_sum(n, 1), sum) << n;
  }
}

TEST(StarDistances, TheLargestFitsSixtyFourBits) {
  // 19! (19 - 4 + 2/19 + H_19), in arithmetic of unlimited length.
  EXPECT_EQ(star_distance_sum(19, 1), 2'269'046'400'361'574'400U);
}

TEST(StarDistances, RefusesOtherSizes) {
  EXPECT_THROW((void)star_distance_sum(0, 0), InvalidParameter);
  EXPECT_THROW((void)star_distance_sum(5, 0), InvalidParameter);
  EXPECT_THROW((void)star_distance_sum(5, 6), InvalidParameter);
  EXPECT_THROW((void)star_distance_sum(20, 1), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
