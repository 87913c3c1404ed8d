// SPDX-License-Identifier: Apache-2.0

/// Ctrl-C, sent to the program itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/child_program.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

class InterruptTest : public testing::Test {
 protected:
  /// A run of some minutes.
  void start(std::vector<std::string> more) {
    std::vector<std::string> words{"run",     "star:8", "total-exchange", "--k", "1",
                                   "--bytes", "1KiB"};
    words.insert(words.end(), more.begin(), more.end());
    child_.start(std::move(words));
  }

  [[nodiscard]] static std::ptrdiff_t lines_of(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
  void wait_for_lines(const std::string& name, std::ptrdiff_t count) const {
    for (int i = 0; i < 60'000 && lines_of(child_.content(name)) < count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_GE(lines_of(child_.content(name)), count);
  }

  /// The table and what is written of it.
  [[nodiscard]] std::ptrdiff_t files_of_table() const {
    const std::filesystem::directory_iterator all(child_.folder());
    return std::count_if(begin(all), end(all), [](const auto& entry) {
      return entry.path().filename().string().starts_with("t.table");
    });
  }

  test::ChildProgram child_;
};

TEST_F(InterruptTest, EndsAtAStepAndPrintsWhatWasDone) {
  start({});
  child_.wait_until_ready();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  child_.interrupt();
  EXPECT_EQ(child_.exit_code(), 130);
  EXPECT_THAT(child_.content("out"), HasSubstr("result       INTERRUPTED after step "));
  EXPECT_THAT(child_.content("out"), HasSubstr(" of 280,944"));
  EXPECT_EQ(child_.content("err"), "");
}

TEST_F(InterruptTest, BeforeTheFirstStepToo) {
  start({});
  child_.wait_until_ready();
  child_.interrupt();
  EXPECT_EQ(child_.exit_code(), 130);
  EXPECT_THAT(child_.content("out"), HasSubstr("INTERRUPTED"));
}

TEST_F(InterruptTest, ThePartialResultIsWrittenWhole) {
  start({"--output", (child_.folder() / "result.json").string(), "--format", "json"});
  child_.wait_until_ready();
  child_.interrupt();
  EXPECT_EQ(child_.exit_code(), 130);
  EXPECT_EQ(child_.content("out"), "");
  EXPECT_THAT(child_.content("result.json"), HasSubstr("\"interrupted\": true"));
  EXPECT_THAT(child_.content("result.json"), HasSubstr("\"ok\": false"));
}

/// The trial of such a run says nothing: the time is that of typical rates.
TEST_F(InterruptTest, ADryRunSaysSo) {
  for (const std::string format : {"text", "json"}) {
    child_.start({"run", "star:8", "total-exchange", "--k", "4,3,2", "--bytes", "8", "--dry-run",
                  "--format", format});
    child_.wait_until_ready();
    child_.interrupt();
    EXPECT_EQ(child_.exit_code(), 130);
    EXPECT_THAT(child_.content("out"),
                HasSubstr(format == "text" ? "result       INTERRUPTED" : "\"interrupted\": true"));
    EXPECT_THAT(child_.content("out"),
                HasSubstr(format == "text" ? "from typical rates" : "\"measured\": false"));
  }
}

/// A sweep whose rows in the file count as done: --resume adds the others, each once.
TEST_F(InterruptTest, ASweepGoesOnWhereItEnded) {
  const std::string file = (child_.folder() / "grid.csv").string();
  const std::vector<std::string> sweep{
      "sweep",    "star:6", "total-exchange", "--k", "1", "--bytes", "1,2,3,4,5,6,7,8,9,10,11,12",
      "--format", "csv",    "--output",       file};
  child_.start(sweep);
  wait_for_lines("grid.csv", 3);
  child_.interrupt();
  EXPECT_EQ(child_.exit_code(), 130);
  EXPECT_EQ(child_.content("out"), "");
  EXPECT_EQ(child_.content("err"),
            "lockstep: INTERRUPTED; run the same command with --resume to continue\n");
  const std::string before = child_.content("grid.csv");
  ASSERT_GE(lines_of(before), 3);
  ASSERT_LT(lines_of(before), 13);

  std::vector<std::string> resumed = sweep;
  resumed.push_back("--resume");
  child_.start(resumed);
  EXPECT_EQ(child_.exit_code(), 0);
  EXPECT_EQ(child_.content("err"), "");
  const std::string after = child_.content("grid.csv");
  EXPECT_EQ(after.substr(0, before.size()), before);
  EXPECT_EQ(lines_of(after), 13);
  for (int bytes = 1; bytes <= 12; ++bytes)
    EXPECT_THAT(after,
                HasSubstr("\nstar:6,total-exchange,packing,1,1," + std::to_string(bytes) + ","));
}

TEST_F(InterruptTest, AnInterruptedSweepShowsItsRows) {
  child_.start({"sweep", "star:4", "star:8", "total-exchange", "--k", "1", "--format", "json"});
  child_.wait_until_ready();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  child_.interrupt();
  EXPECT_EQ(child_.exit_code(), 130);
  EXPECT_EQ(child_.content("err"), "lockstep: INTERRUPTED\n");
  EXPECT_THAT(child_.content("out"), HasSubstr("\"interrupted\": true"));
  EXPECT_THAT(child_.content("out"), HasSubstr("\"ok\": false"));
}

/// Another signal soon after the first ends the program at once, and leaves no file behind.
TEST_F(InterruptTest, TwoSignalsLeaveNoFile) {
  for (int i = 0; i < 4; ++i) {
    child_.start({"table", "search", "star:9", "total", "--output",
                  (child_.folder() / "t.table").string(), "--quiet"});
    child_.wait_until_ready();
    for (int wait = 0; wait < 5'000 && files_of_table() == 0; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(files_of_table(), 1);
    child_.interrupt(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(i % 2));
    child_.interrupt(SIGTERM);
    EXPECT_EQ(child_.exit_code(), 130);
    EXPECT_EQ(files_of_table(), 0);
  }
}

TEST_F(InterruptTest, TheSecondOneEndsAtOnce) {
  start({});
  child_.wait_until_ready();
  // Faster than a step can end, or the first one already has: either way it is over.
  child_.interrupt();
  child_.interrupt();
  EXPECT_EQ(child_.exit_code(), 130);
}

}  // namespace
}  // namespace lockstep
