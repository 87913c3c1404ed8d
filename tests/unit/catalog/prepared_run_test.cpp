// SPDX-License-Identifier: Apache-2.0

/// A prepared run, executed whole or for a while.

#include <gtest/gtest.h>

#include <limits>
#include <stop_token>
#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "support/step_list.hpp"

namespace lockstep {
namespace {

[[nodiscard]] RunRequest exchange_on(const std::string& topology) {
  return {.topology = topology, .operation = Operation::total_exchange, .workers = 2};
}

TEST(ExecuteTest, ABrokenRuleIsTheOutcome) {
  RunRequest request = exchange_on("star:4");
  request.algorithm = "packing";
  request.port_model = port_models::all_port_half_duplex;
  const RunResult result = prepare(request)->execute();
  EXPECT_FALSE(result.record.legal());
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.judgement.outcome, Outcome::rule_broken);
}

TEST(ExecuteTest, AFaultIsTheOutcomeAndItsPairsAreNamed) {
  RunRequest request = exchange_on("star:4");
  request.fault = {.kind = FaultKind::drop, .step = 3, .sender = NodeId{5}};
  request.stop_at_violation = false;
  const RunResult result = prepare(request)->execute();
  EXPECT_EQ(result.judgement.outcome, Outcome::not_delivered);
  EXPECT_FALSE(result.missing.empty());
  EXPECT_EQ(result.missing.size() + result.judgement.deliveries.tally.verified,
            result.judgement.deliveries.expected);
}

TEST(ExecuteTest, AStopEndsAtAStepBoundary) {
  std::stop_source source;
  source.request_stop();
  const RunResult result = prepare(exchange_on("star:5"))->execute({.stop = source.get_token()});
  EXPECT_TRUE(result.record.interrupted);
  EXPECT_EQ(result.record.steps, 0U);
  EXPECT_EQ(result.judgement.outcome, Outcome::interrupted);
  EXPECT_FALSE(result.judgement.promises.judged);
}

TEST(ExecuteTest, RunsTwiceWithTheSameFactsAndReportsProgress) {
  const auto run = prepare(exchange_on("star:5"));
  test::StepList seen;
  const RunResult first = run->execute({.observers = {&seen}});
  EXPECT_EQ(seen.steps.size(), first.record.steps);
  EXPECT_TRUE(first.record.same_facts(run->execute().record));
}

TEST(ExecuteTest, ProcessorsPerTaskMayExceedTheProcessors) {
  RunRequest request = exchange_on("star:4");
  request.processors_per_task = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(prepare(request)->execute().ok());
}

TEST(ProbeTest, ARunShorterThanTheTrialIsItsOwnEstimate) {
  const auto run = prepare(exchange_on("star:4"));
  const Probe probe = run->probe(60);
  EXPECT_EQ(probe.steps, run->forecast().footprint.steps);
  EXPECT_EQ(probe.estimated_seconds, probe.setup_seconds + probe.step_seconds);
  EXPECT_GT(probe.setup_seconds, 0);
  EXPECT_GT(probe.step_seconds, 0);
}

TEST(ProbeTest, ALongRunIsStopped) {
  RunRequest request = exchange_on("star:7");
  request.settings["k"] = Numbers{1};
  request.block_bytes = 8;
  const auto run = prepare(request);
  const Probe probe = run->probe(0.05);
  EXPECT_GT(probe.steps, 0U);
  EXPECT_LT(probe.steps, run->forecast().footprint.steps);
  EXPECT_GT(probe.estimated_seconds, probe.setup_seconds + probe.step_seconds);
  EXPECT_LT(probe.step_seconds, 5);
}

}  // namespace
}  // namespace lockstep
