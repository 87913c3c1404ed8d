// SPDX-License-Identifier: Apache-2.0
#include "core/bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace lockstep {
namespace {

constexpr std::uint64_t largest_count = std::numeric_limits<std::uint64_t>::max();

TEST(BytesTest, StopAtTheLargestNumber) {
  EXPECT_EQ((Bytes{2} + Bytes{3}).value(), 5U);
  EXPECT_EQ((Bytes{2} * Bytes{3}).value(), 6U);
  EXPECT_EQ((Bytes{largest_count} * Bytes{0}).value(), 0U);
  EXPECT_EQ((Bytes{largest_count} + Bytes{0}).value(), largest_count);
  EXPECT_EQ((Bytes{largest_count} + Bytes{1}).value(), largest_count);
  EXPECT_EQ((Bytes{std::uint64_t{1} << 63U} * Bytes{2}).value(), largest_count);
  EXPECT_EQ((Bytes{std::uint64_t{1} << 63U} + Bytes{std::uint64_t{1} << 63U}).value(),
            largest_count);
  EXPECT_EQ((Bytes{largest_count / 3} * Bytes{3}).value(), largest_count);
}

}  // namespace
}  // namespace lockstep
