// SPDX-License-Identifier: Apache-2.0
/// What waits on its way, and what is stored without having arrived, is a fact of the record: of
/// the machine's and, found by other means, of the reference machine's.

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

/// Every block goes two links along a ring of `nodes`, and rests `rest` steps between them.
RunOutcome outcome_with_rest(std::uint64_t nodes, std::uint64_t rest, std::uint32_t blocks) {
  const Ring ring(nodes);
  const NodeId two_away{2};
  const NodeId two_back{nodes - 2};
  Schedule schedule(ring);
  const std::array regions{schedule.add_region(blocks + 1), schedule.add_region(blocks + 1)};
  const Blocks own{regions[0], 1, blocks};
  const Blocks passing{regions[1], 0, blocks};
  const Elements destination = schedule.add_elements({&two_away, 1});
  for (std::uint32_t i = 0; i < blocks; ++i)
    schedule.load({own.region, own.first + i, 1}, destination);
  schedule.move(Port{0}, own, passing);
  for (std::uint64_t i = 0; i < rest; ++i) schedule.next_step();
  schedule.send(Port{0}, passing);
  schedule.next_step();
  schedule.take_deliver(Port{0}, schedule.add_elements({&two_back, 1}));
  const GroupedScheduleProgram program(ring, std::move(schedule));
  const Network network = build_network(ring);
  const Job job;
  const RunOutcome expected = run_reference(network, program, job);
  expect_outcome(network, program, job, expected, some_conditions(every_channel));
  return expected;
}

TEST(Waits, NobodyWaitsWhoGoesOnAtOnce) {
  const RunOutcome outcome = outcome_with_rest(5, 0, 1);
  EXPECT_EQ(outcome.record.waits, WaitRecord{.watched = true});
}

TEST(Waits, RestsAreCountedInStepsAndBlocks) {
  for (const std::uint64_t rest : {1U, 2U, 7U})
    for (const std::uint32_t blocks : {1U, 3U}) {
      const WaitRecord waits = outcome_with_rest(6, rest, blocks).record.waits;
      EXPECT_EQ(waits.blocks, 6U * blocks);
      EXPECT_EQ(waits.longest_steps, rest);
      EXPECT_EQ(waits.first_step, 1 + rest);
      EXPECT_EQ(waits.first_node, NodeId{0});
    }
}

/// With blocks of no bytes there is no poison to find: that a stored message never came still
/// shows.
TEST(UnmetStores, ALostMessageOfNoBytesIsNoticed) {
  const Ring ring(4);
  Schedule schedule(ring);
  const std::array regions{schedule.add_region(1), schedule.add_region(1)};
  const NodeId next{1};
  const NodeId back{3};
  schedule.load({regions[0], 0, 1}, schedule.add_elements({&next, 1}));
  schedule.move(Port{0}, {regions[0], 0, 1}, {regions[1], 0, 1});
  schedule.deliver({regions[1], 0, 1}, schedule.add_elements({&back, 1}));
  const GroupedScheduleProgram program(ring, std::move(schedule));
  const Network network = build_network(ring);
  for (const bool lost : {false, true}) {
    Job job{.block_bytes = 1};
    if (lost) job.fault = {.kind = FaultKind::drop, .step = 0, .sender = NodeId{2}};
    const RunOutcome expected = run_reference(network, program, job);
    EXPECT_EQ(expected.record.deliveries.verified, lost ? 3U : 4U);
    EXPECT_EQ(expected.record.stores_without_message, lost ? 1U : 0U);
    expect_outcome(network, program, job, expected, some_conditions(every_channel));
  }
}

}  // namespace
}  // namespace lockstep::test
