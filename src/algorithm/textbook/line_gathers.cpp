// SPDX-License-Identifier: Apache-2.0

/// All-gathers in cycles, linear arrays and graphs without a shape (line_plans.hpp has the plans);
/// reduce-scatters and all-reduces are made of them.

#include "algorithm/balanced_paths.hpp"
#include "algorithm/line_plans.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "topology/closed_walk.hpp"

namespace lockstep {
namespace {

/// The largest network whose plan is small enough.
constexpr std::uint64_t most_gathered_nodes = 512;

[[nodiscard]] AlgorithmInfo gather(std::string_view name, PortModel model, std::string_view source,
                                   const CostTexts& costs, std::string_view summary) {
  return plain_info(name, Operation::all_gather, model, source, costs, summary);
}

/// A plan of places around the Hamiltonian cycle.
[[nodiscard]] auto on_cycle(Transfers (*plan)(std::uint64_t nodes)) {
  return [plan](const PlanRequest& asked) {
    return placed(plan(asked.network.node_count()), *hamiltonian_cycle(asked.network));
  };
}
[[nodiscard]] auto on_line(Transfers (*plan)(std::uint64_t nodes)) {
  return [plan](const PlanRequest& asked) { return plan(asked.network.node_count()); };
}

}  // namespace

const PlannedAlgorithm one_way_gather = {
    .info = gather("one-way", port_models::single_port, "textbook", {"N - 1", "N - 1"},
                   "all blocks go around a Hamiltonian cycle, a link in every step"),
    .networks = shapes::hamiltonian.up_to_nodes(most_gathered_nodes),
    .plan = on_cycle(around_cycle)};

const PlannedAlgorithm both_ways_gather = {
    .info = gather("both-ways", port_models::all_port, "textbook", {"floor(N, 2)", "(N - 1)/2"},
                   "blocks go both ways around a Hamiltonian cycle"),
    .networks = shapes::hamiltonian.up_to_nodes(most_gathered_nodes),
    .plan = on_cycle(both_ways_around_cycle)};

const PlannedAlgorithm neighbour_exchange_gather = {
    .info =
        gather("neighbour-exchange", port_models::single_port, "Chen et al. 2005", {"N/2", "N - 1"},
               "exchanges the two blocks that came last with one neighbour and the other"),
    .networks = shapes::hamiltonian.up_to_nodes(most_gathered_nodes).with(even(quantities::nodes)),
    .plan = on_cycle(neighbour_exchange)};

const PlannedAlgorithm odd_even_exchange_gather = {
    .info = gather("odd-even-exchange", port_models::single_port, "textbook",
                   {"N - 1 + N % 2", "2*N - 3 + N % 2"},
                   "links 0-1, 2-3, .. alternate with links 1-2, 3-4, .."),
    .networks = shapes::linear.up_to_nodes(most_gathered_nodes),
    .plan = on_line(odd_even_gather)};

const PlannedAlgorithm along_line_gather = {
    .info = gather("along-line", port_models::all_port, "textbook", {"N - 1", "N - 1"},
                   "blocks go both ways along the array"),
    .networks = shapes::linear.up_to_nodes(most_gathered_nodes),
    .plan = on_line(both_ways_along_line)};

const PlannedAlgorithm shortest_path_gather = {
    .info = gather("shortest-paths", port_models::all_port, "textbook",
                   {.startups = "D", .costs = "message times: counted in the plan"},
                   "blocks take shortest paths, all of a way as one message"),
    .networks = shapes::any_network.up_to_nodes(most_gathered_nodes),
    .plan = [](const PlanRequest& asked) { return gather_over_shortest_paths(asked.network); }};

const PlannedAlgorithm balanced_path_gather = {
    .info = gather("balanced-paths", port_models::all_port, "textbook; Lockstep",
                   {.startups = "D", .costs = "message times: counted in the plan"},
                   "shortest paths share the load, all blocks of a way as one message"),
    .networks = shapes::any_network.up_to_nodes(most_gathered_nodes),
    .plan = shortest_path_gather.plan};

const PlannedAlgorithm shortest_path_gather_in_turn = {
    .info = gather("shortest-paths-in-turn", port_models::single_port, "textbook",
                   {.costs = "counted in the plan"},
                   "blocks take shortest paths, a message of each step after the other"),
    .networks = shapes::any_network.up_to_nodes(most_gathered_nodes),
    .plan = [](const PlanRequest& asked) {
      return in_turn(gather_over_shortest_paths(asked.network));
    }};

const PlannedAlgorithm along_line_in_turn_gather = {
    .info = gather("along-line-in-turn", port_models::single_port, "textbook",
                   {.costs = "counted in the plan: about 3N/2 start-ups and message times"},
                   "blocks go both ways along the array, each step in two"),
    .networks = shapes::linear.up_to_nodes(most_gathered_nodes),
    .plan = [](const PlanRequest& asked) {
      return in_turn(both_ways_along_line(asked.network.node_count()));
    }};

}  // namespace lockstep
