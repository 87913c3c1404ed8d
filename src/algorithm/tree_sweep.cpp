// SPDX-License-Identifier: Apache-2.0
#include "algorithm/tree_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

namespace {

/// Precondition of a tree: what it has is counted in slots.
[[nodiscard]] const ErasedTopology& checked(std::string_view algorithm,
                                            const ErasedTopology& network) {
  if (network.processor_count() > max_region_blocks)
    throw InvalidParameter(fmt::format("{} on {}: {} processors; allowed: up to {}", algorithm,
                                       network.name(), grouped(network.processor_count()),
                                       grouped(max_region_blocks)));
  return network;
}

}  // namespace

TreeSweep::TreeSweep(std::string_view algorithm, const ErasedTopology& network)
    : tree_(SpanningTree::of_processors(checked(algorithm, network), NodeId{0})),
      places_(network.node_count()),
      order_(network.processor_count()) {
  for (const SpanningTree::Child& parent : tree_.by_level()) {
    std::uint32_t next = places_[parent.node];
    if (parent.node < order_.size()) order_[next++] = NodeId{parent.node};
    for (const SpanningTree::Child& child : tree_.children(NodeId{parent.node})) {
      places_[child.node] = next;
      next += subtree(NodeId{child.node});
    }
  }
}

std::uint64_t TreeSweep::bytes() const noexcept {
  constexpr std::uint64_t tree_bytes = 28;  // of a node
  return nodes() * (tree_bytes + sizeof(std::uint32_t)) + processors() * sizeof(NodeId);
}

std::vector<TreeSweep::Level> TreeSweep::levels() const {
  std::vector<Level> levels(tree_.height());
  for (const SpanningTree::Child& one : tree_.by_level()) {
    const NodeId u{one.node};
    if (tree_.depth(u) == 0) continue;
    Level& level = levels[tree_.depth(u) - 1];
    level.most = std::max(level.most, tree_.subtree_size(u));
    level.least = std::min(level.least, tree_.subtree_size(u));
  }
  return levels;
}

std::uint64_t TreeSweep::subtrees() const {
  std::uint64_t all = 0;
  for (const SpanningTree::Child& one : tree_.by_level()) all += subtree(NodeId{one.node});
  return all;
}

}  // namespace lockstep
