// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The algorithms that are data, each in a source of its own.

#include "algorithm/planned_algorithm.hpp"

namespace lockstep {

extern const PlannedAlgorithm bruck_gather;
// Pipelines over trees, of broadcasts and of all-reduces.
extern const PlannedAlgorithm pipelined_path, pipelined_binary_tree, pipelined_tree_in_turn,
    pipelined_tree;
extern const PlannedAlgorithm pipelined_path_reduction, pipelined_binary_reduction,
    pipelined_reduction_over_tree;

// Broadcasts in parts.
extern const PlannedAlgorithm circulant_broadcast, edge_disjoint_trees_in_turn, edge_disjoint_trees,
    cycle_broadcast;

}  // namespace lockstep
