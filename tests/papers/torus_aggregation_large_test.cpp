// SPDX-License-Identifier: Apache-2.0

/// Many-to-all broadcast by aggregation: larger tori, and every way to place blocks on them.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "support/golden.hpp"
#include "support/torus_broadcasts.hpp"
#include "support/torus_figures.hpp"

namespace lockstep::test {
namespace {

TEST(TorusAggregationLarge, CostsByPhaseWhatTheSimulationSays) {
  for (const SimulatedBroadcast& simulated : simulated_broadcasts()) {
    if (!is_long(simulated.broadcast)) continue;
    expect_as_simulated(simulated);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(TorusAggregationLarge, EveryBlockReachesEveryNodeOfASquareOnce) {
  for (std::uint64_t n = 10; n <= 16; ++n)
    for (std::uint64_t h = 1; h <= n; ++h)
      for (const std::string placement : {"perm", "quad", "onedcn", "onenode", "diag", "row"})
        for (const std::uint64_t s :
             {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, n, n * n / 4, n * n, n * n + 3})
          for (const auto& [algorithm, confined] :
               {std::pair("aggregation", "no"), std::pair("aggregation", "yes"),
                std::pair("aggregation-plus", "no")}) {
            if (n % h != 0) continue;
            const TorusBroadcast broadcast{n, n, s, h, placement, confined, algorithm};
            SCOPED_TRACE(described(broadcast));
            const RunResult result = many_to_all(broadcast);
            ASSERT_TRUE(result.ok());
            ASSERT_EQ(result.judgement.deliveries.tally.verified, s * (n * n - 1));
          }
}

TEST(TorusAggregationLarge, WithOptionsEveryBlockReachesEveryNodeOfASquareOnce) {
  for (std::uint64_t n = 9; n <= 16; ++n)
    for (std::uint64_t h = 1; h <= n; ++h)
      for (const std::string placement : {"perm", "quad", "onedcn", "onenode", "diag", "row"})
        for (const std::uint64_t s : {std::uint64_t{0}, std::uint64_t{2}, n * n / 4, n * n + 3}) {
          if (n % h != 0) continue;
          for (const Settings& options : options_of_plus(h == n)) {
            const TorusBroadcast broadcast{n,      n, s, h, placement, "no", "aggregation-plus",
                                           options};
            SCOPED_TRACE(described(broadcast));
            const RunResult result = many_to_all(broadcast);
            ASSERT_TRUE(result.ok() && result.judgement.promises.kept());
            ASSERT_EQ(result.judgement.deliveries.tally.verified, s * (n * n - 1));
          }
        }
}

}  // namespace
}  // namespace lockstep::test
