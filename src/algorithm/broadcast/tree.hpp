// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single node broadcast on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    a breadth-first tree; who receives the block sends it to all children at once, so that
///          step t informs those at distance t + 1 of the root.
/// Cost:    as many start-ups and message times as the farthest node is away from the root, which
///          is the least there can be; N - 1 messages.
/// Source:  V. V. Dimakopoulos, "Collective communication problems in multiprocessors", 1996,
///          section 3.1.
/// Differs: none.

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

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

static_assert(AlgorithmClass<TreeBroadcast>);

}  // namespace lockstep
