// SPDX-License-Identifier: Apache-2.0

/// Broadcasts over a breadth-first tree, to all children at once and one after the other.

#include <cstdint>
#include <vector>

#include "algorithm/broadcast/children_in_turn.hpp"
#include "algorithm/broadcast/planned_broadcast.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {
namespace {

/// Every node to all of its children, in the step in which it has the block.
[[nodiscard]] std::vector<BroadcastPlan::SendOf> sends_to_all_children(const SpanningTree& tree) {
  std::vector<BroadcastPlan::SendOf> sends;
  sends.reserve(tree.node_count() - 1);
  for (const SpanningTree::Child& parent : tree.by_level()) {
    const auto step = static_cast<std::uint32_t>(tree.depth(NodeId{parent.node}));
    for (const SpanningTree::Child& child : tree.children(NodeId{parent.node}))
      sends.push_back({parent.node, {step, child.port}});
  }
  return sends;
}

struct WaitingChild {
  SpanningTree::Child in_tree;
  std::uint32_t remaining;
};

/// In the order in which they are served; `remaining` by node.
void list_children(const SpanningTree& tree, std::uint32_t parent,
                   const std::vector<std::uint32_t>& remaining,
                   std::vector<WaitingChild>& children) {
  children.clear();
  for (const SpanningTree::Child& child : tree.children(NodeId{parent}))
    children.push_back({child, remaining[child.node]});
  sort_by_remaining(children);
}

[[nodiscard]] std::vector<BroadcastPlan::SendOf> sends_one_by_one(const SpanningTree& tree) {
  const std::span<const SpanningTree::Child> by_level = tree.by_level();
  std::vector<std::uint32_t> remaining(tree.node_count());
  std::vector<WaitingChild> children;
  for (std::size_t i = by_level.size(); i-- > 0;) {
    const std::uint32_t parent = by_level[i].node;
    list_children(tree, parent, remaining, children);
    remaining[parent] = static_cast<std::uint32_t>(steps_to_serve(children));
  }
  std::vector<std::uint32_t> informed(tree.node_count());  // the first step to send in
  std::vector<BroadcastPlan::SendOf> sends;
  sends.reserve(tree.node_count() - 1);
  for (const auto& [parent, port] : by_level) {
    list_children(tree, parent, remaining, children);
    std::uint32_t step = informed[parent];
    for (const WaitingChild& child : children) {
      sends.push_back({parent, {step, child.in_tree.port}});
      informed[child.in_tree.node] = ++step;
    }
  }
  return sends;
}

}  // namespace

BroadcastPlan tree_plan(const ErasedTopology& network, NodeId root) {
  const auto sends = sends_to_all_children(SpanningTree::of_processors(network, root));
  return {network.node_count(), sends};
}

BroadcastPlan single_port_plan_of(const SpanningTree& tree) {
  return {tree.node_count(), sends_one_by_one(tree)};
}

BroadcastPlan single_port_plan(const ErasedTopology& network, NodeId root) {
  const auto sends = sends_one_by_one(SpanningTree::of_processors(network, root));
  return {network.node_count(), sends};  // the search tree is freed by now
}

/// Single node broadcast on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    a breadth-first tree; who receives the block sends it to all children at once, so that
///          step t informs those at distance t + 1 of the root.
/// Source:  Dimakopoulos 1996, section 3.1.
/// Differs: none.
const BroadcastRule tree_broadcast{
    .info = {.name = "tree",
             .operation = Operation::broadcast,
             .model = port_models::all_port_half_duplex,
             .source = "Dimakopoulos, section 3.1",
             .costs = "the eccentricity of the root, in start-ups and message times",
             .claims = {.startups = Among::all, .message_times = Among::undivided},
             .summary = "sends down a breadth-first tree, to all children at once",
             .parameters = root_parameters},
    .plan = tree_plan};

/// Single node broadcast on any graph over a spanning tree, one child after the other.
/// Model:   single-port, half-duplex.
/// Idea:    a breadth-first tree; a processor serves that child first below which the most time is
///          still needed, which is the best order there is on a given tree.
/// Source:  Dimakopoulos 1996, section 3.1, for the tree; the order is textbook.
/// Differs: the thesis leaves open by which tree and in which order one port is used; another tree,
///          or Matching, may be faster. Of Eisenstein-Jacobi networks ej_single_port_tree.hpp.
const BroadcastRule single_port_tree{
    .info = {.name = "single-port-tree",
             .operation = Operation::broadcast,
             .model = port_models::single_port_half_duplex,
             .source = "Dimakopoulos, section 3.1, its tree under one port",
             .costs = "T(root) start-ups and message times, T(v) = max over i of (i + T(child i)), "
                      "children by "
                      "decreasing T",
             .summary = "sends down a breadth-first tree, to the child with the largest T first",
             .parameters = root_parameters},
    .plan = single_port_plan};

}  // namespace lockstep
