// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scatter on any graph through all ports of the root over a balanced spanning tree; and gather,
/// which is the same backwards.
/// Model:   all-port, half-duplex.
/// Idea:    the root serves the subtree of each of its children through the child's port, furthest
///          destinations first, independently of the others; all others pass on what came in the
///          step before, so that no message ever waits.
/// Cost:    as many start-ups and message times as the largest subtree has destinations (over
///          switches, and where a subtree is deeper, more): at best ceil((N - 1) / degree).
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors", 1996, section 3.3
///          (theorem 3.7); balanced trees of tori, section 3.4.2.
/// Differs: corner moves of tori as the errata E5 to E7 have them (topology/balanced_trees.hpp);
///          tests/papers/thesis_scatter_test.cpp. Where the paper has no tree, shortest paths are
///          dealt out evenly among the children of the root.

#include "algorithm/scheduled_algorithm.hpp"

namespace lockstep {

/// What does not depend on the operation's type.
class AnyBalancedTreeScatter : public ScheduledAlgorithm {
 protected:
  /// Throws InvalidParameter where the network has no such root.
  AnyBalancedTreeScatter(const AlgorithmInfo& info, const ErasedTopology& network,
                         const Settings& settings);
};

template <Operation operation>
class BalancedTreeScatter final : public AnyBalancedTreeScatter {
  static_assert(operation == Operation::scatter || operation == Operation::gather);

 public:
  static constexpr AlgorithmInfo info{
      .name = "balanced-tree",
      .operation = operation,
      .model = port_models::all_port_half_duplex,
      .source = "Dimakopoulos, sections 3.3 and 3.4.2",
      .costs = "start-ups and message times: nodes of the largest subtree; at best (N - 1) / degree",
      .summary = operation == Operation::scatter
                     ? "all subtrees of the root at once, furthest destinations first"
                     : "reverses the scatter over a balanced tree",
      .parameters = root_parameters,
      .unbuffered = true};

  BalancedTreeScatter(const ErasedTopology& network, const Settings& settings)
      : AnyBalancedTreeScatter(info, network, settings) {}
};

static_assert(AlgorithmClass<BalancedTreeScatter<Operation::scatter>>);

}  // namespace lockstep
