// SPDX-License-Identifier: Apache-2.0

/// star_machine_7_test.cpp for the chains of two packing factors and more.

#include <gtest/gtest.h>

#include "support/star_machine_figures.hpp"

namespace lockstep {
namespace {

TEST(StarMachine7Chains, CostsAndSchedules) { EXPECT_EQ(test::expect_packing_counts(7, 3), 18U); }

}  // namespace
}  // namespace lockstep
