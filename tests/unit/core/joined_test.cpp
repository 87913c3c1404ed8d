// SPDX-License-Identifier: Apache-2.0
#include "core/joined.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {
namespace {

TEST(JoinedTest, PutsTheSeparatorBetweenTextsOnly) {
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(joined(std::vector<std::string>{"ring"}, ", "), "ring");
  EXPECT_EQ(joined(std::set<std::string_view>{"star", "ring"}, ", "), "ring, star");
  EXPECT_EQ(joined(std::vector<std::string>{"", "a", ""}, ","), ",a,");
  EXPECT_EQ(joined(std::vector<const char*>{"a", "b"}, ""), "ab");
}

TEST(JoinedTest, WritesNumbersAsDigits) {
  EXPECT_EQ(joined(std::vector<std::uint8_t>{65, 0, 255}, "x"), "65x0x255");  // no letters
  EXPECT_EQ(joined(std::vector<std::int64_t>{-3, 12}, " "), "-3 12");
  EXPECT_EQ(joined(std::vector{std::numeric_limits<std::uint64_t>::max()}, ","),
            "18446744073709551615");
}

}  // namespace
}  // namespace lockstep
