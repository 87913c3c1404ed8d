// SPDX-License-Identifier: Apache-2.0
/// How a run ends before its last step: an exception of the program, a stop from outside.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "lockstep/machine/machine.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/ring_ports.hpp"
#include "support/rule_program.hpp"
#include "support/step_list.hpp"

namespace lockstep::test {
namespace {

/// Throws at some nodes; the caller must see the lowest one's, whoever ran into it first.
TEST(MachineEnd, TheExceptionOfTheLowestNodeReachesTheCaller) {
  const Network ring = build_network(Ring(100));
  const auto program = rules(5, [](auto& here) {
    if (here.step() == 2 && index(here.node()) % 30 == 29)
      throw std::runtime_error("node " + std::to_string(index(here.node())));
  });
  for (const Conditions& conditions : all_conditions({ChannelKind::slot})) {
    try {
      (void)run(ring, program, Job{}, conditions);
      ADD_FAILURE() << "no exception: " << described(conditions);
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "node 29") << described(conditions);
    }
  }
}

/// A run that needs no more steps than it may take is complete.
TEST(MachineEnd, TheLastStepThatIsAllowedMayBeTheLastOfTheProgram) {
  const Network ring = build_network(Ring(8));
  const auto program = rules(5, [](auto& here) {
    (void)here.take(Port{1});
    if (here.step() < 5) here.send(Port{0}, Blocks{});
  });
  for (const std::uint64_t most : {4U, 5U, 6U}) {
    RecordingHost host = host_for(ring, Job{});
    Machine<Network, decltype(program), SlotChannels> machine(ring, program, host,
                                                              {.max_steps = most});
    const RunRecord record = machine.run(*make_executor(ExecutorKind::serial, 1));
    EXPECT_EQ(record.interrupted, most < 5) << most;
    EXPECT_EQ(record.steps, std::min<std::uint64_t>(most, 5)) << most;
  }
}

/// Workers are joined before the exception arrives: the executor works as before.
TEST(MachineEnd, AnExceptionLeavesTheExecutorUsable) {
  const Network ring = build_network(Ring(100));
  const auto throwing = rules(5, [](auto& here) {
    if (here.step() == 3) throw std::logic_error("all nodes");
  });
  for (const ExecutorKind kind : executor_kinds) {
    const auto executor = make_executor(kind, 4);
    for (int round = 0; round < 3; ++round) {
      RecordingHost host = host_for(ring, Job{});
      Machine<Network, decltype(throwing), SlotChannels> machine(ring, throwing, host,
                                                                 {.processors_per_task = 1});
      EXPECT_THROW((void)machine.run(*executor), std::logic_error);
      std::atomic<int> visited{0};
      executor->run([&] {
        // relaxed: a counter, read after for_each().
        executor->for_each(50,
                           [&](std::size_t) { visited.fetch_add(1, std::memory_order_relaxed); });
      });
      EXPECT_EQ(visited.load(), 50);
    }
  }
}

TEST(MachineEnd, AStopIsObeyedAtAStepBoundary) {
  const Network ring = build_network(Ring(16));
  std::stop_source stop;
  StepList seen;
  const auto program = rules(100, [&stop](auto& here) {
    (void)here.take(left);
    here.send(right, first_block);
    if (here.step() == 7 && index(here.node()) == 9) stop.request_stop();
  });
  RecordingHost host = host_for(ring, Job{});
  Machine<Network, decltype(program), SlotChannels> machine(ring, program, host,
                                                            {.processors_per_task = 1,
                                                             .keep_series = true,
                                                             .stop = stop.get_token(),
                                                             .observers = {&seen}});
  const RunRecord record = machine.run(*make_executor(default_executor, 3));
  EXPECT_TRUE(record.interrupted);
  EXPECT_EQ(record.steps, 8U);  // the step in which it was asked for is finished
  EXPECT_EQ(record.hops, 8U * 16);
  EXPECT_EQ(record.series.size(), 8U);
  EXPECT_EQ(seen.steps, record.series);
  EXPECT_TRUE(record.legal());
}

TEST(MachineEnd, AStopBeforeTheStartRunsNothing) {
  std::stop_source stop;
  stop.request_stop();
  const Network ring = build_network(Ring(16));
  const auto program = rules(3, [](auto&) { throw std::runtime_error("it ran"); });
  RecordingHost host = host_for(ring, Job{});
  Machine<Network, decltype(program), SlotChannels> machine(ring, program, host,
                                                            {.stop = stop.get_token()});
  const RunRecord record = machine.run(*make_executor(default_executor, 2));
  EXPECT_TRUE(record.interrupted);
  EXPECT_EQ(record.steps, 0U);
}

}  // namespace
}  // namespace lockstep::test
