// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Reduce on any graph: a planned broadcast read backwards.
/// Model:   that of the broadcast, whose sends are receptions here.
/// Idea:    whoever the broadcast informs sends, at the mirror image of that moment, what it and
///          all that it informs have contributed. Switches combine as processors do.
/// Cost:    start-ups and message times of the broadcast; a message of one block per processor but
///          the root, and per switch on the way.
/// Source:  textbook: single node accumulation is single node broadcast backwards (Bertsekas,
///          Tsitsiklis, "Parallel and distributed computation", 1989, section 1.3).
/// Differs: combines as messages come, so that the operation has to be commutative.

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

/// `Broadcast`: derived from PlannedBroadcast.
template <class Broadcast>
class ReversedBroadcast final : public PlannedOperation {
  static_assert(Broadcast::info.model.sends == Broadcast::info.model.receptions,
                "the port model is the same backwards");

 public:
  static constexpr AlgorithmInfo info{
      .name = Broadcast::info.name,
      .operation = Operation::reduce,
      .model = Broadcast::info.model,
      .source = Broadcast::info.source,
      .costs = "as the broadcast",
      .summary = "reverses the broadcast of this name; switches combine",
      .parameters = root_parameters,
      .commutative = true};

  /// Throws InvalidParameter where the network has no such root, or too many ports for a plan.
  ReversedBroadcast(const ErasedTopology& network, const Settings& settings)
      : PlannedOperation(info, network, NodeId{settings.number(root_parameter.name)},
                         Broadcast::plan) {}
};

/// All-reduce on any graph: a planned broadcast from node 0, backwards and then forwards.
/// Model:   that of the broadcast.
/// Idea:    reduce to node 0, which sends the result to all over the same tree.
/// Cost:    twice that of the broadcast, start-ups and message times; 2 (N - 1) messages of one
///          block, the fewest that messages of one block allow.
/// Source:  textbook; the broadcasts as they say.
/// Differs: combines as messages come, so that the operation has to be commutative.

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
