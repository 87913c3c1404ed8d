// SPDX-License-Identifier: Apache-2.0

/// Reduce-scatter and scan on any graph over the tree of a planned broadcast.
/// Model:   that of the broadcast.
/// Idea:    reduce-scatter: the broadcast backwards, in which a node sends up, combined, what it
///          and all below it contribute to the others; then the broadcast forwards, in which it is
///          sent what the others contribute to those. Where there are switches, a node sends up the
///          contributions to all, and is sent the results.
///          scan: the contributions are gathered at the root, which combines them in the order of
///          the processors and scatters the results. The root is central, so that the tree is low.
/// Source:  textbook.
/// Differs: the reduce-scatter combines as messages come, so that the operation has to be
///          commutative; the scan keeps the order of the processors, whatever that of the tree.
/// Program: a schedule, but not a plan of transfers: blocks of a subtree lie next to each other, so
///          that a message of N blocks is one action.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "algorithm/checks.hpp"
#include "algorithm/plan_tree.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/schedule.hpp"

namespace lockstep {

namespace {

constexpr Region memory{0};

/// Over the tree of a planned broadcast: backwards up to the root, then forwards down again. Blocks
/// lie in the order of the tree (plan_tree.hpp). Switches have no block, and handle those of others
/// as processors do.
///
///     const TreeSweep tree(info.name, network, plan, root);
///     tree.write(schedule, rule);   // an object with start, take_from_child, send_up, turn,
///                                   // take_from_parent, send_down
class TreeSweep {
 public:
  /// Throws InvalidParameter where a block of each node does not fit a region.
  TreeSweep(std::string_view algorithm, const ErasedTopology& network, const BroadcastPlan& plan,
            NodeId root)
      : plan_(plan),
        nodes_(network.node_count()),
        processors_(checked_processors(algorithm, network)),
        tree_(network, plan, root, [&](NodeId u) { return is_switch(u) ? 0U : 1U; }) {
    for (const NodeId u : tree_.order())
      if (!is_switch(u)) order_.push_back(u);
  }

