// SPDX-License-Identifier: Apache-2.0
#pragma once

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

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

class Matching final : public PlannedBroadcast {
 public:
  static constexpr AlgorithmInfo info{
      .name = "matching",
      .operation = Operation::broadcast,
      .model = port_models::single_port_half_duplex,
      .source = "this library, in the model of Hussain",
      .costs = "from the search; on ej:3+4^2 11 start-ups and message times, the lower bound",
      .summary = "a maximum matching of informed to uninformed nodes in every step",
      .parameters = root_parameters};

  [[nodiscard]] static BroadcastPlan plan(const ErasedTopology& network, NodeId root);

  /// Finds the plan: a second for a million nodes. Throws InvalidParameter where there is no such
  /// root, or too many ports for a plan.
  Matching(const ErasedTopology& network, const Settings& settings)
      : PlannedBroadcast(info, network, settings, plan) {}
};

static_assert(AlgorithmClass<Matching>);

}  // namespace lockstep
