// SPDX-License-Identifier: Apache-2.0
#include "algorithm/star_promises.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "topology/star_routing.hpp"

namespace lockstep {
namespace {

using star_promises::packing;
using Chain = std::vector<std::size_t>;

/// The steps of packing, one after the other: every route of a level, and after each the next
/// level.
Cost walked(const Chain& chain, std::size_t level = 0) {
  if (level + 1 == chain.size()) return {};
  const Cost inner = walked(chain, level + 1);
  Cost total;
  for (const StarRoute& route : star_routes(chain[level], chain[level + 1])) {
    total.startups += route.ports.size() + inner.startups;
    total.message_times += route.ports.size() * factorial(chain[level + 1]) + inner.message_times;
  }
  return total;
}

TEST(StarPromises, PackingIsTheSumOfItsRoutes) {
  for (const Chain& chain : {Chain{2, 1}, Chain{3, 2, 1}, Chain{5, 1}, Chain{5, 3, 1},
                             Chain{5, 4, 3, 2, 1}, Chain{6, 4, 2, 1}, Chain{7, 3, 1}})
    EXPECT_EQ(packing(chain), walked(chain)) << testing::PrintToString(chain);
}

TEST(StarPromises, OneSymbolHasNothingToDo) { EXPECT_EQ(packing(Chain{1}), Cost{}); }

TEST(StarPromises, PackingRefusesWhatIsNoChain) {
  EXPECT_THROW((void)packing(Chain{}), InvalidParameter);
  EXPECT_THROW((void)packing(Chain{5}), InvalidParameter);
  EXPECT_THROW((void)packing(Chain{5, 5, 1}), InvalidParameter);
  EXPECT_THROW((void)packing(Chain{5, 3, 4, 1}), InvalidParameter);
  EXPECT_THROW((void)packing(Chain{5, 3, 0, 1}), InvalidParameter);
  EXPECT_THROW((void)packing(Chain{20, 1}), InvalidParameter);
  EXPECT_THROW((void)star_promises::packing_level(5, 6, 1), InvalidParameter);
}

TEST(StarPromises, ABatchOfOneIsNoBatch) {
  for (std::size_t n = 3; n <= 12; ++n)
    for (std::size_t k = 2; k < n; ++k)
      EXPECT_EQ(star_promises::packing_in_batches(n, k, 1), packing(Chain{n, k, 1})) << n << k;
}

TEST(StarPromises, BatchesShareTheInnerLevel) {
  // S_4, k = 2: 12 packets, 25 steps outside, 1 step inside for each batch.
  const auto startups = [](std::uint64_t batch) {
    return star_promises::packing_in_batches(4, 2, batch).startups;
  };
  EXPECT_EQ(startups(2), 25U + 6);
  EXPECT_EQ(startups(5), 25U + 3);  // 5 + 5 + 2
  EXPECT_EQ(startups(12), 25U + 1);
  EXPECT_EQ(startups(1'000), 25U + 1);
  EXPECT_EQ(star_promises::packing_in_batches(4, 2, 5).message_times, 62U);
  EXPECT_THROW((void)startups(0), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
