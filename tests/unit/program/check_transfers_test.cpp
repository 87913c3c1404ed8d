// SPDX-License-Identifier: Apache-2.0

/// Plans of built-in algorithms pass the check; each way to break one is an error that names the
/// transfer. The planners of the guide page "Plans" are among them.

#include "lockstep/program/plan/check_transfers.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <string>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/plan/lower.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

/// Those of tools/docs/plans.md.
Transfers doubled(const PlanRequest& asked) {
  const std::uint64_t nodes = asked.network.node_count();
  Transfers plan = all_one_class(nodes);
  for (std::uint64_t bit = 1; bit < nodes; bit *= 2, ++plan.steps)
    for (std::uint64_t u = 0; u < bit; ++u) plan.move(plan.steps, 0, everyone, u, u ^ bit);
  return plan;
}
Transfers along_array(const PlanRequest& asked) {
  const auto nodes = static_cast<std::uint32_t>(asked.network.node_count());
  Transfers plan = every_node_a_class(nodes);
  plan.parts = asked.parts;
  for (std::uint32_t part = 0; part < asked.parts; ++part)
    for (std::uint32_t u = 0; u + 1 < nodes; ++u)
      plan.move_part(part + u, {.source = 0,
                                .destination = everyone,
                                .from = u,
                                .to = u + 1,
                                .part = static_cast<std::uint16_t>(part)});
  return plan;
}
Transfers prefix_sums(const PlanRequest& asked) {
  const auto nodes = static_cast<std::uint32_t>(asked.network.node_count());
  Transfers plan = every_node_a_class(nodes);
  for (std::uint32_t distance = 1, step = 0; distance < nodes; distance *= 2, ++step)
    for (std::uint32_t u = 0; u + distance < nodes; ++u)
      plan.move_part(step, {.source = everyone,
                            .destination = everyone,
                            .from = u,
                            .to = u + distance,
                            .combine = Combine::before});
  return plan;
}
Transfers summed(const PlanRequest& asked) {
  const std::uint64_t processors = asked.network.processor_count();
  const Transfers gather = of_every_node(doubled(asked), asked.network);
  return then(in_block_parts(reversed(asked.network, gather), processors),
              in_block_parts(gather, processors));
}

[[nodiscard]] Cost checked_cost(const Transfers& plan, const AnyTopology& network,
                                Operation operation) {
  EXPECT_NO_THROW(check_transfers(plan, network, operation));
  const LoweredPlan lowered = lower(plan, network, operation);
  return lowered.cost;
}

TEST(PlansOfTheGuide, PassTheCheckAndCostWhatTheySay) {
  const AnyTopology cube("hypercube:4");
  EXPECT_EQ(checked_cost(doubled({cube}), cube, Operation::all_gather), (Cost{4, 15}));
  const AnyTopology array("linear:9");
  EXPECT_EQ(checked_cost(along_array({.network = array, .parts = 4}), array, Operation::broadcast),
            (Cost{11, Fraction(11, 4)}));
  const AnyTopology complete("complete:9");
  EXPECT_EQ(checked_cost(prefix_sums({complete}), complete, Operation::scan), (Cost{4, 4}));
  EXPECT_EQ(checked_cost(summed({cube}), cube, Operation::all_reduce), (Cost{8, Fraction(30, 16)}));
}

