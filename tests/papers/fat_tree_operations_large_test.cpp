// SPDX-License-Identifier: Apache-2.0

/// The longer ones of fat_tree_operations_test.

#include <gtest/gtest.h>

#include "support/fat_tree_runs.hpp"

namespace lockstep::test {
namespace {

TEST(FatTreeOperationsLarge, CostWhatTheSimulationSays) {
  std::size_t runs = 0;
  for (const GoldenRow& row : golden("fattree/operations.csv")) {
    if (row.number("hops") <= hops_of_a_short_run) continue;
    expect_fat_tree_row(row);
    ++runs;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_EQ(runs, 87U);
}

}  // namespace
}  // namespace lockstep::test
