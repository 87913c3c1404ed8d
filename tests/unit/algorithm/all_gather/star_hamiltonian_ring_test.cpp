// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "algorithm/all_gather/star_mesh.hpp"
#include "program/cost_formulas.hpp"
#include "support/golden.hpp"
#include "support/star_algorithm_checks.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(StarHamiltonianRing, MovesEveryBlockAsPromised) {
  for (const std::size_t n : {3U, 4U, 5U, 6U})
    test::expect_as_promised(StarHamiltonianRing(StarGraph{n}), StarGraph{n});
}

TEST(StarHamiltonianRing, MovesBlocksOfAnySize) {
  for (const std::size_t n : {3U, 4U, 5U})
    test::expect_as_promised_with_all_block_sizes(StarHamiltonianRing(StarGraph{n}), StarGraph{n});
}

TEST(StarHamiltonianRing, HasOneRecordWhateverRunsIt) {
  for (const std::size_t n : {3U, 5U})
    test::expect_one_record(StarHamiltonianRing(StarGraph{n}), StarGraph{n});
}

TEST(StarHamiltonianRing, IsDeliveredOnlyIfNothingGoesWrong) {
  test::expect_every_mistake_found(StarHamiltonianRing(StarGraph{3}), StarGraph{3});
  test::expect_every_mistake_found(StarHamiltonianRing(StarGraph{4}), StarGraph{4}, 7);
}

TEST(StarHamiltonianRing, CostsWhatTheReferenceProgramCounted) {
  std::size_t compared = 0;
  for (const auto& row : test::golden("star/all_gather_costs.csv")) {
    if (row.number("n") > StarGraph::max_symbols) continue;
    const auto promise =
        cost_by_formula(StarHamiltonianRing::info, any_cayley(StarGraph{row.number("n")}));
    EXPECT_EQ(promise->startups, row.number("ring_startups"));
    EXPECT_EQ(promise->message_times, row.number("ring_message_times"));
    ++compared;
  }
  EXPECT_EQ(compared, 5U);
}

/// All nodes send one block and receive one, in every step.
TEST(StarHamiltonianRing, KeepsEveryNodeBusy) {
  const StarGraph star{4};
  const StarHamiltonianRing algorithm(star);
  const auto run = test::run(build_network(star), algorithm.program(), test::job_of(algorithm));
  ASSERT_EQ(run.record.series.size(), 23U);
  for (const StepRecord& record : run.record.series) {
    EXPECT_EQ(record.senders, 24U);
    EXPECT_EQ(record.receivers, 24U);
    EXPECT_EQ(record.blocks, 24U);
  }
}

TEST(StarHamiltonianRing, RefusesTwoNodes) {
  EXPECT_THAT([] { StarHamiltonianRing(StarGraph{2}); },
              ThrowsMessage<InvalidParameter>(HasSubstr("allowed: star:3..12")));
}

}  // namespace
}  // namespace lockstep
