// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scatter over the tree of a planned broadcast; and gather, which is the same backwards.
/// Model:   that of the broadcast.
/// Idea:    where the broadcast sends its block to a node, the scatter sends the blocks of all
///          processors at and below that node as one message.
/// Cost:    the start-ups of the broadcast, often far fewer than the N - 1 of a scatter in messages
///          of one block. Message times are counted in the plan: the largest subtree that is sent
///          to in each step; N - 1 on hypercubes and complete graphs.
/// Source:  textbook; S. L. Johnsson, C.-T. Ho, "Optimum broadcasting and personalized
///          communication in hypercubes", IEEE Trans. Computers 38 (1989).
/// Differs: any tree on any network, in the order in which the broadcast serves its children.

#include <string_view>

#include "algorithm/broadcast/planned_broadcast.hpp"

namespace lockstep {

/// `info.operation`: scatter or gather. Throws InvalidParameter where the network has no such root,
/// or the plan is too large.
[[nodiscard]] PlannedSchedule bundled_over(const AlgorithmInfo& info, const ErasedTopology& network,
                                           const Settings& settings, MakePlan* make_plan);

template <MakePlan* make_plan>
[[nodiscard]] PlannedSchedule plan_bundled(const AlgorithmInfo& info, const ErasedTopology& network,
                                           const Settings& settings, const Pattern&) {
  return bundled_over(info, network, settings, make_plan);
}

/// `Broadcast`: a PlannedBroadcast.
template <class Broadcast>
inline constexpr std::string_view bundled_name{};
template <>
inline constexpr std::string_view bundled_name<TreeBroadcast> = "bundled-tree";
template <>
inline constexpr std::string_view bundled_name<SinglePortTree> = "bundled-single-port-tree";
template <>
inline constexpr std::string_view bundled_name<Matching> = "bundled-matching";

template <class Broadcast, Operation operation>
inline constexpr AlgorithmInfo bundled_scatter{
    .name = bundled_name<Broadcast>,
    .operation = operation,
    .model = Broadcast::info.model,
    .source = "textbook; Johnsson, Ho 1989",
    .costs =
        "the start-ups of the broadcast over the same tree; message times: counted in the plan",
    .summary = operation == Operation::scatter
                   ? "sends the blocks of a whole subtree as one message"
                   : "reverses the scatter in which a message carries a whole subtree",
    .parameters = root_parameters,
    .promise_name = "plan"};

template <class Broadcast, Operation operation>
using BundledScatter =
    Scheduled<bundled_scatter<Broadcast, operation>, plan_bundled<Broadcast::plan>>;

}  // namespace lockstep
