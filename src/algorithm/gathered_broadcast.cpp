// SPDX-License-Identifier: Apache-2.0

/// All-gather and many-to-all on any graph over the tree of a planned broadcast: gather, then
/// broadcast, all blocks of a message together.
/// Model:   that of the broadcast.
/// Idea:    the broadcast backwards, in which every node sends all blocks from below it to its
///          parent; then the broadcast forwards, in which every child receives all blocks that are
///          not from below it. The root is central, so that the tree is low.
/// Source:  Dimakopoulos 1996, sections 3.1 and 3.3, for the trees; gather and broadcast in blocks
///          is textbook.
/// Differs: none. Leaves of the tree deliver what arrives, all others keep every block.
/// Program: a schedule, but not a plan of transfers: it has two messages for each link of the tree,
///          where a plan would list N(N - 1) transfers.

#include <limits>
#include <utility>
#include <vector>

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "algorithm/checks.hpp"
#include "algorithm/plan_tree.hpp"
#include "algorithm/scheduled_algorithm.hpp"

namespace lockstep {
namespace {

constexpr Region gossip_memory{0};

/// Blocks in the order of their makers in the tree. Slot i of u is the i-th block behind u in this
/// order, which goes round.
class GossipWriter {
 public:
  GossipWriter(const ErasedTopology& network, const BroadcastPlan& plan, NodeId root,
               const Makers& made)
      : network_(network),
        plan_(plan),
        made_(made),
        tree_(network, plan, root, [&](NodeId u) { return made.count_of(u); }),
        all_(made.blocks()),
        schedule_(network.node_count(), {made.blocks()}) {
    std::vector<std::uint32_t> slots(2 * std::size_t{all_});
    for (std::uint32_t i = 0; i < slots.size(); ++i) slots[i] = i % all_;
    slots_ = schedule_.add_slots(slots);
    std::vector<NodeId> order(2 * std::size_t{all_});
    for (const NodeId u : tree_.order())
      for (std::uint32_t i = 0; i < made.count_of(u); ++i)
        order[tree_.place(u) + i] = order[tree_.place(u) + i + all_] = NodeId{made.made_by(u)[i]};
    order_ = schedule_.add_elements(order);
  }

  [[nodiscard]] Schedule schedule() && {
    schedule_.reserve(2 * (plan_.sends() + 1));
    for (std::uint64_t u = 0; u < network_.node_count(); ++u) write(NodeId{u});
    schedule_.close(all_ == 0 ? 0 : 2 * plan_.steps());
    return std::move(schedule_);
  }

 private:
  using Send = BroadcastPlan::Send;
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  void at(std::uint64_t step, NodeId u) {
    if (std::exchange(step_, step) != step) schedule_.begin_turn(step, u);
  }

  void write(NodeId u) {
    const bool forwards = !plan_.sends_of(u).empty();
    const std::uint32_t room = forwards ? all_ : made_.count_of(u);
    schedule_.set_sizes(u, {&room, 1});
    if (!tree_.contains(u) || all_ == 0) return;
    step_ = none;
    collect(u);
    if (u == tree_.root()) {
      at(plan_.steps(), u);
      load(u);
      deliver(u);
    } else {
      receive_all(u, forwards);
    }
    for (const Send& send : plan_.sends_of(u)) {
      const NodeId child = tree_.child(u, send);
      const std::uint32_t below = tree_.size(child);
      if (below == all_) continue;  // it has them
      at(plan_.steps() + send.step, u);
      send_round(send.port, (tree_.place(child) - tree_.place(u) + below) % all_, all_ - below);
    }
  }

  /// Backwards: from the children, and with the own ones to the parent.
  void collect(NodeId u) {
    const auto sends = plan_.sends_of(u);
    for (auto send = sends.rbegin(); send != sends.rend(); ++send) {
      const NodeId child = tree_.child(u, *send);
      if (tree_.size(child) == 0) continue;
      at(plan_.steps() - send->step, u);
      schedule_.take_store(send->port,
                           {gossip_memory, tree_.place(child) - tree_.place(u), tree_.size(child)});
    }
    const std::uint32_t below = tree_.size(u);
    if (u == tree_.root() || below == 0) return;
    at(plan_.steps() - tree_.reception(u).step - 1, u);
    load(u);
    schedule_.send(tree_.reception(u).port, Blocks{gossip_memory, 0, below});
    if (below == all_) deliver(u);
  }

  void load(NodeId u) {
    if (made_.count_of(u) != 0) schedule_.load(gossip_memory, 0, made_.loads_of(u));
  }

  /// All but the own ones, from memory.
  void deliver(NodeId u) {
    const std::uint32_t made = made_.count_of(u);
    if (index(u) < network_.processor_count() && made != all_)
      schedule_.deliver(gossip_memory, made,
                        Elements{order_.first + tree_.place(u) + made, all_ - made});
  }

  void receive_all(NodeId u, bool forwards) {
    const std::uint32_t below = tree_.size(u);
    if (below == all_) return;
    const Send reception = tree_.reception(u);
    at(plan_.steps() + reception.step + 1, u);
    const std::uint32_t others = all_ - below;
    if (!forwards)
      return schedule_.take_deliver(reception.port,
                                    Elements{order_.first + tree_.place(u) + below, others});
    schedule_.take_store(reception.port, {gossip_memory, below, others});
    deliver(u);
  }

  /// So many slots from `first` on, which goes round.
  void send_round(Port port, std::uint32_t first, std::uint32_t count) {
    if (first + count <= all_)
      schedule_.send(port, Blocks{gossip_memory, first, count});
    else
      schedule_.send(port, gossip_memory, schedule_.add_list(slots_ + first, count));
  }

  const ErasedTopology& network_;
  const BroadcastPlan& plan_;
  const Makers& made_;
  PlanTree tree_;
  std::uint32_t all_;
  Schedule schedule_;
  Elements order_{};
  std::uint32_t slots_ = 0;
  std::uint64_t step_ = none;
};

[[nodiscard]] PlannedAlgorithm gathered(const BroadcastRule& broadcast, const AlgorithmInfo& info) {
  return {.info = info,
          .networks = broadcast.networks,
          .schedule = [info, make_plan = broadcast.plan](const PlanRequest& asked) {
            const ErasedTopology& network = asked.network;
            const std::uint64_t processors = network.processor_count();
            check_count(info.name, network.name(), asked.pattern.origins(processors), "blocks",
                        max_region_blocks / 2);
            const Makers made(asked.pattern, processors, network.node_count());
            const NodeId root = central_root(network);
            const BroadcastPlan plan = make_plan(network, root);
            return PlannedSchedule{
                .schedule = GossipWriter(network, plan, root, made).schedule(),
                .planning_bytes = plan.bytes() + PlanTree::bytes(network.node_count())};
          }};
}

}  // namespace

PlannedAlgorithm all_gather_by(const BroadcastRule& broadcast) {
  AlgorithmInfo info = info_like(
      broadcast, Operation::all_gather, "twice the start-ups of the broadcast; counted in the plan",
      "gathers over the tree of the broadcast of the same name, then broadcasts over it");
  info.promise_name = "plan";
  return gathered(broadcast, info);
}

PlannedAlgorithm many_to_all_by(const BroadcastRule& broadcast) {
  return gathered(broadcast, many_to_all_like(all_gather_by(broadcast).info));
}

}  // namespace lockstep
