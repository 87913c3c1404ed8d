// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "program/largest_queue.hpp"
#include "support/jobs.hpp"
#include "support/naive_exchange.hpp"
#include "support/outcome_checks.hpp"
#include "support/planned_class.hpp"
#include "support/small_cayley_graphs.hpp"

namespace lockstep {
namespace {

using NodeInvariantExchange = test::PlannedClass<node_invariant_exchange, AnyCayley>;

[[nodiscard]] NodeInvariantExchange exchange(const AnyCayley& group, QueueDiscipline discipline) {
  return NodeInvariantExchange(group, {{"discipline", std::string(name_of(discipline))}});
}

/// Every send of every processor is the one that queues of their own would have made.
TEST(NodeInvariantExchangeTest, SendsWhatEveryProcessorsOwnQueueWouldSend) {
  for (const AnyTopology& graph : test::small_cayley_graphs(32))
    for (const QueueDiscipline discipline : all_queue_disciplines) {
      SCOPED_TRACE(graph.name() + " " + std::string(name_of(discipline)));
      const AnyCayley group = *graph.cayley();
      const auto program = exchange(group, discipline).program();
      const test::NaiveExchange expected = test::naive_exchange(group, discipline);
      SendTrace sends;
      const test::RunOutcome outcome =
          test::run_reference(graph.network(), program, {}, ChannelKind::slot, &sends);
      EXPECT_TRUE(outcome.verdict.complete() && outcome.record.legal());
      EXPECT_EQ(outcome.record.steps, expected.steps);
      std::sort(sends.begin(), sends.end());
      EXPECT_EQ(sends, expected.sends);
      EXPECT_EQ(largest_queue(program.schedule(), group.node_count() - 1),
                (QueueFigures{expected.largest_queue, expected.largest_foreign}));
    }
}

TEST(NodeInvariantExchangeTest, RunsTheSameInEveryWay) {
  for (const QueueDiscipline discipline : all_queue_disciplines)
    for (const AnyCayley& group : {any_cayley(StarGraph{3}), any_cayley(Ring{7})}) {
      SCOPED_TRACE(group.name() + " " + std::string(name_of(discipline)));
      const Network network = build_network(group);
      const auto program = exchange(group, discipline).program();
      const test::RunOutcome expected = test::run_reference(network, program, {});
      EXPECT_TRUE(expected.verdict.complete());
      test::expect_outcome(network, program, {}, expected,
                           test::some_conditions(test::every_channel));
    }
}

TEST(NodeInvariantExchangeTest, PromisesAndEstimatesWhatThePlanIs) {
  for (const AnyTopology& graph : test::small_cayley_graphs())
    for (const QueueDiscipline discipline : all_queue_disciplines) {
      SCOPED_TRACE(graph.name() + " " + std::string(name_of(discipline)));
      const AnyCayley group = *graph.cayley();
      const NodeInvariantExchange algorithm = exchange(group, discipline);
      const auto program = algorithm.program();
      const Footprint footprint = algorithm.footprint();
      EXPECT_EQ(footprint.steps, program.step_count());
      EXPECT_EQ(footprint.hops, program.step_count() * group.node_count());
      EXPECT_EQ(algorithm.promise()->startups, program.step_count());
      EXPECT_EQ(algorithm.promise()->message_times, program.step_count());
      EXPECT_EQ(footprint.blocks_per_processor, program.regions().front());
      EXPECT_EQ(footprint.plan_bytes,
                program.schedule().bytes() +
                    group.translation_bytes(program.schedule().elements().size()));
    }
}

/// No more slots than foreign blocks that wait, two that are still read, and an own one that
/// leaves.
TEST(NodeInvariantExchangeTest, KeepsOnlyWhatItMust) {
  for (const AnyTopology& graph : test::small_cayley_graphs())
    for (const QueueDiscipline discipline : all_queue_disciplines) {
      const auto program = exchange(*graph.cayley(), discipline).program();
      const QueueFigures queue = largest_queue(program.schedule(), graph.node_count() - 1);
      EXPECT_LE(program.regions().front(), queue.foreign + 2)
          << graph.name() << " " << name_of(discipline);
    }
}

TEST(NodeInvariantExchangeTest, RefusesWhatFitsNoRegion) {
  EXPECT_THROW((void)exchange(any_cayley(Hypercube{20}), QueueDiscipline::fifo), InvalidParameter);
  EXPECT_THROW((void)exchange(any_cayley(Hypercube{40}), QueueDiscipline::fifo), InvalidParameter);
  const NodeInvariantExchange large =
      exchange(any_cayley(Ring{100'000}), QueueDiscipline::closest_first);
  EXPECT_EQ(large.promise()->startups, 2'500'000'000U);
  EXPECT_THROW((void)large.footprint(), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
