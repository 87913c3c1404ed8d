// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Up a breadth-first tree of any network and down again, level by level, and which blocks lie
/// where meanwhile: in the order in which the tree is walked, so that those of a node and all below
/// it are consecutive. Switches have no block, and handle those of others as processors do.
///
///     const TreeSweep tree(info.name, network);
///     tree.write(schedule, rule);   // an object with start, take_from_child, send_up, turn,
///                                   // take_from_parent, send_down, finish

#include <cstdint>
#include <string_view>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/erased_topology.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

class TreeSweep {
 public:
  /// The tree of node 0. Throws InvalidParameter where a block of each node does not fit a region.
  TreeSweep(std::string_view algorithm, const ErasedTopology& network);

  [[nodiscard]] std::uint64_t step_count() const noexcept { return 2 * tree_.height(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  [[nodiscard]] std::uint64_t nodes() const noexcept { return tree_.node_count(); }
  [[nodiscard]] std::uint32_t processors() const noexcept {
    return static_cast<std::uint32_t>(order_.size());
  }
  [[nodiscard]] bool is_switch(NodeId u) const noexcept { return index(u) >= processors(); }
  [[nodiscard]] bool has_switches() const noexcept { return nodes() != processors(); }
  /// Messages of a sweep: two for each link of the tree.
  [[nodiscard]] std::uint64_t hops() const noexcept { return 2 * (tree_.by_level().size() - 1); }

  /// Processors below the node, itself among them; 0: it is not in the tree.
  [[nodiscard]] std::uint32_t subtree(NodeId u) const noexcept {
    return static_cast<std::uint32_t>(tree_.subtree_size(u));
  }
  /// Processors: each before those below it.
  [[nodiscard]] const std::vector<NodeId>& order() const noexcept { return order_; }
  /// Where the node is in this order; a switch: the first below it.
  [[nodiscard]] std::uint32_t place(NodeId u) const noexcept { return places_[index(u)]; }
  /// How far v comes behind u in the order, which goes round.
  [[nodiscard]] std::uint32_t offset(NodeId u, NodeId v) const noexcept {
    return place(v) >= place(u) ? place(v) - place(u) : place(v) + processors() - place(u);
  }

  /// Of the steps up: the most that a node of each level but the root's has below it, itself among
  /// them; and the least.
  struct Level {
    std::uint64_t most = 0;
    std::uint64_t least = ~std::uint64_t{0};
  };
  [[nodiscard]] std::vector<Level> levels() const;
  /// Of all nodes, summed.
  [[nodiscard]] std::uint64_t subtrees() const;

  /// What all nodes do, and the end of the schedule.
  template <class Rule>
  void write(Schedule& schedule, Rule&& rule) const {
    schedule.reserve(2 * tree_.by_level().size());
    for (std::uint64_t u = 0; u < nodes(); ++u)
      if (subtree(NodeId{u}) != 0) write(schedule, rule, NodeId{u});
    schedule.close(step_count());
  }

 private:
  /// A node begins with the step in which it sends up: nothing is needed of it before.
  template <class Rule>
  void write(Schedule& schedule, Rule& rule, NodeId u) const {
    const std::uint64_t depth = tree_.depth(u);
    schedule.begin_turn(tree_.height() - depth, u);
    rule.start(u);
    for (const SpanningTree::Child& child : tree_.children(u))
      rule.take_from_child(u, child.port, NodeId{child.node});
    if (depth == 0) {
      rule.turn(u);
    } else {
      rule.send_up(u, tree_.parent_port(u));
      schedule.begin_turn(tree_.height() + depth, u);
      rule.take_from_parent(u, tree_.parent_port(u));
    }
    for (const SpanningTree::Child& child : tree_.children(u))
      rule.send_down(u, child.port, NodeId{child.node});
    rule.finish(u);
  }

  SpanningTree tree_;
  std::vector<std::uint32_t> places_;
  std::vector<NodeId> order_;
};

}  // namespace lockstep
