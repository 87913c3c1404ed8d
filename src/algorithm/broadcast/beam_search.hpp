// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single node broadcast on any graph in as few steps as a search finds.
/// Model:   single-port, half-duplex.
/// Idea:    a target of T steps, first the bound of theorem 3.3, then one more. A state is a set of
///          informed nodes. Every state is continued by several matchings of informed to uninformed
///          nodes: those from which the farthest nodes have to be reached come first, after them
///          those with the most nodes behind them; chance varies the weight of both. A state that
///          cannot meet T by the argument of theorem 3.3, for the nodes that are left, is dropped;
///          of the others the most promising are kept: first one, then 4, 16, 64, 256.
/// Cost:    computed with the plan, never more than by `matching` and `single-port-tree`; on all
///          tori of up to 128 nodes the lower bound; N - 1 messages of one block.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors", 1996, section 3.2
///          for the bound; the search is this library's.
/// Differs: the thesis has no broadcast under the single-port model but that of hypercubes;
///          tests/papers/thesis_broadcast_test.cpp.

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

inline constexpr AlgorithmInfo beam_search{
    .name = "beam-search",
    .operation = Operation::broadcast,
    .model = port_models::single_port_half_duplex,
    .source = "Lockstep; bound: Dimakopoulos, theorem 3.3",
    .costs = "from the search",
    .claims = {.startups = Among::all,
               .message_times = Among::undivided,
               .where = "on tori of degree 4 or less and up to 128 nodes",
               .holds =
                   [](const ErasedTopology& network, const Settings&) {
                     return network.as<Torus>() != nullptr && network.max_degree() <= 4 &&
                            network.node_count() <= 128;
                   }},
    .summary = "searches for a plan with as many start-ups as the lower bound",
    .parameters = root_parameters,
    .promise_name = "plan"};
/// Deterministic: an amount of work limits the search, not time.
MakePlan beam_search_plan;
using BeamSearchBroadcast = PlannedBroadcast<beam_search, beam_search_plan>;

/// Networks without switches, whose plans are searched in a moment.
[[nodiscard]] SupportedNetworks beam_search_networks();

}  // namespace lockstep