TEST(CheckTransfers, PassesPlansOfTheCatalogue) {
  const PlannedAlgorithm* const algorithms[] = {&bruck_gather,
                                                &pipelined_path,
                                                &pipelined_tree,
                                                &pipelined_binary_reduction,
                                                &circulant_broadcast,
                                                &arc_disjoint_trees,
                                                &halving_scatter,
                                                &bundled_flow_scatter,
                                                &both_ways_gather,
                                                &dimension_gather,
                                                &rotated_gather,
                                                &node_invariant_gather,
                                                &sweeping_scan,
                                                &doubling_scan,
                                                &chain_scan,
                                                &census_reduction,
                                                &pair_sum_reduction,
                                                &sweeping_reduction,
                                                &rotated_reduction,
                                                &bundled_cycle_exchange,
                                                &pairwise_total_exchange,
                                                &rotated_exchange,
                                                &shortest_path_exchange,
                                                &odd_even_bundles,
                                                &star_reduce_scatter,
                                                &star_total_exchange,
                                                &sequence_gather,
                                                &matched_gather,
                                                &matched_exchange,
                                                &divided_flow_scatter,
                                                &queued_scan};
  std::uint64_t plans = 0;
  for (const char* const name : {"ring:6", "linear:5", "complete:7", "hypercube:3", "torus:3x4",
                                 "mesh:3x3", "star:4", "petersen", "fat-tree:2^2", "linear:1"})
    for (const PlannedAlgorithm* const algorithm : algorithms) {
      const AnyTopology network(name);
      if (!algorithm->networks.admits(network)) continue;
      SCOPED_TRACE(std::string(name) + " " + std::string(algorithm->info.name));
      const std::uint32_t parts = algorithm->parts == Parts::open ? 3 : 1;
      EXPECT_NO_THROW(check_transfers(algorithm->plan({.network = network, .parts = parts}),
                                      network, algorithm->info.operation));
      ++plans;
    }
  EXPECT_GT(plans, 60U);
}

/// The rounds of the circulant broadcast follow from a rule that nobody proved.
TEST(CheckTransfers, PassesTheCirculantBroadcastForAllNumbersOfNodes) {
  const std::uint64_t step = slowness == 1 ? 1 : 7;
  for (std::uint64_t nodes = 2; nodes <= 210; nodes += step) {
    const auto rounds = static_cast<std::uint64_t>(std::bit_width(nodes - 1));
    for (const std::uint64_t parts : {std::uint64_t{1}, std::uint64_t{2}, rounds + 2}) {
      SCOPED_TRACE(fmt::format("{} nodes, {} parts", nodes, parts));
      const AnyTopology network(fmt::format("complete:{}", nodes));
      const Transfers plan = circulant_broadcast.plan(
          {.network = network, .parts = static_cast<std::uint32_t>(parts)});
      const std::uint64_t steps = parts - 1 + rounds;
      EXPECT_EQ(checked_cost(plan, network, Operation::broadcast),
                (Cost{steps, Fraction(steps, parts)}));
    }
  }
}

struct Broken {
  std::string_view reason;
  std::function<void(Transfers&)> change;
};

void expect_refused(const Transfers& good, const AnyTopology& network, Operation operation,
                    const Broken& broken) {
  Transfers plan = good;
  broken.change(plan);
  try {
    check_transfers(plan, network, operation);
    ADD_FAILURE() << "accepted: " << broken.reason;
  } catch (const InvalidParameter& problem) {
    EXPECT_THAT(problem.what(), HasSubstr(std::string(broken.reason)));
    EXPECT_THAT(problem.what(), HasSubstr("plan for " + network.name()));
  }
}

