// SPDX-License-Identifier: Apache-2.0

/// A refusal of the host (of a thread, memory or a file of that size) ends in exit code 4 and one
/// line, whatever the command and the executor. The program runs if it needs less.

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "support/child_program.hpp"

namespace lockstep {
namespace {

using testing::AnyOf;
using testing::StartsWith;

/// A user of whom nothing else runs: limits on processes count all that a user has.
[[nodiscard]] uid_t nobody() {
  constexpr uid_t first = 1'000'000;
  return first + static_cast<uid_t>(::getpid());
}
constexpr int no_such_user = 98;
constexpr int not_executed = 99;

struct Limits {
  std::optional<rlim_t> file_bytes{};  ///< `ulimit -f`
  std::optional<rlim_t> memory_mib{};
  std::optional<rlim_t> threads{};  ///< the first one among them
};

void impose(const Limits& limits, uid_t user) {
  const auto set = [](auto resource, rlim_t most) {
    const rlimit both{most, most};
    (void)::setrlimit(resource, &both);
  };
  if (limits.threads) {
    set(RLIMIT_NPROC, *limits.threads);
    if (::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 || ::setuid(user) != 0)
      ::_exit(no_such_user);
  }
  if (limits.file_bytes) set(RLIMIT_FSIZE, *limits.file_bytes);
  if (limits.memory_mib) set(RLIMIT_AS, *limits.memory_mib << 20U);
}

class ResourceLimits : public testing::Test {
 protected:
  /// False where this host cannot try it.
  [[nodiscard]] bool ends_well(const std::vector<std::string>& words, const Limits& limits) {
    SCOPED_TRACE(testing::PrintToString(words) + ", " +
                 std::to_string(limits.memory_mib.value_or(0)) + " MiB, " +
                 std::to_string(limits.threads.value_or(0)) + " threads");
    child_.start(words, [&limits, user = nobody()] { impose(limits, user); });
    const auto code = child_.exit_code_within(std::chrono::seconds(5));
    if (!code) {
      ADD_FAILURE() << "the program does not end";
      return true;
    }
    if (limits.threads && (*code == no_such_user || *code == not_executed)) return false;
    const std::string said = child_.content("err");
    EXPECT_THAT(*code, AnyOf(0, 4)) << said;
    if (*code == 4 && words.front() != "sweep" && words.front() != "compare") {
      EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
      EXPECT_THAT(said, StartsWith("lockstep: "));
    }
    return true;
  }

