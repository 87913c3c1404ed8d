// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/star_packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/star_algorithm_checks.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

StarPacking packing(std::size_t n, Numbers k, std::uint64_t batch = 1) {
  return {StarGraph{n}, {{"k", std::move(k)}, {"batch", batch}}};
}

std::string refusal(std::size_t n, Numbers k, std::uint64_t batch = 1) {
  try {
    (void)packing(n, std::move(k), batch);
  } catch (const InvalidParameter& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(StarPacking, MovesBlocksOfAnySize) {
  test::expect_as_promised_with_all_block_sizes(packing(2, {1}), StarGraph{2});
  test::expect_as_promised_with_all_block_sizes(packing(5, {3}), StarGraph{5});
  test::expect_as_promised_with_all_block_sizes(packing(5, {4, 3, 2}), StarGraph{5});
  test::expect_as_promised_with_all_block_sizes(packing(5, {3}, 5), StarGraph{5});
}

TEST(StarPacking, HasOneRecordWhateverRunsIt) {
  test::expect_one_record(packing(2, {1}), StarGraph{2});
  test::expect_one_record(packing(5, {1}), StarGraph{5});
  test::expect_one_record(packing(5, {4, 2}), StarGraph{5});
  test::expect_one_record(packing(5, {3}, 6), StarGraph{5});
}

TEST(StarPacking, IsDeliveredOnlyIfNothingGoesWrong) {
  test::expect_every_mistake_found(packing(3, {1}), StarGraph{3});
  test::expect_every_mistake_found(packing(3, {2}), StarGraph{3});
  test::expect_every_mistake_found(packing(4, {2}), StarGraph{4}, 43);
  test::expect_every_mistake_found(packing(4, {3, 2}), StarGraph{4}, 43);
  test::expect_every_mistake_found(packing(4, {2}, 5), StarGraph{4}, 43);
}

TEST(StarPacking, PacksByThreeWhereThatExists) {
  EXPECT_THAT(packing(2, {}).chain(), ElementsAre(2, 1));
  EXPECT_THAT(packing(3, {}).chain(), ElementsAre(3, 2, 1));
  EXPECT_THAT(packing(4, {}).chain(), ElementsAre(4, 3, 1));
  EXPECT_THAT(packing(7, {}).chain(), ElementsAre(7, 3, 1));
  EXPECT_THAT(packing(7, {1}).chain(), ElementsAre(7, 1));
  EXPECT_THAT(packing(7, {5, 2}).chain(), ElementsAre(7, 5, 2, 1));
}

/// The forecast of memory is at least what the plan takes, and not far above.
TEST(StarPacking, SaysWhatItsPlanTakes) {
  for (const StarPacking& algorithm : {packing(2, {1}), packing(5, {1}), packing(5, {3}),
                                       packing(6, {4, 2}), packing(6, {3}, 6)}) {
    const std::uint64_t bytes = algorithm.schedule().bytes();
    EXPECT_GE(algorithm.footprint().plan_bytes, bytes);
    EXPECT_LE(algorithm.footprint().plan_bytes, 3 * bytes);
  }
}

TEST(StarPacking, RefusesWhatIsNoChain) {
  for (const std::vector<std::size_t>& k :
       {std::vector<std::size_t>{0}, {5}, {6}, {3, 3}, {2, 3}, {3, 1}, {1, 1}, {3, 0}})
    EXPECT_THAT(
        refusal(5, k),
        HasSubstr("allowed for star:5: 1 to 4, or a decreasing chain of factors between 4 and 2"))
        << k.front();
  EXPECT_EQ(refusal(5, {1, 1}),
            "k: 1 is too small for a chain; allowed for star:5: 1 to 4, or a decreasing chain of "
            "factors between 4 and 2");
  EXPECT_EQ(
      refusal(5, {2, 3}),
      "k: chain '2,3' is not decreasing; allowed for star:5: 1 to 4, or a decreasing chain of "
      "factors between 4 and 2");
  EXPECT_EQ(refusal(3, {3}), "k: 3 is too large; allowed for star:3: 1 to 2");
  EXPECT_EQ(refusal(5, {4, 3, 2}), "accepted");
  EXPECT_EQ(refusal(5, {1}), "accepted");
}

TEST(StarPacking, RefusesBatchesThatAreNone) {
  EXPECT_EQ(refusal(5, {3}, 0), "batch: 0 is not valid; expected 1..20");
  EXPECT_THAT(refusal(5, {1}, 2), HasSubstr("possible only with a single packing factor"));
  EXPECT_THAT(refusal(5, {4, 2}, 2), HasSubstr("possible only with a single packing factor"));
  EXPECT_EQ(refusal(5, {3}, 21), "batch: 21 is not valid; expected 1..20");
  EXPECT_EQ(refusal(5, {3}, 20), "accepted");
}

[[nodiscard]] std::uint64_t automatic_batch(std::size_t n, Numbers k) {
  return StarPacking(StarGraph(n), {{"k", std::move(k)}, {"batch", "auto"}})
      .chosen()
      .number("batch");
}

TEST(StarPacking, AnAutomaticBatchIsAsManyPacketsAsAPacketHasBlocks) {
  EXPECT_EQ(automatic_batch(5, {3}), 6U);
  EXPECT_EQ(automatic_batch(5, {4}), 5U);  // there are no more packets
  EXPECT_EQ(automatic_batch(4, {2}), 2U);
  EXPECT_THROW((void)automatic_batch(5, {1}), InvalidParameter);
  EXPECT_THROW((void)automatic_batch(5, {4, 3}), InvalidParameter);
}

TEST(StarPacking, SaysWhichFactorsItChose) {
  const auto chosen = [](std::size_t n, const Settings& settings) {
    return StarPacking(StarGraph(n), settings).chosen().numbers("k");
  };
  EXPECT_EQ(chosen(5, {{"k", Numbers{4, 3}}}), (Numbers{4, 3}));
  EXPECT_EQ(chosen(5, {{"k", Numbers{1}}}), (Numbers{1}));
  EXPECT_EQ(chosen(5, {}), (Numbers{3}));
  EXPECT_EQ(chosen(3, {}), (Numbers{2}));
}

/// The chains of S_n: n - 1 factors; every decreasing chain of two factors or more between n - 1
/// and 2.
TEST(StarPacking, NamesWhatIsWorthComparing) {
  const auto variants = [](std::size_t n) { return *StarPacking(StarGraph(n), {}).variants(); };
  EXPECT_EQ(variants(2).all, (std::vector<Settings>{{{"k", Numbers{1}}}}));
  EXPECT_TRUE(variants(2).cheapest_of[0].empty());
  EXPECT_TRUE(variants(3).cheapest_of[0].empty());
  EXPECT_EQ(variants(5).all.size(), 4U);
  EXPECT_EQ(variants(5).cheapest_of[0], (std::vector<Settings>{{{"k", Numbers{4, 3, 2}}},
                                                               {{"k", Numbers{4, 3}}},
                                                               {{"k", Numbers{4, 2}}},
                                                               {{"k", Numbers{3, 2}}}}));
  EXPECT_EQ(variants(12).cheapest_of[0].size(), 1024U - 11U);  // subsets, not empty, not single
  EXPECT_EQ(variants(5).cheapest_of[1].size(), 3U);            // batches of k = 2, 3, 4
}

}  // namespace
}  // namespace lockstep