TEST(CheckTransfers, NamesTheTransferThatCannotTakePlace) {
  const AnyTopology array("linear:4");
  const Transfers good = along_array({.network = array, .parts = 2});
  const Broken all[] = {
      {"transfer 1 (step 1, block of 0 for everyone, part 0, from 1 to 3): there is no such link",
       [](Transfers& plan) { plan.list[1].to = 3; }},
      {"there is no such link", [](Transfers& plan) { plan.list[1].port = Port{7}; }},
      {"no such node", [](Transfers& plan) { plan.list[0].to = 4; }},
      {"no such block", [](Transfers& plan) { plan.list[0].source = 4; }},
      {"no such part", [](Transfers& plan) { plan.list[0].part = 2; }},
      {"the plan has 4 steps", [](Transfers& plan) { plan.list[5].step = 4; }},
      {"the sender does not have the block in this step",
       [](Transfers& plan) { plan.list[1].step = 0; }},
      {"transfer 0 (step 0, block of 1 for everyone, part 0, from 0 to 1): the sender does not",
       [](Transfers& plan) { plan.list[0].source = 1; }},
      {"the receiver has had the block before",
       [](Transfers& plan) { plan.list.push_back(plan.list[1]); }},
      {"the source is everyone, which only sums have",
       [](Transfers& plan) { plan.list[0].source = everyone; }},
      {"4 nodes in 3 classes", [](Transfers& plan) { plan.representatives.pop_back(); }},
      {"list every node",
       [](Transfers& plan) {
         plan.class_of = {0, 0, 0, 0};
         plan.representatives = {0};
       }},
      {"blocks in 0 parts", [](Transfers& plan) { plan.parts = 0; }}};
  for (const Broken& broken : all) expect_refused(good, array, Operation::broadcast, broken);
}

TEST(CheckTransfers, ABlockForOneDestinationLeavesItsSender) {
  const AnyTopology ring("ring:4");
  Transfers plan = every_node_a_class(4);
  for (const std::uint32_t step : {0U, 1U})
    plan.move_part(step, {.source = 0, .destination = 2, .from = step, .to = step + 1});
  EXPECT_NO_THROW(check_transfers(plan, ring, Operation::scatter));
  expect_refused(plan, ring, Operation::scatter,
                 {"the sender does not have the block", [](Transfers& broken) {
                    broken.move_part(2, {.source = 0, .destination = 2, .from = 0, .to = 3});
                  }});
}

TEST(CheckTransfers, ProcessorsMayMakeAnyNumberOfBlocks) {
  const AnyTopology array("linear:3");
  const PlanRequest asked{.network = array};
  const Transfers plan = with_makers(along_line_gather.plan(asked), {1, 1, 2});
  EXPECT_NO_THROW(check_transfers(plan, array, Operation::many_to_all));
  expect_refused(plan, array, Operation::many_to_all,
                 {"node 3 makes a block", [](Transfers& broken) { broken.makers[0] = 3; }});
  expect_refused(plan, array, Operation::many_to_all,
                 {"no such block", [](Transfers& broken) { broken.makers.pop_back(); }});
  expect_refused(plan, array, Operation::many_to_all,
                 {"the sender does not have", [](Transfers& broken) { broken.makers[2] = 1; }});
}

TEST(CheckTransfers, SumsOfAReduceScatterMayBeOfOneClass) {
  const AnyTopology cube("hypercube:3");
  const Transfers plan = reversed(cube, doubled({cube}));
  EXPECT_NO_THROW(check_transfers(plan, cube, Operation::reduce_scatter));
  expect_refused(plan, cube, Operation::all_reduce, {"list every node", [](Transfers&) {}});
}

TEST(CheckTransfers, NamesSumsThatANodeDoesNotHave) {
  const AnyTopology complete("complete:4");
  const Transfers good = prefix_sums({complete});
  expect_refused(good, complete, Operation::scan,
                 {"a reduction moves sums", [](Transfers& plan) { plan.list[0].source = 0; }});
  expect_refused(good, complete, Operation::scan,
                 {"the sender does not have the sum in this step",
                  [](Transfers& plan) { plan.list[2].destination = auxiliary(4, 1); }});
  expect_refused(good, complete, Operation::scan,
                 {"addition in step 1 at node 2 of sum 9 to everyone, part 0: the node does not",
                  [](Transfers& plan) {
                    plan.additions.push_back(
                        {.step = 1, .node = 2, .what = auxiliary(4, 1), .into = everyone});
                  }});
  Transfers own = good;
  own.additions.push_back({.step = 1, .node = 2, .what = alone(4, 2), .into = auxiliary(4, 1)});
  EXPECT_NO_THROW(check_transfers(own, complete, Operation::scan));
}

}  // namespace
}  // namespace lockstep
