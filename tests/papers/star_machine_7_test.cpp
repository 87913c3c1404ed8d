// SPDX-License-Identifier: Apache-2.0

/// star_machine_test.cpp on S_7: 5,040 processors, 25 million blocks in every exchange.

#include <gtest/gtest.h>

#include "support/star_machine.hpp"

namespace lockstep {
namespace {

TEST(StarMachine7, PackingCostsAndSchedules) { EXPECT_EQ(test::expect_packing_counts(7), 24U); }

TEST(StarMachine7, PackingInBatches) { EXPECT_EQ(test::expect_batched_counts(7), 2U); }

TEST(StarMachine7, Levelwise) { EXPECT_EQ(test::expect_levelwise_counts(7), 1U); }

TEST(StarMachine7, AllGatherOnMeshAndRing) { EXPECT_EQ(test::expect_all_gather_counts(7), 1U); }

TEST(StarMachine7, ColumnExchangeSenders) {
  EXPECT_EQ(test::expect_column_exchange_senders(7), 36U);
}

}  // namespace
}  // namespace lockstep
