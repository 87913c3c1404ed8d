// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/planned_broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/freed_memory.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

BroadcastPlan::BroadcastPlan(std::uint64_t node_count, std::span<const SendOf> sends)
    : sends_(sends.size()), first_(node_count + 1) {
  // Sorted by sender: counted, then put into place.
  for (const SendOf& one : sends) {
    ++first_[one.node + 1];
    steps_ = std::max(steps_, one.send.step + std::uint64_t{1});
  }
  for (std::size_t u = 1; u < first_.size(); ++u) first_[u] += first_[u - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const SendOf& one : sends) sends_[next[one.node]++] = one.send;
}

namespace {

/// The plan, the tree that it is made from, and the search for that, which looks at every arc.
void check_size(std::string_view algorithm, const ErasedTopology& network) {
  constexpr std::uint64_t bytes_per_node = 64;
  constexpr std::uint64_t most_nodes = (std::uint64_t{4} << 30U) / bytes_per_node;
  if (network.node_count() > most_nodes)
    throw ResourceExhausted(fmt::format(
        "{} on {}: planning for {} nodes takes {} bytes per node; allowed: up to {} nodes (4 GiB)",
        algorithm, network.name(), grouped(network.node_count()), bytes_per_node,
        grouped(most_nodes)));
  constexpr std::uint64_t most_links = std::uint64_t{1} << 27U;
  const std::optional<std::uint64_t> links = network.link_count();
  if (!links || *links > most_links)
    throw ResourceExhausted(
        fmt::format("{} on {}: planning visits every link; allowed: up to {} links", algorithm,
                    network.name(), grouped(most_links)));
}

/// Writes what the nodes of a plan do, node by node.
class PlanWriter {
 public:
  using Send = BroadcastPlan::Send;
  static constexpr Blocks block{Region{0}, 0, 1};

  PlanWriter(const ErasedTopology& network, const BroadcastPlan& plan, NodeId root)
      : network_(network),
        plan_(plan),
        root_(root),
        receptions_(network.node_count(), never),
        schedule_(network.node_count(), {1}) {
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      for (const Send& send : plan.sends_of(NodeId{u}))
        receptions_[index(network.neighbor(NodeId{u}, send.port))] = {
            send.step, network.reverse_port(NodeId{u}, send.port)};
  }

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes) { return nodes * sizeof(Send); }

  /// `root`: in the plan, from where the group takes it to its place.
  [[nodiscard]] Schedule schedule(Operation operation, const std::optional<AnyCayley>& group,
                                  NodeId root_in_plan) {
    const bool in = operation != Operation::broadcast;
    const bool out = operation != Operation::reduce;
    schedule_.reserve((network_.node_count() + plan_.sends()) * (in && out ? 2 : 1));
    const bool is_moved = group && root_ != root_in_plan;
    const NodeId to_plan = is_moved ? group->inverse(root_) : root_;
    for (std::uint64_t u = 0; u < network_.node_count(); ++u) {
      const NodeId in_plan = is_moved ? group->product(to_plan, NodeId{u}) : NodeId{u};
      const Node node{NodeId{u}, plan_.sends_of(in_plan), receptions_[index(in_plan)],
                      NodeId{u} == root_};
      if (node.reception.step == never.step && !node.is_root) continue;
      if (in) combine(node);
      if (out) pass_on(node, in);
    }
    schedule_.close(plan_.steps() * (in && out ? 2 : 1));
    return std::move(schedule_);
  }

 private:
  /// Switches that lead to no processor never receive.
  static constexpr Send never{std::numeric_limits<std::uint32_t>::max(), Port{}};

  struct Node {
    NodeId place;
    std::span<const Send> sends;
    Send reception;  // own port
    bool is_root;
  };

  void at(const Node& node, std::uint64_t step) { schedule_.enter_turn(step, node.place); }
  [[nodiscard]] bool is_switch(const Node& node) const noexcept {
    return index(node.place) >= network_.processor_count();
  }

  /// Backwards. What a switch receives first, it has nothing to combine with.
  void combine(const Node& node) {
    bool empty = true;
    const auto contribute = [&] {
      if (std::exchange(empty, false) && !is_switch(node)) schedule_.load(block, node.place);
    };
    for (auto send = node.sends.rbegin(); send != node.sends.rend(); ++send) {
      const Send& child = *send;
      at(node, plan_.steps() - child.step);
      const bool stores = empty && is_switch(node);
      contribute();
      if (stores)
        schedule_.take_store(child.port, block);
      else
        schedule_.take_combine(child.port, block);
    }
    at(node, plan_.steps() - (node.is_root ? 0 : node.reception.step + 1));
    contribute();
    if (node.is_root)
      schedule_.deliver(block, node.place);
    else
      schedule_.send(node.reception.port, block);
  }

