// SPDX-License-Identifier: Apache-2.0
#include "core/words.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(WordsTest, BlanksAroundAreRemoved) {
  EXPECT_EQ(trimmed(" \t a b\v\f\r"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\na\n"), "\na\n");  // ends of lines are no blanks
}

}  // namespace
}  // namespace lockstep
