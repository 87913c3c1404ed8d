// SPDX-License-Identifier: Apache-2.0

/// All-gathers and total exchanges in products, dimension by dimension, in messages of all blocks
/// that go the same way (by_dimensions.hpp).

#include <algorithm>

#include "algorithm/all_gather/closed_walk.hpp"
#include "algorithm/by_dimensions.hpp"
#include "algorithm/line_plans.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "program/plan/transformations.hpp"
#include "topology/closed_walk.hpp"
#include "topology/graph_shapes.hpp"

namespace lockstep {
namespace {

[[nodiscard]] PlannedAlgorithm in_products(std::string_view name, Operation operation, Ports ports,
                                           std::string_view costs, std::string_view summary,
                                           std::function<Transfers(const PlanRequest&)> plan) {
  return {.info = {.name = name,
                   .operation = operation,
                   .model = ports == Ports::one ? port_models::single_port : port_models::all_port,
                   .source = "Johnsson, Ho 1989; any product: Lockstep",
                   .costs = costs,
                   .summary = summary},
          .networks = operation == Operation::all_gather
                          ? "any switchless product of up to 512 nodes"
                          : "any switchless product of up to 128 nodes",
          .admits = operation == Operation::all_gather ? is_small_product : is_smaller_product,
          .plan = std::move(plan)};
}

template <Ports ports>
[[nodiscard]] Transfers over_ports(const ErasedTopology& line) {
  return line_total_exchange(line, ports);
}

[[nodiscard]] bool is_torus_like(const ErasedTopology& network) {
  return is_smaller_product(network) &&
         std::ranges::all_of(network.factors(), [](const ErasedTopology& line) {
           return line.max_degree() == 2 && admits_cycle(line);
         });
}
[[nodiscard]] bool has_complete_lines(const ErasedTopology& network) {
  return is_smaller_product(network) && std::ranges::all_of(network.factors(), is_complete);
}

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
    [](const PlanRequest& asked) {
      return total_exchange_by_dimensions(asked.network, Rotated::yes, over_ports<Ports::all>);
    });

const PlannedAlgorithm all_port_dimension_exchange = in_products(
    "by-dimensions-all-port", Operation::total_exchange, Ports::all,
    "sum of the start-ups of the dimensions",
    "total exchange in the lines of one dimension after the other, over all ports of a dimension",
    [](const PlanRequest& asked) {
      return total_exchange_by_dimensions(asked.network, Rotated::no, over_ports<Ports::all>);
    });

const PlannedAlgorithm dimension_exchange_in_turn = in_products(
    "by-dimensions-in-turn", Operation::total_exchange, Ports::one,
    "sum of the start-ups of the dimensions under one port",
    "total exchange in the lines of one dimension after the other, in long messages",
    [](const PlanRequest& asked) {
      return total_exchange_by_dimensions(asked.network, Rotated::no, over_ports<Ports::one>);
    });

const PlannedAlgorithm index_by_dimensions = {
    .info = {.name = "index-by-dimensions",
             .operation = Operation::total_exchange,
             .model = port_models::single_port,
             .source = "Bruck et al. 1997",
             .costs = "sum of ceil(log2 k) start-ups over the sides k",
             .summary =
                 "moves blocks by the bits of their distances in one dimension after another"},
    .networks = "generalized-hypercube, product of complete graphs, of up to 128 nodes",
    .admits = has_complete_lines,
    .plan = [](const PlanRequest& asked) {
      return total_exchange_by_dimensions(
          asked.network, Rotated::no,
          [](const ErasedTopology& line) { return index_exchange(line.node_count(), 2); });
    }};

const PlannedAlgorithm one_way_by_dimensions = {
    .info = {.name = "one-way-by-dimensions",
             .operation = Operation::total_exchange,
             .model = port_models::single_port,
             .source = "textbook",
             .costs = "sum of k - 1 start-ups, of N(k - 1)/2 message times, over the sides k",
             .summary = "all blocks go one way around each ring, one dimension after the other"},
    .networks = "torus of up to 128 nodes",
    .admits = is_torus_like,
    .plan = [](const PlanRequest& asked) {
      return total_exchange_by_dimensions(
          asked.network, Rotated::no, [](const ErasedTopology& line) {
            return placed(one_way_exchange(line.node_count()), *hamiltonian_cycle(line));
          });
    }};

}  // namespace lockstep
