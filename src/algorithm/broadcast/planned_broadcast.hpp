// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Broadcasts on any graph from a plan that says of every node when it sends through which ports,
/// and what follows from each of them: the reduction that is the broadcast read backwards, and the
/// all-reduce that is both. All are schedules (program/schedule.hpp). What differs between such
/// broadcasts is how the plan is made. In a Cayley graph it is made for the identity and moved to
/// the root by the group; elsewhere for the root itself. Switches store and combine what they
/// receive as processors do, and contribute nothing.
///
///     class MyBroadcast final : public PlannedBroadcast {
///      public:
///       static constexpr AlgorithmInfo info{...};
///       static BroadcastPlan plan(const ErasedTopology& network, NodeId root);
///       MyBroadcast(const ErasedTopology& network, const Settings& settings)
///           : PlannedBroadcast(info, network, settings, plan) {}
///     };
///
/// Backwards, what the root sent to v in step s, v sends to its parent in step T - 1 - s, combined
/// with what it received from its own children by then. The same plan forwards brings the result
/// from the root to all.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/scheduled_algorithm.hpp"
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

/// A broadcast, reduction or all-reduce of one block over a plan.
class PlannedOperation : public ScheduledAlgorithm {
 public:
  using MakePlan = BroadcastPlan (*)(const ErasedTopology& network, NodeId root);

 protected:
  /// Makes plan and schedule of `info.operation`. Throws InvalidParameter where the network has no
  /// such root, ResourceExhausted where planning takes more than 4 GiB.
  PlannedOperation(const AlgorithmInfo& info, const ErasedTopology& network, NodeId root,
                   MakePlan make_plan);

 private:
  void plan_and_write(const AlgorithmInfo& info, const ErasedTopology& network, NodeId root,
                      MakePlan make_plan);
};

class PlannedBroadcast : public PlannedOperation {
 public:
  [[nodiscard]] ReceiveOnceScheduleProgram program() const {
    return ReceiveOnceScheduleProgram(schedule());
  }

 protected:
  PlannedBroadcast(const AlgorithmInfo& info, const ErasedTopology& network,
                   const Settings& settings, MakePlan make_plan)
      : PlannedOperation(info, network, NodeId{settings.number(root_parameter.name)}, make_plan) {}
};

/// Single node broadcast on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    a breadth-first tree; who receives the block sends it to all children at once, so that
///          step t informs those at distance t + 1 of the root.
/// Cost:    as many start-ups and message times as the farthest node is away from the root, which
///          is the least there can be; N - 1 messages.
/// Source:  V. V. Dimakopoulos, "Collective communication problems in multiprocessors", 1996,
///          section 3.1.
/// Differs: none.
class TreeBroadcast final : public PlannedBroadcast {
 public:
  static constexpr AlgorithmInfo info{
      .name = "tree",
      .operation = Operation::broadcast,
      .model = port_models::all_port_half_duplex,
      .source = "Dimakopoulos, section 3.1",
      .costs = "the eccentricity of the root, in start-ups and message times: the lower bound",
      .summary = "sends down a breadth-first tree, to all children at once",
      .parameters = root_parameters};

  [[nodiscard]] static BroadcastPlan plan(const ErasedTopology& network, NodeId root);

  /// Throws InvalidParameter where the network has no such root, or too many ports for a plan.
  TreeBroadcast(const ErasedTopology& network, const Settings& settings)
      : PlannedBroadcast(info, network, settings, plan) {}
};

/// Single node broadcast on any graph over a spanning tree, one child after the other.
/// Model:   single-port, half-duplex.
/// Idea:    a breadth-first tree; a processor serves that child first below which the most time is
///          still needed, which is the best order there is on a given tree.
/// Cost:    the recursion T(v) = max over i = 1, 2, ... of (i + T(child i)), children by falling T,
///          start-ups and message times; N - 1 messages.
/// Source:  V. V. Dimakopoulos, "Collective communication problems in multiprocessors", 1996,
///          section 3.1, for the tree; the order is textbook.
/// Differs: the thesis leaves open by which tree and in which order one port is used; another tree,
///          or Matching, may be faster. Of Eisenstein-Jacobi networks ej_single_port_tree.hpp.
class SinglePortTree final : public PlannedBroadcast {
 public:
  static constexpr AlgorithmInfo info{
      .name = "single-port-tree",
      .operation = Operation::broadcast,
      .model = port_models::single_port_half_duplex,
      .source = "Dimakopoulos, section 3.1, its tree under one port",
      .costs =
          "T(root) start-ups and message times, T(v) = max over i of (i + T(child i)), children "
          "by decreasing T",
      .summary = "sends down a breadth-first tree, to the child with the largest T first",
      .parameters = root_parameters};

  /// Over any tree; the port of a child is the one it has in the tree.
  [[nodiscard]] static BroadcastPlan plan_of(const SpanningTree& tree);
  [[nodiscard]] static BroadcastPlan plan(const ErasedTopology& network, NodeId root);

  /// Throws InvalidParameter where the network has no such root, or too many ports for a plan.
  SinglePortTree(const ErasedTopology& network, const Settings& settings)
      : PlannedBroadcast(info, network, settings, plan) {}
};

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
class Matching final : public PlannedBroadcast {
 public:
  static constexpr AlgorithmInfo info{
      .name = "matching",
      .operation = Operation::broadcast,
      .model = port_models::single_port_half_duplex,
      .source = "Lockstep; machine model of Hussain",
      .costs = "from the search; on ej:3+4^2 11 start-ups and message times, the lower bound",
      .summary = "sends along a maximum matching of informed to uninformed nodes in every step",
      .parameters = root_parameters};

  [[nodiscard]] static BroadcastPlan plan(const ErasedTopology& network, NodeId root);

  /// Finds the plan: a second for a million nodes. Throws InvalidParameter where there is no such
  /// root, or too many ports for a plan.
  Matching(const ErasedTopology& network, const Settings& settings)
      : PlannedBroadcast(info, network, settings, plan) {}
};

}  // namespace lockstep
