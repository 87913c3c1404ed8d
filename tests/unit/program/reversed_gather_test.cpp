// SPDX-License-Identifier: Apache-2.0
#include "algorithm/reduce_scatter/reversed_gather.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

constexpr Port right{0};
constexpr Port left{1};

[[nodiscard]] std::vector<Action::Kind> kinds(const NodeInvariantSchedule& schedule,
                                              std::uint64_t step) {
  std::vector<Action::Kind> all;
  for (const Action& action : schedule.actions(step)) all.push_back(action.kind);
  return all;
}

/// Blocks go round to the right: two steps of one block.
[[nodiscard]] NodeInvariantSchedule round(const Ring& ring) {
  NodeInvariantSchedule schedule(ring);
  const Region memory = schedule.add_region(2);
  const Elements me = schedule.add_elements(std::vector<NodeId>{NodeId{0}});
  const Elements before = schedule.add_elements(std::vector<NodeId>{NodeId{2}, NodeId{1}});
  schedule.load({memory, 0, 1}, me, me);
  schedule.move(right, {memory, 0, 1}, {memory, 1, 1});
  schedule.deliver({memory, 1, 1}, {before.first, 1});
  schedule.move_and_deliver(right, {memory, 1, 1}, {before.first + 1, 1});
  return schedule;
}

TEST(ReversedGather, SendsBackWhatCameInTheOppositeOrder) {
  const Ring ring(3);
  const NodeInvariantSchedule schedule = reversed_gather(any_cayley(ring), round(ring));
  using Kind = Action::Kind;
  EXPECT_EQ(schedule.regions(), std::vector<std::uint32_t>{3});
  // For me, for the one before me, and for the one before that.
  EXPECT_EQ(schedule.elements(), (std::vector<NodeId>{NodeId{0}, NodeId{2}, NodeId{1}}));
  ASSERT_EQ(schedule.step_count(), 2U);
  EXPECT_EQ(kinds(schedule, 0), (std::vector{Kind::load, Kind::send}));
  EXPECT_EQ(kinds(schedule, 1), (std::vector{Kind::take_combine, Kind::send}));
  EXPECT_EQ(kinds(schedule, 2), (std::vector{Kind::take_combine, Kind::deliver}));
  EXPECT_EQ(schedule.actions(0)[1].port, left);
  EXPECT_EQ(schedule.actions(0)[1].blocks.first, 2U);
  EXPECT_EQ(schedule.actions(1)[0].port, right);
  EXPECT_EQ(schedule.actions(1)[0].blocks.first, 1U);
  EXPECT_EQ(schedule.actions(1)[1].blocks.first, 1U);
  EXPECT_EQ(schedule.actions(2)[0].blocks.first, 0U);
  const Job job{.collective = {Operation::reduce_scatter}};
  const NodeInvariantProgram program(ring, schedule);
  const RunOutcome outcome = run(build_network(ring), program, job);
  EXPECT_TRUE(outcome.verdict.complete());
  expect_reference_outcome(build_network(ring), program, job, every_channel);
}

/// In the 2-cube through both ports at once; what is sent on and what is combined lie apart.
TEST(ReversedGather, TakesSeveralMessagesInAStepAndLists) {
  const Hypercube cube(2);
  NodeInvariantSchedule gather(cube);
  const Region memory = gather.add_region(3);
  const auto one = [&](std::uint64_t relative) {
    return gather.add_elements(std::vector<NodeId>{NodeId{relative}});
  };
  gather.load({memory, 0, 1}, one(0), one(0));
  gather.send(port(0), {memory, 0, 1});
  gather.next_step();
  gather.take_store(port(0), {memory, 2, 1});
  gather.deliver({memory, 2, 1}, one(1));
  // The neighbour's block first, then the own one.
  gather.send(port(1), memory, gather.add_list(std::vector<std::uint32_t>{2, 0}));
  gather.next_step();
  gather.take_deliver(port(1), gather.add_elements(std::vector<NodeId>{NodeId{3}, NodeId{2}}));
  const NodeInvariantProgram program(cube, reversed_gather(any_cayley(cube), gather));
  const Job job{.collective = {Operation::reduce_scatter}};
  EXPECT_TRUE(run(build_network(cube), program, job).verdict.complete());
  EXPECT_EQ(kinds(program.schedule(), 1).front(), Action::Kind::take_combine_list);
}

}  // namespace
}  // namespace lockstep::test
