// SPDX-License-Identifier: Apache-2.0

/// All-reduces and scans of undivided blocks or of few parts (reduction_plans.hpp has the plans).

#include "algorithm/line_plans.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/reduction_plans.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "topology/closed_walk.hpp"

namespace lockstep {
namespace {

[[nodiscard]] AlgorithmInfo reduction(std::string_view name, Operation operation, PortModel model,
                                      std::string_view source, const CostTexts& costs,
                                      std::string_view summary) {
  AlgorithmInfo info = plain_info(name, operation, model, source, costs, summary);
  info.commutative = true;
  return info;
}

/// In a linear array, under the ports of the model.
[[nodiscard]] PlannedAlgorithm in_two_sweeps(const AlgorithmInfo& info) {
  const Ports ports = info.model == port_models::all_port ? Ports::all : Ports::one;
  return in_any_numbering({.info = info,
                           .networks = shapes::linear.up_to_nodes(most_chain_nodes),
                           .plan =
                               [ports](const PlanRequest& asked) {
                                 return two_sweeps(asked.network.node_count(), asked.parts, ports);
                               },
                           .parts = Parts::open});
}

}  // namespace

const PlannedAlgorithm census_reduction = {
    .info = reduction("census", Operation::all_reduce, port_models::single_port,
                      "Bar-Noy, Kipnis, Schieber 1993", {"log(2, N)", "log(2, N)"},
                      "doubles the number of nodes whose sum is held, by the bits of N - 1"),
    .networks = shapes::complete,
    .plan = [](const PlanRequest& asked) { return census(asked.network.node_count()); }};

const PlannedAlgorithm pair_sum_reduction = {
    .info = reduction("pair-sums", Operation::all_reduce, port_models::single_port, "Lockstep",
                      {"N/2", "N/2"},
                      "neighbours add their blocks; sums of pairs go around a Hamiltonian cycle"),
    .networks = shapes::hamiltonian.up_to_nodes(most_searched_nodes).with(even(quantities::nodes)),
    .plan = [](const PlanRequest& asked) {
      return placed(pair_sums(asked.network.node_count()), *hamiltonian_cycle(asked.network));
    }};

const PlannedAlgorithm sweeping_reduction = in_two_sweeps(reduction(
    "two-sweeps", Operation::all_reduce, port_models::all_port, "textbook",
    {"N + P - 2", "(N + P - 2)/P"}, "sums of those before go right, sums of those behind go left"));

const PlannedAlgorithm sweeping_reduction_in_turn = in_two_sweeps(reduction(
    "two-sweeps-in-turn", Operation::all_reduce, port_models::single_port, "textbook",
    {"N == 2 ? P : N - 1 + N % 2 + 2*(P - 1)", "(N == 2 ? P : N - 1 + N % 2 + 2*(P - 1))/P"},
    "the two sweeps with a part in every second step"));

const PlannedAlgorithm dimension_reduction = in_any_numbering(
    {.info = reduction("whole-by-dimensions", Operation::all_reduce, port_models::single_port,
                       "textbook; any product: Lockstep",
                       {.costs = "sum of the costs of the dimensions"},
                       "all-reduce of undivided blocks in one dimension after the other"),
     .networks = shapes::switchless_product.up_to_nodes(512),
     .plan = [](const PlanRequest& asked) {
       return all_reduce_by_dimensions(asked.network, Ports::one, Rotated::no);
     }});

const PlannedAlgorithm rotated_reduction = in_any_numbering(
    {.info = reduction(
         "whole-rotated-dimensions", Operation::all_reduce, port_models::all_port,
         "Johnsson, Ho 1989; any product: Lockstep",
         {.costs = "d times the start-ups of the longest dimension, and its message times"},
         "all-reduce in one dimension after the other, each part in another order"),
     .networks = shapes::switchless_product.up_to_nodes(512),
     .plan = [](const PlanRequest& asked) {
       return all_reduce_by_dimensions(asked.network, Ports::all, Rotated::yes);
     }});

const PlannedAlgorithm doubling_scan = {
    .info = plain_info("doubling", Operation::scan, port_models::single_port, "Hillis, Steele 1986",
                       {"log(2, N)", "log(2, N)"},
                       "sends its sum to the node 1, 2, 4, .. places further"),
    .networks = shapes::complete,
    .plan = [](const PlanRequest& asked) {
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
    }};

/// A node holds the sum of its subcube beside its result; in step t neighbours across bit t
/// exchange these sums, which come from the lower half of the subcube to the upper half's results.
const PlannedAlgorithm cube_scan = {
    .info = {.name = "recursive-doubling",
             .operation = Operation::scan,
             .model = port_models::single_port,
             .source = "textbook",
             .startups = "log(2, N)",
             .message_times = "log(2, N)",
             .claims = {.startups = Among::all, .message_times = Among::undivided},
             .summary = "sums over subcubes in one dimension after the other"},
    .networks = shapes::hypercube.up_to_nodes(512),
    .plan = [](const PlanRequest& asked) {
      const std::uint64_t nodes = asked.network.node_count();
      Transfers plan = every_node_a_class(nodes);
      const std::uint32_t own = auxiliary(nodes, 0);
      for (std::uint32_t u = 0; u < nodes; ++u) plan.add(0, u, alone(nodes, u), own, Combine::none);
      for (std::uint32_t step = 0; std::uint64_t{1} << step < nodes; ++step) {
        const std::uint32_t sent = auxiliary(nodes, step + 1);
        for (std::uint32_t u = 0; u < nodes; ++u) {
          plan.add(step, u, own, sent, Combine::none);
          plan.move_part(step, everyone, sent, u, u ^ (1U << step));
        }
        for (std::uint32_t u = 0; u < nodes; ++u) {
          const bool is_upper = (u >> step & 1U) != 0;
          const Combine where = is_upper ? Combine::before : Combine::behind;
          plan.add(step + 1, u, sent, own, where);
          if (is_upper) plan.add(step + 1, u, sent, everyone, where);
        }
      }
      return plan;
    }};

const PlannedAlgorithm chain_scan = {
    .info =
        plain_info("pipelined-chain", Operation::scan, port_models::single_port, "textbook",
                   {"N + P - 2", "(N + P - 2)/P"}, "sends its sum to the next node, part by part"),
    .networks = shapes::chain.up_to_nodes(most_chain_nodes),
    .plan =
        [](const PlanRequest& asked) {
          const auto nodes = static_cast<std::uint32_t>(asked.network.node_count());
          Pipeline chain(nodes);
          std::vector<std::size_t> before;
          for (std::uint32_t u = 0; u + 1 < nodes; ++u)
            before = {
                chain.add({.from = u, .to = u + 1, .after = before, .combine = Combine::before})};
          return chain.plan(everyone, everyone, asked.parts, Ports::one);
        },
    .parts = Parts::open};

const PlannedAlgorithm shortest_path_scan = {
    .info = reduction("shortest-paths", Operation::scan, port_models::all_port, "Lockstep",
                      {.startups = "D", .costs = "message times: counted in the plan"},
                      "adds the numbers up to r on their shortest paths to r"),
    .networks = shapes::switchless.up_to_nodes(256),
    .plan = [](const PlanRequest& asked) { return scan_over_shortest_paths(asked.network); }};

const PlannedAlgorithm shortest_path_scan_in_turn = {
    .info = reduction("shortest-paths-in-turn", Operation::scan, port_models::single_port,
                      "Lockstep", {.costs = "counted in the plan"},
                      "the scan over shortest paths, a message of each step after the other"),
    .networks = shapes::switchless.up_to_nodes(256),
    .plan = [](const PlanRequest& asked) {
      return in_turn(scan_over_shortest_paths(asked.network));
    }};

}  // namespace lockstep
