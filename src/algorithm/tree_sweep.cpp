// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/tree_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

TreeSweep::TreeSweep(std::string_view algorithm, const ErasedTopology& network) {
  if (network.node_count() > max_region_blocks)
    throw InvalidParameter(fmt::format("{} on {}: {} nodes, allowed {}", algorithm, network.name(),
                                       network.node_count(), max_region_blocks));
  Plan plan{SpanningTree::breadth_first(network, NodeId{0})};
  plan.places.resize(network.node_count());
  plan.order.resize(network.node_count());
  for (const SpanningTree::Child& parent : plan.tree.by_level()) {
    const std::uint32_t own = plan.places[parent.node];
    plan.order[own] = parent.node;
    std::uint32_t next = own + 1;
    for (const SpanningTree::Child& child : plan.tree.children(NodeId{parent.node})) {
      plan.places[child.node] = next;
      next += static_cast<std::uint32_t>(plan.tree.subtree_size(NodeId{child.node}));
    }
  }
  plan_ = std::make_shared<const Plan>(std::move(plan));
}

std::uint64_t TreeSweep::plan_bytes() const noexcept {
  constexpr std::uint64_t tree_bytes = 28;  // of a node
  return nodes() * (tree_bytes + 2 * sizeof(std::uint32_t));
}

std::vector<TreeSweep::Level> TreeSweep::levels() const {
  std::vector<Level> levels(plan_->tree.height());
  for (const SpanningTree::Child& one : plan_->tree.by_level()) {
    const NodeId u{one.node};
    if (plan_->tree.depth(u) == 0) continue;
    Level& level = levels[plan_->tree.depth(u) - 1];
    level.most = std::max(level.most, plan_->tree.subtree_size(u));
    level.least = std::min(level.least, plan_->tree.subtree_size(u));
  }
  return levels;
}

std::uint64_t TreeSweep::mean_subtree() const {
  std::uint64_t all = 0;
  for (const std::uint32_t u : plan_->order) all += subtree(NodeId{u});
  return (all + nodes() - 1) / nodes();
}

}  // namespace lockstep
