// SPDX-License-Identifier: Apache-2.0
#include "program/largest_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "lockstep/topology/ring.hpp"
#include "program/slot_pool.hpp"

namespace lockstep {
namespace {

/// The slots of a list travel and arrive as one message; the own one waits until it is delivered.
TEST(LargestQueueTest, FollowsBlocksSlotBySlot) {
  Schedule schedule{Ring(5)};
  const Region memory = schedule.add_region(6);
  const std::array nodes{NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}, NodeId{4}};
  const Elements all = schedule.add_elements(nodes);
  const std::array two{0U, 1U};
  const std::array other_two{2U, 3U};
  schedule.load({memory, 0, 2}, all, {all.first + 1, 2});
  schedule.send(Port{0}, memory, schedule.add_list(two));
  schedule.next_step();
  schedule.take_scatter(Port{0}, memory, schedule.add_list(other_two));  // 2 own, 2 foreign
  schedule.load({memory, 4, 1}, all, {all.first + 3, 1});
  schedule.send(Port{1}, {memory, 4, 1});
  schedule.next_step();
  schedule.take_store(Port{1}, {memory, 5, 1});  // 1 own, and 1 foreign once two are delivered
  schedule.deliver({memory, 2, 2}, {all.first, 2});
  schedule.send(Port{1}, {memory, 5, 1});
  schedule.next_step();
  schedule.take_deliver(Port{1}, {all.first, 1});
  schedule.close();
  EXPECT_EQ(largest_queue(schedule, 4), (QueueFigures{.blocks = 4, .foreign = 2}));
  EXPECT_EQ(largest_queue(schedule, 3), (QueueFigures{.blocks = 3, .foreign = 2}));
}

TEST(LargestQueueTest, OfNothingIsWhatWasThere) {
  Schedule schedule{Ring(5)};
  schedule.close();
  EXPECT_EQ(largest_queue(schedule, 0), QueueFigures{});
  EXPECT_EQ(largest_queue(schedule, 4), (QueueFigures{.blocks = 4, .foreign = 0}));
}

TEST(SlotPoolTest, WhatWasSentIsWrittenTwoStepsLaterAtTheEarliest) {
  SlotPool pool;
  const std::uint32_t first = pool.acquire();
  pool.release_sent(first);
  pool.begin_step();
  EXPECT_NE(pool.acquire(), first);
  pool.begin_step();
  EXPECT_EQ(pool.acquire(), first);
  EXPECT_EQ(pool.size(), 2U);
}

TEST(SlotPoolTest, WhatWasDeliveredIsWrittenInTheNextStep) {
  SlotPool pool;
  const std::uint32_t first = pool.acquire();
  pool.release_delivered(first);
  EXPECT_NE(pool.acquire(), first);
  pool.begin_step();
  EXPECT_EQ(pool.acquire(), first);
}

TEST(SlotPoolTest, NeverGivesASlotTwice) {
  SlotPool pool;
  std::set<std::uint32_t> held;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(held.insert(pool.acquire()).second);
  EXPECT_EQ(pool.size(), 10U);
}

}  // namespace
}  // namespace lockstep
