// SPDX-License-Identifier: Apache-2.0
/// Schedules of few classes of nodes: the nodes of one class have the same turns.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

/// Every second node of a ring sends to the next one, which delivers; then the others do.
TEST(ClassSchedule, NodesOfAClassDoTheSame) {
  const Ring ring(6);
  Schedule schedule(ring, {0, 1, 0, 1, 0, 1});
  const Region memory = schedule.add_region(1);
  const NodeId next{1};
  const NodeId before{5};
  const Elements to_next = schedule.add_elements({&next, 1});
  const Elements from_before = schedule.add_elements({&before, 1});
  const auto send = [&] {
    schedule.load({memory, 0, 1}, to_next);
    schedule.send(Port{0}, {memory, 0, 1});
  };
  schedule.begin_turn_of_class(0, 0);
  send();
  schedule.begin_turn_of_class(2, 0);
  schedule.take_deliver(Port{0}, from_before);
  schedule.begin_turn_of_class(1, 1);
  schedule.take_deliver(Port{0}, from_before);
  send();
  schedule.close(2);
  EXPECT_EQ(schedule.turn_count(), 3U);
  const PlannedWork work = schedule.work();  // of three nodes in each turn
  EXPECT_EQ(work.messages, 6U);
  EXPECT_EQ(work.loads, 6U);
  EXPECT_EQ(work.deliveries, 6U);
  EXPECT_EQ(work.machine.turns, 9U);
  const auto shared = std::make_shared<const Schedule>(std::move(schedule));
  const ScheduleProgram program(ring, shared);
  const Network network = build_network(ring);
  const RunOutcome outcome = run(network, program, {});
  EXPECT_EQ(outcome.record.hops, 6U);
  EXPECT_EQ(outcome.record.deliveries.verified, 6U);
  EXPECT_TRUE(outcome.record.legal());
  expect_reference_outcome(network, program, {}, {ChannelKind::slot, ChannelKind::spsc});
}

/// Node 0 sends; then node 1 has it. All others wait.
TEST(ClassSchedule, IdleClassesHaveNoTurns) {
  const Ring ring(5);
  Schedule schedule(ring, {0, 1, 2, 2, 2});
  const Region memory = schedule.add_region(1);
  const NodeId next{1};
  const NodeId before{4};
  schedule.begin_turn_of_class(0, 0);
  schedule.load({memory, 0, 1}, schedule.add_elements({&next, 1}));
  schedule.send(Port{0}, {memory, 0, 1});
  schedule.begin_turn_of_class(1, 1);
  schedule.take_deliver(Port{0}, schedule.add_elements({&before, 1}));
  schedule.close(1);
  EXPECT_TRUE(schedule.turns_of(NodeId{3}).empty());
  const ScheduleProgram program(ring, std::make_shared<const Schedule>(std::move(schedule)));
  const RunOutcome outcome = run(build_network(ring), program, {});
  EXPECT_EQ(outcome.record.hops, 1U);
  EXPECT_EQ(outcome.record.deliveries.verified, 1U);
  EXPECT_TRUE(outcome.record.legal());
}

TEST(ClassSchedule, RefusesAClassWithoutNodes) {
  EXPECT_THROW(Schedule(Ring(2), {0, 2}), InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
