// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/single_port_tree.hpp"

#include "algorithm/broadcast/children_in_turn.hpp"

namespace lockstep {
namespace {

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

BroadcastPlan SinglePortTree::plan_of(const SpanningTree& tree) {
  return {tree.node_count(), sends_one_by_one(tree)};
}

BroadcastPlan SinglePortTree::plan(const ErasedTopology& network, NodeId root) {
  const auto sends = sends_one_by_one(SpanningTree::of_processors(network, root));
  return {network.node_count(), sends};  // the tree is gone
}

}  // namespace lockstep
