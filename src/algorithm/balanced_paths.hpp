// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gathers and total exchanges on any graph, all-port, over shortest paths that share the load:
/// as many start-ups as the diameter. In step t every block makes its hop number t + 1, and all
/// blocks that cross an arc are one message.
///
///     exchange_over_shortest_paths(network);           // star:4: 4 start-ups, 22 message times
///     in_turn(gather_over_shortest_paths(network));    // the same under one port

#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// The longest message of each step is as short as shortest paths allow: the arcs into a node share
/// the sources at one distance by a matching.
[[nodiscard]] Transfers gather_over_shortest_paths(const ErasedTopology& network);

/// Each block takes the path of the least load, and is routed again when all others have one. In a
/// Cayley graph all nodes send alike.
[[nodiscard]] Transfers exchange_over_shortest_paths(const ErasedTopology& network);

}  // namespace lockstep
