// SPDX-License-Identifier: Apache-2.0

/// Reduce-scatter and scan over a spanning tree, as schedules.

#include "algorithm/tree_reductions.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "algorithm/checks.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

namespace {

/// Up a breadth-first tree of any network and down again, level by level, and which blocks lie
/// where meanwhile: in the order in which the tree is walked, so that those of a node and all below
/// it are consecutive. Switches have no block, and handle those of others as processors do.
///
///     const TreeSweep tree(info.name, network);
///     tree.write(schedule, rule);   // an object with start, take_from_child, send_up, turn,
///                                   // take_from_parent, send_down, finish
class TreeSweep {
 public:
  /// The tree of node 0. Throws InvalidParameter where a block of each node does not fit a region.
  TreeSweep(std::string_view algorithm, const ErasedTopology& network)
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

  [[nodiscard]] std::uint64_t step_count() const noexcept { return 2 * tree_.height(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    constexpr std::uint64_t tree_bytes = 28;  // of a node
    return nodes() * (tree_bytes + sizeof(std::uint32_t)) + processors() * sizeof(NodeId);
  }
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
  [[nodiscard]] std::vector<Level> levels() const {
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

  /// What all nodes do, and the end of the schedule.
  void write(Schedule& schedule, auto&& rule) const {
    schedule.reserve(2 * tree_.by_level().size());
    for (std::uint64_t u = 0; u < nodes(); ++u)
      if (subtree(NodeId{u}) != 0) write(schedule, rule, NodeId{u});
    schedule.close(step_count());
  }

 private:
  /// What a node has is counted in slots.
  [[nodiscard]] static const ErasedTopology& checked(std::string_view algorithm,
                                                     const ErasedTopology& network) {
    check_count(algorithm, network.name(), network.processor_count(), "processors");
    return network;
  }
  /// A node begins with the step in which it sends up: nothing is needed of it before.
  void write(Schedule& schedule, auto& rule, NodeId u) const {
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

constexpr Region memory{0};

/// Slot i of u is for the i-th processor behind u.
class ReduceScatterRule {
 public:
  ReduceScatterRule(const TreeSweep& tree, Schedule& schedule) : tree_(tree), schedule_(schedule) {
    // Both go round: twice, one behind the other.
    std::vector<NodeId> order = tree.order();
    order.insert(order.end(), tree.order().begin(), tree.order().end());
    order_ = schedule.add_elements(order);
    std::vector<std::uint32_t> slots(2 * std::size_t{all_});
    for (std::uint32_t i = 0; i < slots.size(); ++i) slots[i] = i % all_;
    slots_ = schedule.add_slots(slots);
  }

  void start(NodeId u) {
    if (!tree_.is_switch(u))
      schedule_.load(memory, 0, Elements{order_.first + tree_.place(u), all_});
  }
  void take_from_child(NodeId u, Port port, NodeId child) {
    const std::uint32_t own = tree_.offset(u, child);
    const Blocks others{memory, own + kept_below(child), all_ - kept_below(child)};
    if (own == 0)  // a switch, which has nothing yet
      schedule_.take_store(port, others);
    else if (others.first + others.count <= all_)
      schedule_.take_combine(port, others);
    else
      schedule_.take_combine(port, memory, schedule_.add_list(slots_ + others.first, others.count));
  }
  void send_up(NodeId u, Port parent) {
    schedule_.send(parent, Blocks{memory, kept_below(u), all_ - kept_below(u)});
  }
  void turn(NodeId) {}
  void take_from_parent(NodeId u, Port port) {
    const Blocks results{memory, 0, tree_.subtree(u)};
    if (tree_.has_switches())
      schedule_.take_store(port, results);
    else
      schedule_.take_combine(port, results);
  }
  void send_down(NodeId u, Port port, NodeId child) {
    schedule_.send(port, Blocks{memory, tree_.offset(u, child), tree_.subtree(child)});
  }
  void finish(NodeId u) {
    if (!tree_.is_switch(u)) schedule_.deliver(Blocks{memory, 0, 1}, u);
  }

 private:
  /// A switch has no contribution that it could combine with what comes down: then nothing is kept.
  [[nodiscard]] std::uint32_t kept_below(NodeId u) const {
    return tree_.has_switches() ? 0 : tree_.subtree(u);
  }

  const TreeSweep& tree_;
  Schedule& schedule_;
  std::uint32_t all_ = tree_.processors();
  Elements order_{};
  std::uint32_t slots_ = 0;
};

/// Slot i of u is the i-th node behind u.
class ScanRule {
 public:
  ScanRule(const TreeSweep& tree, Schedule& schedule) : tree_(tree), schedule_(schedule) {
    for (std::uint64_t u = 0; u < tree.nodes(); ++u) {
      const std::uint32_t blocks = tree.subtree(NodeId{u});
      schedule.set_sizes(NodeId{u}, {&blocks, 1});
    }
  }

  void start(NodeId u) {
    if (!tree_.is_switch(u)) schedule_.load(Blocks{memory, 0, 1}, u);
  }
  void take_from_child(NodeId u, Port port, NodeId child) {
    schedule_.take_store(port, of_child(u, child));
  }
  void send_up(NodeId u, Port parent) { schedule_.send(parent, all_of(u)); }
  /// At the root: result v is result v - 1 o contribution v.
  void turn(NodeId u) {
    for (std::uint64_t v = 1; v < tree_.processors(); ++v) {
      const Blocks own{memory, tree_.offset(u, NodeId{v}), 1};
      schedule_.combine(Blocks{memory, tree_.offset(u, NodeId{v - 1}), 1}, own, own);
    }
  }
  void take_from_parent(NodeId u, Port port) { schedule_.take_store(port, all_of(u)); }
  void send_down(NodeId u, Port port, NodeId child) { schedule_.send(port, of_child(u, child)); }
  void finish(NodeId u) {
    if (!tree_.is_switch(u)) schedule_.deliver(Blocks{memory, 0, 1}, u);
  }

 private:
  [[nodiscard]] Blocks all_of(NodeId u) const { return {memory, 0, tree_.subtree(u)}; }
  [[nodiscard]] Blocks of_child(NodeId u, NodeId child) const {
    return {memory, tree_.offset(u, child), tree_.subtree(child)};
  }

  const TreeSweep& tree_;
  Schedule& schedule_;
};

/// `message_times`: of a level, up and down.
template <class Rule, class Times>
[[nodiscard]] PlannedSchedule planned(const TreeSweep& tree, Times message_times) {
  Schedule schedule(tree.nodes(), {tree.processors()});
  tree.write(schedule, Rule(tree, schedule));
  Cost cost{.startups = tree.step_count()};
  for (const TreeSweep::Level& level : tree.levels()) cost.message_times += message_times(level);
  return {std::move(schedule), tree.bytes(), cost, tree.hops()};
}

}  // namespace

PlannedSchedule plan_tree_reduce_scatter(const AlgorithmInfo& info, const ErasedTopology& network,
                                         const Settings&, const Pattern&) {
  const TreeSweep tree(info.name, network);
  return planned<ReduceScatterRule>(tree, [&](const TreeSweep::Level& level) {
    return tree.processors() - (tree.has_switches() ? 0 : level.least) + level.most;
  });
}

PlannedSchedule plan_tree_scan(const AlgorithmInfo& info, const ErasedTopology& network,
                               const Settings&, const Pattern&) {
  const TreeSweep tree(info.name, network);
  return planned<ScanRule>(tree, [](const TreeSweep::Level& level) { return 2 * level.most; });
}

}  // namespace lockstep
