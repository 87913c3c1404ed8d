// SPDX-License-Identifier: Apache-2.0
#include "catalog/unfinished_trial.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace lockstep::catalog {
namespace {

constexpr TypicalRun typical{.setup_seconds = 3, .step_seconds = 2, .touched_part = 0.5};

TEST(UnfinishedTrialTest, SetUpTakesAsLongAsTheMemoryThatIsLeft) {
  const TrialState trial{.seconds = 4, .plan_seconds = 1};
  EXPECT_DOUBLE_EQ(*estimated_without_steps(trial, {.setup_seconds = 6, .touched_part = 0.5}),
                   1 + 3 / 0.5);
}

TEST(UnfinishedTrialTest, StepsAreAsSlowAsSetUpWas) {
  // Six seconds of set-up, where three are usual.
  EXPECT_DOUBLE_EQ(*estimated_without_steps({.seconds = 3, .plan_seconds = 0}, typical),
                   6 + 2 * 2.0);
  EXPECT_DOUBLE_EQ(
      *estimated_without_steps({.seconds = 7, .plan_seconds = 0, .setup_seconds = 6}, typical),
      6 + 2 * 2.0);
  // A fast host does not make steps faster.
  EXPECT_DOUBLE_EQ(
      *estimated_without_steps({.seconds = 2, .plan_seconds = 0, .setup_seconds = 1}, typical),
      1 + 2.0);
}

TEST(UnfinishedTrialTest, ARunTakesAtLeastWhatItsTrialTook) {
  EXPECT_DOUBLE_EQ(
      *estimated_without_steps({.seconds = 100, .plan_seconds = 0, .setup_seconds = 1}, typical),
      100);
}

TEST(UnfinishedTrialTest, OfAPlanThatIsBeingMadeNothingIsKnown) {
  EXPECT_FALSE(estimated_without_steps({.seconds = 8}, typical));
  EXPECT_FALSE(estimated_without_steps({.seconds = 8, .plan_seconds = 1},
                                       {.setup_seconds = 3, .step_seconds = 2}));
}

TEST(WorkTest, IsThatOfTheMessagesByTheirLength) {
  EXPECT_EQ(work_of(StepRecord{.messages = 8, .blocks = 96}), 96U);
  EXPECT_EQ(work_of(StepRecord{.messages = 8}), 8U);  // control words
  // Every step sends half as much as the one before.
  const auto halving =
      prepare({.topology = "hypercube:5", .operation = Operation::reduce_scatter, .workers = 1});
  ASSERT_EQ(halving->forecast().algorithm.name, "recursive-halving");
  EXPECT_EQ(work_of(halving->forecast()), halving->execute().record.blocks_moved);
  const auto exchange =
      prepare({.topology = "star:4", .operation = Operation::total_exchange, .workers = 1});
  EXPECT_EQ(work_of(exchange->forecast()), exchange->execute().record.blocks_moved);
}

/// The first of five steps, each half as long as the one before.
TEST(WorkTest, TellsTheTimeOfMessagesThatHalve) {
  StopAfter end;
  TrialSteps steps(end, 3600);
  steps.on_start();
  steps.on_step({.messages = 32, .blocks = 16 * 32, .seconds = 1.6});
  const WholeRun run{.messages = 31 * 32, .typical_seconds = 3.1};
  EXPECT_NEAR(extrapolated(std::vector<StepClass>(5), steps.all(), run, 1.6), 3.1, 0.01);
}

/// A run that is in its third step, for as long as somebody looks at it.
TEST(TrialNotesTest, TellWhatHasEnded) {
  TrialNotes notes;
  EXPECT_FALSE(notes.state().plan_seconds);
  notes.begin();
  notes.on_plan();
  EXPECT_TRUE(notes.state().plan_seconds);
  EXPECT_FALSE(notes.state().setup_seconds);
  notes.on_start();
  notes.on_step({.messages = 4, .blocks = 12, .seconds = 0.5});
  notes.on_step({.messages = 4, .blocks = 4, .seconds = 0.25});
  const TrialState state = notes.state();
  ASSERT_TRUE(state.setup_seconds);
  EXPECT_GE(*state.setup_seconds, *state.plan_seconds);
  ASSERT_EQ(state.steps.size(), 2U);
  EXPECT_EQ(state.steps.front().messages, 12U);
  EXPECT_EQ(seconds_of(state.steps), 0.75);
  notes.begin();
  EXPECT_FALSE(notes.state().setup_seconds);
  EXPECT_TRUE(notes.state().steps.empty());
}

TEST(ProbeSoFarTest, SaysWhatATrialKnows) {
  const auto run =
      prepare({.topology = "star:5", .operation = Operation::total_exchange, .workers = 1});
  EXPECT_FALSE(probe_so_far(*run));  // there was none
  const Probe whole = run->probe(60);
  const std::optional<Probe> known = probe_so_far(*run);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->steps, run->forecast().footprint.steps);
  EXPECT_GE(known->estimated_seconds, whole.estimated_seconds);
}

}  // namespace
}  // namespace lockstep::catalog
