// SPDX-License-Identifier: Apache-2.0

/// Broadcast, and all-reduce, of a block in parts that follow each other over a tree: a Hamiltonian
/// path, whose nodes have one child; a tree of at most two children; a breadth-first tree.

#include "algorithm/pipeline.hpp"
#include "algorithm/plan_tree.hpp"
#include "algorithm/planned_algorithms.hpp"

namespace lockstep {
namespace {

using MakeTree = TreeLinks(const ErasedTopology& network, NodeId root);

[[nodiscard]] TreeLinks binary(const ErasedTopology& network, NodeId root) {
  return tree_links(network, root, 2);
}
[[nodiscard]] TreeLinks widest(const ErasedTopology& network, NodeId root) {
  return tree_links(network, root, static_cast<std::uint32_t>(network.max_degree()));
}

[[nodiscard]] PlannedAlgorithm broadcast_over(std::string_view name, MakeTree* tree, Ports ports,
                                              const CostTexts& costs, std::string_view summary) {
  const PortModel& model = ports == Ports::one ? port_models::single_port : port_models::all_port;
  return {.info = plain_info(name, Operation::broadcast, model, "textbook", costs, summary),
          .plan =
              [tree, ports](const PlanRequest& asked) {
                return pipelined_broadcast(asked.network, tree(asked.network, asked.root),
                                           asked.root, asked.parts, ports);
              },
          .parts = Parts::open};
}

[[nodiscard]] PlannedAlgorithm reduction_over(std::string_view name, MakeTree* tree, Ports ports,
                                              const CostTexts& costs, std::string_view summary) {
  PlannedAlgorithm made = broadcast_over(name, tree, ports, costs, summary);
  made.info.operation = Operation::all_reduce;
  made.info.commutative = true;
  made.plan = [tree, ports](const PlanRequest& asked) {
    const NodeId root = central_root(asked.network);
    return pipelined_reduction(asked.network, tree(asked.network, root), root, asked.parts, ports);
  };
  return made;
}

[[nodiscard]] PlannedAlgorithm on_paths(PlannedAlgorithm algorithm) {
  algorithm.networks = networks_with_path();
  return algorithm;
}

}  // namespace

const PlannedAlgorithm pipelined_path = on_paths(
    broadcast_over("pipelined-path", path_links, Ports::one, {"N + P - 2", "(N + P - 2)/P"},
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
    "pipelined-path", path_links, Ports::one,
    {.costs = "counted in the plan: about 2P steps of 1/P"},
    "sends parts along a Hamiltonian path and their sums back, one after the other"));
const PlannedAlgorithm pipelined_reduction_over_tree =
    reduction_over("pipelined-tree", widest, Ports::all,
                   {.costs = "2H + P - 1 steps of 1/P, H = height of the tree"},
                   "sends parts up a breadth-first tree and their sums down, one after the other");

}  // namespace lockstep
