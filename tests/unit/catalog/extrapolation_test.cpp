// SPDX-License-Identifier: Apache-2.0
#include "catalog/extrapolation.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>

#include "algorithm/total_exchange/star_packing.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::catalog {
namespace {

/// A possible cost of a step: some time, more for every block, more for a far port.
[[nodiscard]] double cost_of(const StepClass& step) {
  return 1e-6 + 1e-7 * static_cast<double>(step.sent_blocks) +
         3e-7 * static_cast<double>(step.other_blocks) + 2e-7 * static_cast<double>(step.port);
}

[[nodiscard]] std::vector<TriedStep> tried(const std::vector<double>& seconds) {
  std::vector<TriedStep> steps;
  for (const double own : seconds) steps.push_back({own, 1});
  return steps;
}

[[nodiscard]] std::vector<double> costs_of(const std::vector<StepClass>& classes) {
  std::vector<double> costs;
  for (const StepClass& step : classes) costs.push_back(cost_of(step));
  return costs;
}

[[nodiscard]] double sum(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

TEST(ExtrapolatedTest, StepsLikeThoseThatRanCostTheSame) {
  const StepClass small{.sent_blocks = 1, .other_blocks = 0, .port = 0};
  const StepClass large{.sent_blocks = 120, .other_blocks = 0, .port = 0};
  std::vector<StepClass> classes{small, large};
  classes.insert(classes.end(), 1000, small);
  classes.insert(classes.end(), 10, large);
  EXPECT_DOUBLE_EQ(extrapolated(classes, tried({2.0, 5.0}), {}, 7.0), 1001 * 2.0 + 11 * 5.0);
}

TEST(ExtrapolatedTest, TheTimeBetweenStepsIsShared) {
  const std::vector<StepClass> classes(100);
  EXPECT_DOUBLE_EQ(extrapolated(classes, tried({1.0, 1.0}), {}, 3.0), 100 * 1.5);
}

TEST(ExtrapolatedTest, AnUnknownPortCountsAsTheOthersDo) {
  const StepClass near{.sent_blocks = 6, .other_blocks = 0, .port = 1};
  const StepClass far{.sent_blocks = 6, .other_blocks = 0, .port = 9};
  EXPECT_DOUBLE_EQ(extrapolated({near, near, far}, tried({1.0, 3.0}), {}, 4.0), 2.0 + 2.0 + 2.0);
}

TEST(ExtrapolatedTest, AnUnknownSizeCountsByItsBlocks) {
  const StepClass one{.sent_blocks = 1, .other_blocks = 0, .port = 1};
  const StepClass seven{.sent_blocks = 7, .other_blocks = 0, .port = 1};
  EXPECT_DOUBLE_EQ(extrapolated({one, seven}, tried({2.0}), {}, 2.0), 2.0 + 2.0 * 8 / 2);
}

TEST(ExtrapolatedTest, ARunThatEndedIsItsOwnEstimate) {
  EXPECT_EQ(extrapolated(std::vector<StepClass>(2), tried({1.0, 1.0, 1.0}), {}, 3.5),
            3.5);  // and a last call
  EXPECT_EQ(extrapolated({}, {}, {}, 0.25), 0.25);
  EXPECT_EQ(extrapolated(std::vector<StepClass>(5), {}, {}, 0.0), 0.0);
}

TEST(ExtrapolatedTest, APacketsTimeTellsThatOfAll) {
  const StarGraph star(7);
  for (const Numbers& factors : {Numbers{3}, {1}, {4, 3, 2}, {6, 5}}) {
    const StarPacking packing(star, {{"k", factors}});
    const auto program = packing.program();
    const auto classes = classes_of(program, program.step_count());
    ASSERT_EQ(classes.size(), packing.footprint().steps);
    const std::vector<double> costs = costs_of(classes);
    const std::vector<double> first(costs.begin(),
                                    costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 20));
    EXPECT_NEAR(
        extrapolated(classes, tried(first), {.messages = program.step_count()}, sum(first)) /
            sum(costs),
        1.0, 0.1)
        << "k = " << factors[0];
    // Steps alone would not do: the first ones are not like the rest.
  }
}

TEST(ClassesOfTest, CountsEveryBlockOfAPlan) {
  const StarGraph star(5);
  const StarPacking packing(star, {{"k", Numbers{3}}});
  const auto program = packing.program();
  std::uint64_t sent = 0;
  std::uint64_t handed_over = 0;
  for (const StepClass& step : classes_of(program, program.step_count())) {
    sent += step.sent_blocks;
    handed_over += step.other_blocks;
  }
  EXPECT_EQ(sent, packing.promise()->message_times);
  // All but the first packet's load before step 0 and the deliveries of the last call.
  EXPECT_NEAR(static_cast<double>(handed_over), 2.0 * 120, 12);
}

/// The first steps of a broadcast take nearly no time.
TEST(ExtrapolatedTest, WhereStepsAreNotKnownToDifferMessagesTell) {
  std::vector<TriedStep> all;
  for (const std::uint64_t messages : {1U, 6U, 36U, 216U, 1'296U, 6'000U, 2'000U})
    all.push_back({1e-6 + 1e-8 * static_cast<double>(messages), messages});
  const std::vector<TriedStep> first(all.begin(), all.begin() + 4);
  double spent = 0;
  for (const TriedStep& step : first) spent += step.seconds;
  double whole = 0;
  for (const TriedStep& step : all) whole += step.seconds;
  const std::vector<StepClass> unknown(all.size());
  const WholeRun run{.messages = 9'555, .typical_seconds = 9'555e-8};
  EXPECT_NEAR(extrapolated(unknown, first, run, spent), whole, 0.01 * whole);
  EXPECT_LT(extrapolated(unknown, first, {}, spent), 0.2 * whole);
}

/// As long as every message touches a page of its own, pages are what takes the time.
TEST(ExtrapolatedTest, MemoryIsTouchedOnce) {
  std::vector<TriedStep> all;
  std::uint64_t pages = 10'000;
  for (const std::uint64_t messages : {10U, 100U, 1'000U, 10'000U, 100'000U}) {
    const std::uint64_t touched = std::min(pages, messages);
    pages -= touched;
    all.push_back({1e-8 * static_cast<double>(messages) + 1e-6 * static_cast<double>(touched),
                   messages, touched * 4'096});
  }
  double whole = 0;
  for (const TriedStep& step : all) whole += step.seconds;
  for (const std::ptrdiff_t ran : {2, 3, 4}) {
    const std::vector<TriedStep> first(all.begin(), all.begin() + ran);
    WholeRun run{.messages = 111'110,
                 .typical_seconds = 0.6e-8 * 111'110,
                 .untouched_bytes = std::uint64_t{10'000} * 4'096};
    double spent = 0;
    for (const TriedStep& step : first) {
      spent += step.seconds;
      run.untouched_bytes -= step.touched_bytes;
    }
    EXPECT_NEAR(extrapolated(std::vector<StepClass>(5), first, run, spent), whole, 0.15 * whole)
        << ran;
  }
}

TEST(TrialStepsTest, EndsBeforeAStepThatWouldTakeTooLong) {
  StopAfter end;
  TrialSteps steps(end, 3600);
  steps.on_start();
  EXPECT_GT(steps.setup_seconds(), 0);
  steps.on_step({.messages = 100, .seconds = 900});
  steps.on_step({.messages = 2'000, .seconds = 3'000});  // early: memory is being touched
  EXPECT_FALSE(end.token().stop_requested());

  StopAfter soon;
  TrialSteps later(soon, 0.02);
  later.on_start();
  std::this_thread::sleep_for(std::chrono::milliseconds(8));
  later.on_step({.messages = 100, .seconds = 0.001});
  later.on_step({.messages = 900, .seconds = 0.0011});    // it was not the messages
  later.on_step({.messages = 1'000, .seconds = 0.0014});  // nor is it here
  const std::size_t before = later.all().size();
  later.on_step({.messages = 20'000, .seconds = 0.02});  // the second step after it takes seconds
  EXPECT_TRUE(soon.token().stop_requested());
  ASSERT_EQ(later.all().size(), before + 1);
  EXPECT_EQ(later.all().back().messages, 20'000U);
}

TEST(StopAfterTest, StopsAfterTheTimeAndNotBefore) {
  StopAfter timer;
  const auto start = std::chrono::steady_clock::now();
  timer.start(0.02);
  EXPECT_TRUE(timer.token().stop_possible());
  while (!timer.token().stop_requested()) std::this_thread::yield();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
}

TEST(StopAfterTest, DoesNotOutliveItsOwner) {
  std::stop_token token;
  {
    StopAfter timer;
    timer.start(3600);
    token = timer.token();
  }
  EXPECT_TRUE(token.stop_requested());
}

}  // namespace
}  // namespace lockstep::catalog
