// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather and many-to-all on any graph over the tree of a planned broadcast: gather, then
/// broadcast, all blocks of a message together.
/// Model:   that of the broadcast.
/// Idea:    the broadcast backwards, in which every node sends all blocks from below it to its
///          parent; then the broadcast forwards, in which every child receives all blocks that are
///          not from below it. The root is central, so that the tree is low.
/// Cost:    twice the start-ups of the broadcast. Message times are counted in the plan: the
///          largest subtree of each step up, and all blocks less the smallest subtree of each step
///          down.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors", 1996, sections
///          3.1 and 3.3, for the trees; gather and broadcast in blocks is textbook.
/// Differs: none. Leaves of the tree deliver what arrives, all others keep every block.

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

/// What does not depend on the broadcast.
class AnyGatheredBroadcast : public ScheduledAlgorithm {
 protected:
  /// Throws InvalidParameter where all blocks do not fit a region.
  AnyGatheredBroadcast(const AlgorithmInfo& info, const ErasedTopology& network, Pattern pattern,
                       PlannedOperation::MakePlan make_plan);
};

/// `Broadcast`: derived from PlannedBroadcast.
template <class Broadcast>
class GatheredAllGather final : public AnyGatheredBroadcast {
 public:
  static constexpr AlgorithmInfo info{
      .name = Broadcast::info.name,
      .operation = Operation::all_gather,
      .model = Broadcast::info.model,
      .source = Broadcast::info.source,
      .costs = "twice the start-ups of the broadcast; counted in the plan",
      .summary = "gathers over the tree of this broadcast, then broadcasts over it"};

  explicit GatheredAllGather(const ErasedTopology& network, const Settings& = {})
      : AnyGatheredBroadcast(info, network, {}, Broadcast::plan) {}
};

template <class Broadcast>
class GatheredManyToAll final : public AnyGatheredBroadcast {
 public:
  static constexpr AlgorithmInfo info{
      .name = Broadcast::info.name,
      .operation = Operation::many_to_all,
      .model = Broadcast::info.model,
      .source = Broadcast::info.source,
      .costs = "twice the start-ups of the broadcast; counted in the plan",
      .summary = "gathers over the tree of this broadcast, then broadcasts over it",
      .parameters = placement_parameters,
      .charges_idle_steps = true};

  GatheredManyToAll(const ErasedTopology& network, const Settings& settings, const Pattern& fixed)
      : AnyGatheredBroadcast(info, network, homes_on(network, settings, fixed), Broadcast::plan) {}
};

}  // namespace lockstep
