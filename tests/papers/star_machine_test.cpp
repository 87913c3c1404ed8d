// SPDX-License-Identifier: Apache-2.0

/// Y.-C. Tseng, W.-L. Chang, J.-P. Sheu, all-to-all broadcast in star graphs: what the algorithms
/// cost, counted by the machine while it moves and verifies every byte, on S_2 to S_6. S_7 is in
/// star_machine_7_test.cpp.

#include <gtest/gtest.h>

#include <cstddef>

#include "support/star_machine_figures.hpp"

namespace lockstep {
namespace {

TEST(StarMachine, PackingCostsAndSchedules) {
  constexpr std::size_t chains_in_the_tables[] = {1, 2, 3, 6, 11};
  for (std::size_t n = 2; n <= 6; ++n)
    EXPECT_EQ(test::expect_packing_counts(n), chains_in_the_tables[n - 2]) << n;
}

/// Example of section III: S_4, k = 2; and the same with one more level.
TEST(StarMachine, PackingStepByStep) {
  for (const test::GoldenRow& row : test::golden("star/packing_steps.csv")) {
    const auto chain = row.numbers("chain");
    const RunResult result = test::run_on_star(chain.front(), Operation::total_exchange, "packing",
                                               test::settings_of(chain));
    const test::CountedSteps steps = test::steps_of(result.record);
    EXPECT_EQ(steps.dimensions, row.numbers("dimensions")) << row.text("chain");
    EXPECT_EQ(steps.blocks, row.numbers("blocks")) << row.text("chain");
  }
}

TEST(StarMachine, PackingInBatches) {
  EXPECT_EQ(test::expect_batched_counts(4), 1U);
  EXPECT_EQ(test::expect_batched_counts(5), 2U);
  EXPECT_EQ(test::expect_batched_counts(6), 2U);
}

TEST(StarMachine, Levelwise) {
  EXPECT_EQ(test::expect_levelwise_counts(3), 1U);
  EXPECT_EQ(test::expect_levelwise_counts(5), 1U);
}

TEST(StarMachine, AllGatherOnMeshAndRing) {
  EXPECT_EQ(test::expect_all_gather_counts(3), 1U);
  EXPECT_EQ(test::expect_all_gather_counts(5), 1U);
}

TEST(StarMachine, ColumnExchangeSenders) {
  EXPECT_EQ(test::expect_column_exchange_senders(3), 12U);
  EXPECT_EQ(test::expect_column_exchange_senders(5), 24U);
}

/// The sizes the tables leave out, against the closed forms, which every run is judged by.
TEST(StarMachine, PromisesOfOtherSizes) {
  for (const std::size_t n : {4U, 6U})
    for (const auto& [operation, algorithm] : {std::pair{Operation::total_exchange, "levelwise"},
                                               {Operation::all_gather, "levelwise"},
                                               {Operation::all_gather, "mesh"},
                                               {Operation::all_gather, "hamiltonian-ring"}}) {
      const RunResult result = test::run_on_star(n, operation, algorithm);
      EXPECT_TRUE(result.ok()) << n << " " << algorithm;
      EXPECT_TRUE(result.judgement.promises.kept()) << n << " " << algorithm;
      EXPECT_TRUE(result.forecast.predicted.has_value() && result.forecast.lower_bound.has_value());
    }
}

}  // namespace
}  // namespace lockstep
