// SPDX-License-Identifier: Apache-2.0
/// Memory and in-flight as rules: a mistake with a slot is a violation that names step, node,
/// region and slot, and nothing else; the same for all channels, executors, workers, and for the
/// reference machine. That random mistakes come to the same everywhere:
/// property/machine_laws_test.cpp.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/groups.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/jobs.hpp"
#include "support/mistaken_program.hpp"
#include "support/outcome_checks.hpp"
#include "support/ring_ports.hpp"

namespace lockstep::test {
namespace {

constexpr Region block_region{0};

struct Case {
  Mistake mistake;
  const char* violation;
};

const Case cases[] = {
    {Mistake::load_beyond, "step 0 node 2 port 0 memory (1) region 0 slot 1000"},
    {Mistake::load_no_region, "step 0 node 2 port 0 memory (1) region 9 slot 0"},
    {Mistake::load_no_region_at_all, "step 0 node 2 port 0 memory (1) region 255 slot 0"},
    {Mistake::load_a_word, "step 0 node 2 port 0 memory (1) region 1 slot 1"},
    {Mistake::store_beyond, "step 0 node 2 port 0 memory (1) region 0 slot 4"},
    {Mistake::store_no_region, "step 0 node 2 port 0 memory (1) region 9 slot 0"},
    {Mistake::store_listed_beyond, "step 0 node 2 port 0 memory (1) region 0 slot 4"},
    {Mistake::deliver_beyond, "step 0 node 2 port 0 memory (1) region 0 slot 5"},
    {Mistake::deliver_no_region, "step 0 node 2 port 0 memory (1) region 64 slot 0"},
    {Mistake::deliver_a_word, "step 0 node 2 port 0 memory (1) region 1 slot 0"},
    {Mistake::deliver_a_message_of_words, "step 1 node 2 port 0 memory (1) region 1 slot 0"},
    {Mistake::send_too_many, "step 0 node 2 port 0 memory (1) region 0 slot 4"},
    {Mistake::send_nothing, "step 0 node 2 port 0 memory (1) region 0 slot 0"},
    {Mistake::send_no_region, "step 0 node 2 port 0 memory (1) region 3 slot 0"},
    {Mistake::send_beyond_any_message, "step 0 node 2 port 0 memory (1) region 0 slot 1048576"},
    {Mistake::send_region_of_no_message, "step 0 node 2 port 0 memory (1) region 200 slot 0"},
    {Mistake::send_listed_beyond, "step 0 node 2 port 0 memory (1) region 0 slot 5"},
    {Mistake::send_an_empty_list, "step 0 node 2 port 0 memory (1) region 0 slot 0"},
    {Mistake::read_word_beyond, "step 0 node 2 port 0 memory (1) region 1 slot 2"},
    {Mistake::read_word_of_blocks, "step 0 node 2 port 0 memory (1) region 0 slot 2"},
    {Mistake::write_word_beyond, "step 0 node 2 port 0 memory (1) region 1 slot 7"},
    {Mistake::write_word_of_blocks, "step 0 node 2 port 0 memory (1) region 0 slot 1"},
    {Mistake::read_bytes_beyond, "step 0 node 2 port 0 memory (1) region 0 slot 4"},
    {Mistake::read_bytes_of_words, "step 0 node 2 port 0 memory (1) region 1 slot 0"},
    {Mistake::load_after_send, "step 0 node 2 port 0 in-flight (1) region 0 slot 0"},
    {Mistake::load_in_flight, "step 1 node 2 port 0 in-flight (1) region 0 slot 0"},
    {Mistake::store_in_flight, "step 1 node 2 port 0 in-flight (1) region 0 slot 0"},
    {Mistake::store_part_in_flight, "step 1 node 2 port 0 in-flight (1) region 0 slot 0"},
    {Mistake::store_listed_in_flight, "step 1 node 2 port 0 in-flight (1) region 0 slot 0"},
    {Mistake::store_over_listed, "step 1 node 2 port 0 in-flight (1) region 0 slot 3"},
    {Mistake::store_over_second, "step 1 node 2 port 0 in-flight (1) region 0 slot 3"},
    {Mistake::write_word_in_flight, "step 1 node 2 port 0 in-flight (1) region 1 slot 0"}};

TEST(MemoryRules, EveryMistakeIsNamed) {
  const Network ring = build_network(Ring(8));
  const Job job{.model = port_models::all_port};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.violation);
    const Mistaken program{c.mistake};
    ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(ring, program, job, {ChannelKind::slot}));
    EXPECT_EQ(described(run(ring, program, job).record.violations),
              std::vector<std::string>{c.violation});
  }
}

