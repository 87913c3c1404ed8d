// SPDX-License-Identifier: Apache-2.0

/// Scatters under one port, in long messages (scatter_plans.hpp has the plans).

#include <algorithm>

#include "algorithm/by_dimensions.hpp"
#include "algorithm/line_plans.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/scatter_plans.hpp"
#include "topology/closed_walk.hpp"
#include "topology/graph_shapes.hpp"

namespace lockstep {
namespace {

[[nodiscard]] AlgorithmInfo scatter(std::string_view name, std::string_view source,
                                    const CostTexts& costs, std::string_view summary) {
  return {.name = name,
          .operation = Operation::scatter,
          .model = port_models::single_port,
          .source = source,
          .startups = costs.startups,
          .message_times = costs.message_times,
          .costs = costs.costs,
          .summary = summary};
}

}  // namespace

const PlannedAlgorithm halving_scatter = {
    .info = scatter("binomial", "Chan et al. 2007", {"log(2, N)", "N - 1"},
                    "sends the blocks of the smaller half of the nodes, in each half again"),
    .networks = shapes::complete,
    .plan = [](const PlanRequest& asked) {
      return binomial_scatter(asked.network.node_count(), index(asked.root));
    }};

const PlannedAlgorithm alternating_scatter = {
    .info = scatter("alternating-bundles", "Lockstep", {"ceil(N, 2)", "N - 1"},
                    "sends two blocks to one side of a Hamiltonian cycle and to the other in turn"),
    .networks = shapes::hamiltonian.up_to_nodes(most_searched_nodes),
    .plan = [](const PlanRequest& asked) {
      ClosedWalk cycle = *hamiltonian_cycle(asked.network);
      std::rotate(cycle.begin(), std::ranges::find(cycle, asked.root), cycle.end());
      return placed(alternating_bundles(cycle.size()), cycle);
    }};

const PlannedAlgorithm dimension_scatter = in_any_numbering(
    {.info = scatter("dimensions", "textbook",
                     {.message_times = "N - 1", .costs = "start-ups: sum over the dimensions"},
                     "sends the blocks of whole rows along one dimension, then inside the rows"),
     .networks = shapes::switchless_product.up_to_nodes(512),
     .plan = [](const PlanRequest& asked) {
       return scatter_by_dimensions(asked.network, asked.root);
     }});

}  // namespace lockstep
