// SPDX-License-Identifier: Apache-2.0

/// star_machine_test.cpp on S_7: 5,040 processors, 25 million blocks in every exchange. Chains of
/// more than one packing factor are in star_machine_7_chains_test.cpp, so that the two run at once.

#include <gtest/gtest.h>

#include "support/star_machine_figures.hpp"

namespace lockstep {
namespace {

TEST(StarMachine7, PackingCostsAndSchedules) {
  EXPECT_EQ(test::expect_packing_counts(7, 1, 2), 6U);  // k = 1..6
}

TEST(StarMachine7, PackingInBatches) { EXPECT_EQ(test::expect_batched_counts(7), 2U); }

TEST(StarMachine7, Levelwise) { EXPECT_EQ(test::expect_levelwise_counts(7), 1U); }

TEST(StarMachine7, AllGatherOnMeshAndRing) { EXPECT_EQ(test::expect_all_gather_counts(7), 1U); }

TEST(StarMachine7, ColumnExchangeSenders) {
  EXPECT_EQ(test::expect_column_exchange_senders(7), 36U);
}

}  // namespace
}  // namespace lockstep
