// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/permutation.hpp"
#include "support/golden.hpp"
#include "support/planned_class.hpp"
#include "support/star_algorithm_checks.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using StarLevelwiseExchange = test::PlannedClass<star_total_exchange, StarGraph>;

TEST(StarLevelwiseExchange, MovesEveryBlockAsPromised) {
  for (const std::size_t n : {2U, 3U, 4U, 5U, 6U})
    test::expect_as_promised(StarLevelwiseExchange(StarGraph{n}), StarGraph{n});
}

TEST(StarLevelwiseExchange, MovesBlocksOfAnySize) {
  for (const std::size_t n : {2U, 3U, 5U})
    test::expect_as_promised_with_all_block_sizes(StarLevelwiseExchange(StarGraph{n}),
                                                  StarGraph{n});
}

TEST(StarLevelwiseExchange, HasOneRecordWhateverRunsIt) {
  for (const std::size_t n : {2U, 3U, 5U})
    test::expect_one_record(StarLevelwiseExchange(StarGraph{n}), StarGraph{n});
}

TEST(StarLevelwiseExchange, IsDeliveredOnlyIfNothingGoesWrong) {
  test::expect_every_mistake_found(StarLevelwiseExchange(StarGraph{3}), StarGraph{3});
  test::expect_every_mistake_found(StarLevelwiseExchange(StarGraph{4}), StarGraph{4}, 5);
}

TEST(StarLevelwiseExchange, CostsWhatTheReferenceProgramCounted) {
  for (const auto& row : test::golden("star/bounds_and_levelwise.csv")) {
    const StarLevelwiseExchange algorithm(StarGraph{row.number("n")});
    EXPECT_EQ(algorithm.promise()->startups, row.number("exchange_startups"));
    EXPECT_EQ(algorithm.promise()->message_times, row.number("exchange_message_times"));
  }
}

/// At most a third more message times than the least there can be, for n <= 9.
TEST(StarLevelwiseExchange, IsNeverBelowTheBoundAndNotFarAbove) {
  for (std::size_t n = 2; n <= 9; ++n) {
    const std::uint64_t bound = star_distance_sum(n, 1);
    const Fraction times = StarLevelwiseExchange(StarGraph{n}).promise()->message_times;
    EXPECT_GE(times, bound) << n;
    EXPECT_LT(times, Fraction(4 * bound, 3)) << n;
  }
}

/// Step by step: in each of level m's first m-2 steps a message holds n!/m blocks, in its last one
/// n! (m-1)/m, and every node uses the same port.
TEST(StarLevelwiseExchange, SendsTheBlocksOfOnePositionAfterTheOther) {
  const StarGraph star{5};
  const StarLevelwiseExchange algorithm(star);
  const auto run = test::run(build_network(star), algorithm.program(), test::job_of(algorithm));
  std::size_t step = 0;
  for (std::size_t m = 5; m >= 2; --m)
    for (std::size_t dimension = 2; dimension <= m; ++dimension, ++step) {
      const StepRecord& record = run.record.series.at(step);
      EXPECT_EQ(record.messages, 120U);
      EXPECT_EQ(record.largest_message_blocks, dimension == m ? 120 / m * (m - 1) : 120 / m);
      EXPECT_EQ(record.blocks, 120 * record.largest_message_blocks);
      EXPECT_EQ(record.ports_used, std::uint64_t{1} << (dimension - 2));
    }
  EXPECT_EQ(run.record.series.size(), step);
}

TEST(StarLevelwiseExchange, SaysWhatItsPlanTakes) {
  for (const std::size_t n : {3U, 4U, 5U, 6U, 7U}) {
    const StarGraph star{n};
    const StarLevelwiseExchange algorithm(star);
    const GroupedScheduleProgram program = algorithm.program();
    const Schedule& schedule = program.schedule();
    EXPECT_EQ(algorithm.footprint().plan_bytes,
              schedule.bytes() + Translations<StarGraph>::bytes(star, schedule.elements().size()))
        << n;
  }
}

TEST(StarLevelwiseExchange, RefusesMoreNodesThanAPlanHas) {
  EXPECT_THAT(
      [] { (void)StarLevelwiseExchange(StarGraph{10}).footprint(); },
      ThrowsMessage<InvalidParameter>(HasSubstr("levelwise on star:10: 3,628,800 nodes; allowed")));
}

}  // namespace
}  // namespace lockstep
