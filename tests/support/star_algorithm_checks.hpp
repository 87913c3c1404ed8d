// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Checks of every algorithm of the star graph, whatever it does.
///
///     expect_as_promised(StarMesh(StarGraph{5}), StarGraph{5});

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "program/cost_formulas.hpp"
#include "support/broken_program.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {

/// Under the port model that the algorithm claims.
template <AlgorithmClass A>
Job job_of(const A&, std::size_t block_bytes = 8) {
  return {.model = A::info.model, .collective = {A::info.operation}, .block_bytes = block_bytes};
}

/// Its own promise, or that of its formulas.
template <AlgorithmClass A>
Cost promise_of(const A& algorithm, const StarGraph& star) {
  const std::optional<Cost> own = algorithm.promise();
  return own ? *own : cost_by_formula(A::info, any_cayley(star)).value();
}

/// Delivered, legal, counts equal to promise and footprint.
template <AlgorithmClass A>
void expect_whole(const RunOutcome& outcome, const A& algorithm, const StarGraph& star) {
  const RunRecord& record = outcome.record;
  EXPECT_TRUE(outcome.verdict.complete())
      << outcome.verdict.missing << " missing, " << outcome.verdict.tally.corrupted << " corrupted";
  EXPECT_EQ(outcome.verdict.tally.verified, Collective{A::info.operation}.deliveries(record.nodes));
  EXPECT_TRUE(record.legal());
  EXPECT_EQ(record.startups, promise_of(algorithm, star).startups);
  EXPECT_EQ(record.message_times, promise_of(algorithm, star).message_times);
  EXPECT_EQ(record.steps, algorithm.footprint().steps);
  EXPECT_EQ(record.messages_sent, algorithm.footprint().hops);
}

template <AlgorithmClass A>
void expect_as_promised(const A& algorithm, const StarGraph& star, std::size_t block_bytes = 8) {
  SCOPED_TRACE(testing::Message() << A::info.name << " on " << star.name() << ", blocks of "
                                  << block_bytes << " bytes");
  const auto program = algorithm.program();
  expect_whole(run(build_network(star), program, job_of(algorithm, block_bytes)), algorithm, star);
  std::uint64_t blocks = 0;
  for (const std::uint32_t region : program.regions()) blocks += region;
  EXPECT_EQ(blocks, algorithm.footprint().blocks_per_processor);
}

/// Blocks of no byte, one, a word, one byte more than a cache line.
template <AlgorithmClass A>
void expect_as_promised_with_all_block_sizes(const A& algorithm, const StarGraph& star) {
  for (const std::size_t bytes : {1U, 8U, 65U}) expect_as_promised(algorithm, star, bytes);
}

/// The reference machine's record, whatever the channels, executor, workers and tasks.
template <AlgorithmClass A>
void expect_one_record(const A& algorithm, const StarGraph& star) {
  const Network network = build_network(star);
  const auto program = algorithm.program();
  const Job job = job_of(algorithm);
  const RunOutcome expected = run_reference(network, program, job);
  expect_whole(expected, algorithm, star);
  EXPECT_EQ(expected.record.series.size(), algorithm.footprint().steps);
  for (const Conditions& conditions :
       some_conditions({ChannelKind::slot, ChannelKind::spsc, ChannelKind::mailbox})) {
    SCOPED_TRACE(described(conditions));
    expect_same(run(network, program, job, conditions), expected);
  }
}

/// Without a series most steps run in other loops: with the same mistake they come to the same.
template <CountedProgram P>
void expect_same_without_series(const Network& network, const P& program, const MistakePlan& plan,
                                Job job, const RunOutcome& plain) {
  const BrokenProgram broken(program, plan);
  job.keep_series = false;
  expect_same(run(network, broken, job), without_series(plain));
  EXPECT_TRUE(broken.made());
}

/// A mistake leaves something undelivered or breaks a rule. It is made in every step by all
/// processors, and by one in every `stride`-th (step, processor); where it had no opportunity there
/// is nothing to find.
template <AlgorithmClass A>
void expect_mistake_found(const A& algorithm, const StarGraph& star, Mistake mistake,
                          std::uint64_t stride) {
  const Network network = build_network(star);
  const auto program = algorithm.program();
  const std::uint64_t nodes = star.node_count();
  std::vector<MistakePlan> plans;
  for (std::uint64_t step = 0; step <= program.step_count(); ++step)
    plans.push_back({mistake, step, std::nullopt});
  for (std::uint64_t i = 0; i < (program.step_count() + 1) * nodes; i += stride)
    plans.push_back({mistake, i / nodes, NodeId{i % nodes}});
  std::size_t made = 0;
  for (const MistakePlan& plan : plans) {
    SCOPED_TRACE(testing::Message()
                 << mistake << " in step " << plan.step << " by "
                 << (plan.node ? "node " + std::to_string(index(*plan.node)) : "all"));
    const BrokenProgram broken(program, plan);
    const RunOutcome outcome = run(network, broken, job_of(algorithm));
    if (!broken.made()) continue;
    ++made;
    EXPECT_FALSE(outcome.verdict.complete() && outcome.record.legal());
    expect_same_without_series(network, program, plan, job_of(algorithm), outcome);
  }
  EXPECT_GT(made, 0U) << mistake;
}

template <AlgorithmClass A>
void expect_every_mistake_found(const A& algorithm, const StarGraph& star,
                                std::uint64_t stride = 1) {
  for (const Mistake mistake : all_mistakes) expect_mistake_found(algorithm, star, mistake, stride);
}

}  // namespace lockstep::test
