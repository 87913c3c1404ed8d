// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/plan/lower.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/ej_gathers.hpp"
#include "support/jobs.hpp"
#include "support/planned_class.hpp"

namespace lockstep::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <const PlannedAlgorithm& algorithm>
using OnEj = PlannedClass<algorithm, EisensteinJacobiNetwork>;
using EjGreedy = OnEj<ej_greedy>;
using EjGreedyHalfDuplex = OnEj<ej_greedy_half_duplex>;

[[nodiscard]] Schedule schedule_of(const EisensteinJacobiNetwork& network, const Transfers& plan) {
  LoweredPlan lowered = lower(plan, any_cayley(network), Operation::all_gather);
  return std::move(lowered.schedule);
}

RunOutcome outcome_of(const EisensteinJacobiNetwork& network, Schedule schedule) {
  const GroupedScheduleProgram program(network, std::move(schedule));
  return run(build_network(network), program,
             {.model = port_models::all_port_half_duplex,
              .collective = {Operation::all_gather},
              .stop_at_violation = false});
}

/// For every algorithm whose entries are of whole blocks.
void for_every_plan(const EisensteinJacobiNetwork& network,
                    const std::function<void(Transfers)>& check) {
  for (const PlannedAlgorithm* const algorithm :
       {&ej_two_substep, &ej_three_phase_complete, &ej_greedy_half_duplex})
    check(algorithm->plan({.network = any_cayley(network)}));
}

TEST(EjGatherPlan, ADroppedEntryIsFound) {
  const EisensteinJacobiNetwork network(1, 3, 2);
  for_every_plan(network, [&](Transfers plan) {
    EXPECT_TRUE(outcome_of(network, schedule_of(network, plan)).verdict.complete());
    const NodeId dropped{plan.list.back().to};  // of the last step: nothing follows it
    plan.list.pop_back();
    const RunOutcome outcome = outcome_of(network, schedule_of(network, plan));
    EXPECT_EQ(outcome.verdict.missing, network.node_count());
    EXPECT_EQ(
        outcome.verdict.received,
        (Received{network.node_count() - 2, network.node_count() - 2, network.node_count() - 1}));
    EXPECT_THAT(outcome.missing, testing::Contains(MissingPair{NodeId{0}, dropped}));
  });
}

/// The own block goes out once more, in a step more: as the last entry says it, or for another.
[[nodiscard]] Schedule with_own_block_sent(const Schedule& planned,
                                           const EisensteinJacobiNetwork& network, Port through,
                                           NodeId claimed) {
  Schedule schedule = planned.without_turns({});
  const Region more = schedule.add_region(1);
  const NodeId me = network.identity();
  const Elements own = schedule.add_elements({&me, 1});
  const std::uint64_t steps = planned.step_count();
  for (std::uint64_t step = 0; step <= steps; ++step) {
    schedule.begin_turn_of_class(step, 0);
    schedule.repeat(planned.actions(step));
  }
  schedule.load({more, 0, 1}, own, own);
  schedule.send(through, {more, 0, 1});
  schedule.begin_turn_of_class(steps + 1, 0);
  schedule.take_deliver(network.reverse_port(me, through), schedule.add_elements({&claimed, 1}));
  schedule.close(steps + 1);
  return schedule;
}

TEST(EjGatherPlan, ARepeatedEntryIsFound) {
  const EisensteinJacobiNetwork network(1, 3, 2);
  for_every_plan(network, [&](const Transfers& plan) {
    // To a neighbour, which has it already.
    const NodeId source = network.neighbor(network.identity(), Port{3});
    const RunOutcome outcome = outcome_of(
        network, with_own_block_sent(schedule_of(network, plan), network, Port{0}, source));
    EXPECT_FALSE(outcome.verdict.complete());
    EXPECT_EQ(outcome.verdict.tally.duplicated, network.node_count());
    EXPECT_EQ(outcome.verdict.missing, 0U);
  });
}

TEST(EjGatherPlan, AnEntryThroughAnotherPortIsFound) {
  const EisensteinJacobiNetwork network(1, 3, 2);
  for_every_plan(network, [&](const Transfers& plan) {
    const Transfer& last = plan.list.back();
    const NodeId claimed = network.inverse(NodeId{last.to});
    EXPECT_EQ(outcome_of(network, with_own_block_sent(schedule_of(network, plan), network,
                                                      last.port, claimed))
                  .verdict.tally.corrupted,
              network.node_count());
  });
}

