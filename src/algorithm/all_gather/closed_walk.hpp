// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather on any graph along a closed walk through all processors.
/// Model:   around a Hamiltonian cycle single-port, full-duplex; around a tree all-port,
///          full-duplex.
/// Idea:    the blocks of all processors go round the walk at the same time, a link in every step,
///          so that a link never carries two; a block ends where it has been everywhere.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors", 1996, section 4.1
///          for pipelining; the walks are textbook (topology/closed_walk.hpp).
/// Differs: none.
/// Program: a schedule, but not a plan of transfers. All nodes share the list of makers, which a
///          plan of N(N - 1) transfers cannot know: on mesh:16x32 the same cycle as transfers
///          (`one-way`) takes three times as long, and twice the memory.

#include "algorithm/scheduled_algorithm.hpp"

namespace lockstep {

enum class WalkKind : std::uint8_t { cycle, tree };

/// Whether the network is small enough for a search, which finds a Hamiltonian cycle.
[[nodiscard]] bool admits_cycle(const ErasedTopology& network);

/// Throws InvalidParameter where no Hamiltonian cycle is found.
Planner plan_walk;

template <WalkKind kind>
inline constexpr AlgorithmInfo walk_gather{
    .name = kind == WalkKind::cycle ? "hamiltonian-cycle" : "tree-walk",
    .operation = Operation::all_gather,
    .model = kind == WalkKind::cycle ? port_models::single_port : port_models::all_port,
    .source = "textbook",
    .startups = kind == WalkKind::cycle ? "N - 1" : "",
    .message_times = kind == WalkKind::cycle ? "N - 1" : "",
    .costs = kind == WalkKind::cycle ? "" : "at most 2N - 3 start-ups and message times",
    .claims = kind == WalkKind::cycle
                  ? Claims{.startups = Among::one_block, .message_times = Among::all}
                  : Claims{},
    .summary = kind == WalkKind::cycle
                   ? "all blocks go around a Hamiltonian cycle, one link per step"
                   : "all blocks go around a spanning tree, one link per step",
    .unbuffered = true,
    .promise_name = kind == WalkKind::cycle ? "formula" : "plan"};

template <WalkKind kind>
using WalkGather = Scheduled<walk_gather<kind>, plan_walk>;

}  // namespace lockstep
