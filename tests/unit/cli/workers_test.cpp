// SPDX-License-Identifier: Apache-2.0

/// The default number of workers, and what outputs say of those that share a step.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/child_program.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Leaves the process the first of its cores, as `taskset` does.
void use_one_core() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return;
  std::size_t first = 0;
  while (CPU_ISSET(first, &mask) == 0) ++first;
  CPU_ZERO(&mask);
  CPU_SET(first, &mask);
  (void)::sched_setaffinity(0, sizeof mask, &mask);
}

class Workers : public testing::Test {
 protected:
  [[nodiscard]] nlohmann::json json_of(std::vector<std::string> words) {
    words.insert(words.end(), {"--format", "json"});
    child_.start(words, use_one_core);
    EXPECT_EQ(child_.exit_code(), 0) << child_.content("err");
    return nlohmann::json::parse(child_.content("out"));
  }

  test::ChildProgram child_;
};

TEST_F(Workers, AreNoMoreThanTheUsableCores) {
  for (const std::string executor : {"tbb", "thread"})
    EXPECT_EQ(json_of({"run", "star:6", "broadcast", "--executor", executor})["threads"], 1);
  EXPECT_EQ(json_of({"run", "star:6", "broadcast", "--threads", "3"})["threads"], 3);
}

TEST_F(Workers, ThatShareAStepAreSaid) {
  EXPECT_EQ(json_of({"run", "ring:5", "broadcast", "--threads", "2"})["workers_per_step"], 1);
  EXPECT_EQ(json_of({"run", "star:4", "total-exchange", "--threads", "2", "--task-size",
                     "1"})["workers_per_step"],
            2);
  EXPECT_EQ(json_of({"run", "ring:600", "broadcast", "--threads", "2"})["workers_per_step"], 1);
  EXPECT_EQ(json_of({"run", "ring:300", "all-gather", "--bytes", "4096", "--threads",
                     "2"})["workers_per_step"],
            2);
  child_.start({"run", "ring:5", "broadcast", "--threads", "2", "--executor", "thread"});
  EXPECT_EQ(child_.exit_code(), 0);
  EXPECT_THAT(child_.content("out"),
              HasSubstr("; 1 of 2 workers (thread, short steps use one worker);"));
}

TEST_F(Workers, ASweepSaysThatItComparesEquals) {
  child_.start({"sweep", "ring:5", "hypercube:10", "all-gather", "--threads", "1,2"});
  EXPECT_EQ(child_.exit_code(), 0);
  EXPECT_EQ(child_.content("err"),
            "lockstep: --threads 1,2 on ring:5: 1 worker executes each step in every row, so "
            "these rows compare equals\n");
  EXPECT_THAT(child_.content("out"), HasSubstr("workers per step"));
  child_.start({"sweep", "hypercube:10", "all-gather", "--threads", "1,2"});
  EXPECT_EQ(child_.exit_code(), 0);
  EXPECT_THAT(child_.content("err"), IsEmpty());
}

}  // namespace
}  // namespace lockstep