  /// Forwards: the root's own block; or, after a reduction, its result.
  void pass_on(const Node& node, bool result) {
    const std::uint64_t first = result ? plan_.steps() : 0;
    if (!node.is_root) {
      at(node, first + node.reception.step + 1);
      schedule_.take_store(node.reception.port, block);
      if (!is_switch(node)) schedule_.deliver(block, result ? node.place : root_);
    } else if (!result) {
      at(node, 0);
      schedule_.load(block, root_);
    }
    for (const Send& send : node.sends) {
      at(node, first + send.step);
      schedule_.send(send.port, block);
    }
  }

  const ErasedTopology& network_;
  const BroadcastPlan& plan_;
  NodeId root_;
  std::vector<Send> receptions_;  // in the plan
  Schedule schedule_;
};

[[nodiscard]] PlannedSchedule planned_and_written(const AlgorithmInfo& info,
                                                  const PlanRequest& asked, MakePlan* make_plan) {
  const ErasedTopology& network = asked.network;
  const NodeId root = asked.root;
  const std::optional<AnyCayley> group = network.cayley();
  const NodeId root_in_plan = group ? group->identity() : root;
  const BroadcastPlan plan = make_plan(network, root_in_plan);
  Schedule schedule = PlanWriter(network, plan, root).schedule(info.operation, group, root_in_plan);
  // The sends in two orders, and what the search knows of a node; then the schedule.
  constexpr std::uint64_t of_a_node = 48;
  const std::uint64_t writing = schedule.writing_bytes();
  const std::uint64_t most =
      std::max((plan.sends() + 1) * of_a_node,
               plan.bytes() + PlanWriter::bytes(network.node_count()) + writing);
  const std::uint64_t steps = schedule.step_count();
  return {.schedule = std::move(schedule),
          .planning_bytes = most - writing,
          .cost = Cost{steps, steps},
          .hops = plan.sends() * (info.operation == Operation::all_reduce ? 2 : 1)};
}

[[nodiscard]] PlannedAlgorithm operation_by(const BroadcastRule& broadcast,
                                            const AlgorithmInfo& info) {
  expects(info.operation == Operation::broadcast || info.model.sends == info.model.receptions,
          "the port model is the same backwards");
  return {.info = info,
          .networks = broadcast.networks,
          .schedule =
              [info, make_plan = broadcast.plan](const PlanRequest& asked) {
                check_size(info.name, asked.network);
                PlannedSchedule planned = planned_and_written(info, asked, make_plan);
                give_back_freed_memory(planned.planning_bytes);
                return planned;
              },
          .receives_once = info.operation == Operation::broadcast};
}

}  // namespace

AlgorithmInfo info_like(const BroadcastRule& broadcast, Operation operation, std::string_view costs,
                        std::string_view summary) {
  AlgorithmInfo info = broadcast.info;
  info.operation = operation;
  info.costs = costs;
  info.claims = {};
  info.summary = summary;
  info.parameters = {};
  return info;
}

PlannedAlgorithm broadcast_by(const BroadcastRule& broadcast) {
  return operation_by(broadcast, broadcast.info);
}

/// Reduce on any graph: a planned broadcast read backwards.
/// Model:   that of the broadcast, whose sends are receptions here.
/// Idea:    whoever the broadcast informs sends, at the mirror image of that moment, what it and
///          all that it informs have contributed. Switches combine as processors do.
/// Source:  textbook: single node accumulation is single node broadcast backwards (Bertsekas,
///          Tsitsiklis, "Parallel and distributed computation", 1989, section 1.3).
/// Differs: combines as messages come, so that the operation has to be commutative.
PlannedAlgorithm reduce_by(const BroadcastRule& broadcast) {
  AlgorithmInfo info = info_like(broadcast, Operation::reduce, "same as broadcast",
                                 "reverses the broadcast of the same name; switches combine");
  info.claims = broadcast.info.claims;
  info.commutative = true;
  return operation_by(broadcast, info);
}

/// All-reduce on any graph: a planned broadcast from node 0, backwards and then forwards.
/// Model:   that of the broadcast.
/// Idea:    reduce to node 0, which sends the result to all over the same tree.
/// Source:  textbook; the broadcasts as they say.
/// Differs: combines as messages come, so that the operation has to be commutative.
PlannedAlgorithm all_reduce_by(const BroadcastRule& broadcast) {
  AlgorithmInfo info =
      info_like(broadcast, Operation::all_reduce, "twice the cost of broadcast",
                "runs the broadcast of the same name backward, then forward; switches combine");
  info.commutative = true;
  return operation_by(broadcast, info);
}

}  // namespace lockstep
