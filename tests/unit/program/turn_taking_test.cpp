// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "program/in_turns.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

/// Every processor's blocks for the next two nodes of the ring, at once in both directions: all
/// ports in every step.
Schedule both_ways(const Ring& ring) {
  Schedule schedule(ring);
  const auto one = [&](std::uint64_t node) {
    const NodeId element{node};
    return schedule.add_elements({&element, 1});
  };
  const std::uint64_t n = ring.node_count();
  const std::array own{schedule.add_region(1), schedule.add_region(1)};
  const std::array passing{schedule.add_region(1), schedule.add_region(1)};
  const std::array<std::uint64_t, 2> two_away{2, n - 2};
  for (std::size_t p = 0; p < 2; ++p) {
    schedule.load({own[p], 0, 1}, one(two_away[p]));
    schedule.send(port(p), {own[p], 0, 1});
  }
  schedule.next_step();
  for (std::size_t p = 0; p < 2; ++p) schedule.take_store(port(p), {passing[p], 0, 1});
  for (std::size_t p = 0; p < 2; ++p) schedule.send(port(p), {passing[p], 0, 1});
  schedule.next_step();
  for (std::size_t p = 0; p < 2; ++p) schedule.take_deliver(port(p), one(n - two_away[p]));
  return schedule;
}

TEST(InTurns, MakesALegalHalfDuplexProgramOfAFullDuplexOne) {
  const Ring ring(8);
  const Network network = build_network(ring);
  const Job job{.model = port_models::all_port_half_duplex, .stop_at_violation = false};
  const GroupedScheduleProgram at_once(ring, both_ways(ring));
  EXPECT_FALSE(run_reference(network, at_once, job).record.legal());

  const ScheduleProgram by_turns = in_turns(ring, both_ways(ring));
  const RunOutcome expected = run_reference(network, by_turns, job);
  EXPECT_TRUE(expected.record.legal());
  EXPECT_EQ(expected.record.steps, 4U);
  EXPECT_EQ(expected.record.hops, 8U * 4U);
  EXPECT_EQ(expected.record.deliveries.verified, 16U);
  for (const StepRecord& step : expected.record.series) EXPECT_EQ(step.senders, 4U) << step.step;
  EXPECT_EQ(expected.record.waits.longest_steps, 2U);
  EXPECT_EQ(expected.record.waits.blocks, 8U);  // two with each node of the odd class
  EXPECT_EQ(expected.record.waits.first_node, NodeId{1});
  expect_outcome(network, by_turns, job, expected,
                 some_conditions({ChannelKind::slot, ChannelKind::spsc}));
}

TEST(InTurns, RefusesNetworksOfOneClass) {
  const Ring ring(7);
  EXPECT_THROW((void)in_turns(ring, both_ways(ring)), InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
