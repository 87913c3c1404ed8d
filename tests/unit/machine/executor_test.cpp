// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/executor.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep::test {
namespace {

class EveryExecutor : public testing::TestWithParam<std::tuple<ExecutorKind, std::size_t>> {
 protected:
  [[nodiscard]] std::unique_ptr<Executor> made() const {
    return make_executor(std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryExecutor,
                         testing::Combine(testing::ValuesIn(executor_kinds),
                                          testing::Values(1U, 2U, 3U, 8U, 16U)));

/// How often each index was visited.
std::vector<int> visits(Executor& executor, std::size_t count) {
  std::vector<std::atomic<int>> visited(count);
  executor.run([&] {
    // relaxed: counts alone; for_each() orders them before they are read.
    executor.for_each(count,
                      [&](std::size_t i) { visited[i].fetch_add(1, std::memory_order_relaxed); });
  });
  return {visited.begin(), visited.end()};
}

TEST_P(EveryExecutor, VisitsEveryIndexOnce) {
  const auto executor = made();
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 16U, 17U, 1000U})
    EXPECT_EQ(visits(*executor, count), std::vector<int>(count, 1)) << count;
}

/// The return of for_each() is the barrier: what one loop wrote, the next one reads.
TEST_P(EveryExecutor, LoopsFollowOneAnother) {
  const auto executor = made();
  constexpr std::size_t count = 50;
  constexpr int loops = 200;
  std::vector<int> values(count, 0);
  int wrong = 0;
  executor->run([&] {
    for (int loop = 0; loop < loops; ++loop) {
      std::vector<int> before = values;
      executor->for_each(count, [&](std::size_t i) { values[i] = before[(i + 1) % count] + 1; });
      for (const int value : values) wrong += static_cast<int>(value != loop + 1);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(EveryExecutor, HasTheWorkersAskedFor) {
  const auto [kind, workers] = GetParam();
  EXPECT_EQ(made()->worker_count(), kind == ExecutorKind::serial ? 1 : workers);
  const char* const names[] = {"tbb", "thread", "serial"};
  EXPECT_EQ(made()->name(), names[static_cast<std::size_t>(kind)]);
}

TEST_P(EveryExecutor, PassesOnAnExceptionOfTheJobAndStaysUsable) {
  const auto executor = made();
  EXPECT_THROW(executor->run([] { throw std::runtime_error("job"); }), std::runtime_error);
  EXPECT_EQ(visits(*executor, 20), std::vector<int>(20, 1));
  const auto after_loops = [&] {
    for (int loop = 0; loop < 10; ++loop) executor->for_each(20, [](std::size_t) {});
    throw std::runtime_error("job");
  };
  EXPECT_THROW(executor->run(after_loops), std::runtime_error);
  EXPECT_EQ(visits(*executor, 20), std::vector<int>(20, 1));
}

TEST_P(EveryExecutor, MayBeThrownAwayUnused) { EXPECT_NO_THROW(made().reset()); }

TEST(Executor, RefusesWorkersOutOfRange) {
  for (const ExecutorKind kind : {ExecutorKind::tbb, ExecutorKind::thread, ExecutorKind::serial}) {
    EXPECT_THROW((void)make_executor(kind, 0), InvalidParameter);
    EXPECT_THROW((void)make_executor(kind, max_workers + 1), InvalidParameter);
  }
}

/// An executor owns its workers: two machines may live in one process.
TEST(Executor, TwoMayLiveAtOnce) {
  const auto one = make_executor(default_executor, 3);
  const auto other = make_executor(default_executor, 3);
  EXPECT_EQ(visits(*one, 100), std::vector<int>(100, 1));
  EXPECT_EQ(visits(*other, 100), std::vector<int>(100, 1));
  EXPECT_EQ(visits(*one, 100), std::vector<int>(100, 1));
}

/// The executor of oneTBB has more than one job at a time, and loops within loops and outside jobs.
class TbbExecutor : public testing::Test {
 protected:
  void SetUp() override {
    if (default_executor != ExecutorKind::tbb) GTEST_SKIP() << "oneTBB is not instrumented";
    executor_ = make_executor(ExecutorKind::tbb, 2);
  }
  [[nodiscard]] Executor& executor() { return *executor_; }

 private:
  std::unique_ptr<Executor> executor_;
};

TEST_F(TbbExecutor, RunsALoopOutsideOfAJob) {
  std::vector<std::atomic<int>> visited(20);
  executor().for_each(visited.size(),
                      [&](std::size_t i) { visited[i].fetch_add(1, std::memory_order_relaxed); });
  EXPECT_EQ(std::vector<int>(visited.begin(), visited.end()), std::vector<int>(20, 1));
}

TEST_F(TbbExecutor, RunsALoopWithinALoop) {
  constexpr std::size_t count = 8;
  std::vector<std::atomic<int>> visited(count * count);
  executor().run([&] {
    executor().for_each(count, [&](std::size_t i) {
      executor().for_each(count, [&](std::size_t j) {
        visited[i * count + j].fetch_add(1, std::memory_order_relaxed);
      });
    });
  });
  EXPECT_EQ(std::vector<int>(visited.begin(), visited.end()), std::vector<int>(count * count, 1));
}

TEST_F(TbbExecutor, RunsSeveralJobsAtOnce) {
  std::vector<std::vector<int>> found(3);
  {
    std::vector<std::jthread> threads;
    threads.reserve(found.size());
    for (std::vector<int>& mine : found)
      threads.emplace_back([&] {
        for (int run = 0; run < 50; ++run) mine = visits(executor(), 100);
      });
  }
  for (const std::vector<int>& mine : found) EXPECT_EQ(mine, std::vector<int>(100, 1));
}

/// A helper's slot in an arena of the caller's own may have a higher number than there are workers.
TEST_F(TbbExecutor, RunsALoopInAnotherArena) {
  tbb::task_arena wide(6);
  std::vector<std::atomic<int>> visited(100);
  executor().run([&] {
    wide.execute([&] {
      for (int loop = 0; loop < 100; ++loop)
        executor().for_each(visited.size(), [&](std::size_t i) {
          visited[i].fetch_add(1, std::memory_order_relaxed);
        });
    });
  });
  EXPECT_EQ(std::vector<int>(visited.begin(), visited.end()), std::vector<int>(100, 100));
}

}  // namespace
}  // namespace lockstep::test
