// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "lockstep/program/schedule.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;

constexpr Region memory{0};

/// A path of three nodes: node 0 sends two blocks that do not lie together, node 1 passes one on.
Schedule over_a_path() {
  Schedule schedule(3, {4});
  const std::array<std::uint32_t, 2> apart{0, 2};
  schedule.begin_turn(0, NodeId{0});
  schedule.load({memory, 0, 1}, NodeId{1});
  schedule.load({memory, 2, 1}, NodeId{2});
  schedule.send(port(0), memory, apart);
  schedule.begin_turn(1, NodeId{1});
  schedule.take_store(port(0), {memory, 0, 2});
  schedule.send(port(1), {memory, 1, 1});
  schedule.begin_turn(2, NodeId{1});
  schedule.copy({memory, 0, 1}, {memory, 1, 1});
  schedule.begin_turn(2, NodeId{2});
  schedule.take_store(port(0), {memory, 0, 1});
  schedule.deliver({memory, 0, 1}, Origin{0});
  schedule.close(2);
  return schedule;
}

TEST(ScheduleWork, CountsWhatNodesDo) {
  const PlannedWork work = over_a_path().work();
  EXPECT_EQ(work.messages, 2U);
  EXPECT_EQ(work.startups, 2U);
  EXPECT_EQ(work.message_times, 3U);
  EXPECT_EQ(work.blocks_sent, 3U);
  EXPECT_EQ(work.loads, 2U);
  EXPECT_EQ(work.deliveries, 1U);
  EXPECT_EQ(work.machine.turns, 4U);
  EXPECT_EQ(work.machine.copies, 2U + 1);  // of two messages, and in memory
  EXPECT_EQ(work.machine.copied, 4U);
  EXPECT_EQ(work.machine.listed, 2U);
  EXPECT_EQ(work.machine.combines, 0U);
}

/// Node 1 alters in step 2 what it sent in step 1; the others alter nothing that is being read.
TEST(ScheduleWork, SearchesWhereASlotIsAlteredThatMayBeRead) {
  EXPECT_EQ(over_a_path().work().machine.searches, 1U);
}

/// Workers share whole words of 64 nodes.
TEST(ScheduleWork, CountsTheTurnsOfTheBusiestPart) {
  Schedule schedule(200, {1});
  for (const std::uint64_t step : {0U, 1U})
    for (const std::uint64_t node : {0U, 1U, 70U, 150U}) {
      if (step == 1 && node == 150) continue;
      schedule.begin_turn(step, NodeId{node});
      schedule.load({memory, 0, 1}, NodeId{node});
    }
  schedule.close(2);
  EXPECT_THAT(schedule.work().longest_turns, ElementsAre(4 + 3, 3 + 3, 2 + 2));
}

}  // namespace
}  // namespace lockstep
