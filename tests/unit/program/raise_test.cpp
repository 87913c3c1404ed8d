// SPDX-License-Identifier: Apache-2.0

/// Plans of the catalogue are lowered and raised again. Random plans: lower_test.cpp; schedules of
/// other programs: property/saved_schedule_laws_test.cpp.

#include "lockstep/program/plan/raise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <variant>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/plan/lower.hpp"
#include "support/plan_moves.hpp"

namespace lockstep {
namespace {

const PlannedAlgorithm* const planned_algorithms[] = {&bruck_gather,
                                                      &pipelined_path,
                                                      &pipelined_binary_tree,
                                                      &pipelined_tree_in_turn,
                                                      &pipelined_tree,
                                                      &pipelined_path_reduction,
                                                      &pipelined_binary_reduction,
                                                      &pipelined_reduction_over_tree,
                                                      &circulant_broadcast,
                                                      &edge_disjoint_trees_in_turn,
                                                      &edge_disjoint_trees,
                                                      &cycle_broadcast,
                                                      &arc_disjoint_trees,
                                                      &halving_scatter,
                                                      &alternating_scatter,
                                                      &dimension_scatter,
                                                      &bundled_flow_scatter,
                                                      &one_way_gather,
                                                      &both_ways_gather,
                                                      &neighbour_exchange_gather,
                                                      &odd_even_exchange_gather,
                                                      &along_line_gather,
                                                      &along_line_in_turn_gather,
                                                      &dimension_gather,
                                                      &rotated_gather,
                                                      &shortest_path_gather,
                                                      &shortest_path_gather_in_turn,
                                                      &node_invariant_gather,
                                                      &census_reduction,
                                                      &pair_sum_reduction,
                                                      &sweeping_reduction,
                                                      &sweeping_reduction_in_turn,
                                                      &dimension_reduction,
                                                      &rotated_reduction,
                                                      &doubling_scan,
                                                      &chain_scan,
                                                      &shortest_path_scan,
                                                      &shortest_path_scan_in_turn,
                                                      &sweeping_scan,
                                                      &sweeping_scan_in_turn,
                                                      &pairwise_total_exchange,
                                                      &index_2_exchange,
                                                      &index_3_exchange,
                                                      &index_4_exchange,
                                                      &bundled_cycle_exchange,
                                                      &bundled_cycle_exchange_in_turn,
                                                      &bundled_line_exchange,
                                                      &furthest_first_bundles,
                                                      &odd_even_bundles,
                                                      &rotated_exchange,
                                                      &all_port_dimension_exchange,
                                                      &dimension_exchange_in_turn,
                                                      &index_by_dimensions,
                                                      &one_way_by_dimensions,
                                                      &furthest_first_long_bundles,
                                                      &odd_even_long_bundles,
                                                      &cube_all_gather,
                                                      &torus_all_gather,
                                                      &star_all_gather,
                                                      &star_reduce_scatter,
                                                      &star_total_exchange,
                                                      &divided_flow_scatter,
                                                      &sequence_gather,
                                                      &sequence_exchange,
                                                      &matched_gather,
                                                      &matched_single_gather,
                                                      &matched_exchange,
                                                      &queued_scan,
                                                      &queued_scan_in_turn,
                                                      &shortest_path_exchange,
                                                      &shortest_path_exchange_in_turn};

constexpr const char* networks_of_raised_plans[] = {
    "ring:6", "linear:5", "complete:7",   "hypercube:3", "torus:3x4", "mesh:3x3",
    "star:4", "petersen", "fat-tree:2^2", "complete:2",  "linear:1",  "generalized-hypercube:3x4"};

void expect_raised_to(const Transfers& plan, const AnyTopology& network, Operation operation) {
  const LoweredPlan lowered = lower(plan, network, operation);
  const Transfers again = raised(lowered.schedule, network, operation, plan.parts);
  const LoweredPlan twice = lower(again, network, operation);
  EXPECT_EQ(twice.cost, lowered.cost);
  EXPECT_EQ(twice.messages, lowered.messages);
  EXPECT_EQ(twice.deliveries, lowered.deliveries);
  if (is_reduction(operation)) return;
  EXPECT_EQ(test::moves_of(again, network), test::moves_of(plan, network));
}

TEST(Raise, GivesThePlanThatWasLowered) {
  std::uint64_t plans = 0;
  for (const char* const name : networks_of_raised_plans)
    for (const PlannedAlgorithm* const algorithm : planned_algorithms) {
      const AnyTopology network(name);
      if (!algorithm->networks.admits(network)) continue;
      SCOPED_TRACE(std::string(name) + " " + std::string(algorithm->info.name));
      const std::uint32_t parts = algorithm->parts == Parts::open ? 3 : 1;
      const PlanRequest asked{
          .network = network, .root = NodeId{network.processor_count() - 1}, .parts = parts};
      expect_raised_to(of_every_node(algorithm->plan(asked), network), network,
                       algorithm->info.operation);
      ++plans;
    }
  EXPECT_GT(plans, 200U);
}

/// A schedule that is no plan is refused, with the reason.
TEST(Raise, RefusesWhatIsNoPlan) {
  const AnyTopology ring("ring:4");
  const auto reason = [&](const auto& write, Operation operation) -> std::string {
    Schedule schedule(4, {2});
    write(schedule);
    schedule.close(2);
    try {
      (void)raised(schedule, ring, operation);
    } catch (const InvalidParameter& problem) {
      return problem.what();
    }
    return "";
  };
  const auto load_and_send = [](Schedule& schedule) {
    schedule.begin_turn(0, NodeId{0});
    schedule.load(Blocks{Region{0}, 0, 1}, NodeId{1});
    schedule.send(Port{0}, Blocks{Region{0}, 0, 1});
  };
  EXPECT_EQ(reason(load_and_send, Operation::broadcast), "");
  EXPECT_THAT(reason(load_and_send, Operation::many_to_all), testing::HasSubstr("many-to-all"));
  EXPECT_THAT(reason(
                  [](Schedule& schedule) {
                    schedule.begin_turn(0, NodeId{0});
                    schedule.send(Port{0}, Blocks{Region{0}, 1, 1});
                  },
                  Operation::broadcast),
              testing::HasSubstr("node 0, step 0 on ring:4: a slot is used that holds nothing"));
  EXPECT_THAT(reason(
                  [&](Schedule& schedule) {
                    load_and_send(schedule);
                    schedule.begin_turn(1, NodeId{0});
                    schedule.send(Port{0}, Blocks{Region{0}, 0, 1});
                  },
                  Operation::broadcast),
              testing::HasSubstr("the receiver has had the block before"));
  EXPECT_THAT(reason(
                  [](Schedule& schedule) {
                    schedule.begin_turn(1, NodeId{2});
                    schedule.take_store(Port{0}, Blocks{Region{0}, 0, 1});
                  },
                  Operation::broadcast),
              testing::HasSubstr("takes a message that did not arrive"));
}

}  // namespace
}  // namespace lockstep
