// SPDX-License-Identifier: Apache-2.0

/// Scatters under one port, in long messages: in a line, which may be a dimension of a product, and
/// in products.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithm/line_plans.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/topology/spanning_tree.hpp"
#include "topology/closed_walk.hpp"
#include "topology/graph_shapes.hpp"
#include "topology/product_factors.hpp"

namespace lockstep {
namespace {

/// A complete graph: the owner of n nodes keeps the first ceil(n/2) and sends the rest; ceil(log2
/// N) start-ups, N - 1 message times (Chan et al. 2007).
[[nodiscard]] Transfers binomial_scatter(std::uint64_t nodes, std::uint64_t root) {
  struct Owner {
    std::uint64_t first;
    std::uint64_t count;
  };
  Transfers plan = every_node_a_class(nodes);
  const auto node = [&](std::uint64_t relative) { return (root + relative) % nodes; };
  std::vector<Owner> owners{{0, nodes}};
  const auto is_done = [](const Owner& owner) { return owner.count == 1; };
  for (; !std::ranges::all_of(owners, is_done); ++plan.steps)
    for (std::size_t i = 0, before = owners.size(); i < before; ++i) {
      const auto [first, count] = owners[i];
      const std::uint64_t kept = (count + 1) / 2;
      if (kept == count) continue;
      for (std::uint64_t d = first + kept; d < first + count; ++d)
        plan.move(plan.steps, root, node(d), node(first), node(first + kept));
      owners[i].count = kept;
      owners.push_back({first + kept, count - kept});
    }
  return plan;
}

/// A cycle, from place 0: the root sends the two furthest blocks of one side and of the other in
/// turn, and nodes relay them at once; ceil(N/2) start-ups, N - 1 message times.
[[nodiscard]] Transfers alternating_bundles(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  std::uint64_t left = (nodes - 1) / 2;
  std::uint64_t right = nodes - 1 - left;
  for (std::uint64_t t = 0; left + right > 0; ++t) {
    const bool goes_right = t % 2 == 0;
    std::uint64_t& side = goes_right ? right : left;
    const std::uint64_t bundle = std::min<std::uint64_t>(side, t == 0 && nodes % 2 != 0 ? 1 : 2);
    for (std::uint64_t i = 0; i < bundle; ++i, --side)
      for (std::uint64_t hop = 0; hop < side; ++hop) {
        const auto place = [&](std::uint64_t at) { return goes_right ? at : (nodes - at) % nodes; };
        plan.move(t + hop, 0, place(side), place(hop), place(hop + 1));
        plan.steps = std::max(plan.steps, t + hop + 1);
      }
  }
  return plan;
}

/// Any graph, over a breadth-first tree, the furthest first: N - 1 start-ups and message times.
[[nodiscard]] Transfers furthest_first_scatter(const ErasedTopology& network, NodeId root) {
  const SpanningTree tree = SpanningTree::breadth_first(network, root);
  Transfers plan = every_node_a_class(network.node_count());
  std::uint64_t step = 0;
  const auto order = tree.by_level();
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const NodeId destination{at->node};
    if (destination == root || at->node >= network.processor_count()) continue;
    const std::uint64_t depth = tree.depth(destination);
    NodeId node = destination;
    std::vector<NodeId> path{node};
    while (node != root) path.push_back(node = network.neighbor(node, tree.parent_port(node)));
    for (std::uint64_t hop = 0; hop < depth; ++hop)
      plan.move(step + hop, index(root), index(destination), index(path[depth - hop]),
                index(path[depth - hop - 1]));
    plan.steps = std::max(plan.steps, step + depth);
    ++step;
  }
  return plan;
}

/// The one of the fewest start-ups that is known for a graph.
[[nodiscard]] Transfers line_scatter(const ErasedTopology& line, NodeId root) {
  if (is_complete(line)) return binomial_scatter(line.node_count(), index(root));
  if (line.max_degree() == 2 && admits_cycle(line))
    return placed(alternating_bundles(line.node_count()), *hamiltonian_cycle_from(line, root));
  return furthest_first_scatter(line, root);
}

/// N - 1 message times; the start-ups of the dimensions add up.
[[nodiscard]] Transfers scatter_by_dimensions(const ErasedTopology& network, NodeId root) {
  const std::vector<ProductFactor> factors = product_factors(network);
  Transfers plan = every_node_a_class(network.node_count());
  for (std::size_t x = 0; x < factors.size(); ++x) {
    const ProductFactor& own = factors[x];
    const Transfers line = line_scatter(own.topology, own.coordinate(root));
    // A block is where its destination is in the dimensions before, and the root in those behind.
    for (const Transfer& transfer : line.list)
      for (std::uint64_t z = 0; z < network.node_count(); ++z) {
        if (own.coordinate(NodeId{z}) != NodeId{transfer.destination} || NodeId{z} == root)
          continue;
        NodeId at{z};
        for (std::size_t behind = x + 1; behind < factors.size(); ++behind)
          at = factors[behind].with(at, factors[behind].coordinate(root));
        plan.move(plan.steps + transfer.step, index(root), z,
                  index(own.with(at, NodeId{transfer.from})),
                  index(own.with(at, NodeId{transfer.to})));
      }
    plan.steps += line.steps;
  }
  return plan;
}

[[nodiscard]] AlgorithmInfo scatter(std::string_view name, std::string_view source,
                                    const CostTexts& costs, std::string_view summary) {
  return plain_info(name, Operation::scatter, port_models::single_port, source, costs, summary);
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
      return placed(alternating_bundles(asked.network.node_count()),
                    *hamiltonian_cycle_from(asked.network, asked.root));
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