/// The messages of a step in the other direction: what half-duplex links forbid.
TEST(EjGatherPlan, ALinkUsedBothWaysIsFound) {
  const EisensteinJacobiNetwork network(2, 3, 1);
  Transfers plan = ej_two_substep.plan({.network = any_cayley(network)});
  const auto back =
      static_cast<std::uint32_t>(index(network.neighbor(network.identity(), Port{3})));
  for (Transfer& transfer : plan.list)
    if (transfer.to == back) transfer.step = 0;  // in the first substep, as +1
  const RunOutcome outcome = outcome_of(network, schedule_of(network, plan));
  EXPECT_FALSE(outcome.record.legal());
  EXPECT_EQ(outcome.record.violations.front().rule, Rule::half_duplex);
}

template <class A>
void expect_taken(const EisensteinJacobiNetwork& network) {
  const A algorithm(network);
  const GroupedScheduleProgram program = algorithm.program();
  const Schedule& schedule = program.schedule();
  EXPECT_GE(algorithm.footprint().plan_bytes,
            schedule.bytes() +
                Translations<EisensteinJacobiNetwork>::bytes(network, schedule.elements().size()))
      << network.name();
  EXPECT_EQ(algorithm.footprint().blocks_per_processor, schedule.regions().front());
  EXPECT_EQ(algorithm.footprint().steps, schedule.step_count());
}

TEST(EjGatherPlan, SaysWhatItTakes) {
  for (const auto& [a, b] : ej_alphas)
    for (const std::size_t n : {1U, 2U}) {
      const EisensteinJacobiNetwork network(a, b, n);
      expect_taken<OnEj<ej_two_substep>>(network);
      expect_taken<OnEj<ej_simultaneous>>(network);
      expect_taken<OnEj<ej_rotated>>(network);
      expect_taken<OnEj<ej_simultaneous_rotated>>(network);
      expect_taken<OnEj<ej_three_phase>>(network);
      expect_taken<OnEj<ej_three_phase_complete>>(network);
      expect_taken<EjGreedyHalfDuplex>(network);
      expect_taken<EjGreedy>(network);
    }
}

/// Both bounds, in every network of up to 2000 processors with b <= 6.
TEST(EjGreedyPlan, AttainsTheBounds) {
  for (std::uint64_t b = 2; b <= 6; ++b)
    for (std::uint64_t a = 0; a <= b; ++a)
      for (std::uint64_t n = 1; n <= 3; ++n) {
        if (a * a + a * b + b * b < EisensteinJacobi::min_nodes) continue;
        const EisensteinJacobiNetwork network(a, b, n);
        if (network.node_count() > 2000) continue;
        const std::uint64_t others = network.node_count() - 1;
        EXPECT_EQ(EjGreedy(network).footprint().steps, (others + 6 * n - 1) / (6 * n))
            << network.name();
        EXPECT_EQ(EjGreedyHalfDuplex(network).footprint().steps, (others + 3 * n - 1) / (3 * n))
            << network.name();
      }
}

TEST(EjGatherPlan, RefusesMoreNodesOrBlocksThanARegionHolds) {
  const EisensteinJacobiNetwork network(3, 4, 4);
  EXPECT_THAT(
      [&] { (void)OnEj<ej_two_substep>(network).footprint(); },
      ThrowsMessage<InvalidParameter>(HasSubstr("two-substep on ej:3+4^4: 1,874,161 nodes")));
  EXPECT_THAT([] { (void)OnEj<ej_rotated>(EisensteinJacobiNetwork(4, 5, 3)).footprint(); },
              testing::Not(testing::Throws<InvalidParameter>()));
  EXPECT_THAT([] { (void)OnEj<ej_rotated>(EisensteinJacobiNetwork(7, 7, 3)).footprint(); },
              ThrowsMessage<InvalidParameter>(HasSubstr("rotated on ej:7+7^3: 3,176,523 nodes")));
  EXPECT_THROW(EjGreedy{network}, InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
