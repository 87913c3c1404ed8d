// SPDX-License-Identifier: Apache-2.0

/// Queues in switches, measured by the machine: on a star of leaves, worked by hand.

#include "lockstep/machine/detail/queue_ledger.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "support/jobs.hpp"

namespace lockstep::test {
namespace {

/// Leaves send a block each to leaf 0 in step 0; the switch keeps them, and sends from step `since`
/// on one in every step, the one that came first or last.
struct Keeping {
  struct Memory {
    std::vector<std::uint32_t> kept{};
  };
  static constexpr Activity activity = Activity::sparse;
  std::uint64_t leaves;
  std::uint64_t since;
  bool last_first;
  std::uint32_t lanes = 1;
  bool copies = false;    // what it sends
  bool combines = false;  // what arrives with what was there

  [[nodiscard]] std::vector<NodeId> starts() const {
    std::vector<NodeId> all;
    for (std::uint64_t u = 1; u < leaves; ++u) all.push_back(NodeId{u});
    return all;
  }
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    return {static_cast<std::uint32_t>(2 * leaves)};
  }
  void operator()(auto& here) const {
    if (index(here.node()) < leaves) {
      while (here.take_first()) {
      }
      if (here.step() == 0) here.load(Region{0}, 0, NodeId{0});
      if (here.step() == 0) here.send(Port{0}, Blocks{});
      return;
    }
    std::vector<std::uint32_t>& kept = here.memory().kept;
    std::uint32_t slot = 0;
    while (const auto arrival = here.take_first()) {
      const Blocks own{Region{0}, slot, 1};
      if (combines)
        here.combine(arrival, own, Operands::own_first);
      else
        here.store(arrival, own);
      kept.push_back(slot++);
    }
    for (std::uint32_t lane = 0; here.step() >= since && lane < lanes && !kept.empty(); ++lane) {
      const auto next = last_first ? kept.end() - 1 : kept.begin();
      Blocks block{Region{0}, *next, 1};
      if (copies) {
        const auto spare = static_cast<std::uint32_t>(leaves);
        here.copy(block, {Region{0}, spare + *next, 1});
        block.first += spare;
      }
      here.send(port(lane), block);
      kept.erase(next);
    }
    if (!kept.empty()) here.stay_active();
  }
};

LevelQueues measured(const FatTree& tree, const Keeping& program) {
  const Network network = build_network(tree);
  const Job job{.model = port_models::all_port,
                .collective = {Operation::gather},
                .watch_waits = false,
                .measure_queues = true};
  RecordingHost host = host_for(network, job);
  QueueLedger queues(network, tree.levels());
  Machine<Network, Keeping, SlotChannels> machine(
      network, program, host, {.model = port_models::all_port, .queues = &queues});
  const RunRecord record = machine.run(*make_executor(default_executor, 2));
  EXPECT_EQ(record.queues, queues.largest());
  EXPECT_EQ(queues.largest().size(), tree.height());
  const RunRecord expected = run_reference(network, program, job).record;
  EXPECT_EQ(queues.largest(), expected.queues);
  RunRecord other = expected;
  ++other.queues.front().held;
  EXPECT_EQ(study::differences(other, expected).size(), 1U);
  return queues.largest().front();
}

/// Four messages arrive together in the first step, one of each branch, for one branch of one lane.
TEST(QueueLedger, CountsFromTheStepOfArrivalToThatBeforeTheSend) {
  const FatTree star({5}, {.name = "constant"});
  for (const bool last_first : {false, true})
    EXPECT_EQ(measured(star, {.leaves = 5, .since = 1, .last_first = last_first}),
              (LevelQueues{.level = 1, .held = 4, .wait_down = 3, .per_branch = 1}));
  EXPECT_EQ(measured(star, {.leaves = 5, .since = 7, .last_first = true}),
            (LevelQueues{.level = 1, .held = 4, .wait_down = 3, .per_branch = 1}));
}

/// It came over the branch of the arrival.
TEST(QueueLedger, WhatAnArrivalIsCombinedIntoArrivedWithIt) {
  const FatTree star({5}, {.name = "constant"});
  EXPECT_EQ(measured(star, {.leaves = 5, .since = 1, .last_first = false, .combines = true}),
            (LevelQueues{.level = 1, .held = 4, .wait_down = 3, .per_branch = 1}));
}

/// A copy arrived when its original did: over the same branch, as long ago.
TEST(QueueLedger, CopiesWaitSinceTheirOriginalsArrived) {
  const FatTree star({5}, {.name = "constant"});
  EXPECT_EQ(measured(star, {.leaves = 5, .since = 3, .last_first = false, .copies = true}),
            (LevelQueues{.level = 1, .held = 4, .wait_down = 3, .per_branch = 1}));
}

TEST(QueueLedger, LanesOfABranchCarryTogether) {
  const FatTree star({5}, {.list = {3}});
  EXPECT_EQ(measured(star, {.leaves = 5, .since = 1, .last_first = false, .lanes = 3}),
            (LevelQueues{.level = 1, .held = 4, .wait_down = 1, .per_branch = 1}));
}

/// Processors that run in groups have no queues: their machine passes the ledger over.
TEST(QueueLedger, IsPassedOverByGroupsOfProcessors) {
  const Ring ring(6);
  const NodeId next{1};
  Schedule schedule(ring);
  const Blocks own{schedule.add_region(1), 0, 1};
  const Blocks passing{schedule.add_region(1), 0, 1};
  schedule.load(own, schedule.add_elements({&next, 1}));
  schedule.move(Port{0}, own, passing);
  schedule.send(Port{0}, passing);
  schedule.next_step();
  const GroupedScheduleProgram program(ring, std::move(schedule));
  const Network network = build_network(ring);
  RecordingHost host = host_for(network, Job{});
  const Level processors{.nodes = 6};
  QueueLedger queues(network, {&processors, 1});
  Machine<Network, GroupedScheduleProgram, SlotChannels> machine(network, program, host,
                                                                 {.queues = &queues});
  EXPECT_EQ(machine.run(*make_executor(default_executor, 2)).steps, 2U);
  EXPECT_EQ(queues.largest(), std::vector<LevelQueues>{});
}

/// Overlapping ranges of slots count as the same slots one by one.
TEST(QueueLedger, CountsRangesAsTheirSlots) {
  const FatTree star({5}, {.name = "constant"});
  const Network network = build_network(star);
  const NodeId top{5};
  std::mt19937_64 random{7};
  const auto up_to = [&](std::uint32_t most) {
    return static_cast<std::uint32_t>(random() % (most + 1));
  };
  for (const std::uint32_t largest : {8U, 60U, 4'500U}) {
    QueueLedger ranges(network, star.levels());
    QueueLedger one_by_one(network, star.levels());
    for (std::uint64_t step = 0; step < 20; ++step) {
      ranges.begin_step(step);
      one_by_one.begin_step(step);
      for (int action = 0; action < 6; ++action) {
        const QueueLedger::Slots some{up_to(largest), up_to(largest)};
        const Port branch = port(up_to(4));
        if (action == 0) {
          const std::uint32_t into = some.end() + up_to(largest);
          ranges.copied(top, some, into);
          for (std::uint32_t i = 0; i < some.count; ++i)
            one_by_one.copied(top, {some.first + i, 1}, into + i);
        } else if (action < 3) {
          ranges.sent(top, some, branch, step);
          for (std::uint32_t i = 0; i < some.count; ++i)
            one_by_one.sent(top, {some.first + i, 1}, branch, step);
        } else {
          ranges.stored(top, some, branch, step);
          for (std::uint32_t i = 0; i < some.count; ++i)
            one_by_one.stored(top, {some.first + i, 1}, branch, step);
        }
      }
    }
    EXPECT_EQ(ranges.largest(), one_by_one.largest()) << largest;
    EXPECT_GT(ranges.largest().front().held, largest / 2);
  }
}

TEST(QueueLedger, NeedsLevels) {
  EXPECT_THROW(QueueLedger(build_network(Ring(6)), {}), InvalidParameter);
}

/// A message that never leaves is in no queue.
TEST(QueueLedger, DoesNotCountWhatIsNeverSent) {
  const FatTree star({5}, {.name = "constant"});
  const Keeping program{.leaves = 5, .since = 1, .last_first = false, .lanes = 0};
  const Network network = build_network(star);
  RecordingHost host = host_for(network, Job{.collective = {Operation::gather}});
  QueueLedger queues(network, star.levels());
  Machine<Network, Keeping, SlotChannels> machine(
      network, program, host, {.model = port_models::all_port, .queues = &queues, .max_steps = 5});
  (void)machine.run(*make_executor(default_executor, 2));
  EXPECT_EQ(queues.largest(), (std::vector<LevelQueues>{{.level = 1}}));
}

}  // namespace
}  // namespace lockstep::test
