// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in any product of graphs, one dimension after the other.
/// Model:   all-port or single-port, full-duplex.
/// Idea:    in all copies of a factor at the same time an all-gather along shortest paths, hop by
///          hop (algorithm/origin_trees), of all that nodes have from the dimensions before. With
///          one port the messages of a hop are an edge colouring of senders and receivers.
/// Source:  textbook; the trees as in `shortest-paths`. Products: Dimakopoulos, "Collective
///          communication problems in multiprocessors", 1996, section 2.1.1.
/// Differs: none. Dimensions are taken from the last to the first, so that what a node has from
///          those before lies in consecutive slots.
/// Program: a schedule, but not a plan of transfers: 4,096 nodes would make 16,773,120 of them,
///          where a message of consecutive blocks is one action here.

#include "algorithm/scheduled_algorithm.hpp"
#include "algorithm/shortest_path_exchange.hpp"

namespace lockstep {

/// Products of two factors or more, small enough for a plan.
[[nodiscard]] SupportedNetworks dimension_gather_networks();

Planner plan_by_dimension;

template <PathPorts ports>
inline constexpr AlgorithmInfo by_dimension{
    .name = ports == PathPorts::all ? "dimension-by-dimension" : "dimension-by-dimension-in-turn",
    .operation = Operation::all_gather,
    .model = ports == PathPorts::all ? port_models::all_port : port_models::single_port,
    .source = "textbook; products: Dimakopoulos, section 2.1.1",
    .startups = ports == PathPorts::all ? "D" : "",
    .costs = ports == PathPorts::all ? "message times: counted in the plan" : "counted in the plan",
    .claims = {.startups = ports == PathPorts::all ? Among::all : Among::none},
    .summary = "runs an all-gather in each factor, one dimension after the other",
    .promise_name = "plan"};

template <PathPorts ports>
using DimensionGather = Scheduled<by_dimension<ports>, plan_by_dimension>;

}  // namespace lockstep
