// SPDX-License-Identifier: Apache-2.0

/// What the host refuses, a thread or memory, ends in exit code 4 and one line, whatever the
/// command and the executor; or the program runs, where it needs less.

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
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