/// Too many blocks for the reference machine, which lists them.
TEST(MemoryRules, AreNotFooledByLargeNumbers) {
  const Network ring = build_network(Ring(8));
  const RunRecord record = run(ring, Mistaken{Mistake::store_far_beyond}, Job{}).record;
  EXPECT_EQ(described(record.violations),
            std::vector<std::string>{"step 0 node 2 port 0 memory (1) region 0 slot 4000000000"});
}

TEST(MemoryRules, WhatIsNotInFlightMayBeAltered) {
  const Network ring = build_network(Ring(8));
  const Job job{.model = port_models::all_port, .stop_at_violation = false};
  const RunRecord record = run(ring, Mistaken{Mistake::store_between_two}, job).record;
  EXPECT_TRUE(record.legal()) << described(record.violations.front());
}

/// One message, stored at node 1 as if the memory of all nodes were its own; everybody delivers.
struct Teleport {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  [[nodiscard]] std::uint64_t step_count() const { return 2; }
  void operator()(auto& here) const {
    if (here.step() == 0 && here.node() == NodeId{0}) {
      here.load(block_region, 0, NodeId{0});
      here.send(right, Blocks{block_region, 0, 1});
    }
    if (here.step() == 1)
      if (const auto arrival = here.take(left)) here.store(arrival, Blocks{block_region, 0, 39});
    if (here.last_call() && here.node() != NodeId{0}) here.deliver(block_region, 0, NodeId{0});
  }
};

TEST(MemoryRules, NobodyWritesElsewhere) {
  const Network ring = build_network(Ring(40));
  const Job job{.collective = {Operation::broadcast, NodeId{0}}, .stop_at_violation = false};
  ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(ring, Teleport{}, job, every_channel));
  const RunOutcome outcome = run(ring, Teleport{}, job);
  EXPECT_FALSE(outcome.record.legal());
  EXPECT_EQ(outcome.record.deliveries.verified, 0U);
  EXPECT_EQ(outcome.record.deliveries.corrupted, 39U);
  const WrongDelivery first{.step = 2, .node = NodeId{1}, .origin = NodeId{0}};
  EXPECT_EQ(outcome.record.deliveries.first_corrupted, first);
}

/// The first program that everybody writes: along a line to its end, with one block of memory, used
/// again before the neighbour has copied it.
struct ShortGather {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::uint64_t nodes = 0;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  [[nodiscard]] std::uint64_t step_count() const { return nodes - 1; }
  void operator()(auto& here) const {
    const std::uint64_t u = index(here.node());
    if (here.step() == 0) here.load(block_region, 0, NodeId{nodes - 1});
    if (const auto arrival = here.take(Port{0})) {
      if (u == nodes - 1) return here.deliver(arrival, 0, NodeId{u - here.step()});
      here.store(arrival, Blocks{block_region, 0, 1});
    }
    if (u + 1 < nodes && here.step() <= u)
      here.send(Port{u == 0 ? 0U : 1U}, Blocks{block_region, 0, 1});
  }
};

TEST(MemoryRules, ABufferIsNotUsedAgainTooEarly) {
  const Network line = build_network(LinearArray(64));
  for (const bool stops : {true, false}) {
    const Job job{.collective = {Operation::gather, NodeId{63}}, .stop_at_violation = stops};
    const ShortGather program{64};
    ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(line, program, job, every_channel));
    EXPECT_EQ(described(run(line, program, job).record.violations.front()),
              "step 1 node 1 port 0 in-flight (1) region 0 slot 0");
  }
}

TEST(MemoryRules, AreNotWatchedWhereNobodyWantsIt) {
  const Network line = build_network(LinearArray(64));
  const Job job{.collective = {Operation::gather, NodeId{63}}};
  RecordingHost host = host_for(line, job);
  const ShortGather program{64};
  Machine<Network, ShortGather, SlotChannels> machine(line, program, host,
                                                      {.watch_in_flight = false});
  const RunRecord record = machine.run(*make_executor(ExecutorKind::serial, 1));
  EXPECT_TRUE(record.legal());
  EXPECT_FALSE(record.in_flight_watched);
  EXPECT_TRUE(run(line, program, job).record.in_flight_watched);
}

