// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/broadcast/tree.hpp"

#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

BroadcastPlan TreeBroadcast::plan(const ErasedTopology& network, NodeId root) {
  const SpanningTree tree = SpanningTree::breadth_first(network, root);
  std::vector<BroadcastPlan::SendOf> sends;
  sends.reserve(tree.node_count() - 1);
  for (const SpanningTree::Child& parent : tree.by_level()) {
    const auto step = static_cast<std::uint32_t>(tree.depth(NodeId{parent.node}));
    for (const SpanningTree::Child& child : tree.children(NodeId{parent.node}))
      sends.push_back({parent.node, {step, child.port}});
  }
  return {tree.node_count(), sends};
}

}  // namespace lockstep
