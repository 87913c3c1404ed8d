// SPDX-License-Identifier: Apache-2.0

/// Total exchanges in complete graphs, cycles and linear arrays, in messages of many blocks
/// (line_plans.hpp has the plans).

#include <cstdint>

#include "algorithm/balanced_paths.hpp"
#include "algorithm/line_plans.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "topology/closed_walk.hpp"

namespace lockstep {
namespace {

[[nodiscard]] AlgorithmInfo exchange(std::string_view name, PortModel model,
                                     std::string_view source, const CostTexts& costs,
                                     std::string_view summary) {
  return plain_info(name, Operation::total_exchange, model, source, costs, summary);
}

/// The largest network whose plan is small enough.
constexpr std::uint64_t most_exchanged_nodes = 256;

template <std::uint64_t radix>
[[nodiscard]] PlannedAlgorithm by_index(std::string_view name) {
  return {.info = exchange(name, port_models::single_port, "Bruck et al. 1997",
                           {.costs = "a start-up for each digit of a place; message times: blocks "
                                     "whose distance has that digit"},
                           "moves blocks by the digits of their distances, all of a digit at once"),
          .networks = shapes::complete.up_to_nodes(512),
          .plan = [](const PlanRequest& asked) {
            return index_exchange(asked.network.node_count(), radix);
          }};
}

[[nodiscard]] Transfers around(const PlanRequest& asked) {
  return placed(cycle_exchange(asked.network.node_count()), *hamiltonian_cycle(asked.network));
}

/// In a linear array, under the ports of the model. `most`: blocks of a message, by nodes.
[[nodiscard]] PlannedAlgorithm along_line(const AlgorithmInfo& info,
                                          std::uint64_t (*most)(std::uint64_t nodes)) {
  const Ports ports = info.model == port_models::all_port ? Ports::all : Ports::one;
  return {.info = info,
          .networks = shapes::linear.up_to_nodes(most_exchanged_nodes),
          .plan = [most, ports](const PlanRequest& asked) {
            const std::uint64_t nodes = asked.network.node_count();
            return line_exchange(nodes, most(nodes), ports);
          }};
}

}  // namespace

const PlannedAlgorithm pairwise_total_exchange = {
    .info = exchange("pairwise", port_models::single_port, "Thakur et al. 2005", {"N - 1", "N - 1"},
                     "sends to the node t places further in step t"),
    .networks = shapes::complete.up_to_nodes(512),
    .plan = [](const PlanRequest& asked) {
      return index_exchange(asked.network.node_count(), asked.network.node_count());
    }};

const PlannedAlgorithm index_2_exchange = by_index<2>("index-2");
const PlannedAlgorithm index_3_exchange = by_index<3>("index-3");
const PlannedAlgorithm index_4_exchange = by_index<4>("index-4");

const PlannedAlgorithm bundled_cycle_exchange = {
    .info = exchange("bundled-both-ways", port_models::all_port, "Saad, Schultz 1989",
                     {"floor(N, 2)", "floor(N^2, 4)/2"},
                     "blocks go the shorter way around the ring, all of a way as one message"),
    .networks = shapes::cycle.up_to_nodes(most_exchanged_nodes),
    .plan = around};

const PlannedAlgorithm bundled_cycle_exchange_in_turn = {
    .info = exchange("bundled-both-ways-in-turn", port_models::single_port, "Saad, Schultz 1989",
                     {"2*floor(N, 2)", "floor(N^2, 4)"},
                     "blocks go the shorter way around the ring, one way after the other"),
    .networks = shapes::cycle.up_to_nodes(most_exchanged_nodes),
    .plan = [](const PlanRequest& asked) { return in_turn(around(asked)); }};

const PlannedAlgorithm shortest_path_exchange = {
    .info = exchange("balanced-paths", port_models::all_port, "textbook; Lockstep",
                     {.startups = "D", .costs = "message times: counted in the plan"},
                     "shortest paths share the load, all blocks of a way as one message"),
    .networks = shapes::any_network.up_to_nodes(most_exchanged_nodes),
    .plan = [](const PlanRequest& asked) { return exchange_over_shortest_paths(asked.network); }};

const PlannedAlgorithm shortest_path_exchange_in_turn = {
    .info = exchange("balanced-paths-in-turn", port_models::single_port, "textbook; Lockstep",
                     {.costs = "counted in the plan"},
                     "shortest paths share the load, a message of each step after the other"),
    .networks = shapes::any_network.up_to_nodes(most_exchanged_nodes),
    .plan = [](const PlanRequest& asked) {
      return in_turn(of_every_node(exchange_over_shortest_paths(asked.network), asked.network));
    }};

const PlannedAlgorithm bundled_line_exchange =
    along_line(exchange("bundled", port_models::all_port, "textbook", {"N - 1", "N*(N - 1)/2"},
                        "sends all blocks that go the same way as one message"),
               [](std::uint64_t nodes) { return nodes * nodes; });

const PlannedAlgorithm furthest_first_bundles =
    along_line(exchange("furthest-first-bundles", port_models::all_port, "Lockstep",
                        {.costs = "counted in the plan; N + N^2/4 in total if N = 4j"},
                        "sends up to N/4 blocks at once, those with the furthest to go first"),
               [](std::uint64_t nodes) { return (nodes + 3) / 4; });

const PlannedAlgorithm furthest_first_long_bundles =
    along_line(exchange("furthest-first-long-bundles", port_models::all_port, "Lockstep",
                        {.startups = "N - 1", .costs = "message times: counted in the plan"},
                        "sends up to N/2 blocks at once, those with the furthest to go first"),
               [](std::uint64_t nodes) { return (nodes + 1) / 2; });

const PlannedAlgorithm odd_even_long_bundles = along_line(
    exchange("odd-even-long-bundles", port_models::single_port, "Lockstep",
             {.startups = "N - 1 + N % 2", .costs = "message times: counted in the plan"},
             "links 0-1, 2-3, .. alternate with 1-2, 3-4, .., in messages of N blocks"),
    [](std::uint64_t nodes) { return nodes; });

const PlannedAlgorithm alternating_line_exchange = along_line(
    exchange("alternating", port_models::single_port, "Lockstep, after Dimakopoulos, section 4.2",
             {.costs = "counted in the plan"},
             "links 0-1, 2-3, .. alternate with 1-2, 3-4, .., furthest destinations first"),
    [](std::uint64_t) { return std::uint64_t{1}; });

const PlannedAlgorithm odd_even_bundles = along_line(
    exchange("odd-even-bundles", port_models::single_port, "Lockstep",
             {.costs = "counted in the plan; N + N^2/2 in total if N is even"},
             "links 0-1, 2-3, .. alternate with 1-2, 3-4, .., in messages of N/2 blocks"),
    [](std::uint64_t nodes) { return (nodes + 1) / 2; });

}  // namespace lockstep