  test::ChildProgram child_;
};

[[nodiscard]] std::vector<std::string> run_by(const std::string& executor, const std::string& w) {
  return {"run", "star:5", "total-exchange", "--executor", executor, "--threads", w};
}

TEST_F(ResourceLimits, OfMemory) {
  for (const rlim_t mib : {24U, 60U, 100U, 200U})
    for (const std::string executor : {"tbb", "thread"})
      EXPECT_TRUE(ends_well(run_by(executor, "8"), {.memory_mib = mib}));
  for (const rlim_t mib : {24U, 64U}) {
    EXPECT_TRUE(ends_well({"list", "ports"}, {.memory_mib = mib}));
    EXPECT_TRUE(ends_well({"table", "search", "star:5", "odd", "--threads", "8", "--seconds", "1"},
                          {.memory_mib = mib}));
    EXPECT_TRUE(ends_well({"sweep", "ring:5", "broadcast", "--threads", "8"}, {.memory_mib = mib}));
    EXPECT_TRUE(ends_well({"stress", "--cases", "3", "--seed", "5"}, {.memory_mib = mib}));
  }
}

/// Nothing is left of a file that may not be as large; of rows those that are whole.
TEST_F(ResourceLimits, OfFiles) {
  const auto file = [&](const char* name) { return (child_.folder() / name).string(); };
  const std::vector<std::string> run{"run", "star:4", "total-exchange", "--quiet"};
  const auto with = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  constexpr rlim_t bytes = 600;
  std::ofstream(file("kept.json")) << "as it was";
  std::vector<std::vector<std::string>> commands{
      with(run, {"--format", "json", "--output", file("kept.json")}),
      with(run, {"--format", "json"}),
      with(run, {"--report", file("a.html")}),
      with(run, {"--trace", file("a.csv")}),
      with(run, {"--trace", file("a.json")}),
      with(run, {"--plot", file("a.svg")}),
      with(run, {"--save-schedule", file("a.txt")}),
      {"compare", "ring:8", "broadcast", "--format", "csv", "--output", file("a.csv")},
      {"tune", "ring:8", "broadcast", "--format", "json", "--output", file("a.json")},
      {"sweep", "ring:8", "broadcast", "--format", "json", "--output", file("a.json")},
      {"sweep", "ring:8", "broadcast", "--format", "ndjson", "--output", file("a.json")},
      {"list", "terms", "--output", file("a.txt")},
      {"show", "star:5", "--format", "dot", "--output", file("a.dot")},
      {"reproduce", "star", "--dry-run", "--output", file("a.txt")}};
  for (const std::vector<std::string>& words : commands) {
    SCOPED_TRACE(testing::PrintToString(words));
    child_.start(words, [] { impose({.file_bytes = bytes}, 0); });
    EXPECT_EQ(child_.exit_code(), 4);
    const std::string said = child_.content("err");
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_NE(said.find("File too large"), std::string::npos) << said;
    for (const auto& entry : std::filesystem::directory_iterator(child_.folder())) {
      const std::string name = entry.path().filename().string();
      const bool empty_rows = words[0] == "sweep" && words[4] == "ndjson" && entry.file_size() == 0;
      EXPECT_TRUE(name == "out" || name == "err" || name == "kept.json" || empty_rows) << name;
    }
    EXPECT_EQ(child_.content("kept.json"), "as it was");
    std::filesystem::remove(file("a.json"));
  }
}

TEST_F(ResourceLimits, ARowThatDoesNotFitIsNotCutOff) {
  const std::string file = (child_.folder() / "rows.csv").string();
  const std::vector<std::string> words{"sweep", "ring:4..8", "broadcast", "--format",
                                       "csv",   "--output",  file,        "--resume"};
  child_.start(words, [] { impose({.file_bytes = 2000}, 0); });
  EXPECT_EQ(child_.exit_code(), 4) << child_.content("err");
  const std::string rows = child_.content("rows.csv");
  EXPECT_TRUE(rows.ends_with('\n')) << rows;
  child_.start(words);
  EXPECT_EQ(child_.exit_code(), 0) << child_.content("err");
  EXPECT_EQ(child_.content("rows.csv").substr(0, rows.size()), rows);
}

TEST_F(ResourceLimits, ACalibrationThatDoesNotFitIsNotSaved) {
  const std::string folder = child_.folder().string();
  child_.start({"calibrate", "--quick", "--seconds", "0.1", "--quiet"}, [&] {
    (void)::setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
    impose({.file_bytes = 600}, 0);
  });
  EXPECT_EQ(child_.exit_code(), 4);
  EXPECT_THAT(child_.content("err"), StartsWith("lockstep: calibration: cannot write '"));
  EXPECT_TRUE(std::filesystem::is_empty(child_.folder() / "lockstep"));
}

TEST_F(ResourceLimits, OfThreads) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can try this as a user without processes";
  for (const rlim_t most : {1U, 2U, 3U, 5U}) {
    for (const std::string executor : {"tbb", "thread"})
      if (!ends_well(run_by(executor, "4"), {.threads = most}))
        GTEST_SKIP() << "no other user may run the program here";
    EXPECT_TRUE(ends_well({"list", "ports"}, {.threads = most}));
    EXPECT_TRUE(ends_well({"table", "search", "star:5", "odd", "--threads", "4", "--seconds", "1"},
                          {.threads = most}));
    EXPECT_TRUE(ends_well({"compare", "ring:5", "broadcast", "--threads", "4"}, {.threads = most}));
    EXPECT_TRUE(ends_well({"stress", "--cases", "2", "--seed", "5"}, {.threads = most}));
  }
}

/// As many as there are allowed are enough: what is tried beforehand takes no more.
TEST_F(ResourceLimits, WhatIsAllowedRuns) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can try this as a user without processes";
  for (const std::string executor : {"tbb", "thread"}) {
    child_.start(run_by(executor, "4"), [user = nobody()] { impose({.threads = 6}, user); });
    const auto code = child_.exit_code_within(std::chrono::seconds(5));
    if (code == no_such_user || code == not_executed)
      GTEST_SKIP() << "no other user may run the program here";
    EXPECT_EQ(code, 0) << executor << ": " << child_.content("err");
  }
}

}  // namespace
}  // namespace lockstep
