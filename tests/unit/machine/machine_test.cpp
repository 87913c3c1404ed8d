// SPDX-License-Identifier: Apache-2.0
/// The machine's own behaviour: what it hands to a program, when it ends, what it refuses. That it
/// counts and judges rightly is shown against the reference machine
/// (property/machine_laws_test.cpp).

#include "lockstep/machine/machine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/ring_ports.hpp"
#include "support/rule_program.hpp"

namespace lockstep::test {
namespace {

/// Runs on ring:8, by two workers, one processor per task; the reference machine must agree.
template <class Prog>
RunOutcome outcome_on_ring(const Prog& program, const Job& job = {}) {
  const Network ring = build_network(Ring(8));
  const RunOutcome outcome =
      run(ring, program, job, {ChannelKind::slot, default_executor, 2, 1, {}});
  expect_same(outcome, run_reference(ring, program, job));
  return outcome;
}

TEST(Machine, HandsOutTheOwnAddressStepAndPorts) {
  std::atomic<std::uint64_t> wrong{0};
  std::atomic<std::uint64_t> last_calls{0};
  const auto program = rules(3, [&](auto& here) {
    // relaxed: counters, read after the run.
    if (here.degree() != 2 || index(here.node()) > 7 || here.step() > 3)
      wrong.fetch_add(1, std::memory_order_relaxed);
    if (here.last_call()) last_calls.fetch_add(1, std::memory_order_relaxed);
    if (here.last_call() != (here.step() == 3)) wrong.fetch_add(1, std::memory_order_relaxed);
  });
  const Network ring = build_network(Ring(8));
  const RunOutcome outcome = run(ring, program, Job{});
  EXPECT_EQ(wrong.load(), 0U);
  EXPECT_EQ(last_calls.load(), 8U);
  EXPECT_EQ(outcome.record.steps, 3U);
  EXPECT_EQ(outcome.record.startups, 0U);
}

TEST(Machine, MemoryOfAProcessorIsItsOwnAndLasts) {
  const auto program = rules(4, [](auto& here) {
    here.memory() += index(here.node()) + 1;
    if (!here.last_call()) return;
    if (here.memory() != 5 * (index(here.node()) + 1)) throw std::runtime_error("memory");
  });
  EXPECT_NO_THROW((void)outcome_on_ring(program));
}

TEST(Machine, WhatIsSentInAStepIsSeenInTheNext) {
  const auto program = rules(2, [](auto& here) {
    const auto arrival = here.take(left);
    const bool expected = here.step() == 1 && index(here.node()) == 3;
    if (static_cast<bool>(arrival) != expected) throw std::runtime_error("arrival");
    if (expected) here.deliver(arrival, 0, NodeId{2});
    if (here.step() != 0 || index(here.node()) != 2) return;
    here.load(Region{0}, 0, NodeId{3});
    here.send(right, first_block);
  });
  const RunOutcome outcome = outcome_on_ring(program);
  EXPECT_EQ(outcome.record.deliveries.verified, 1U);
  EXPECT_EQ(outcome.record.hops, 1U);
}

/// Passes the own block on; what a processor stores is decided by `receive`.
template <class Receive>
auto passing_on(Receive receive) {
  return rules(1, [receive](auto& here) {
    if (here.step() == 0) {
      here.load(Region{0}, 0, NodeId{(index(here.node()) + 1) % 8});
      here.load(Region{0}, 1, NodeId{(index(here.node()) + 1) % 8});
      return here.send(right, Blocks{Region{0}, 0, 2});
    }
    receive(here, here.take(left));
  });
}

NodeId before(NodeId node) { return NodeId{(index(node) + 7) % 8}; }

TEST(Machine, AWellSizedStoreKeepsTheBytes) {
  const auto program = passing_on([](auto& here, const auto& arrival) {
    here.store(arrival, Blocks{Region{1}, 0, 2});
    here.deliver(Region{1}, 1, before(here.node()));
  });
  for (const std::size_t bytes : {1U, 7U, 8U, 9U, 64U, 65U, 200U})
    EXPECT_EQ(outcome_on_ring(program, {.block_bytes = bytes}).record.deliveries.verified, 8U)
        << bytes;
}

TEST(Machine, AnIllSizedStoreLeavesPoison) {
  const auto program = passing_on([](auto& here, const auto& arrival) {
    here.load(Region{1}, 0, before(here.node()));
    here.store(arrival, Blocks{Region{1}, 0, 1});  // two blocks came
    here.deliver(Region{1}, 0, before(here.node()));
  });
  const RunOutcome outcome = outcome_on_ring(program);
  EXPECT_EQ(outcome.record.deliveries.corrupted, 8U);
  EXPECT_EQ(outcome.record.deliveries.verified, 0U);
}

TEST(Machine, StoringAMessageThatNeverCameLeavesPoison) {
  const auto program = rules(0, [](auto& here) {
    here.load(Region{0}, 0, here.node());
    here.store(here.take(left), first_block);
    here.deliver(Region{0}, 0, before(here.node()));
  });
  EXPECT_EQ(outcome_on_ring(program).record.deliveries.corrupted, 8U);
}

TEST(Machine, MemoryIsPoisonedBeforeTheFirstStep) {
  const auto program =
      rules(0, [](auto& here) { here.deliver(Region{1}, 1, before(here.node())); });
  EXPECT_EQ(outcome_on_ring(program).record.deliveries.corrupted, 8U);
}

TEST(Machine, BlocksBeyondAMessageAreNotDelivered) {
  const auto program = passing_on([](auto& here, const auto& arrival) {
    for (std::uint32_t i = 0; i < 4; ++i) here.deliver(arrival, i, before(here.node()));
  });
  const RunOutcome outcome = outcome_on_ring(program);
  EXPECT_EQ(outcome.record.deliveries.delivered, 16U);
  EXPECT_EQ(outcome.record.deliveries.duplicated, 8U);
}

/// Not counted: it ends when nothing moves any more.
struct Falling {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    const bool arrived = static_cast<bool>(here.take(left));
    const bool starts = here.step() == 0 && index(here.node()) == 0;
    if ((arrived || starts) && index(here.node()) < 5) here.send(right, first_block);
  }
};

TEST(Machine, AProgramThatIsNotCountedEndsWhenNothingMoves) {
  const RunOutcome outcome = outcome_on_ring(Falling{});
  EXPECT_EQ(outcome.record.steps, 5U);
  EXPECT_EQ(outcome.record.startups, 5U);
  EXPECT_EQ(outcome.record.series.size(), 5U);
}

TEST(Machine, ASingleNodeWithoutLinksRuns) {
  const Network one = build_network("alone", 1, {});
  const auto program = rules(2, [](auto& here) {
    if (here.take(Port{0})) throw std::runtime_error("a message from nowhere");
    here.send(Port{0}, first_block);
  });
  const Job job{.stop_at_violation = false};
  for (const ChannelKind channel : every_channel) {
    const RunOutcome outcome = run(one, program, job, {.channel = channel});
    expect_same(outcome, run_reference(one, program, job, channel));
    EXPECT_EQ(outcome.record.violations.size(), 3U);
    EXPECT_EQ(outcome.record.hops, 0U);
  }
}

TEST(Machine, RunsStopAfterTheFirstStepThatBreaksARule) {
  const auto program = rules(5, [](auto& here) {
    (void)here.take(left);
    if (here.step() < 2) return;
    here.send(right, first_block);
    here.send(left, first_block);
  });
  const RunOutcome outcome = outcome_on_ring(program);
  EXPECT_EQ(outcome.record.steps, 3U);
  EXPECT_EQ(outcome.record.violation_count, 16U);  // 8 nodes: two sends, two receptions
  for (const Violation& v : outcome.record.violations) EXPECT_EQ(v.step, 2U);
}

TEST(Machine, KeepsSixtyFourViolationsAndCountsAll) {
  const auto program = rules(40, [](auto& here) {
    (void)here.take(left);
    (void)here.take(right);
    here.send(right, first_block);
    here.send(left, first_block);
  });
  const RunOutcome outcome = outcome_on_ring(program, {.stop_at_violation = false});
  EXPECT_EQ(outcome.record.violations.size(), 64U);
  // Two sends and two receptions in each of 40 steps, and sends in the last call.
  EXPECT_EQ(outcome.record.violation_count, 8U * (40 * 2 + 1));
}

/// Does nothing, in as much memory as one likes.
struct Large {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::vector<std::uint32_t> sizes;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return sizes; }
  [[nodiscard]] std::uint64_t step_count() const { return 0; }
  void operator()(auto&) const {}
};

