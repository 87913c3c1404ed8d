// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Up a breadth-first tree of any network and down again, level by level, and which blocks lie
/// where meanwhile: in the order in which the tree is walked, so that those of a node and all below
/// it are consecutive. Switches have no block, and handle those of others as processors do.
///
///     class Program : public TreeSweep {             // of all-port, half-duplex machines
///      public:
///       template <class StepView>
///       void operator()(StepView& here) const { sweep(here, *this); }
///       ... start, take_from_child, send_up, turn, take_from_parent, send_down, finish ...
///     };

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/erased_topology.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

/// Copies share the tree.
class TreeSweep {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;

  /// The tree of node 0. Throws InvalidParameter where a block of each node does not fit a region.
  TreeSweep(std::string_view algorithm, const ErasedTopology& network);

  [[nodiscard]] std::uint64_t step_count() const noexcept { return 2 * plan_->tree.height(); }
  [[nodiscard]] std::uint64_t plan_bytes() const noexcept;
  [[nodiscard]] std::uint32_t processors() const noexcept {
    return static_cast<std::uint32_t>(plan_->order.size());
  }
  [[nodiscard]] bool is_switch(NodeId u) const noexcept { return index(u) >= processors(); }
  [[nodiscard]] bool has_switches() const noexcept {
    return plan_->tree.node_count() != processors();
  }
  /// Messages of a sweep: two for each link of the tree.
  [[nodiscard]] std::uint64_t hops() const noexcept {
    return 2 * (plan_->tree.by_level().size() - 1);
  }

  /// Processors below the node, itself among them; 0: it is not in the tree.
  [[nodiscard]] std::uint32_t subtree(NodeId u) const noexcept {
    return static_cast<std::uint32_t>(plan_->tree.subtree_size(u));
  }
  /// How far v comes behind u in the order, which goes round.
  [[nodiscard]] std::uint32_t offset(NodeId u, NodeId v) const noexcept {
    const std::uint32_t from = plan_->places[index(u)];
    const std::uint32_t to = plan_->places[index(v)];
    return to >= from ? to - from : to + processors() - from;
  }
  [[nodiscard]] NodeId node_behind(NodeId u, std::uint32_t offset) const noexcept {
    const std::uint64_t place = std::uint64_t{plan_->places[index(u)]} + offset;
    return NodeId{plan_->order[place < processors() ? place : place - processors()]};
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

 protected:
  template <class StepView, class Rule>
  void sweep(StepView& here, const Rule& rule) const {
    const SpanningTree& tree = plan_->tree;
    const NodeId u = here.node();
    if (subtree(u) == 0) return;
    const std::uint64_t depth = tree.depth(u);
    if (here.step() == 0) rule.start(here);
    if (here.step() == tree.height() - depth) {
      for (const SpanningTree::Child& child : tree.children(u))
        rule.take_from_child(here, here.take(child.port), NodeId{child.node});
      if (depth == 0)
        rule.turn(here);
      else
        rule.send_up(here, tree.parent_port(u));
    }
    if (here.step() == tree.height() + depth) {
      if (depth != 0) rule.take_from_parent(here, here.take(tree.parent_port(u)));
      for (const SpanningTree::Child& child : tree.children(u))
        rule.send_down(here, child.port, NodeId{child.node});
      rule.finish(here);
    }
  }

 private:
  struct Plan {
    SpanningTree tree;
    std::vector<std::uint32_t>
        places{};  // of the nodes, in the order; of a switch: of the first below it
    std::vector<std::uint32_t> order{};  // processors: each before those below it
  };
  std::shared_ptr<const Plan> plan_;
};

}  // namespace lockstep
