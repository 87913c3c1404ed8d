// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Spanning trees that chapter 3 of the thesis of Dimakopoulos gives by a rule.
///
///     rule_tree(AnyTopology("extended-ring:14,2"), NodeId{0}).height() == 4;
///     rule_tree(AnyTopology("hypercube:3"), NodeId{0});        // the binomial tree

#include <functional>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

/// `parent_of(u)`: a neighbour, for every node but the root.
[[nodiscard]] SpanningTree tree_by(const ErasedTopology& network, NodeId root,
                                   const std::function<NodeId(NodeId)>& parent_of);

/// Rings, extended rings and complete graphs: the tree of section 3.1, whose subtrees at the root
/// are paths by jumps of rho (with erratum E4: no path of 0 nodes). Products: that of
/// section 3.1.1, from the trees of the factors; a node's parent is the one that its lowest
/// dimension with another coordinate than the root's has there, so that the tree is as high as all
/// of these together. Other networks: breadth-first.
[[nodiscard]] SpanningTree rule_tree(const ErasedTopology& network, NodeId root);

}  // namespace lockstep
