// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single node broadcast on any graph over a spanning tree, one child after the other.
/// Model:   single-port, half-duplex.
/// Idea:    a breadth-first tree; a processor serves that child first below which the most time is
///          still needed, which is the best order there is on a given tree.
/// Cost:    the recursion T(v) = max over i = 1, 2, ... of (i + T(child i)), children by falling T,
///          start-ups and message times; N - 1 messages.
/// Source:  V. V. Dimakopoulos, "Collective communication problems in multiprocessors", 1996,
///          section 3.1, for the tree; the order is textbook.
/// Differs: the thesis leaves open by which tree and in which order one port is used; another tree,
///          or matching.hpp, may be faster. Of Eisenstein-Jacobi networks ej_single_port_tree.hpp.

#include <cstdint>
#include <vector>

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

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

static_assert(AlgorithmClass<SinglePortTree>);

}  // namespace lockstep
