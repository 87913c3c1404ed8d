// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather and many-to-all on any graph over the tree of a planned broadcast: gather, then
/// broadcast, all blocks of a message together.
/// Model:   that of the broadcast.
/// Idea:    the broadcast backwards, in which every node sends all blocks from below it to its
///          parent; then the broadcast forwards, in which every child receives all blocks that are
///          not from below it. The root is central, so that the tree is low.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors", 1996, sections
///          3.1 and 3.3, for the trees; gather and broadcast in blocks is textbook.
/// Differs: none. Leaves of the tree deliver what arrives, all others keep every block.

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

/// A node from which the farthest processor is as near as possible, or almost; it may be a switch.
/// Node 0 of a Cayley graph. At most 32 searches, most often 4: O(arcs).
[[nodiscard]] NodeId central_root(const ErasedTopology& network);

/// Throws InvalidParameter where all blocks do not fit a region.
[[nodiscard]] PlannedSchedule gathered_broadcast(const AlgorithmInfo& info,
                                                 const ErasedTopology& network,
                                                 const Pattern& pattern, MakePlan* make_plan);

template <MakePlan* make_plan>
[[nodiscard]] PlannedSchedule plan_gathered(const AlgorithmInfo& info,
                                            const ErasedTopology& network, const Settings&,
                                            const Pattern& pattern) {
  return gathered_broadcast(info, network, pattern, make_plan);
}

/// `Broadcast`: a PlannedBroadcast.
template <class Broadcast>
inline constexpr AlgorithmInfo gathered_all_gather{
    .name = Broadcast::info.name,
    .operation = Operation::all_gather,
    .model = Broadcast::info.model,
    .source = Broadcast::info.source,
    .costs = "twice the start-ups of the broadcast; counted in the plan",
    .summary = "gathers over the tree of the broadcast of the same name, then broadcasts over it",
    .promise_name = "plan"};
template <class Broadcast>
inline constexpr AlgorithmInfo gathered_many_to_all =
    many_to_all_like(gathered_all_gather<Broadcast>);

template <class Broadcast>
using GatheredAllGather = Scheduled<gathered_all_gather<Broadcast>, plan_gathered<Broadcast::plan>>;
template <class Broadcast>
using GatheredManyToAll =
    Scheduled<gathered_many_to_all<Broadcast>, plan_gathered<Broadcast::plan>>;

}  // namespace lockstep
