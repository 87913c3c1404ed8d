// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gathers and total exchanges in one line, which may be a dimension of a product or a whole
/// network: a cycle, a linear array, a complete graph, any small graph. Nodes are places in the
/// line; placed() names them.
///
///     placed(neighbour_exchange(12), *hamiltonian_cycle(network));
///     line_all_gather(factor, Ports::one);        // the best one known for this graph

#include <cstdint>
#include <vector>

#include "algorithm/pipeline.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// The same plan where place i is this node.
[[nodiscard]] Transfers placed(Transfers plan, const std::vector<NodeId>& nodes);

/// One way around a cycle: N - 1 start-ups and message times.
[[nodiscard]] Transfers around_cycle(std::uint64_t nodes);
/// Both ways around a cycle, all-port: floor(N/2) start-ups, (N - 1)/2 message times; in 2 parts if
/// N is even.
[[nodiscard]] Transfers both_ways_around_cycle(std::uint64_t nodes);
/// An even cycle, single-port: pairs exchange their blocks; then partners alternate, and nodes send
/// the two blocks that came last. N/2 start-ups, N - 1 message times (Chen et al. 2005).
[[nodiscard]] Transfers neighbour_exchange(std::uint64_t nodes);
/// A linear array, single-port: links (0,1), (2,3), .. alternate with (1,2), (3,4), ...
[[nodiscard]] Transfers odd_even_gather(std::uint64_t nodes);
/// A linear array, all-port: N - 1 start-ups and message times.
[[nodiscard]] Transfers both_ways_along_line(std::uint64_t nodes);

/// A complete graph, single-port: a block for the node at distance j moves z r^x forwards in the
/// step of (x, z) if digit x of j to the base r is z (Bruck et al. 1997). To the base N all go
/// straight there: N - 1 start-ups and message times.
[[nodiscard]] Transfers index_exchange(std::uint64_t nodes, std::uint64_t radix);
/// A cycle, all-port, the shorter way: floor(N/2) start-ups, floor(N^2/4)/2 message times.
[[nodiscard]] Transfers cycle_exchange(std::uint64_t nodes);
/// A cycle, single-port, all one way, all of a step as one message: N - 1 start-ups, N(N - 1)/2
/// message times.
[[nodiscard]] Transfers one_way_exchange(std::uint64_t nodes);
/// A linear array, those with the furthest to go first, at most `most` blocks in a message;
/// single-port: over every other link in turn.
[[nodiscard]] Transfers line_exchange(std::uint64_t nodes, std::uint64_t most, Ports ports);

/// Messages of N/4 blocks in a linear array of N nodes, under one port N/2, rounded up or down:
/// fewer start-ups or fewer message times.
enum class Bundles : std::uint8_t { longer, shorter };

// The one of the least message times that is known for a graph.
[[nodiscard]] Transfers line_all_gather(const ErasedTopology& line, Ports ports);
[[nodiscard]] Transfers line_total_exchange(const ErasedTopology& line, Ports ports,
                                            Bundles bundles = Bundles::longer);

}  // namespace lockstep
