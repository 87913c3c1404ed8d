// SPDX-License-Identifier: Apache-2.0

/// All-gathers and total exchanges in products, dimension by dimension, in messages of all blocks
/// that go the same way (by_dimensions.hpp).

#include <algorithm>

#include "algorithm/by_dimensions.hpp"
#include "algorithm/line_plans.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "topology/closed_walk.hpp"

namespace lockstep {
namespace {

/// Plans of total exchanges are longer than those of all-gathers.
constexpr std::uint64_t most_exchange_nodes = 128;

[[nodiscard]] PlannedAlgorithm in_products(std::string_view name, Operation operation, Ports ports,
                                           std::string_view costs, std::string_view summary,
                                           std::function<Transfers(const PlanRequest&)> plan) {
  return in_any_numbering(
      {.info = plain_info(name, operation,
                          ports == Ports::one ? port_models::single_port : port_models::all_port,
                          "Johnsson, Ho 1989; any product: Lockstep", {.costs = costs}, summary),
       .networks = shapes::switchless_product.up_to_nodes(
           operation == Operation::all_gather ? 512 : most_exchange_nodes),
       .plan = std::move(plan)});
}

template <Ports ports, Bundles bundles = Bundles::longer>
[[nodiscard]] Transfers over_ports(const ErasedTopology& line) {
  return line_total_exchange(line, ports, bundles);
}

[[nodiscard]] auto exchange_by(Rotated rotated, Transfers (*line_exchange)(const ErasedTopology&)) {
  return [rotated, line_exchange](const PlanRequest& asked) {
    return total_exchange_by_dimensions(asked.network, rotated, line_exchange);
  };
}

template <Ports ports, Rotated rotated>
[[nodiscard]] Transfers in_shorter_bundles(const PlanRequest& asked) {
  return asked.network.factors().empty()
             ? over_ports<ports, Bundles::shorter>(asked.network)
             : exchange_by(rotated, over_ports<ports, Bundles::shorter>)(asked);
}

template <const NetworkShape& shape>
[[nodiscard]] bool is_product_of_these(const ErasedTopology& network) {
  return shapes::switchless_product.holds(network) &&
         std::ranges::all_of(network.factors(),
                             [](const ErasedTopology& line) { return shape.holds(line); });
}
constexpr NetworkShape ring_product{.text = "torus",
                                    .plural = "tori",
                                    .is = is_product_of_these<shapes::cycle>,
                                    .searched = true,
                                    .wider = &shapes::switchless_product,
                                    .family = "torus, ring"};
constexpr NetworkShape complete_product{.text = "generalized-hypercube, product of complete graphs",
                                        .plural = "products of complete graphs",
                                        .is = is_product_of_these<shapes::complete>,
                                        .wider = &shapes::switchless_product};

[[nodiscard]] bool has_linear_dimension(const ErasedTopology& network) {
  return (shapes::linear.holds(network) && network.node_count() > 2) ||
         (shapes::switchless_product.holds(network) &&
          std::ranges::any_of(network.factors(), has_linear_dimension));
}
constexpr NetworkShape linear_dimension{.text = "linear, mesh, product with a linear dimension",
                                        .plural = "meshes and other products of linear arrays",
                                        .is = has_linear_dimension,
                                        .searched = true,
                                        .wider = &shapes::switchless};

}  // namespace

const PlannedAlgorithm dimension_gather = in_products(
    "dimensions", Operation::all_gather, Ports::one,
    "sum of the start-ups of the dimensions; N - 1 message times if each dimension takes its least",
    "all-gather in the lines of one dimension after the other, in long messages",
    [](const PlanRequest& asked) {
      return all_gather_by_dimensions(asked.network, Ports::one, Rotated::no);
    });

const PlannedAlgorithm rotated_gather =
    in_products("rotated-dimensions", Operation::all_gather, Ports::all,
                "d times the start-ups of the longest dimension; (N - 1)/degree message times if "
                "all sides are equal",
                "each part of a block takes the dimensions in another order, all at the same time",
                [](const PlanRequest& asked) {
                  return all_gather_by_dimensions(asked.network, Ports::all, Rotated::yes);
                });

const PlannedAlgorithm rotated_exchange = in_products(
    "rotated-dimensions", Operation::total_exchange, Ports::all,
    "d times the start-ups of the longest dimension; N/k times its message times if all sides are "
    "equal",
    "each part of a block takes the dimensions in another order, all at the same time",
    exchange_by(Rotated::yes, over_ports<Ports::all>));

const PlannedAlgorithm all_port_dimension_exchange = in_products(
    "by-dimensions-all-port", Operation::total_exchange, Ports::all,
    "sum of the start-ups of the dimensions",
    "total exchange in the lines of one dimension after the other, over all ports of a dimension",
    exchange_by(Rotated::no, over_ports<Ports::all>));

const PlannedAlgorithm dimension_exchange_in_turn =
    in_products("by-dimensions-in-turn", Operation::total_exchange, Ports::one,
                "sum of the start-ups of the dimensions under one port",
                "total exchange in the lines of one dimension after the other, in long messages",
                exchange_by(Rotated::no, over_ports<Ports::one>));

const PlannedAlgorithm short_bundles = in_any_numbering(
    {.info =
         plain_info("short-bundles", Operation::total_exchange, port_models::all_port, "Lockstep",
                    {.costs = "more start-ups and fewer message times than rotated dimensions"},
                    "rotated dimensions, at most k/4 blocks of a source along a line of k "
                    "nodes, furthest first"),
     .networks = linear_dimension.up_to_nodes(most_exchange_nodes),
     .plan = in_shorter_bundles<Ports::all, Rotated::yes>});

const PlannedAlgorithm short_bundles_in_turn = in_any_numbering(
    {.info = plain_info("short-bundles-odd-even", Operation::total_exchange,
                        port_models::single_port, "Lockstep",
                        {.costs = "more start-ups and fewer message times than by dimensions"},
                        "by dimensions, at most k/2 blocks of a source along a line of k nodes, "
                        "furthest first"),
     .networks = linear_dimension.up_to_nodes(most_exchange_nodes),
     .plan = in_shorter_bundles<Ports::one, Rotated::no>});

const PlannedAlgorithm index_by_dimensions = in_any_numbering(
    {.info = plain_info(
         "index-by-dimensions", Operation::total_exchange, port_models::single_port,
         "Bruck et al. 1997",
         {.startups = "sides('log(2, k)')", .costs = "message times: counted in the plan"},
         "moves blocks by the bits of their distances in one dimension after another"),
     .networks = complete_product.up_to_nodes(most_exchange_nodes),
     .plan = exchange_by(Rotated::no, [](const ErasedTopology& line) {
       return index_exchange(line.node_count(), 2);
     })});

const PlannedAlgorithm one_way_by_dimensions = {
    .info = plain_info("one-way-by-dimensions", Operation::total_exchange, port_models::single_port,
                       "textbook", {"sides('k - 1')", "sides('N*(k - 1)/2')"},
                       "all blocks go one way around each ring, one dimension after the other"),
    .networks = ring_product.up_to_nodes(most_exchange_nodes),
    .plan = exchange_by(Rotated::no, [](const ErasedTopology& line) {
      return placed(one_way_exchange(line.node_count()), *hamiltonian_cycle(line));
    })};

}  // namespace lockstep
