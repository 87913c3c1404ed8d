// SPDX-License-Identifier: Apache-2.0
#include "report/spread.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace lockstep {
namespace {

using report::Spread;
using report::spread_of;

TEST(SpreadTest, OfAHundredValuesInAnyOrder) {
  std::vector<double> values(100);
  std::iota(values.rbegin(), values.rend(), 1.0);
  const Spread spread = spread_of(values);
  EXPECT_EQ(spread.count, 100U);
  EXPECT_EQ(spread.least, 1);
  EXPECT_EQ(spread.most, 100);
  EXPECT_DOUBLE_EQ(spread.mean, 50.5);
  EXPECT_DOUBLE_EQ(spread.median, 50.5);
  EXPECT_EQ(spread.p95, 95);
  EXPECT_EQ(spread.p99, 99);
  EXPECT_NEAR(spread.deviation, 29.0115, 1e-4);  // sqrt(n (n + 1) / 12)
  EXPECT_NEAR(spread.variation, 29.0115 / 50.5, 1e-6);
  EXPECT_TRUE(spread.varies());
}

TEST(SpreadTest, OfFewValues) {
  EXPECT_EQ(spread_of({}).count, 0U);
  const Spread one = spread_of({2.0});
  EXPECT_EQ(one.deviation, 0);
  EXPECT_EQ(one.p99, 2);
  EXPECT_FALSE(one.varies());
  EXPECT_FALSE(spread_of({1.0, 1.05}).varies());  // 3.4 %
  EXPECT_TRUE(spread_of({1.0, 1.1}).varies());    // 6.7 %
  EXPECT_EQ(spread_of({3.0, 1.0, 2.0}).median, 2);
}

}  // namespace
}  // namespace lockstep
