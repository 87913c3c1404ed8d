// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "algorithm/total_exchange/star_packing.hpp"
#include "lockstep/machine/groups.hpp"
#include "lockstep/program/detail/group_of_one.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/listening_view.hpp"
#include "support/outcome_checks.hpp"
#include "support/scripts.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

template <CayleyTopology Group>
RunOutcome outcome_of(const Group& group, Schedule schedule, const Job& job = {}) {
  const GroupedScheduleProgram program(group, std::move(schedule));
  const Network network = build_network(group);
  const RunOutcome expected = run_reference(network, program, job);
  expect_outcome(network, program, job, expected, some_conditions(every_channel));
  return expected;
}

/// u x as an element list of one.
Elements element(Schedule& schedule, std::uint64_t node) {
  const NodeId one{node};
  return schedule.add_elements({&one, 1});
}

TEST(Schedule, StartsEmpty) {
  Schedule schedule{Ring(5)};
  schedule.close();
  EXPECT_EQ(schedule.step_count(), 0U);
  EXPECT_THAT(schedule.actions(0), IsEmpty());
  EXPECT_THAT(schedule.regions(), IsEmpty());
}

TEST(Schedule, KeepsRegionsElementsAndLists) {
  Schedule schedule{Ring(5)};
  EXPECT_EQ(schedule.add_region(6), Region{0});
  EXPECT_EQ(schedule.add_region(2), Region{1});
  EXPECT_THAT(schedule.regions(), ElementsAre(6, 2));
  const std::array slots{3U, 1U, 2U};
  const GatherList first = schedule.add_list(slots);
  const GatherList second = schedule.add_list(std::span(slots).first(1));
  EXPECT_THAT(schedule.list(first), ElementsAre(3, 1, 2));
  EXPECT_THAT(schedule.list(second), ElementsAre(3));
  const std::array nodes{NodeId{4}, NodeId{2}};
  const Elements a = schedule.add_elements(nodes);
  const Elements b = schedule.add_elements(nodes);
  EXPECT_EQ(a.first, 0U);
  EXPECT_EQ(b.first, 0U);  // the same list
  EXPECT_EQ(b.count, 2U);
  EXPECT_THAT(schedule.elements(), ElementsAre(NodeId{4}, NodeId{2}));
}

TEST(Schedule, PutsTheReceptionOfAMoveIntoTheNextStep) {
  Schedule schedule{Ring(5)};
  const Region region = schedule.add_region(2);
  schedule.move(Port{0}, {region, 0, 1}, {region, 1, 1});
  schedule.close();
  EXPECT_EQ(schedule.step_count(), 1U);
  ASSERT_EQ(schedule.actions(0).size(), 1U);
  EXPECT_EQ(schedule.actions(0)[0].kind, Action::Kind::send);
  ASSERT_EQ(schedule.actions(1).size(), 1U);
  EXPECT_EQ(schedule.actions(1)[0].kind, Action::Kind::take_store);
  // A message that leaves through port 0 of a ring arrives through port 1.
  EXPECT_EQ(schedule.actions(1)[0].port, Port{1});
}

/// Every block goes the whole way round, one link per step. What was sent in a step is still read
/// in the next: blocks lie in two regions by turns.
Schedule exchange_on_ring(const Ring& ring) {
  Schedule schedule(ring);
  const std::array regions{schedule.add_region(1), schedule.add_region(1)};
  std::size_t turn = 0;
  const auto next_place = [&] { return Blocks{regions[++turn % 2], 0, 1}; };
  const Elements identity = element(schedule, 0);
  for (std::uint64_t distance = 1; distance < ring.node_count(); ++distance) {
    // Nodes of a ring are its group: the destination is u + distance.
    Blocks block = next_place();
    schedule.load(block, element(schedule, distance), identity);
    for (std::uint64_t hop = 1; hop < distance; ++hop) {
      const Blocks next = next_place();
      schedule.move(Port{0}, block, next);
      block = next;
    }
    schedule.move_and_deliver(Port{0}, block, element(schedule, ring.node_count() - distance));
  }
  return schedule;
}

TEST(GroupedScheduleProgram, ExchangesOnARing) {
  for (const std::uint64_t nodes : {3U, 4U, 7U}) {
    const Ring ring(nodes);
    const RunOutcome outcome = outcome_of(ring, exchange_on_ring(ring));
    EXPECT_TRUE(outcome.verdict.complete()) << nodes;
    EXPECT_TRUE(outcome.record.legal());
    EXPECT_EQ(outcome.record.steps, nodes * (nodes - 1) / 2);
    EXPECT_EQ(outcome.record.hops, nodes * nodes * (nodes - 1) / 2);
  }
}

