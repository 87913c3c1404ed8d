// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Exchanges on any graph along shortest paths, level by level: total exchange, odd-distance
/// exchange, all-gather, many-to-all.
/// Model:   all-port or single-port, full-duplex.
/// Idea:    every source has a tree of shortest paths to its destinations (algorithm/origin_trees),
///          chosen so that links share the work. In level t all blocks make their hop number t + 1;
///          those that go over the same link are one message. With all ports a level is a step.
///          With one port a level is a bipartite graph of senders and receivers, whose edges are
///          coloured with as few colours as there can be (Koenig): a colour is a step.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors", 1996, section 4.1
///          (shortest paths, (4.14) and (4.15)); levels by edge colouring are this library's.
/// Differs: messages of any number of blocks; the thesis sends one block in a message.

#include <cstdint>

#include "algorithm/scheduled_algorithm.hpp"

namespace lockstep {

Planner plan_shortest_paths;

/// Which ports a node uses in a step.
enum class PathPorts : std::uint8_t { all, one };

/// total_exchange, odd_distance_exchange or all_gather.
template <Operation operation, PathPorts ports>
inline constexpr AlgorithmInfo shortest_paths{
    .name = ports == PathPorts::all ? "shortest-paths" : "shortest-paths-in-turn",
    .operation = operation,
    .model = ports == PathPorts::all ? port_models::all_port : port_models::single_port,
    .source = "Lockstep; shortest paths as in Dimakopoulos, section 4.1",
    .startups = ports == PathPorts::all&& operation != Operation::odd_distance_exchange ? "D" : "",
    .costs = ports != PathPorts::all ? "counted in the plan"
             : operation == Operation::odd_distance_exchange
                 ? "start-ups: the largest odd distance; message times: counted in the plan"
                 : "message times: counted in the plan",
    .claims = {.startups = ports == PathPorts::all ? Among::all : Among::none},
    .summary = ports == PathPorts::all
                   ? "sends along shortest paths, all blocks one hop per step"
                   : "sends along shortest paths, hop by hop, one message per node and step",
    .promise_name = "plan"};
template <PathPorts ports>
inline constexpr AlgorithmInfo shortest_paths_of_many =
    many_to_all_like(shortest_paths<Operation::all_gather, ports>);

template <Operation operation, PathPorts ports>
using ShortestPathExchange = Scheduled<shortest_paths<operation, ports>, plan_shortest_paths>;
template <PathPorts ports>
using ShortestPathManyToAll = Scheduled<shortest_paths_of_many<ports>, plan_shortest_paths>;

/// Networks of the total exchange, the odd-distance exchange, the all-gather and the many-to-all.
[[nodiscard]] SupportedNetworks path_exchange_networks();
[[nodiscard]] SupportedNetworks odd_distance_networks();
[[nodiscard]] SupportedNetworks path_gather_networks();
[[nodiscard]] SupportedNetworks path_many_to_all_networks();

}  // namespace lockstep
