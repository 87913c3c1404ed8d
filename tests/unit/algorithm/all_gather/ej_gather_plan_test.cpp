// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "algorithm/all_gather/ej_gather.hpp"
#include "algorithm/all_gather/ej_gather_rules.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/ej_gathers.hpp"
#include "support/jobs.hpp"

namespace lockstep::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

RunOutcome outcome_of(const EisensteinJacobiNetwork& network, NodeInvariantSchedule schedule) {
  const NodeInvariantProgram program(network, std::move(schedule));
  return run(build_network(network), program,
             {.model = port_models::all_port_half_duplex,
              .collective = {Operation::all_gather},
              .stop_at_violation = false});
}

/// The last step that something is sent in, and what.
struct LastEntry {
  NodeId displacement{};
  EjGatherPlan::Hop hop{};
};
LastEntry last_entry_of(const EjGatherPlan& plan) {
  LastEntry last;
  for (std::uint64_t v = 1; v < plan.network().node_count(); ++v) {
    const EjGatherPlan::Hop hop = plan.hop(NodeId{v});
    if (last.displacement == NodeId{0} || hop.step > last.hop.step) last = {NodeId{v}, hop};
  }
  return last;
}

/// For every algorithm whose entries are of whole blocks.
void for_every_plan(const EisensteinJacobiNetwork& network,
                    const std::function<void(const EjGatherPlan&)>& check) {
  check(EjTwoSubstep(network).plan());
  check(EjThreePhaseComplete(network).plan());
  check(EjGreedy<Duplex::half>(network).plan());
}

TEST(EjGatherPlan, ADroppedEntryIsFound) {
  const EisensteinJacobiNetwork network(1, 3, 2);
  for_every_plan(network, [&](EjGatherPlan plan) {
    EXPECT_TRUE(outcome_of(network, plan.schedule()).verdict.complete());
    const NodeId dropped = last_entry_of(plan).displacement;
    plan.set(dropped, {});
    const RunOutcome outcome = outcome_of(network, plan.schedule());
    EXPECT_EQ(outcome.verdict.missing, network.node_count());
    EXPECT_EQ(
        outcome.verdict.received,
        (Received{network.node_count() - 2, network.node_count() - 2, network.node_count() - 1}));
    EXPECT_THAT(outcome.missing, testing::Contains(MissingPair{NodeId{0}, dropped}));
  });
}

TEST(EjGatherPlan, ARepeatedEntryIsFound) {
  const EisensteinJacobiNetwork network(1, 3, 2);
  for_every_plan(network, [&](const EjGatherPlan& plan) {
    // Once more, in a step of its own: the own block to a neighbour, which has it already.
    NodeInvariantSchedule schedule = plan.schedule();
    const NodeId source = network.neighbor(network.identity(), Port{3});
    schedule.move_and_deliver(Port{0}, {Region{0}, 0, 1}, schedule.add_elements({&source, 1}));
    const RunOutcome outcome = outcome_of(network, std::move(schedule));
    EXPECT_FALSE(outcome.verdict.complete());
    EXPECT_EQ(outcome.verdict.tally.duplicated, network.node_count());
    EXPECT_EQ(outcome.verdict.missing, 0U);
  });
}

TEST(EjGatherPlan, AnEntryThroughAnotherPortIsFound) {
  const EisensteinJacobiNetwork network(1, 3, 2);
  for_every_plan(network, [&](EjGatherPlan plan) {
    // All displacements are known to someone before the last step: so the schedule can be written,
    // but the block that comes is another one.
    const auto [displacement, hop] = last_entry_of(plan);
    NodeInvariantSchedule schedule = plan.schedule();
    const NodeId claimed = network.inverse(displacement);
    schedule.move_and_deliver(hop.through, {Region{0}, 0, 1}, schedule.add_elements({&claimed, 1}));
    EXPECT_EQ(outcome_of(network, std::move(schedule)).verdict.tally.corrupted,
              network.node_count());
  });
}

/// The messages of a step in the other direction: what half-duplex links forbid.
TEST(EjGatherPlan, ALinkUsedBothWaysIsFound) {
  const EisensteinJacobiNetwork network(2, 3, 1);
  EjGatherPlan plan = EjTwoSubstep(network).plan();
  const NodeId back = network.neighbor(network.identity(), Port{3});
  plan.set(back, {0, Port{3}});  // in the first substep, as +1
  const RunOutcome outcome = outcome_of(network, plan.schedule());
  EXPECT_FALSE(outcome.record.legal());
  EXPECT_EQ(outcome.record.violations.front().rule, Rule::half_duplex);
}

TEST(EjGatherPlan, SaysWhatItTakes) {
  const auto expect_taken = [](const auto& algorithm, const EisensteinJacobiNetwork& network) {
    const NodeInvariantSchedule schedule = algorithm.plan().schedule();
    const std::uint64_t taken = schedule.bytes() + Translations<EisensteinJacobiNetwork>::bytes(
                                                       network, schedule.elements().size());
    EXPECT_GE(algorithm.footprint().plan_bytes, taken) << network.name();
    EXPECT_EQ(algorithm.footprint().blocks_per_processor, schedule.regions().front());
    EXPECT_EQ(algorithm.footprint().steps, schedule.step_count());
  };
  for (const auto& [a, b] : ej_alphas)
    for (const std::size_t n : {1U, 2U}) {
      const EisensteinJacobiNetwork network(a, b, n);
      expect_taken(EjTwoSubstep(network), network);
      expect_taken(EjSimultaneous(network), network);
      expect_taken(EjRotated(network), network);
      expect_taken(EjSimultaneousRotated(network), network);
      expect_taken(EjThreePhase(network), network);
      expect_taken(EjThreePhaseComplete(network), network);
      expect_taken(EjGreedy<Duplex::half>(network), network);
      expect_taken(EjGreedy<Duplex::full>(network), network);
    }
}

/// Both bounds, in every network of up to 2000 processors with b <= 6.
TEST(EjGreedy, AttainsTheBounds) {
  for (std::uint64_t b = 2; b <= 6; ++b)
    for (std::uint64_t a = 0; a <= b; ++a)
      for (std::uint64_t n = 1; n <= 3; ++n) {
        if (a * a + a * b + b * b < EisensteinJacobi::min_nodes) continue;
        const EisensteinJacobiNetwork network(a, b, n);
        if (network.node_count() > 2000) continue;
        const std::uint64_t others = network.node_count() - 1;
        EXPECT_EQ(EjGreedy<Duplex::full>(network).footprint().steps, (others + 6 * n - 1) / (6 * n))
            << network.name();
        EXPECT_EQ(EjGreedy<Duplex::half>(network).footprint().steps, (others + 3 * n - 1) / (3 * n))
            << network.name();
      }
}

TEST(EjGatherPlan, RefusesMoreBlocksThanARegionHolds) {
  const EisensteinJacobiNetwork network(3, 4, 4);
  EXPECT_THAT([&] { EjTwoSubstep{network}; },
              ThrowsMessage<InvalidParameter>(
                  HasSubstr("two-substep on ej:3+4^4: a processor would store 1,874,161 blocks")));
  EXPECT_THAT([] { EjRotated{EisensteinJacobiNetwork(7, 8, 2 + 1)}; },
              ThrowsMessage<InvalidParameter>(HasSubstr("of 3 parts each")));
  EXPECT_THROW(EjGreedy<Duplex::full>{network}, InvalidParameter);
  EXPECT_THROW(EjThreePhase{network}, InvalidParameter);
  EXPECT_THROW(EjThreePhaseComplete{network}, InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
