// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A rooted spanning tree of any connected topology: for every node its parent, its children in
/// port order, its depth, and the number of nodes below it. Rooted operations run on it.
///
///     const SpanningTree tree = SpanningTree::breadth_first(Hypercube{3}, NodeId{0});
///     tree.height() == 3;
///     tree.parent_port(NodeId{6}) == Port{1};                  // 110 -> 100
///     for (const SpanningTree::Child& child : tree.children(NodeId{0}))
///       tree.subtree_size(NodeId{child.node});                 // 1, 2, 4 through ports 0, 1, 2
///
/// 28 bytes per node.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class SpanningTree {
 public:
  struct Child {
    std::uint32_t node;
    Port port;  ///< of the parent; of no meaning for the root
  };

  /// parent_ports[u] leads from u to its parent; that of the root is of no meaning. O(arcs). Throws
  /// InvalidParameter where there is no such root or port, not one port for every node, or a node
  /// that has no way to the root; and where there are 2^32 - 1 nodes or more.
  template <Topology T>
  SpanningTree(const T& network, NodeId root, std::span<const Port> parent_ports);

  /// Every node as deep as it is away from the root; its parent is the first, in port order, of its
  /// neighbours one level closer. O(arcs). Throws as the constructor does.
  template <Topology T>
  [[nodiscard]] static SpanningTree breadth_first(const T& network, NodeId root);

  /// Counts processors only and removes switches that lead to none. Trees of networks without
  /// switches do not change.
  template <Topology T>
  [[nodiscard]] static SpanningTree of_processors(const T& network, NodeId root) {
    SpanningTree tree = breadth_first(network, root);
    tree.keep_processors(processor_count(network));
    return tree;
  }
  void keep_processors(std::uint64_t processors);

  [[nodiscard]] std::uint64_t node_count() const noexcept { return nodes_.size(); }
  [[nodiscard]] NodeId root() const noexcept { return NodeId{by_level_.front().node}; }
  /// The largest depth.
  [[nodiscard]] std::uint64_t height() const noexcept {
    return nodes_[by_level_.back().node].depth;
  }

  /// All nodes, each with the port that leads to it: the root, its children in port order, then the
  /// children of each of these, and so on.
  [[nodiscard]] std::span<const Child> by_level() const noexcept { return by_level_; }

  /// In port order.
  [[nodiscard]] std::span<const Child> children(NodeId u) const noexcept {
    const Node& node = nodes_[index(u)];
    return std::span(by_level_).subspan(node.first_child, node.children);
  }
  /// Precondition: not the root.
  [[nodiscard]] Port parent_port(NodeId u) const noexcept { return nodes_[index(u)].parent; }
  /// Links between a node and the root.
  [[nodiscard]] std::uint64_t depth(NodeId u) const noexcept { return nodes_[index(u)].depth; }
  /// Nodes below it, and itself; of those that keep_processors() counts. 0: left out.
  [[nodiscard]] std::uint64_t subtree_size(NodeId u) const noexcept {
    return nodes_[index(u)].subtree_size;
  }

 private:
  struct Node {
    std::uint32_t first_child = 0;  ///< in by_level_; its others follow
    std::uint32_t depth = 0;
    std::uint32_t subtree_size = 0;  ///< 0: not reached
    std::uint32_t children = 0;
    Port parent{};
  };

  [[noreturn]] static void refuse(const std::string& network, const std::string& given) {
    throw InvalidParameter("spanning tree of " + network + ": " + given);
  }
  template <Topology T>
  static void check_root(const T& network, NodeId root) {
    metrics_detail::check_searchable(network.name(), network.node_count());
    if (index(root) >= network.node_count())
      refuse(network.name(), "root " + std::to_string(index(root)) + " is not valid; expected 0.." +
                                 std::to_string(network.node_count() - 1));
  }
  template <Topology T>
  void take_parents(const T& network, NodeId root, std::span<const Port> parent_ports);
  /// The children of every node, in port order: node by node, from nodes_[u].first_child on.
  template <Topology T>
  [[nodiscard]] std::vector<Child> children_by_parent(const T& network, NodeId root);

  std::vector<Node> nodes_;
  std::vector<Child> by_level_;
};

