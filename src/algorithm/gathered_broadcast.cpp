// SPDX-License-Identifier: Apache-2.0
#include "algorithm/gathered_broadcast.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "algorithm/checks.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

constexpr Region gossip_memory{0};

/// The tree of a plan, its nodes in an order in which those below a node follow it; blocks in the
/// order of their makers. Slot i of u is the i-th block behind u in this order, which goes round.
class GossipWriter {
 public:
  GossipWriter(const ErasedTopology& network, const BroadcastPlan& plan, NodeId root,
               const Makers& made)
      : network_(network),
        plan_(plan),
        root_(root),
        made_(made),
        nodes_(network.node_count()),
        all_(made.blocks()),
        schedule_(network.node_count(), {made.blocks()}) {
    walk();
    std::vector<std::uint32_t> slots(2 * std::size_t{all_});
    for (std::uint32_t i = 0; i < slots.size(); ++i) slots[i] = i % all_;
    slots_ = schedule_.add_slots(slots);
    std::vector<NodeId> order(2 * std::size_t{all_});
    for (std::uint64_t u = 0; u < nodes_.size(); ++u)
      for (std::uint32_t i = 0; i < made.count_of(NodeId{u}); ++i)
        order[nodes_[u].place + i] = order[nodes_[u].place + i + all_] =
            NodeId{made.made_by(NodeId{u})[i]};
    order_ = schedule_.add_elements(order);
  }

  [[nodiscard]] Schedule schedule() && {
    schedule_.reserve(2 * (plan_.sends() + 1));
    for (std::uint64_t u = 0; u < nodes_.size(); ++u) write(NodeId{u});
    schedule_.close(all_ == 0 ? 0 : 2 * plan_.steps());
    return std::move(schedule_);
  }

 private:
  using Send = BroadcastPlan::Send;
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  struct Node {
    Send reception{};         // own port
    std::uint32_t place = 0;  // of its first block in the order
    std::uint32_t size = 0;   // blocks made by it and below it
    bool in_tree = false;
  };

  [[nodiscard]] NodeId child_of(NodeId u, const Send& send) const {
    return network_.neighbor(u, send.port);
  }
  [[nodiscard]] Node& node(NodeId u) { return nodes_[index(u)]; }

  /// Places, receptions and sizes: down and up the tree without recursion.
  void walk() {
    std::vector<NodeId> by_place;
    std::vector<NodeId> waiting{root_};
    node(root_).in_tree = true;
    std::uint32_t place = 0;
    while (!waiting.empty()) {
      const NodeId u = waiting.back();
      waiting.pop_back();
      by_place.push_back(u);
      node(u).place = place;
      node(u).size = made_.count_of(u);
      place += made_.count_of(u);
      for (const Send& send : plan_.sends_of(u)) {
        const NodeId child = child_of(u, send);
        node(child).in_tree = true;
        node(child).reception = {send.step, network_.reverse_port(u, send.port)};
        waiting.push_back(child);
      }
    }
    for (std::size_t i = by_place.size(); i-- > 0;)
      for (const Send& send : plan_.sends_of(by_place[i]))
        node(by_place[i]).size += node(child_of(by_place[i], send)).size;
  }

  void at(std::uint64_t step, NodeId u) {
    if (std::exchange(step_, step) != step) schedule_.begin_turn(step, u);
  }

  void write(NodeId u) {
    const Node& own = node(u);
    const bool forwards = !plan_.sends_of(u).empty();
    const std::uint32_t room = forwards ? all_ : made_.count_of(u);
    schedule_.set_sizes(u, {&room, 1});
    if (!own.in_tree || all_ == 0) return;
    step_ = none;
    collect(u, own);
    if (u == root_) {
      at(plan_.steps(), u);
      load(u);
      deliver(u, own);
    } else {
      receive_all(u, own, forwards);
    }
    for (const Send& send : plan_.sends_of(u)) {
      const Node& child = node(child_of(u, send));
      if (child.size == all_) continue;  // it has them
      at(plan_.steps() + send.step, u);
      send_round(send.port, (child.place - own.place + child.size) % all_, all_ - child.size);
    }
  }

