// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/detail/counted.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Counted, SeparatesThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18'446'744'073'709'551'615U), "18,446,744,073,709,551,615");
}

TEST(Counted, KnowsThePlural) {
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(2, "node"), "2 nodes");
  EXPECT_EQ(counted(1, "switch", "es"), "1 switch");
  EXPECT_EQ(counted(5040, "switch", "es"), "5,040 switches");
}

}  // namespace
}  // namespace lockstep
