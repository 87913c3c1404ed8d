// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/tree.hpp"

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

}  // namespace

BroadcastPlan TreeBroadcast::plan(const ErasedTopology& network, NodeId root) {
  const auto sends = sends_to_all_children(SpanningTree::of_processors(network, root));
  return {network.node_count(), sends};
}

}  // namespace lockstep
