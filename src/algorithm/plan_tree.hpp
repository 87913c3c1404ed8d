// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The tree over which a planned broadcast sends, with its nodes in an order in which those below a
/// node follow it: operations that gather over the tree and send down again keep blocks in this
/// order, so that those of a subtree are consecutive.
///
///     const PlanTree tree(network, plan, root, [](NodeId u) { return blocks_made_by(u); });
///     tree.place(u), tree.size(u);   // the blocks made at and below u, in this order

#include <cstdint>
#include <vector>

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

class PlanTree {
 public:
  using Send = BroadcastPlan::Send;

  /// `blocks_of(u)`: how many blocks the node makes. Precondition: network and plan outlive it.
  PlanTree(const ErasedTopology& network, const BroadcastPlan& plan, NodeId root,
           const auto& blocks_of)
      : network_(network), plan_(plan), nodes_(network.node_count()) {
    find_receptions(root);
    for (const NodeId u : order_) nodes_[index(u)].size = blocks_of(u);
    add_up();
  }

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes) noexcept {
    return nodes * (sizeof(Node) + sizeof(NodeId));
  }
  /// Nodes of the tree, each before those below it.
  [[nodiscard]] const std::vector<NodeId>& order() const noexcept { return order_; }
  [[nodiscard]] NodeId root() const noexcept { return order_.front(); }
  [[nodiscard]] bool contains(NodeId u) const noexcept { return nodes_[index(u)].in_tree; }
  [[nodiscard]] NodeId child(NodeId u, const Send& send) const {
    return network_.neighbor(u, send.port);
  }
  /// When the node is sent to, and its own port. Precondition: in the tree, and not the root.
  [[nodiscard]] Send reception(NodeId u) const noexcept { return nodes_[index(u)].reception; }
  /// How many blocks come before those of the node in the order.
  [[nodiscard]] std::uint32_t place(NodeId u) const noexcept { return nodes_[index(u)].place; }
  /// Blocks made at and below the node.
  [[nodiscard]] std::uint32_t size(NodeId u) const noexcept { return nodes_[index(u)].size; }

 private:
  struct Node {
    Send reception{};
    std::uint32_t place = 0;
    std::uint32_t size = 0;
    bool in_tree = false;
  };

  void find_receptions(NodeId root);
  void add_up();

  const ErasedTopology& network_;
  const BroadcastPlan& plan_;
  std::vector<Node> nodes_;
  std::vector<NodeId> order_;
};

/// A node from which the farthest processor is as near as possible, or almost; it may be a switch.
/// Node 0 of a Cayley graph. At most 32 searches, most often 4: O(arcs).
[[nodiscard]] NodeId central_root(const ErasedTopology& network);

}  // namespace lockstep
