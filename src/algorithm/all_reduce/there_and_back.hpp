// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-reduce on any graph: a planned broadcast from node 0, backwards and then forwards.
/// Model:   that of the broadcast.
/// Idea:    reduce to node 0, which sends the result to all over the same tree.
/// Cost:    twice that of the broadcast, start-ups and message times; 2 (N - 1) messages of one
///          block, the fewest that messages of one block allow.
/// Source:  textbook; the broadcasts as they say.
/// Differs: combines as messages come, so that the operation has to be commutative.

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

/// `Broadcast`: derived from PlannedBroadcast.
template <class Broadcast>
class ThereAndBack final : public PlannedOperation {
 public:
  static constexpr AlgorithmInfo info{
      .name = Broadcast::info.name,
      .operation = Operation::all_reduce,
      .model = Broadcast::info.model,
      .source = Broadcast::info.source,
      .costs = "twice the broadcast",
      .summary = "runs the broadcast of this name backward, then forward; switches combine",
      .commutative = true};

  /// Throws InvalidParameter where the network has too many ports for a plan.
  explicit ThereAndBack(const ErasedTopology& network, const Settings& = {})
      : PlannedOperation(info, network, NodeId{0}, Broadcast::plan) {}
};

}  // namespace lockstep
