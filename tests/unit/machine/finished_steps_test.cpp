// SPDX-License-Identifier: Apache-2.0
/// Another thread reads the record of a run at any moment of it.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "lockstep/machine/step_observer.hpp"

namespace lockstep {
namespace {

/// The calls of the step loop, with steps of a second each.
void run(FinishedSteps& finished, std::uint64_t steps) {
  RunRecord record;
  finished.on_start();
  StepRecord step;
  step.seconds = 1;
  for (std::uint64_t i = 0; i < steps; ++i) {
    finished.offer(record);
    finished.withdraw();
    ++record.steps;
    record.hops += 7;
    finished.on_step(step);
  }
  record.interrupted = true;
  finished.close(record);
}

TEST(FinishedStepsTest, ThereIsNoRecordBeforeTheFirstStepIsFinished) {
  FinishedSteps finished;
  EXPECT_FALSE(finished.record());
  const RunRecord record;
  finished.offer(record);
  EXPECT_FALSE(finished.record());
}

TEST(FinishedStepsTest, TheRecordOfAnInterruptedRunIsKept) {
  FinishedSteps finished;
  run(finished, 3);
  const auto found = finished.record();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->interrupted);
  EXPECT_EQ(found->steps, 3U);
  EXPECT_EQ(found->hops, 21U);
  EXPECT_EQ(found->wall.step_seconds, 3);
}

/// Without a step, too: the run may end as soon as its set-up does.
TEST(FinishedStepsTest, WhatIsReadWhileItRunsIsTheRecordOfAStep) {
  for (std::uint64_t run_number = 0; run_number < 400; ++run_number) {
    FinishedSteps finished;
    std::atomic<bool> reads{false};
    std::thread reader([&finished, &reads] {
      std::uint64_t last = 0;
      for (int i = 0; i < 20; ++i) {
        const auto found = finished.record();
        reads.store(true, std::memory_order_relaxed);
        if (!found) continue;
        EXPECT_GE(found->steps, last);
        EXPECT_EQ(found->hops, 7 * found->steps);
        EXPECT_EQ(found->wall.step_seconds, static_cast<double>(found->steps));
        last = found->steps;
      }
    });
    while (!reads.load(std::memory_order_relaxed)) std::this_thread::yield();
    run(finished, run_number % 4 * 20);
    reader.join();
  }
}

}  // namespace
}  // namespace lockstep
