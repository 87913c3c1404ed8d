// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange on any graph along shortest paths that share the work, one block per message.
/// Model:   single-port, full-duplex (hop-levels, queues-in-turn); all-port (queues).
/// Idea:    paths are chosen so that all nodes (one port) or links (all ports) pass on equally many
///          blocks. Blocks wait for their arc in the order of a discipline; hop-levels: those with
///          the most hops to go are first. All ports: every arc sends its first block. One port: in
///          each step a matching of senders and receivers sends, and arcs with the most hops to go
///          are matched first. Where all nodes pass on equally many, the steps are the status.
/// Source:  derived; the status as bound: Dimakopoulos, section 4.1, (4.14) and (4.15). Section
///          4.4 leaves open vertex-transitive graphs that are no Cayley graphs: the Petersen graph
///          and the odd graph of degree 4 take the status. The dodecahedron takes 51 steps, one
///          more than the status, and no algorithm takes fewer: its shortest paths never load all
///          nodes equally (tests/papers/thesis_product_exchange_test.cpp).
/// Differs: paths are chosen by a search that is bounded: it may miss an even choice.

#include <cstdint>

#include "algorithm/pipeline.hpp"
#include "algorithm/total_exchange/queue_discipline.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// A moment of planning; less on Cayley graphs, where other algorithms take the status.
inline constexpr std::uint64_t most_path_nodes = 300;
inline constexpr std::uint64_t most_path_nodes_of_group = 64;
inline constexpr std::uint64_t most_path_hops = std::uint64_t{1} << 20U;  // seconds

/// Throws InvalidParameter where there are more nodes, or where the paths are too long in all.
[[nodiscard]] Transfers path_exchange(const ErasedTopology& network, Ports ports,
                                      QueueDiscipline discipline = QueueDiscipline::furthest_first);

}  // namespace lockstep
