// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/total_exchange/star_packing.hpp"

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

StarPacking packing(std::size_t n, std::vector<std::size_t> k, std::uint64_t batch = 1) {
  return {StarGraph{n}, {.k = std::move(k), .batch = batch}};
}

std::string refusal(std::size_t n, std::vector<std::size_t> k, std::uint64_t batch = 1) {
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

/// What is said before the plan is made is at least what it takes, and not far above.
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
       {std::vector<std::size_t>{0}, {5}, {6}, {3, 3}, {2, 3}, {3, 1}, {3, 0}})
    EXPECT_THAT(refusal(5, k), HasSubstr("allowed a strictly decreasing chain")) << k.front();
  EXPECT_EQ(refusal(5, {4, 3, 2}), "accepted");
  EXPECT_EQ(refusal(5, {1}), "accepted");
}

TEST(StarPacking, RefusesBatchesThatAreNone) {
  EXPECT_EQ(refusal(5, {3}, 0), "batch: 0 given, allowed 1 or more");
  EXPECT_THAT(refusal(5, {1}, 2), HasSubstr("allowed with a single packing factor"));
  EXPECT_THAT(refusal(5, {4, 2}, 2), HasSubstr("allowed with a single packing factor"));
  EXPECT_EQ(refusal(5, {3}, 21), "batch: 21 given, allowed up to 20");
  EXPECT_EQ(refusal(5, {3}, 20), "accepted");
}

}  // namespace
}  // namespace lockstep