/// Lists, scattering, and delivery out of the own memory, on the square.
TEST(GroupedScheduleProgram, GathersScattersAndDeliversOwnBlocks) {
  const Hypercube square(2);
  Schedule schedule(square);
  const Region own = schedule.add_region(4);
  const Region arrived = schedule.add_region(4);
  const std::array others{NodeId{1}, NodeId{2}, NodeId{3}};
  const Elements identity = element(schedule, 0);
  // Slots 0, 1, 2: the blocks for u+1, u+2, u+3.
  schedule.load({own, 0, 3}, identity, schedule.add_elements(others));
  const std::array across{2U, 0U};  // for u+3 and u+1 go across dimension 0
  const std::array there{3U, 1U};
  schedule.send(Port{0}, own, schedule.add_list(across));
  schedule.next_step();
  schedule.take_scatter(Port{0}, arrived, schedule.add_list(there));
  // One of the blocks that came from u+1 was for u; the other is for u+2 and goes on.
  schedule.deliver({arrived, 1, 1}, element(schedule, 1));
  schedule.send(Port{1}, {arrived, 3, 1});
  schedule.next_step();
  schedule.take_deliver(Port{1}, element(schedule, 3));
  schedule.move_and_deliver(Port{1}, {own, 1, 1}, element(schedule, 2));
  const RunOutcome outcome = outcome_of(square, std::move(schedule));
  EXPECT_TRUE(outcome.verdict.complete());
  EXPECT_EQ(outcome.record.message_times, 4U);
}

TEST(GroupedScheduleProgram, DeliversAPacketWithTheSourceOfEachBlock) {
  const Ring ring(5);
  Schedule schedule(ring);
  const Region region = schedule.add_region(2);
  const Elements identity = element(schedule, 0);
  const std::array next_twice{NodeId{1}, NodeId{1}};
  schedule.load({region, 0, 2}, identity, schedule.add_elements(next_twice));
  const std::array sources{NodeId{4}, NodeId{3}};  // the second claim is wrong
  schedule.move_and_deliver(Port{0}, {region, 0, 2}, schedule.add_elements(sources));
  const RunOutcome outcome = outcome_of(ring, std::move(schedule));
  EXPECT_EQ(outcome.record.deliveries.verified, 5U);
  EXPECT_EQ(outcome.record.deliveries.corrupted, 5U);
}

/// Together, the processors first..last-1 do what each does alone.
void expect_together_as_alone(const GroupedScheduleProgram& program, std::uint64_t step,
                              std::uint64_t first, std::uint64_t last) {
  ListeningGroup together(step, NodeId{first}, last - first);
  program.step_all(together);
  for (const ListeningView& in_group : together.views()) {
    ListeningView alone(in_group.node(), step);
    run_rule(program, alone);
    ASSERT_EQ(in_group.heard(), alone.heard())
        << "step " << step << " node " << index(in_group.node());
  }
}

TEST(GroupedScheduleProgram, PackingIsTheSameTogetherAndAlone) {
  const StarGraph star(6);
  const auto program = StarPacking(star, {{"k", Numbers{4, 2}}}).program();
  for (std::uint64_t step = 0; step <= program.step_count(); step += 7) {
    ASSERT_NO_FATAL_FAILURE(expect_together_as_alone(program, step, 0, 512));
    ASSERT_NO_FATAL_FAILURE(expect_together_as_alone(program, step, 300, 720));
    ASSERT_NO_FATAL_FAILURE(expect_together_as_alone(program, step, 719, 720));
  }
}

TEST(GroupedScheduleProgram, RandomSchedulesAreTheSameTogetherAndAlone) {
  const StarGraph star(4);
  const auto make = [&](Random& random) {
    return GroupedScheduleProgram(
        star, random_schedule(random, star, {.most_sends = 2, .unread = 10, .wrong_size = 10}));
  };
  for_all(200, make, [&](const GroupedScheduleProgram& program) {
    for (std::uint64_t step = 0; step <= program.step_count(); ++step)
      ASSERT_NO_FATAL_FAILURE(expect_together_as_alone(program, step, 3, 21));
  });
}

TEST(Schedule, RefusesAListThatNoMessageCanName) {
  Schedule schedule{Ring(5)};
  std::array slot{0U};
  GatherList last{};
  for (; slot[0] <= max_region_blocks; ++slot[0]) last = schedule.add_list(slot);
  EXPECT_EQ(static_cast<std::uint32_t>(last), max_region_blocks);
  EXPECT_EQ(schedule.list(last).size(), 1U);
  EXPECT_THROW(schedule.add_list(slot), InvalidParameter);
}

TEST(Schedule, RefusesAListOfMoreBlocksThanAMessageHolds) {
  Schedule schedule{Ring(5)};
  const std::vector<std::uint32_t> slots(std::size_t{max_region_blocks} + 1);  // all the same
  EXPECT_NO_THROW(schedule.add_list(std::span(slots).first(max_region_blocks)));
  EXPECT_THROW(schedule.add_list(slots), InvalidParameter);
}

TEST(Schedule, CountsItsBytes) {
  Schedule schedule{Ring(5)};
  const std::uint64_t empty = schedule.bytes();
  const Region region = schedule.add_region(2);
  schedule.move(Port{0}, {region, 0, 1}, {region, 1, 1});
  EXPECT_GE(schedule.bytes(), empty + 2 * sizeof(Action));
}

}  // namespace
}  // namespace lockstep::test
