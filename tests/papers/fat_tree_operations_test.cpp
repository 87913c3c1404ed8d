// SPDX-License-Identifier: Apache-2.0

/// Chapter 6 of the thesis and what goes beyond it: steps, bounds, links crossed and queues of
/// every operation on fat trees, counted by the machine, against an independent simulation.

#include <gtest/gtest.h>

#include "support/fat_tree_runs.hpp"

namespace lockstep::test {
namespace {

TEST(FatTreeOperations, CostWhatTheSimulationSays) {
  std::size_t runs = 0;
  for (const GoldenRow& row : golden("fattree/operations.csv")) {
    if (row.number("hops") > hops_of_a_short_run) continue;  // fat_tree_operations_large_test
    expect_fat_tree_row(row);
    ++runs;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_EQ(runs, 530U);
}

}  // namespace
}  // namespace lockstep::test
