// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Broadcasts on any graph from a plan that says of every node when it sends through which ports,
/// and what follows from each of them: the reduction that is the broadcast read backwards, and the
/// all-reduce that is both. All are schedules (program/schedule.hpp). What differs between such
/// broadcasts is how the plan is made. In a Cayley graph it is made for the identity and moved to
/// the root by the group; elsewhere for the root itself. Switches store and combine what they
/// receive as processors do, and contribute nothing.
///
///     inline constexpr AlgorithmInfo my_broadcast{...};
///     MakePlan my_plan;  // a function
///     using MyBroadcast = PlannedBroadcast<my_broadcast, my_plan>;
///
/// Backwards, what the root sent to v in step s, v sends to its parent in step T - 1 - s, combined
/// with what it received from its own children by then. The same plan forwards brings the result
/// from the root to all.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/scheduled_algorithm.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

/// Who sends when through which port.
class BroadcastPlan {
 public:
  struct Send {
    std::uint32_t step;
    Port port;
  };
  /// A send and its sender.
  struct SendOf {
    std::uint32_t node;
    Send send;
  };

  /// Preconditions: those of a node in the order of their steps; every processor but the root is
  /// sent to once, and so is every switch that sends.
  BroadcastPlan(std::uint64_t node_count, std::span<const SendOf> sends);

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] std::uint64_t sends() const noexcept { return sends_.size(); }
  /// In the order of their steps.
  [[nodiscard]] std::span<const Send> sends_of(NodeId u) const noexcept {
    return {sends_.data() + first_[index(u)], sends_.data() + first_[index(u) + 1]};
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return sends_.size() * sizeof(Send) + first_.size() * sizeof(std::uint32_t);
  }

 private:
  std::uint64_t steps_ = 0;
  std::vector<Send> sends_;           // node by node
  std::vector<std::uint32_t> first_;  // of a node; one more at the end
};

using MakePlan = BroadcastPlan(const ErasedTopology& network, NodeId root);

/// A broadcast, reduction or all-reduce of one block over a plan, as `info.operation` says. Throws
/// InvalidParameter where the network has no such root, ResourceExhausted where planning takes more
/// than 4 GiB.
[[nodiscard]] PlannedSchedule planned_operation(const AlgorithmInfo& info,
                                                const ErasedTopology& network, NodeId root,
                                                MakePlan* make_plan);

template <MakePlan* make_plan>
[[nodiscard]] PlannedSchedule plan_over(const AlgorithmInfo& info, const ErasedTopology& network,
                                        const Settings& settings, const Pattern&) {
  return planned_operation(info, network, NodeId{settings.number(root_parameter.name)}, make_plan);
}

template <const AlgorithmInfo& own_info, MakePlan* make_plan>
class PlannedBroadcast final
    : public Scheduled<own_info, plan_over<make_plan>, ReceiveOnceScheduleProgram> {
 public:
  using PlannedBroadcast::Scheduled::Scheduled;
  static constexpr MakePlan* plan = make_plan;
};

/// Single node broadcast on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    a breadth-first tree; who receives the block sends it to all children at once, so that
///          step t informs those at distance t + 1 of the root.
/// Source:  V. V. Dimakopoulos, "Collective communication problems in multiprocessors", 1996,
///          section 3.1.
/// Differs: none.
inline constexpr AlgorithmInfo tree_broadcast{
    .name = "tree",
    .operation = Operation::broadcast,
    .model = port_models::all_port_half_duplex,
    .source = "Dimakopoulos, section 3.1",
    .costs = "the eccentricity of the root, in start-ups and message times",
    .claims = {.startups = Among::all, .message_times = Among::undivided},
    .summary = "sends down a breadth-first tree, to all children at once",
    .parameters = root_parameters};
MakePlan tree_plan;
using TreeBroadcast = PlannedBroadcast<tree_broadcast, tree_plan>;

/// Single node broadcast on any graph over a spanning tree, one child after the other.
/// Model:   single-port, half-duplex.
/// Idea:    a breadth-first tree; a processor serves that child first below which the most time is
///          still needed, which is the best order there is on a given tree.
/// Source:  V. V. Dimakopoulos, "Collective communication problems in multiprocessors", 1996,
///          section 3.1, for the tree; the order is textbook.
/// Differs: the thesis leaves open by which tree and in which order one port is used; another tree,
///          or Matching, may be faster. Of Eisenstein-Jacobi networks ej_single_port_tree.hpp.
inline constexpr AlgorithmInfo single_port_tree{
    .name = "single-port-tree",
    .operation = Operation::broadcast,
    .model = port_models::single_port_half_duplex,
    .source = "Dimakopoulos, section 3.1, its tree under one port",
    .costs =
        "T(root) start-ups and message times, T(v) = max over i of (i + T(child i)), children by "
        "decreasing T",
    .summary = "sends down a breadth-first tree, to the child with the largest T first",
    .parameters = root_parameters};
