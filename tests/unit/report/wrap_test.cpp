// SPDX-License-Identifier: Apache-2.0
#include "report/wrap.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/cases.hpp"

namespace lockstep::report {
namespace {

using Lines = std::vector<std::string>;

TEST(LinesOfTest, BreaksAtBlanks) {
  EXPECT_EQ(lines_of("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(lines_of("one two three", 6), (Lines{"one", "two", "three"}));
  EXPECT_EQ(lines_of("one", 3), Lines{"one"});
  EXPECT_EQ(lines_of("", 3), Lines{""});
}

TEST(LinesOfTest, BreaksLongWordsBehindMarksWithinThem) {
  EXPECT_EQ(lines_of("single-port-half-duplex", 12), (Lines{"single-port-", "half-duplex"}));
  EXPECT_EQ(lines_of("--port", 4), (Lines{"--po", "rt"}));
  EXPECT_EQ(lines_of("abcdefg", 3), (Lines{"abc", "def", "g"}));
  EXPECT_EQ(lines_of("a,b 390,000", 5), (Lines{"a,b", "390,0", "00"}));
}

TEST(WrappedTest, GoesOnUnderTheTextBehindTheGap) {
  EXPECT_EQ(wrapped("memory       8.7 MiB predicted, 7.5 MiB taken\nnext\n", 32),
            "memory       8.7 MiB predicted,\n             7.5 MiB taken\nnext\n");
}

TEST(WrappedTest, GoesOnALittleFurtherInWhereThereIsNoGap) {
  EXPECT_EQ(wrapped("  lockstep: no algorithm at all", 16),
            "  lockstep: no\n    algorithm at\n    all");
}

TEST(WrappedTest, ColoursAndLettersOfSeveralBytesTakeOneColumnOrNone) {
  EXPECT_EQ(width_of("\x1b[32mok\x1b[0m"), 2U);
  EXPECT_EQ(width_of("\xc3\xa4h"), 2U);
  const std::string green = "result  \x1b[32mok\x1b[0m";
  EXPECT_EQ(wrapped(green, 10), green);
}

TEST(WrappedTest, KeepsEveryWordAndEveryWidth) {
  test::for_all(
      300,
      [](test::Random& random) {
        std::string text;
        for (std::uint64_t words = test::uniform(random, 0, 40); words > 0; --words) {
          text += std::string(test::uniform(random, 0, 4), ' ');
          text += std::string(test::uniform(random, 1, 12), static_cast<char>('a' + words % 26));
          if (test::uniform(random, 0, 9) == 0) text += '\n';
        }
        return std::pair(text, static_cast<std::size_t>(test::uniform(random, 20, 60)));
      },
      [](const auto& given) {
        const std::string broken = wrapped(given.first, given.second);
        const auto letters = [](std::string text) {
          std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
          return text;
        };
        EXPECT_EQ(letters(broken), letters(given.first));
        for (std::size_t at = 0; at < broken.size();) {
          const std::size_t end = std::min(broken.find('\n', at), broken.size());
          EXPECT_LE(end - at, given.second);
          at = end + 1;
        }
      });
}

}  // namespace
}  // namespace lockstep::report
