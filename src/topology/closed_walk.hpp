// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Closed walks through all processors: a Hamiltonian cycle, or once around a tree.
///
///     hamiltonian_cycle(AnyTopology("mesh:3x4"));     // 12 nodes, each beside the one before
///     tree_walk(AnyTopology("linear:3"));             // 0 1 2 1

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Graphs of more nodes are not searched.
inline constexpr std::uint64_t most_walked_nodes = 256;

/// Nodes in the order of the walk; the last one is a neighbour of the first.
using ClosedWalk = std::vector<NodeId>;

/// Every node once. In a product by its factors: snakes through the grid of Hamiltonian paths, if a
/// side is even; else with a column left for the way back, if a factor has a cycle. In other graphs
/// by search: a path is extended by the neighbour with the fewest ways on, and turned round where
/// it ends (Posa 1976); in those of more than most_walked_nodes only if no node has more than two
/// neighbours. Empty where there are switches or fewer than 3 nodes, and where none is
/// found, though there may be one.
[[nodiscard]] std::optional<ClosedWalk> hamiltonian_cycle(const ErasedTopology& network);

/// The same from this node on.
[[nodiscard]] std::optional<ClosedWalk> hamiltonian_cycle_from(const ErasedTopology& network,
                                                               NodeId start);

/// Whether the network is small enough for a search, which finds a Hamiltonian cycle.
[[nodiscard]] bool admits_cycle(const ErasedTopology& network);

/// Down and up every link of a breadth-first tree from node 0: 2 (N - 1) links. Switches that lead
/// to no processor are left out.
[[nodiscard]] ClosedWalk tree_walk(const ErasedTopology& network);

}  // namespace lockstep
