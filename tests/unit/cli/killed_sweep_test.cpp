// SPDX-License-Identifier: Apache-2.0

/// Rows on disk while a sweep runs. A sweep that is killed, not asked to stop, at a random row:
/// --resume completes it, and every run has one row. Two sweeps of one file: the second is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/instrumented.hpp"
#include "study/sweep_file.hpp"
#include "support/child_program.hpp"

namespace lockstep {
namespace {

using study::CsvRow;

constexpr std::size_t runs = 3 * 4 * 2;

[[nodiscard]] std::vector<std::string> killed_sweep(const std::string& file) {
  return {"sweep",
          "star:5",
          "total-exchange",
          "--k",
          "1;2;3",
          "-b",
          "64",
          "-e",
          "512",
          "-f",
          "2",
          "--channel",
          "spsc,slot",
          "--repetitions",
          "2",
          "--warmup",
          "1",
          "--order",
          "random",
          "--seed",
          "7",
          "--threads",
          "1",
          "--format",
          "csv",
          "--output",
          file};
}

[[nodiscard]] std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(KilledSweepTest, ResumeCompletesIt) {
  constexpr int times = slowness == 1 ? 20 : 3;  // instrumented programs take long to start
  std::mt19937 random(20'261'123);
  std::size_t killed_between = 0;
  for (int time = 0; time < times; ++time) {
    test::ChildProgram child;
    const std::string file = (child.folder() / "grid.csv").string();
    const std::size_t row = 1 + random() % runs;
    SCOPED_TRACE("killed after row " + std::to_string(row));
    child.start(killed_sweep(file));
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (lines_in(child.content("grid.csv")) < row + 1 &&
           std::chrono::steady_clock::now() < latest)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    child.interrupt(SIGKILL);
    (void)child.exit_code();
    const std::size_t before = lines_in(child.content("grid.csv"));
    ASSERT_GE(before, row + 1);
    killed_between += before < runs + 1 ? 1U : 0U;

    std::vector<std::string> resumed = killed_sweep(file);
    resumed.emplace_back("--resume");
    child.start(resumed);
    ASSERT_EQ(child.exit_code(), 0) << child.content("err");
    const std::vector<CsvRow> rows = study::read_csv(child.content("grid.csv")).rows;
    ASSERT_EQ(rows.size(), runs + 1);
    std::set<CsvRow> different;
    for (const CsvRow& cells : rows) {
      CsvRow key(cells.begin(), cells.begin() + 9);  // up to executor
      different.insert(std::move(key));
    }
    EXPECT_EQ(different.size(), runs + 1);
  }
  EXPECT_GE(killed_between, 2U) << "sweeps that were over are no test";
}

/// Until the file has so many whole lines.
void wait_for_lines(const test::ChildProgram& child, const std::string& file, std::size_t lines) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (lines_in(child.content(file)) < lines && std::chrono::steady_clock::now() < latest)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  ASSERT_GE(lines_in(child.content(file)), lines);
}

TEST(SweepOfTwoProcessesTest, TheSecondIsRefused) {
  test::ChildProgram first;
  const std::string file = (first.folder() / "grid.csv").string();
  first.start(killed_sweep(file));
  ASSERT_NO_FATAL_FAILURE(wait_for_lines(first, "grid.csv", 2));
  first.interrupt(SIGSTOP);
  for (const std::string option : {"", "--resume", "--overwrite"}) {
    test::ChildProgram second;
    std::vector<std::string> words = killed_sweep(file);
    if (!option.empty()) words.push_back(option);
    second.start(words);
    EXPECT_EQ(second.exit_code(), 2) << option;
    EXPECT_EQ(second.content("err"), "lockstep: --output: cannot write '" + file +
                                         "': another process is writing rows to it; wait for it, "
                                         "or use another file\n");
  }
  first.interrupt(SIGCONT);
  EXPECT_EQ(first.exit_code(), 0);
  EXPECT_EQ(lines_in(first.content("grid.csv")), runs + 1);
}

/// An object is on disk when its run ends, on stdout and in a file.
TEST(SweepOfObjectsTest, RowsAreWrittenWhenTheyEnd) {
  for (const bool to_file : {false, true}) {
    test::ChildProgram child;
    const std::string file = (child.folder() / "grid.ndjson").string();
    std::vector<std::string> words = killed_sweep(file);
    *std::ranges::find(words, "csv") = "ndjson";
    if (!to_file) words.resize(words.size() - 2);
    const std::string name = to_file ? "grid.ndjson" : "out";
    child.start(words);
    ASSERT_NO_FATAL_FAILURE(wait_for_lines(child, name, 2));
    child.interrupt(SIGKILL);
    (void)child.exit_code();
    const std::string rows = child.content(name);
    EXPECT_LT(lines_in(rows), runs) << "a sweep that was over is no test";
    EXPECT_EQ(rows.substr(0, 12), "{\"topology\":");
    if (!to_file) continue;
    child.start(words);
    EXPECT_EQ(child.exit_code(), 2);
    EXPECT_NE(child.content("err").find("use --overwrite to replace them"), std::string::npos);
    EXPECT_EQ(child.content(name), rows);
    words.emplace_back("--overwrite");
    child.start(words);
    EXPECT_EQ(child.exit_code(), 0);
    EXPECT_EQ(lines_in(child.content(name)), runs);
  }
}

}  // namespace
}  // namespace lockstep
