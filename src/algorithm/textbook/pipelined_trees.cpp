// SPDX-License-Identifier: Apache-2.0

/// Broadcast, and all-reduce, of a block in parts that follow each other over a tree: a Hamiltonian
/// path, whose nodes have one child; a tree of at most two children; a breadth-first tree.

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "algorithm/pipeline.hpp"
#include "algorithm/plan_tree.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "topology/closed_walk.hpp"

namespace lockstep {
namespace {

void drop_idle_switches(const ErasedTopology& network, TreeLinks& links) {
  if (network.processor_count() == network.node_count()) return;
  std::vector<bool> is_needed(network.node_count());
  for (std::uint64_t u = 0; u < network.processor_count(); ++u) is_needed[u] = true;
  for (auto link = links.rbegin(); link != links.rend(); ++link)
    if (is_needed[link->child]) is_needed[link->parent] = true;
  std::erase_if(links, [&](const TreeLink& link) { return !is_needed[link.child]; });
}

/// Breadth first, with at most so many children of a node where that reaches every processor.
/// Switches that lead to no processor are left out.
[[nodiscard]] TreeLinks tree_links(const ErasedTopology& network, NodeId root,
                                   std::uint32_t most_children) {
  std::vector<bool> seen(network.node_count());
  std::vector<std::uint32_t> children(network.node_count());
  std::vector<std::uint32_t> reached{static_cast<std::uint32_t>(index(root))};
  seen[index(root)] = true;
  TreeLinks links;
  for (const std::uint32_t most : {most_children, std::numeric_limits<std::uint32_t>::max()})
    for (std::size_t i = 0; i < reached.size() && reached.size() < seen.size(); ++i) {
      const std::uint32_t u = reached[i];
      for (std::size_t p = 0; p < network.degree(NodeId{u}) && children[u] < most; ++p) {
        const auto v = static_cast<std::uint32_t>(index(network.neighbor(NodeId{u}, port(p))));
        if (seen[v]) continue;
        seen[v] = true;
        ++children[u];
        links.push_back({u, v});
        reached.push_back(v);
      }
    }
  drop_idle_switches(network, links);
  return links;
}

using MakeTree = TreeLinks(const ErasedTopology& network, NodeId root);

[[nodiscard]] TreeLinks binary(const ErasedTopology& network, NodeId root) {
  return tree_links(network, root, 2);
}
[[nodiscard]] TreeLinks widest(const ErasedTopology& network, NodeId root) {
  return tree_links(network, root, static_cast<std::uint32_t>(network.max_degree()));
}
/// The Hamiltonian path from the root; in a linear array both ways from it.
[[nodiscard]] TreeLinks hamiltonian_path(const ErasedTopology& network, NodeId root) {
  const auto cycle = hamiltonian_cycle_from(network, root);
  if (!cycle) return binary(network, root);
  TreeLinks links;
  for (std::size_t i = 0; i + 1 < cycle->size(); ++i)
    links.push_back({static_cast<std::uint32_t>(index((*cycle)[i])),
                     static_cast<std::uint32_t>(index((*cycle)[i + 1]))});
  return links;
}

/// The arcs over which a part has to come to each node.
using Arrivals = std::vector<std::vector<std::size_t>>;

/// From the root, where a part is after these arrivals, to all other nodes.
void pass_down(Pipeline& pipeline, const TreeLinks& tree, Arrivals arrivals) {
  for (const auto& [parent, child] : tree)
    arrivals[child] = {pipeline.add({.from = parent, .to = child, .after = arrivals[parent]})};
}

[[nodiscard]] Transfers broadcast_down(const PlanRequest& asked, const TreeLinks& tree,
                                       Ports ports) {
  const std::uint64_t nodes = asked.network.node_count();
  Pipeline pipeline(nodes);
  pass_down(pipeline, tree, Arrivals(nodes));
  return pipeline.plan(static_cast<std::uint32_t>(index(asked.root)), everyone, asked.parts, ports);
}

/// Up to the root and down again.
[[nodiscard]] Transfers reduced_and_broadcast(const PlanRequest& asked, MakeTree* tree_from,
                                              Ports ports) {
  const std::uint64_t nodes = asked.network.node_count();
  const NodeId root = central_root(asked.network);
  const TreeLinks tree = tree_from(asked.network, root);
  Pipeline pipeline(nodes);
  Arrivals arrivals(nodes);
  for (auto link = tree.rbegin(); link != tree.rend(); ++link)
    arrivals[link->parent].push_back(pipeline.add({.from = link->child,
                                                   .to = link->parent,
                                                   .after = arrivals[link->child],
                                                   .combine = Combine::behind}));
  Arrivals results(nodes);
  results[index(root)] = arrivals[index(root)];
  pass_down(pipeline, tree, std::move(results));
  return pipeline.plan(everyone, everyone, asked.parts, ports);
}

[[nodiscard]] PlannedAlgorithm broadcast_over(std::string_view name, MakeTree* tree, Ports ports,
                                              const CostTexts& costs, std::string_view summary) {
  const PortModel& model = ports == Ports::one ? port_models::single_port : port_models::all_port;
  return {.info = plain_info(name, Operation::broadcast, model, "textbook", costs, summary),
          .plan =
              [tree, ports](const PlanRequest& asked) {
                return broadcast_down(asked, tree(asked.network, asked.root), ports);
              },
          .parts = Parts::open};
}

[[nodiscard]] PlannedAlgorithm reduction_over(std::string_view name, MakeTree* tree, Ports ports,
                                              const CostTexts& costs, std::string_view summary) {
  PlannedAlgorithm made = broadcast_over(name, tree, ports, costs, summary);
  made.info.operation = Operation::all_reduce;
  made.info.commutative = true;
  made.plan = [tree, ports](const PlanRequest& asked) {
    return reduced_and_broadcast(asked, tree, ports);
  };
  return made;
}

[[nodiscard]] PlannedAlgorithm on_paths(PlannedAlgorithm algorithm) {
  algorithm.networks = shapes::linear.up_to_nodes(most_chain_nodes)
                           .or_else(shapes::hamiltonian.up_to_nodes(most_searched_nodes));
  return algorithm;
}

}  // namespace

const PlannedAlgorithm pipelined_path = on_paths(
    broadcast_over("pipelined-path", hamiltonian_path, Ports::one, {"N + P - 2", "(N + P - 2)/P"},
                   "sends parts of the block along a Hamiltonian path, one after the other"));
const PlannedAlgorithm pipelined_binary_tree = broadcast_over(
    "pipelined-binary-tree", binary, Ports::one,
    {.costs = "counted in the plan: about 2P steps of 1/P"},
    "sends parts of the block down a tree of at most two children, one after the other");
const PlannedAlgorithm pipelined_tree_in_turn = broadcast_over(
    "pipelined-tree-in-turn", widest, Ports::one,
    {.costs = "counted in the plan: about D P steps of 1/P, D = the most children of a node"},
    "sends parts of the block down a breadth-first tree, to one child after the other");
const PlannedAlgorithm pipelined_tree =
    broadcast_over("pipelined-tree", widest, Ports::all,
                   {.costs = "H + P - 1 steps of 1/P, H = height of the tree"},
                   "sends parts of the block down a breadth-first tree, to all children at once");

const PlannedAlgorithm pipelined_binary_reduction = reduction_over(
    "pipelined-binary-tree", binary, Ports::one,
    {.costs = "counted in the plan: about 3P steps of 1/P"},
    "sends parts up a tree of at most two children and their sums down, one after the other");
const PlannedAlgorithm pipelined_path_reduction = on_paths(reduction_over(
    "pipelined-path", hamiltonian_path, Ports::one,
    {.costs = "counted in the plan: about 2P steps of 1/P"},
    "sends parts along a Hamiltonian path and their sums back, one after the other"));
const PlannedAlgorithm pipelined_reduction_over_tree =
    reduction_over("pipelined-tree", widest, Ports::all,
                   {.costs = "2H + P - 1 steps of 1/P, H = height of the tree"},
                   "sends parts up a breadth-first tree and their sums down, one after the other");

}  // namespace lockstep
