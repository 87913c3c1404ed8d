// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/star_mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/cost_formulas.hpp"
#include "support/golden.hpp"
#include "support/star_algorithm_checks.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(StarMesh, MovesEveryBlockAsPromised) {
  for (const std::size_t n : {3U, 4U, 5U, 6U})
    test::expect_as_promised(StarMesh(StarGraph{n}), StarGraph{n});
}

TEST(StarMesh, MovesBlocksOfAnySize) {
  for (const std::size_t n : {3U, 4U, 5U})
    test::expect_as_promised_with_all_block_sizes(StarMesh(StarGraph{n}), StarGraph{n});
}

TEST(StarMesh, HasOneRecordWhateverRunsIt) {
  for (const std::size_t n : {3U, 5U})
    test::expect_one_record(StarMesh(StarGraph{n}), StarGraph{n});
}

TEST(StarMesh, IsDeliveredOnlyIfNothingGoesWrong) {
  test::expect_every_mistake_found(StarMesh(StarGraph{3}), StarGraph{3});
  test::expect_every_mistake_found(StarMesh(StarGraph{4}), StarGraph{4}, 7);
}

TEST(StarMesh, CostsWhatTheReferenceProgramCounted) {
  std::size_t compared = 0;
  for (const auto& row : test::golden("star/all_gather_costs.csv")) {
    if (row.number("n") > StarGraph::max_symbols) continue;
    const auto promise = cost_by_formula(StarMesh::info, any_cayley(StarGraph{row.number("n")}));
    EXPECT_EQ(promise->startups, row.number("mesh_startups"));
    EXPECT_EQ(promise->message_times, row.number("mesh_message_times"));
    ++compared;
  }
  EXPECT_EQ(compared, 5U);
}

/// The moves in each step of a run that did all it should.
std::vector<StepRecord> run_mesh(std::size_t n) {
  const StarGraph star{n};
  const StarMesh algorithm(star);
  const test::RunOutcome outcome =
      test::run(build_network(star), algorithm.program(), test::job_of(algorithm));
  test::expect_whole(outcome, algorithm, star);
  return outcome.record.series;
}

/// The paper's text says that all nodes send in the first traversal; the end rows do not.
TEST(StarMesh, SendsInEachTraversalWhatTheReferenceProgramSent) {
  std::size_t n = 0;
  std::vector<StepRecord> series;
  for (const auto& row : test::golden("star/mesh_column_exchange.csv")) {
    if (row.number("n") != n) {
      n = row.number("n");
      series = run_mesh(n);
    }
    const bool down = row.text("direction") == "-1";
    const std::size_t step = 3 * ((down ? n - 1 : 0) + row.number("propagation") - 1);
    EXPECT_EQ(series.at(step).messages, row.number("first"));
    EXPECT_EQ(series.at(step + 1).messages, row.number("second"));
    EXPECT_EQ(series.at(step + 2).messages, row.number("third"));
  }
}

/// The columns' messages hold one block, those of the rows n; in the rows, all nodes send.
TEST(StarMesh, SendsSingleBlocksInColumnsAndPacketsInRows) {
  for (const std::size_t n : {3U, 4U, 5U}) {
    const std::vector<StepRecord> series = run_mesh(n);
    const std::size_t column_steps = 6 * (n - 1);
    ASSERT_EQ(series.size(), column_steps + factorial(n - 1) - 1);
    for (const StepRecord& step : series) {
      const bool in_column = step.step < column_steps;
      EXPECT_EQ(step.largest_message_blocks, in_column ? 1 : n);
      EXPECT_EQ(step.messages == factorial(n), !in_column);
      EXPECT_EQ(step.ports_used >> (n - 2) != 0, in_column && step.step % 3 != 1)
          << "dimension n joins rows, in traversals 1 and 3";
    }
  }
}

TEST(StarMesh, RefusesTwoNodes) {
  EXPECT_THAT([] { StarMesh(StarGraph{2}); },
              ThrowsMessage<InvalidParameter>(HasSubstr("allowed: star:3..12")));
}

}  // namespace
}  // namespace lockstep
