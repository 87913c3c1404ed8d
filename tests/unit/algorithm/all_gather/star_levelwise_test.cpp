// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/permutation.hpp"
#include "support/golden.hpp"
#include "support/planned_class.hpp"
#include "support/star_algorithm_checks.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using StarLevelwiseGather = test::PlannedClass<star_all_gather, StarGraph>;

TEST(StarLevelwiseGather, MovesEveryBlockAsPromised) {
  for (const std::size_t n : {2U, 3U, 4U, 5U, 6U, 7U})
    test::expect_as_promised(StarLevelwiseGather(StarGraph{n}), StarGraph{n});
}

TEST(StarLevelwiseGather, MovesBlocksOfAnySize) {
  for (const std::size_t n : {2U, 3U, 5U})
    test::expect_as_promised_with_all_block_sizes(StarLevelwiseGather(StarGraph{n}), StarGraph{n});
}

TEST(StarLevelwiseGather, HasOneRecordWhateverRunsIt) {
  for (const std::size_t n : {2U, 3U, 5U})
    test::expect_one_record(StarLevelwiseGather(StarGraph{n}), StarGraph{n});
}

TEST(StarLevelwiseGather, IsDeliveredOnlyIfNothingGoesWrong) {
  test::expect_every_mistake_found(StarLevelwiseGather(StarGraph{3}), StarGraph{3});
  test::expect_every_mistake_found(StarLevelwiseGather(StarGraph{4}), StarGraph{4}, 5);
}

TEST(StarLevelwiseGather, CostsWhatTheReferenceProgramCounted) {
  for (const auto& row : test::golden("star/bounds_and_levelwise.csv")) {
    const StarLevelwiseGather algorithm(StarGraph{row.number("n")});
    EXPECT_EQ(algorithm.promise()->startups, row.number("all_gather_startups"));
    EXPECT_EQ(algorithm.promise()->message_times, row.number("all_gather_message_times"));
  }
}

/// A processor receives n! - 1 blocks, one message per step: fewer message times there cannot be.
TEST(StarLevelwiseGather, TakesTheFewestMessageTimesThereCanBe) {
  for (std::size_t n = 2; n <= 10; ++n)
    EXPECT_EQ(StarLevelwiseGather(StarGraph{n}).promise()->message_times, factorial(n) - 1);
}

/// Level m: (m-1)! blocks first through dimension m, then through 2..m-1.
TEST(StarLevelwiseGather, GrowsFromSubstarToSubstar) {
  const StarGraph star{5};
  const StarLevelwiseGather algorithm(star);
  const auto run = test::run(build_network(star), algorithm.program(), test::job_of(algorithm));
  std::size_t step = 0;
  for (std::size_t m = 2; m <= 5; ++m)
    for (std::size_t i = 0; i + 1 < m; ++i, ++step) {
      const std::size_t dimension = i == 0 ? m : i + 1;
      const StepRecord& record = run.record.series.at(step);
      EXPECT_EQ(record.messages, 120U);
      EXPECT_EQ(record.largest_message_blocks, factorial(m - 1));
      EXPECT_EQ(record.ports_used, std::uint64_t{1} << (dimension - 2));
    }
  EXPECT_EQ(run.record.series.size(), step);
}

TEST(StarLevelwiseGather, SaysWhatItsPlanTakes) {
  for (const std::size_t n : {2U, 3U, 4U, 5U, 6U, 7U}) {
    const StarGraph star{n};
    const StarLevelwiseGather algorithm(star);
    const GroupedScheduleProgram program = algorithm.program();
    const Schedule& schedule = program.schedule();
    EXPECT_EQ(algorithm.footprint().plan_bytes,
              schedule.bytes() + Translations<StarGraph>::bytes(star, schedule.elements().size()))
        << n;
    // Arrivals of the last level are not kept.
    EXPECT_EQ(algorithm.footprint().blocks_per_processor, n == 2 ? 1 : 2 * factorial(n - 1)) << n;
  }
}

TEST(StarLevelwiseGather, RefusesMoreNodesThanAPlanHas) {
  EXPECT_THAT(
      [] { (void)StarLevelwiseGather(StarGraph{10}).footprint(); },
      ThrowsMessage<InvalidParameter>(HasSubstr("levelwise on star:10: 3,628,800 nodes; allowed")));
}

}  // namespace
}  // namespace lockstep
