// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include "lockstep/program/algorithm.hpp"

namespace lockstep::test {
namespace {

TEST(KeptPlan, IsBuiltOnceForALookAndTheProgram) {
  const KeptPlan<std::unique_ptr<int>> plan;
  int built = 0;
  const auto build = [&built] { return std::make_unique<int>(++built); };
  EXPECT_EQ(*plan.look(build), 1);
  EXPECT_EQ(*plan.look(build), 1);
  EXPECT_EQ(*plan.take(build), 1);  // the same, not a copy
  EXPECT_EQ(built, 1);
}

TEST(KeptPlan, IsBuiltAgainWhereItIsGone) {
  const KeptPlan<int> plan;
  int built = 0;
  const auto build = [&built] { return ++built; };
  EXPECT_EQ(plan.take(build), 1);
  EXPECT_EQ(plan.take(build), 2);
  EXPECT_EQ(plan.look(build), 3);
  EXPECT_EQ(plan.take(build), 3);
}

}  // namespace
}  // namespace lockstep::test
