// SPDX-License-Identifier: Apache-2.0

/// A block of the user in several parts: a load writes as many slots, a delivery reads as many, and
/// all of them have to be the node's own. And uses of messages that never came.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/receive_once_machine.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

constexpr Port to_next{0};
constexpr Port from_previous{1};
constexpr Region slots{0};

/// Broadcast from node 0 to node 1 of a ring, of a block in parts.
[[nodiscard]] Job parted_job(std::uint64_t parts) {
  return {.collective = {Operation::broadcast}, .block_bytes = 5, .parts_per_block = parts};
}

using Write = void (*)(Schedule&);

/// Actions of node 0 in step 0 and node 1 in step 1, in a region of so many slots.
[[nodiscard]] RunOutcome parted_outcome(std::uint32_t region, std::uint64_t parts, Write first,
                                        Write second) {
  const Network ring = build_network(Ring(3));
  Schedule schedule(3, {region});
  schedule.begin_turn(0, NodeId{0});
  first(schedule);
  schedule.begin_turn(1, NodeId{1});
  second(schedule);
  schedule.close(1);
  const ScheduleProgram program(std::make_shared<const Schedule>(std::move(schedule)));
  expect_reference_outcome(ring, program, parted_job(parts), every_channel);
  return run(ring, program, parted_job(parts));
}

void load_at(Schedule& schedule, std::uint32_t slot) { schedule.load({slots, slot, 1}, NodeId{0}); }

TEST(Parts, AreWrittenAndReadWithinTheRegion) {
  const RunOutcome outcome = parted_outcome(
      4, 3,
      [](Schedule& s) {
        load_at(s, 1);
        s.send(to_next, {slots, 1, 3});
      },
      [](Schedule& s) {
        s.take_store(from_previous, {slots, 1, 3});
        s.deliver({slots, 1, 1}, Origin{0});
      });
  EXPECT_TRUE(outcome.record.legal());
  EXPECT_EQ(outcome.verdict.tally.verified, 1U);
}

TEST(Parts, ALoadBeyondTheRegionIsNotDone) {
  for (const Write load :
       {Write{[](Schedule& s) { load_at(s, 2); }}, Write{[](Schedule& s) { load_at(s, 3); }}}) {
    const RunOutcome outcome = parted_outcome(4, 3, load, [](Schedule&) {});
    ASSERT_EQ(outcome.record.violation_count, 1U);
    EXPECT_EQ(outcome.record.violations.front().rule, Rule::memory);
    EXPECT_EQ(outcome.record.violations.front().slot, 4U);
    EXPECT_EQ(outcome.record.blocks_loaded, 0U);
  }
}

TEST(Parts, ADeliveryBeyondTheRegionIsNotDone) {
  const RunOutcome outcome = parted_outcome(
      4, 64, [](Schedule&) {},
      [](Schedule& s) {
        s.deliver({slots, 0, 1}, Origin{0});
      });
  ASSERT_EQ(outcome.record.violation_count, 1U);
  EXPECT_EQ(outcome.record.violations.front().rule, Rule::memory);
  EXPECT_EQ(outcome.record.deliveries.delivered, 0U);
}

TEST(Parts, ADeliveredMessageHasThemAll) {
  const auto sent = [](Schedule& s) {
    load_at(s, 0);
    s.send(to_next, {slots, 0, 3});
  };
  const RunOutcome whole = parted_outcome(
      4, 3, sent, [](Schedule& s) { s.take_deliver(from_previous, 0, std::vector{Origin{0}}); });
  EXPECT_TRUE(whole.record.legal());
  EXPECT_EQ(whole.verdict.tally.verified, 1U);
  const RunOutcome beyond = parted_outcome(
      4, 3, sent, [](Schedule& s) { s.take_deliver(from_previous, 1, std::vector{Origin{0}}); });
  ASSERT_EQ(beyond.record.violation_count, 1U);
  EXPECT_EQ(beyond.record.violations.front().rule, Rule::arrival);
}

/// A list lies anywhere in the sender's memory.
TEST(Parts, AreJoinedWhereAMessageIsAList) {
  const RunOutcome outcome = parted_outcome(
      9, 3,
      [](Schedule& s) {
        load_at(s, 0);
        s.copy({slots, 0, 1}, {slots, 8, 1});
        s.copy({slots, 1, 1}, {slots, 5, 1});
        s.send(to_next, slots, std::vector<std::uint32_t>{8, 5, 2});
      },
      [](Schedule& s) { s.take_deliver(from_previous, 0, std::vector{Origin{0}}); });
  EXPECT_TRUE(outcome.record.legal());
  EXPECT_EQ(outcome.verdict.tally.verified, 1U);
}