TEST(Machine, RefusesProgramsThatDoNotFit) {
  const Network ring = build_network(Ring(3));
  EXPECT_NO_THROW((void)run(ring, Large{std::vector<std::uint32_t>(max_regions, 1)}, Job{}));
  EXPECT_THROW((void)run(ring, Large{std::vector<std::uint32_t>(max_regions + 1, 1)}, Job{}),
               InvalidParameter);
  EXPECT_NO_THROW((void)run(ring, Large{{max_region_blocks}}, {.block_bytes = 1}));
  EXPECT_THROW((void)run(ring, Large{{max_region_blocks + 1}}, {.block_bytes = 1}),
               InvalidParameter);
  const Network crowd = build_network(CompleteGraph(MailboxChannels::max_ports + 2));
  EXPECT_NO_THROW((void)run(crowd, Large{{}}, Job{}, {.channel = ChannelKind::slot}));
  EXPECT_THROW((void)run(crowd, Large{{}}, Job{}, {.channel = ChannelKind::mailbox}),
               InvalidParameter);
}

TEST(Machine, PredictsMoreMemoryForMoreOfEverything) {
  const auto program = rules(3, [](auto&) {});
  const auto bytes = [&](std::uint64_t nodes, const MachineOptions& options) {
    return Machine<Network, decltype(program), SlotChannels>::bytes(build_network(Ring(nodes)),
                                                                    program, options);
  };
  const MachineOptions small{.block_bytes = 8};
  EXPECT_GE(bytes(1000, small), 1000U * (4 * 8 + 2 * 2 * 8 + 8));  // blocks, slots, memory
  EXPECT_NEAR(static_cast<double>(bytes(2000, small)),
              2.0 * static_cast<double>(bytes(1000, small)), 1.0);
  EXPECT_EQ(bytes(1000, {.block_bytes = 9}) - bytes(1000, small), 4000U);
  EXPECT_GT(bytes(1000, {.model = port_models::all_port_half_duplex, .block_bytes = 8}),
            bytes(1000, small));
}

}  // namespace
}  // namespace lockstep::test
