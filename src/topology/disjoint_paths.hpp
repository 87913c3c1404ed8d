// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Paths between two nodes that share no other node.
///
///     disjoint_paths(AnyTopology("mesh:2x3"), NodeId{0}, NodeId{5});   // 0 1 2 5, 0 3 4 5
///
/// In a product of graphs as many as theorem 2.1 of the thesis of Dimakopoulos says: the sum over
/// the dimensions of the disjoint paths there are in the factor, or of the neighbours where both
/// nodes have the same coordinate. Its construction meets itself (erratum E1: in the mesh above
/// both paths pass node 1); this one folds the dimensions, one after the other, and every path
/// leaves through a node of its own and arrives through one. In any other graph as many as there
/// are, by a maximum flow.

#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// From the first node to the last.
using Path = std::vector<NodeId>;

/// Throws InvalidParameter where both are the same node, or the graph is too large for a flow.
[[nodiscard]] std::vector<Path> disjoint_paths(const ErasedTopology& network, NodeId from,
                                               NodeId to);
/// The same without a look at factors: as many as there are.
[[nodiscard]] std::vector<Path> most_disjoint_paths(const ErasedTopology& network, NodeId from,
                                                    NodeId to);

}  // namespace lockstep
