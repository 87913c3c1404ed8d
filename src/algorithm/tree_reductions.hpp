// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Reduce-scatter and scan on any graph over the tree of a planned broadcast.
/// Model:   that of the broadcast.
/// Idea:    reduce-scatter: the broadcast backwards, in which a node sends up, combined, what it
///          and all below it contribute to the others; then the broadcast forwards, in which it is
///          sent what the others contribute to those. Where there are switches, a node sends up the
///          contributions to all, and is sent the results.
///          scan: the contributions are gathered at the root, which combines them in the order of
///          the processors and scatters the results. The root is central, so that the tree is low.
/// Source:  textbook.
/// Differs: the reduce-scatter combines as messages come, so that the operation has to be
///          commutative; the scan keeps the order of the processors, whatever that of the tree.

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

/// `info.operation`: reduce-scatter or scan.
[[nodiscard]] PlannedSchedule tree_reduction(const AlgorithmInfo& info,
                                             const ErasedTopology& network, MakePlan* make_plan);

template <MakePlan* make_plan>
[[nodiscard]] PlannedSchedule plan_tree_reduction(const AlgorithmInfo& info,
                                                  const ErasedTopology& network, const Settings&,
                                                  const Pattern&) {
  return tree_reduction(info, network, make_plan);
}

/// `Broadcast`: a PlannedBroadcast.
template <class Broadcast>
inline constexpr AlgorithmInfo tree_reduce_scatter{
    .name = Broadcast::info.name,
    .operation = Operation::reduce_scatter,
    .model = Broadcast::info.model,
    .source = "textbook",
    .costs =
        "twice the start-ups of broadcast; message times: sum over its steps of N (without "
        "switches N minus the smallest subtree) and the largest subtree",
    .summary =
        "sends the contributions for others up the tree of broadcast and the rest down; switches "
        "combine",
    .commutative = true,
    .promise_name = Broadcast::info.promise_name};

template <class Broadcast>
inline constexpr AlgorithmInfo tree_scan{
    .name = Broadcast::info.name,
    .operation = Operation::scan,
    .model = Broadcast::info.model,
    .source = "textbook",
    .costs =
        "twice the start-ups of broadcast; message times: twice the sum over its steps of the "
        "largest subtree",
    .summary =
        "sends contributions up the tree of broadcast, combines at the root, sends results down",
    .promise_name = Broadcast::info.promise_name};

template <class Broadcast>
using TreeReduceScatter =
    Scheduled<tree_reduce_scatter<Broadcast>, plan_tree_reduction<Broadcast::plan>>;
template <class Broadcast>
using TreeScan = Scheduled<tree_scan<Broadcast>, plan_tree_reduction<Broadcast::plan>>;

}  // namespace lockstep