template <Topology T>
SpanningTree::SpanningTree(const T& network, NodeId root, std::span<const Port> parent_ports) {
  check_root(network, root);
  take_parents(network, root, parent_ports);
  const std::vector<Child> all = children_by_parent(network, root);
  by_level_.reserve(nodes_.size());
  by_level_.push_back({static_cast<std::uint32_t>(index(root)), Port{}});
  nodes_[index(root)].subtree_size = 1;
  for (std::size_t i = 0; i < by_level_.size(); ++i) {
    Node& above = nodes_[by_level_[i].node];
    const auto own = std::span(all).subspan(above.first_child, above.children);
    above.first_child = static_cast<std::uint32_t>(by_level_.size());
    for (const Child& child : own) {
      by_level_.push_back(child);
      nodes_[child.node].subtree_size = 1;
      nodes_[child.node].depth = above.depth + 1;
    }
  }
  for (std::uint64_t u = 0; u < nodes_.size(); ++u)
    if (nodes_[u].subtree_size == 0)
      refuse(network.name(), "node " + std::to_string(u) + " has no path to root " +
                                 std::to_string(index(root)) +
                                 "; expected a path over the given parents");
  for (std::size_t i = by_level_.size(); i-- > 0;)
    for (const Child& child : children(NodeId{by_level_[i].node}))
      nodes_[by_level_[i].node].subtree_size += nodes_[child.node].subtree_size;
}

template <Topology T>
void SpanningTree::take_parents(const T& network, NodeId root, std::span<const Port> parent_ports) {
  if (parent_ports.size() != network.node_count())
    refuse(network.name(), std::to_string(parent_ports.size()) + " parent ports given; expected " +
                               std::to_string(network.node_count()));
  nodes_.resize(network.node_count());
  for (std::uint64_t u = 0; u < nodes_.size(); ++u) {
    const std::size_t degree = network.degree(NodeId{u});
    if (NodeId{u} != root && index(parent_ports[u]) >= degree)
      refuse(network.name(), "parent port " + std::to_string(index(parent_ports[u])) +
                                 " given for node " + std::to_string(u) + "; allowed: below " +
                                 std::to_string(degree));
    nodes_[u].parent = parent_ports[u];
  }
}

template <Topology T>
std::vector<SpanningTree::Child> SpanningTree::children_by_parent(const T& network, NodeId root) {
  const auto parent = [&](std::uint64_t u) -> Node& {
    return nodes_[index(network.neighbor(NodeId{u}, nodes_[u].parent))];
  };
  for (std::uint64_t u = 0; u < nodes_.size(); ++u)
    if (NodeId{u} != root) ++parent(u).children;
  std::uint32_t next = 0;
  for (Node& node : nodes_) {
    node.first_child = next;
    next += std::exchange(node.children, 0);
  }
  std::vector<Child> all(next);
  for (std::uint64_t u = 0; u < nodes_.size(); ++u) {
    if (NodeId{u} == root) continue;
    Node& above = parent(u);
    all[above.first_child + above.children++] = {static_cast<std::uint32_t>(u),
                                                 network.reverse_port(NodeId{u}, nodes_[u].parent)};
  }
  for (const Node& node : nodes_)
    std::ranges::sort(std::span(all).subspan(node.first_child, node.children), {}, &Child::port);
  return all;
}

inline void SpanningTree::keep_processors(std::uint64_t processors) {
  if (processors >= nodes_.size()) return;
  for (std::size_t i = by_level_.size(); i-- > 0;) {
    const std::uint32_t u = by_level_[i].node;
    nodes_[u].subtree_size = u < processors ? 1 : 0;
    for (const Child& child : children(NodeId{u}))
      nodes_[u].subtree_size += nodes_[child.node].subtree_size;
  }
  const std::vector<Child> all = std::exchange(by_level_, {by_level_.front()});
  for (std::size_t i = 0; i < by_level_.size(); ++i) {
    Node& above = nodes_[by_level_[i].node];
    const auto before = std::span(all).subspan(above.first_child, above.children);
    above.first_child = static_cast<std::uint32_t>(by_level_.size());
    std::copy_if(before.begin(), before.end(), std::back_inserter(by_level_),
                 [&](const Child& child) { return nodes_[child.node].subtree_size != 0; });
    above.children = static_cast<std::uint32_t>(by_level_.size()) - above.first_child;
  }
}

template <Topology T>
SpanningTree SpanningTree::breadth_first(const T& network, NodeId root) {
  check_root(network, root);
  const std::vector<std::uint32_t> distances = distances_from(network, root);
  std::vector<Port> parent_ports(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    const std::size_t degree = network.degree(NodeId{u});
    for (std::size_t p = 0; p < degree; ++p)
      if (distances[index(network.neighbor(NodeId{u}, port(p)))] + 1 == distances[u]) {
        parent_ports[u] = port(p);
        break;
      }
  }
  return SpanningTree(network, root, parent_ports);
}

}  // namespace lockstep