/// The host looks at a block before any part of it changes.
TEST(Parts, MayChangeAfterTheyWereDelivered) {
  const RunOutcome outcome = parted_outcome(
      4, 2,
      [](Schedule& s) {
        load_at(s, 0);
        s.send(to_next, {slots, 0, 2});
      },
      [](Schedule& s) {
        s.take_store(from_previous, {slots, 0, 2});
        s.deliver({slots, 0, 1}, Origin{0});
        s.copy({slots, 3, 1}, {slots, 1, 1});
      });
  EXPECT_TRUE(outcome.record.legal());
  EXPECT_EQ(outcome.verdict.tally.verified, 1U);
}

/// Parts of all processors at once equal those of each.
TEST(Parts, OfGroupsAreThoseOfEach) {
  const Ring ring(64);
  for (const std::uint32_t region : {7U, 8U, 9U}) {
    Schedule schedule(ring);
    const Elements own = schedule.add_elements(std::vector<NodeId>{NodeId{0}});
    const Elements previous = schedule.add_elements(std::vector<NodeId>{NodeId{63}});
    const Region blocks = schedule.add_region(region);
    schedule.send(to_next, {blocks, 0, 1});
    schedule.next_step();
    schedule.take_store(to_next, {blocks, 3, 1});
    schedule.load({blocks, 4, 1}, own, own);
    schedule.send(to_next, {blocks, 4, 4});
    schedule.next_step();
    schedule.take_deliver(to_next, previous);
    schedule.deliver({blocks, 4, 1}, own);
    const GroupedScheduleProgram program(ring, std::move(schedule));
    const Network network = build_network(ring);
    const Job job{.collective = {Operation::all_gather}, .block_bytes = 3, .parts_per_block = 4};
    expect_reference_outcome(network, program, job, every_channel);
    EXPECT_EQ(run(network, program, job).record.legal(), region != 7) << region;
  }
}

TEST(Parts, AreRefusedByAMachineOfOneBlock) {
  const Network ring = build_network(Ring(3));
  Schedule schedule(3, {1});
  schedule.close(1);
  const ReceiveOnceScheduleProgram program(std::make_shared<const Schedule>(std::move(schedule)));
  EXPECT_THROW((void)study::run_in_boxes(ring, program, parted_job(2)), InvalidParameter);
}

/// As a store of it is: stored, combined or delivered, dense or sparse, on every channel.
TEST(UnmetUses, OfAMessageThatNeverCameAreCounted) {
  const RunOutcome outcome = parted_outcome(
      2, 1, [](Schedule& s) { load_at(s, 0); },
      [](Schedule& s) {
        s.take_deliver(from_previous, 0, std::vector{Origin{0}});
        s.take_store(to_next, {slots, 0, 2});
      });
  EXPECT_EQ(outcome.record.stores_without_message, 2U);
  EXPECT_EQ(outcome.record.first_unmet,
            (UnmetUse{.step = 1, .node = NodeId{1}, .wanted = 1, .arrived = 0}));
  EXPECT_EQ(outcome.record.deliveries.delivered, 0U);
}

TEST(UnmetUses, NameTheLengthOfAMessage) {
  const RunOutcome outcome = parted_outcome(
      2, 1,
      [](Schedule& s) {
        load_at(s, 0);
        load_at(s, 1);
        s.send(to_next, {slots, 0, 2});
      },
      [](Schedule& s) {
        s.take_store(from_previous, {slots, 0, 1});
        s.take_store(from_previous, {slots, 1, 1});
      });
  EXPECT_EQ(outcome.record.stores_without_message, 2U);
  ASSERT_TRUE(outcome.record.first_unmet.has_value());
  EXPECT_EQ(text_of(*outcome.record.first_unmet),
            "step 1, node 1 uses 1 block of a message of 2 blocks; expected a message of that "
            "length");
}

TEST(UnmetUses, OfGroupsAreThoseOfEach) {
  const Ring ring(64);
  Schedule schedule(ring);
  const Elements previous = schedule.add_elements(std::vector<NodeId>{NodeId{63}});
  const Elements two = schedule.add_elements(std::vector<NodeId>{NodeId{63}, NodeId{62}});
  const Region blocks = schedule.add_region(3);
  schedule.send(to_next, {blocks, 0, 1});
  schedule.next_step();
  schedule.take_store(to_next, {blocks, 1, 1});
  schedule.next_step();
  schedule.take_deliver(to_next, previous);  // by the port that it would have been sent through
  schedule.take_deliver(from_previous, two);
  const GroupedScheduleProgram program(ring, std::move(schedule));
  const Network network = build_network(ring);
  const Job job{.collective = {Operation::all_gather}};
  expect_reference_outcome(network, program, job, every_channel);
  EXPECT_EQ(run(network, program, job).record.stores_without_message, 64U * 3U);
}

}  // namespace
}  // namespace lockstep::test
