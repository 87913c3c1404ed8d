// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Spanning trees whose root has subtrees of about the same size, for scatter and gather through
/// all ports.
///
///     const SpanningTree tree = balanced_tree(AnyTopology("torus:5x12"), NodeId{0});
///     for (const SpanningTree::Child& child : tree.children(NodeId{0}))
///       tree.subtree_size(NodeId{child.node});   // 15, 15, 14, 15

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

/// For a torus of two sides, both 4 or more, the tree of section 3.4.2 of the thesis of
/// Dimakopoulos: no subtree has more than ceil((N - 1) / 4) nodes. For any other network a tree of
/// shortest paths; level by level, the nodes with the fewest choices first, every node joins the
/// smallest subtree that it can; then leaves move along chains of subtrees until the largest cannot
/// lose one. Counts processors alone, as SpanningTree::of_processors() does. O(arcs log arcs).
[[nodiscard]] SpanningTree balanced_tree(const ErasedTopology& network, NodeId root);

}  // namespace lockstep
