// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/tree_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

TreeSweep::TreeSweep(std::string_view algorithm, const ErasedTopology& network) {
  if (network.processor_count() > max_region_blocks)
    throw InvalidParameter(fmt::format("{} on {}: {} processors, allowed {}", algorithm,
                                       network.name(), network.processor_count(),
                                       max_region_blocks));
  Plan plan{SpanningTree::of_processors(network, NodeId{0})};
  plan.places.resize(network.node_count());
  plan.order.resize(network.processor_count());
  for (const SpanningTree::Child& parent : plan.tree.by_level()) {
    const std::uint32_t own = plan.places[parent.node];
    std::uint32_t next = own;
    if (parent.node < plan.order.size()) plan.order[next++] = parent.node;
    for (const SpanningTree::Child& child : plan.tree.children(NodeId{parent.node})) {
      plan.places[child.node] = next;
      next += static_cast<std::uint32_t>(plan.tree.subtree_size(NodeId{child.node}));
    }
  }
  plan_ = std::make_shared<const Plan>(std::move(plan));
}

std::uint64_t TreeSweep::plan_bytes() const noexcept {
  constexpr std::uint64_t tree_bytes = 28;  // of a node
  return plan_->tree.node_count() * (tree_bytes + sizeof(std::uint32_t)) +
         processors() * sizeof(std::uint32_t);
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

std::uint64_t TreeSweep::subtrees() const {
  std::uint64_t all = 0;
  for (const SpanningTree::Child& one : plan_->tree.by_level()) all += subtree(NodeId{one.node});
  return all;
}

}  // namespace lockstep
