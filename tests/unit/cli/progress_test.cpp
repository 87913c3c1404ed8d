// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <gtest/gtest.h>

namespace lockstep::cli {
namespace {

TEST(ProgressLineTest, ABarTheRateAndTheTimeLeft) {
  EXPECT_EQ(progress_line("star:8", 46'600, 150'552, 10),
            "star:8  [######              ]  31 %  46,600 of 150,552 steps  4,660 steps/s  "
            "22.31 s left");
  EXPECT_EQ(progress_line("x", 4, 4, 2),
            "x  [####################] 100 %  4 of 4 steps  2 steps/s  0 us left");
}

TEST(ProgressLineTest, FitsTheTerminal) {
  const std::string name =
      "run 12 of 54, 3 min 4 s left in total: star:7 total-exchange by packing";
  for (std::size_t width = 30; width < 150; ++width)
    EXPECT_LE(progress_line(name, 46'600, 150'552, 10, width).size(), width);
  EXPECT_EQ(progress_line("star:8", 46'600, 150'552, 10, 80),
            "star:8  [##      ]  31 %  46,600 of 150,552 steps  4,660 steps/s  22.31 s left");
  EXPECT_EQ(progress_line("star:8", 46'600, 150'552, 10, 60),
            "star:8  [######              ]  31 %  22.31 s left");
}

TEST(ProgressLineTest, SaysNothingThatIsNotKnown) {
  EXPECT_EQ(progress_line("x", 0, 10, 1),
            "x  [                    ]   0 %  0 of 10 steps  0 steps/s  ? left");
  EXPECT_EQ(progress_line("x", 5, 0, 1),
            "x  [####################] 100 %  5 of 0 steps  5 steps/s  0 us left");
  EXPECT_EQ(progress_line("x", 5, 4, 0),
            "x  [####################] 100 %  5 of 4 steps  0 steps/s  ? left");
}

TEST(ProgressLineTest, SaysThatARunIsBeingSetUp) {
  EXPECT_EQ(setup_line("star:8", 12.3), "star:8  setting up, 12 s");
  EXPECT_EQ(setup_line("product(ring:3,ring:4)", 12.3, 30), "product(ri..  setting up, 12 s");
  EXPECT_LE(setup_line("product(ring:3,ring:4)", 12.3, 30).size(), 30U);
}

TEST(ProgressTest, EndsAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress("x", 10, Progress::Show::on_terminal);
    progress.on_step({.step = 2});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(500));
}

}  // namespace
}  // namespace lockstep::cli