/// Delivers its own block, and loads another over it: the host has the first.
struct Overwriting {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  [[nodiscard]] std::uint64_t step_count() const { return 2; }
  void operator()(auto& here) const {
    if (here.step() == 0) here.load(block_region, 0, NodeId{(index(here.node()) + 1) % 8});
    if (here.step() == 0) return here.send(right, Blocks{block_region, 0, 1});
    if (here.step() == 1) return (void)here.take(left);
    here.deliver(block_region, 0, NodeId{index(here.node())});
    here.load(block_region, 0, here.node());
    here.deliver(block_region, 0, NodeId{index(here.node())});
  }
};

TEST(MemoryRules, TheHostLooksBeforeBytesChange) {
  const Network ring = build_network(Ring(8));
  ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(ring, Overwriting{}, Job{}, every_channel));
  EXPECT_TRUE(run(ring, Overwriting{}, Job{}).record.legal());
}

/// A schedule, of which all nodes make the same mistake in a step that groups would run.
Schedule schedule_with(std::uint32_t slot, std::uint64_t wait) {
  Schedule schedule(Ring(8));
  const Region region = schedule.add_region(16);
  const Elements next = schedule.add_elements(std::vector{NodeId{1}});
  schedule.load({region, 0, 1}, next);
  schedule.next_step();
  schedule.send(right, {region, 0, 1});
  for (std::uint64_t i = 0; i < wait; ++i) schedule.next_step();
  if (wait != 0) schedule.take_store(right, {region, 3, 1});
  schedule.load({region, slot, 1}, next);
  schedule.next_step();
  if (wait == 0) schedule.take_store(right, {region, 3, 1});
  schedule.next_step();
  return schedule;
}

TEST(MemoryRules, HoldForSchedules) {
  const Ring ring(8);
  const Network network = build_network(ring);
  const Job job{};
  const auto first = [&](std::uint32_t slot, std::uint64_t wait) {
    const GroupedScheduleProgram program(ring, schedule_with(slot, wait));
    expect_reference_outcome(network, program, job, every_channel);
    const RunRecord record = run(network, program, job).record;
    EXPECT_TRUE(record.legal() || record.violation_count == 8);
    return record.legal() ? "" : described(record.violations.front());
  };
  EXPECT_EQ(first(1, 0), "");
  EXPECT_EQ(first(40, 1), "step 2 node 0 port 0 memory (1) region 0 slot 40");
  EXPECT_EQ(first(0, 0), "step 1 node 0 port 0 in-flight (1) region 0 slot 0");
  EXPECT_EQ(first(0, 1), "step 2 node 0 port 0 in-flight (1) region 0 slot 0");
}

/// Alters another slot where it is asked for nobody's moves.
struct Evasive {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::step_all;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2}; }
  [[nodiscard]] std::uint64_t step_count() const { return 3; }
  void step_all(auto& group) const {
    static constexpr std::array<std::uint32_t, 512> nobody{};
    const std::uint32_t slot = group.size() == 0 ? 0 : 1;
    if (group.step() == 1)
      group.load(Blocks{room, slot, 1}, [](std::uint32_t) { return nobody.data(); });
  }

 private:
  static constexpr Region room{0};
};

/// Names its slots by a list of the call: another address each time, and the same slots.
struct Listing {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::step_all;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1, 1}; }
  [[nodiscard]] std::uint64_t step_count() const { return 2; }
  void step_all(auto& group) const {
    const std::vector<std::uint32_t> slots(1 + group.size() / 600, 0);
    if (group.step() == 0)
      group.load(Blocks{Region{0}, 0, 1}, [](std::uint32_t) { return next(); });
    if (group.step() < 2) group.send(Port{0}, Blocks{Region{0}, 0, 1});
    if (group.step() > 0) group.take_and_store(Port{1}, Region{1}, slots);
  }
  [[nodiscard]] static const std::uint32_t* next() {
    static constexpr std::array<std::uint32_t, 512> nobody{};
    return nobody.data();
  }
};

TEST(MemoryRules, SlotsAreComparedByNumberNotByAddress) {
  const Network ring = build_network(Ring(2'000));
  EXPECT_TRUE(run(ring, Listing{}, Job{.keep_series = false, .watch_waits = false}).record.legal());
}

TEST(MemoryRules, GroupsMakeTheMovesThatWereFollowed) {
  const Network ring = build_network(Ring(8));
  for (const bool series : {true, false})
    EXPECT_THROW((void)run(ring, Evasive{}, Job{.keep_series = series}), InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
