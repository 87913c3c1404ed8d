// SPDX-License-Identifier: Apache-2.0

/// Reduce-scatter and scan over a spanning tree, as schedules.

#include <numeric>
#include <span>
#include <vector>

#include "algorithm/reduce_scatter/tree.hpp"
#include "algorithm/scan/tree.hpp"
#include "algorithm/tree_sweep.hpp"

namespace lockstep {
namespace {

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

template <class Rule>
[[nodiscard]] std::shared_ptr<const Schedule> schedule_of(const TreeSweep& tree) {
  Schedule schedule(tree.nodes(), {tree.processors()});
  tree.write(schedule, Rule(tree, schedule));
  return std::make_shared<const Schedule>(std::move(schedule));
}

}  // namespace

TreeReduceScatter::TreeReduceScatter(const ErasedTopology& network, const Settings&) {
  const TreeSweep tree(info.name, network);
  cost_.startups = tree.step_count();
  for (const TreeSweep::Level& level : tree.levels())
    cost_.message_times += tree.processors() - (tree.has_switches() ? 0 : level.least) + level.most;
  hops_ = tree.hops();
  schedule_ = schedule_of<ReduceScatterRule>(tree);
  planning_bytes_ = tree.bytes() + schedule_->writing_bytes();
}

TreeScan::TreeScan(const ErasedTopology& network, const Settings&) {
  const TreeSweep tree(info.name, network);
  cost_.startups = tree.step_count();
  for (const TreeSweep::Level& level : tree.levels()) cost_.message_times += 2 * level.most;
  hops_ = tree.hops();
  blocks_ = tree.subtrees();
  schedule_ = schedule_of<ScanRule>(tree);
  planning_bytes_ = tree.bytes() + schedule_->writing_bytes();
}

}  // namespace lockstep