/// Over any tree; the port of a child is the one it has in the tree.
[[nodiscard]] BroadcastPlan single_port_plan_of(const SpanningTree& tree);
MakePlan single_port_plan;
using SinglePortTree = PlannedBroadcast<single_port_tree, single_port_plan>;

/// Single node broadcast on any graph by maximum matchings.
/// Model:   single-port, half-duplex.
/// Idea:    in every step as many as possible of those who have the block inform a neighbour that
///          has not: a maximum matching. Of all maximum matchings it takes one that informs those
///          with the most uninformed neighbours, and among these, whose uninformed neighbours have
///          the most.
/// Cost:    computed with the plan: 6 start-ups in EJ_(3+4rho), 11 in its square, both the least
///          there can be; N - 1 messages of one block.
/// Source:  this library, after the model of the Eisenstein-Jacobi paper (Hussain 2018).
/// Differs: nothing to differ from; tests/papers/ej_single_port_broadcast_test.cpp.
inline constexpr AlgorithmInfo matching_broadcast{
    .name = "matching",
    .operation = Operation::broadcast,
    .model = port_models::single_port_half_duplex,
    .source = "Lockstep; machine model of Hussain",
    .costs = "from the search; on ej:3+4^2 11 start-ups and message times",
    .claims = {.startups = Among::all,
               .message_times = Among::undivided,
               .where = "on ej:3+4 and ej:3+4^2",
               .holds =
                   [](const ErasedTopology& network, const Settings&) {
                     return network.name() == "ej:3+4" || network.name() == "ej:3+4^2";
                   }},
    .summary = "sends along a maximum matching of informed to uninformed nodes in every step",
    .parameters = root_parameters,
    .promise_name = "plan"};
/// Takes about a second for a million nodes.
MakePlan matching_plan;
using Matching = PlannedBroadcast<matching_broadcast, matching_plan>;

/// Reduce on any graph: a planned broadcast read backwards.
/// Model:   that of the broadcast, whose sends are receptions here.
/// Idea:    whoever the broadcast informs sends, at the mirror image of that moment, what it and
///          all that it informs have contributed. Switches combine as processors do.
/// Source:  textbook: single node accumulation is single node broadcast backwards (Bertsekas,
///          Tsitsiklis, "Parallel and distributed computation", 1989, section 1.3).
/// Differs: combines as messages come, so that the operation has to be commutative.
///
/// `Broadcast`: a PlannedBroadcast.
template <class Broadcast>
inline constexpr AlgorithmInfo reversed_broadcast{
    .name = Broadcast::info.name,
    .operation = Operation::reduce,
    .model = Broadcast::info.model,
    .source = Broadcast::info.source,
    .costs = "same as broadcast",
    .claims = Broadcast::info.claims,
    .summary = "reverses the broadcast of the same name; switches combine",
    .parameters = root_parameters,
    .commutative = true,
    .promise_name = Broadcast::info.promise_name};

/// Its port model is the same backwards.
template <class Broadcast>
concept Reversible = Broadcast::info.model.sends == Broadcast::info.model.receptions;

template <Reversible Broadcast>
using ReversedBroadcast = Scheduled<reversed_broadcast<Broadcast>, plan_over<Broadcast::plan>>;

/// All-reduce on any graph: a planned broadcast from node 0, backwards and then forwards.
/// Model:   that of the broadcast.
/// Idea:    reduce to node 0, which sends the result to all over the same tree.
/// Source:  textbook; the broadcasts as they say.
/// Differs: combines as messages come, so that the operation has to be commutative.
template <class Broadcast>
inline constexpr AlgorithmInfo there_and_back{
    .name = Broadcast::info.name,
    .operation = Operation::all_reduce,
    .model = Broadcast::info.model,
    .source = Broadcast::info.source,
    .costs = "twice the cost of broadcast",
    .summary = "runs the broadcast of the same name backward, then forward; switches combine",
    .commutative = true,
    .promise_name = Broadcast::info.promise_name};

template <class Broadcast>
using ThereAndBack = Scheduled<there_and_back<Broadcast>, plan_over<Broadcast::plan>>;

}  // namespace lockstep