  /// Backwards: from the children, and with the own ones to the parent.
  void collect(NodeId u, const Node& own) {
    const auto sends = plan_.sends_of(u);
    for (auto send = sends.rbegin(); send != sends.rend(); ++send) {
      const Node& child = node(child_of(u, *send));
      if (child.size == 0) continue;
      at(plan_.steps() - send->step, u);
      schedule_.take_store(send->port, {gossip_memory, child.place - own.place, child.size});
    }
    if (u == root_ || own.size == 0) return;
    at(plan_.steps() - own.reception.step - 1, u);
    load(u);
    schedule_.send(own.reception.port, Blocks{gossip_memory, 0, own.size});
    if (own.size == all_) deliver(u, own);
  }

  void load(NodeId u) {
    if (made_.count_of(u) != 0) schedule_.load(gossip_memory, 0, made_.loads_of(u));
  }

  /// All but the own ones, from memory.
  void deliver(NodeId u, const Node& own) {
    const std::uint32_t made = made_.count_of(u);
    if (index(u) < network_.processor_count() && made != all_)
      schedule_.deliver(gossip_memory, made,
                        Elements{order_.first + own.place + made, all_ - made});
  }

  void receive_all(NodeId u, const Node& own, bool forwards) {
    if (own.size == all_) return;
    at(plan_.steps() + own.reception.step + 1, u);
    const std::uint32_t others = all_ - own.size;
    if (!forwards)
      return schedule_.take_deliver(own.reception.port,
                                    Elements{order_.first + own.place + own.size, others});
    schedule_.take_store(own.reception.port, {gossip_memory, own.size, others});
    deliver(u, own);
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
  NodeId root_;
  const Makers& made_;
  std::vector<Node> nodes_;
  std::uint32_t all_;
  Schedule schedule_;
  Elements order_{};
  std::uint32_t slots_ = 0;
  std::uint64_t step_ = none;
};

[[nodiscard]] NodeId farthest_processor(const ErasedTopology& network,
                                        const std::vector<std::uint32_t>& distances) {
  const auto end = distances.begin() + static_cast<std::ptrdiff_t>(network.processor_count());
  return NodeId{
      static_cast<std::uint64_t>(std::max_element(distances.begin(), end) - distances.begin())};
}

}  // namespace

/// Every search from a far end says how far away nodes are at least from the processor that is
/// farthest; the least of these that proves true is the least there can be.
NodeId central_root(const ErasedTopology& network) {
  if (network.symmetric()) return NodeId{0};
  constexpr int most_searches = 16;
  std::vector<std::uint32_t> at_least(network.node_count());
  NodeId best{0};
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (int i = 0; i < most_searches; ++i) {
    const auto lowest = std::ranges::min_element(at_least);
    const NodeId u{static_cast<std::uint64_t>(lowest - at_least.begin())};
    const std::vector<std::uint32_t> from_u = distances_from(network, u);
    const NodeId far_end = farthest_processor(network, from_u);
    const std::uint32_t eccentricity = from_u[index(far_end)];
    if (eccentricity < least) {
      least = eccentricity;
      best = u;
    }
    if (least <= *lowest) break;
    const std::vector<std::uint32_t> from_end = distances_from(network, far_end);
    for (std::uint64_t v = 0; v < at_least.size(); ++v)
      at_least[v] = std::max(at_least[v], from_end[v]);
  }
  return best;
}

PlannedSchedule gathered_broadcast(const AlgorithmInfo& info, const ErasedTopology& network,
                                   const Pattern& pattern, MakePlan* make_plan) {
  check_count(info.name, network.name(), pattern.origins(network.processor_count()), "blocks",
              max_region_blocks / 2);
  const Makers made(pattern, network.processor_count(), network.node_count());
  const NodeId root = central_root(network);
  const BroadcastPlan plan = make_plan(network, root);
  return {.schedule = GossipWriter(network, plan, root, made).schedule(),
          .planning_bytes = plan.bytes()};
}

}  // namespace lockstep
