// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_rank.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(NearestRank, IsAValueOfTheSample) {
  EXPECT_EQ(at_share({1, 2, 3}, 0.5), 2);
  EXPECT_EQ(at_share({1, 2, 3, 4}, 0.5), 2);
  EXPECT_EQ(at_share({1, 2, 3, 4}, 0.9), 4);
  EXPECT_EQ(at_share({7}, 0), 7);
  EXPECT_EQ(at_share({7}, 1), 7);
}

TEST(NearestRank, DoesNotMindRounding) {
  // 0.07 * 100 is more than 7 as a double.
  std::vector<double> numbers;
  for (int i = 1; i <= 100; ++i) numbers.push_back(i);
  EXPECT_EQ(at_share(numbers, 0.07), 7);
}

}  // namespace
}  // namespace lockstep