  [[nodiscard]] std::uint64_t step_count() const noexcept { return 2 * plan_.steps(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return plan_.bytes() + PlanTree::bytes(nodes()) + processors() * sizeof(NodeId);
  }
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::uint32_t processors() const noexcept { return processors_; }
  [[nodiscard]] bool is_switch(NodeId u) const noexcept { return index(u) >= processors_; }
  [[nodiscard]] bool has_switches() const noexcept { return nodes_ != processors_; }
  /// Messages of a sweep: two for each link of the tree.
  [[nodiscard]] std::uint64_t hops() const noexcept { return 2 * plan_.sends(); }

  /// Processors below the node, itself among them.
  [[nodiscard]] std::uint32_t subtree(NodeId u) const noexcept { return tree_.size(u); }
  /// Processors: each before those below it.
  [[nodiscard]] const std::vector<NodeId>& order() const noexcept { return order_; }
  /// The place of the node in this order; for a switch, that of the first node below it.
  [[nodiscard]] std::uint32_t place(NodeId u) const noexcept { return tree_.place(u); }
  /// How far v comes behind u in the order, which goes round.
  [[nodiscard]] std::uint32_t offset(NodeId u, NodeId v) const noexcept {
    return place(v) >= place(u) ? place(v) - place(u) : place(v) + processors_ - place(u);
  }

  /// The largest and the smallest subtree among the nodes that the broadcast sends to in a step.
  struct Level {
    std::uint64_t most = 0;
    std::uint64_t least = ~std::uint64_t{0};
  };
  [[nodiscard]] std::vector<Level> levels() const {
    std::vector<Level> levels(plan_.steps());
    for (const NodeId u : tree_.order()) {
      if (u == tree_.root()) continue;
      Level& level = levels[tree_.reception(u).step];
      level.most = std::max<std::uint64_t>(level.most, subtree(u));
      level.least = std::min<std::uint64_t>(level.least, subtree(u));
    }
    return levels;
  }

  /// Writes the moves of all nodes, and the end of the schedule.
  void write(Schedule& schedule, auto&& rule) const {
    schedule.reserve(4 * tree_.order().size());
    for (std::uint64_t u = 0; u < nodes_; ++u)
      if (tree_.contains(NodeId{u})) write(schedule, rule, NodeId{u});
    schedule.close(step_count());
  }

 private:
  /// The blocks of a node are counted in slots.
  [[nodiscard]] static std::uint32_t checked_processors(std::string_view algorithm,
                                                        const ErasedTopology& network) {
    check_count(algorithm, network.name(), network.processor_count(), "processors");
    return static_cast<std::uint32_t>(network.processor_count());
  }
  /// A node begins with its first message: nothing is needed of it before. The last child that the
  /// broadcast sends to is the first to send up.
  void write(Schedule& schedule, auto& rule, NodeId u) const {
    std::uint64_t turn = ~std::uint64_t{0};
    const auto at = [&](std::uint64_t step) {
      const bool is_first = turn == ~std::uint64_t{0};
      if (std::exchange(turn, step) != step) schedule.begin_turn(step, u);
      if (is_first) rule.start(u);
    };
    const std::uint64_t top = plan_.steps();
    const auto sends = plan_.sends_of(u);
    for (auto send = sends.rbegin(); send != sends.rend(); ++send) {
      at(top - send->step);
      rule.take_from_child(u, send->port, tree_.child(u, *send));
    }
    if (u == tree_.root()) {
      at(top);
      rule.turn(u);
    } else {
      const BroadcastPlan::Send parent = tree_.reception(u);
      at(top - 1 - parent.step);
      rule.send_up(u, parent.port);
      at(top + parent.step + 1);
      rule.take_from_parent(u, parent.port);
    }
    if (!is_switch(u)) schedule.deliver(Blocks{memory, 0, 1}, u);
    for (const BroadcastPlan::Send& send : sends) {
      at(top + send.step);
      rule.send_down(u, send.port, tree_.child(u, send));
    }
  }

  const BroadcastPlan& plan_;
  std::uint64_t nodes_;
  std::uint32_t processors_;
  PlanTree tree_;
  std::vector<NodeId> order_;
};

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
[[nodiscard]] PlannedAlgorithm swept(const BroadcastRule& broadcast, const AlgorithmInfo& info,
                                     Times message_times) {
  return {.info = info,
          .networks = broadcast.networks,
          .schedule = [=, make_plan = broadcast.plan](const PlanRequest& asked) {
            const ErasedTopology& network = asked.network;
            const NodeId root = central_root(network);
            const BroadcastPlan plan = make_plan(network, root);
            const TreeSweep tree(info.name, network, plan, root);
            Schedule schedule(tree.nodes(), {tree.processors()});
            tree.write(schedule, Rule(tree, schedule));
            Cost cost{.startups = tree.step_count()};
            for (const TreeSweep::Level& level : tree.levels())
              cost.message_times += message_times(tree, level);
            return PlannedSchedule{std::move(schedule), tree.bytes(), cost, tree.hops()};
          }};
}

}  // namespace

PlannedAlgorithm reduce_scatter_by(const BroadcastRule& broadcast) {
  AlgorithmInfo info = info_like(
      broadcast, Operation::reduce_scatter,
      "twice the start-ups of broadcast; message times: sum over its steps of N (without switches "
      "N minus the smallest subtree) and the largest subtree",
      "sends the contributions for others up the tree of broadcast and the rest down; switches "
      "combine");
  info.source = "textbook";
  info.commutative = true;
  return swept<ReduceScatterRule>(
      broadcast, info, [](const TreeSweep& tree, const TreeSweep::Level& level) {
        return tree.processors() - (tree.has_switches() ? 0 : level.least) + level.most;
      });
}

PlannedAlgorithm scan_by(const BroadcastRule& broadcast) {
  AlgorithmInfo info = info_like(
      broadcast, Operation::scan,
      "twice the start-ups of broadcast; message times: twice the sum over its steps of the "
      "largest "
      "subtree",
      "sends contributions up the tree of broadcast, combines at the root, sends results down");
  info.source = "textbook";
  return swept<ScanRule>(broadcast, info, [](const TreeSweep&, const TreeSweep::Level& level) {
    return 2 * level.most;
  });
}

}  // namespace lockstep
