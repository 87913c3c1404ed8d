// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The algorithms that are data, each in a source of its own.

#include "algorithm/planned_algorithm.hpp"

namespace lockstep {

// All-gathers of one class of nodes.
extern const PlannedAlgorithm bruck_gather, cube_all_gather, star_all_gather, torus_all_gather;
extern const PlannedAlgorithm ej_simultaneous, ej_two_substep, ej_rotated, ej_simultaneous_rotated,
    ej_three_phase, ej_three_phase_complete, ej_greedy, ej_greedy_half_duplex;
extern const PlannedAlgorithm star_reduce_scatter, star_total_exchange, node_invariant_exchange,
    edge_colouring_exchange, edge_colouring_half_duplex;
// Pipelines over trees, of broadcasts and of all-reduces.
extern const PlannedAlgorithm pipelined_path, pipelined_binary_tree, pipelined_tree_in_turn,
    pipelined_tree;
extern const PlannedAlgorithm pipelined_path_reduction, pipelined_binary_reduction,
    pipelined_reduction_over_tree;

// Whose schedules are written by the planner.
extern const PlannedAlgorithm cycle_walk_gather, tree_walk_gather, factor_gather,
    factor_gather_in_turn, balanced_tree_scatter, balanced_tree_gather, level_exchange,
    level_exchange_in_turn, odd_level_exchange, odd_level_exchange_in_turn, level_gather,
    level_gather_in_turn, level_many_to_all, level_many_to_all_in_turn;

// Broadcasts in parts.
extern const PlannedAlgorithm circulant_broadcast, edge_disjoint_trees_in_turn, edge_disjoint_trees,
    cycle_broadcast, arc_disjoint_trees;
// Scatters, of which gathers are made.
extern const PlannedAlgorithm flow_scatter, halving_scatter, alternating_scatter, dimension_scatter,
    bundled_flow_scatter, divided_flow_scatter;
// All-gathers, of which reduce-scatters and all-reduces are made.
extern const PlannedAlgorithm one_way_gather, both_ways_gather, neighbour_exchange_gather,
    odd_even_exchange_gather, along_line_gather, along_line_in_turn_gather, dimension_gather,
    rotated_gather, shortest_path_gather, shortest_path_gather_in_turn, balanced_path_gather,
    node_invariant_gather, sequence_gather, matched_gather, matched_single_gather, flooded_gather;
// All-reduces and scans.
extern const PlannedAlgorithm census_reduction, pair_sum_reduction, sweeping_reduction,
    sweeping_reduction_in_turn, dimension_reduction, rotated_reduction, doubling_scan, cube_scan,
    chain_scan, shortest_path_scan, shortest_path_scan_in_turn, sweeping_scan,
    sweeping_scan_in_turn, queued_scan, queued_scan_in_turn, merging_scan, merging_scan_in_turn;
// Total exchanges.
extern const PlannedAlgorithm pairwise_total_exchange, index_2_exchange, index_3_exchange,
    index_4_exchange, bundled_cycle_exchange, bundled_cycle_exchange_in_turn, bundled_line_exchange,
    furthest_first_bundles, alternating_line_exchange, odd_even_bundles, rotated_exchange,
    all_port_dimension_exchange, dimension_exchange_in_turn, index_by_dimensions,
    one_way_by_dimensions, short_bundles, short_bundles_in_turn, furthest_first_long_bundles,
    odd_even_long_bundles, shortest_path_exchange, shortest_path_exchange_in_turn,
    sequence_exchange, matched_exchange, product_in_turn, product_bundled, product_simultaneous,
    product_rounds, ring_both_ways, parity_colouring, hop_levels, queued_paths,
    queued_paths_in_turn;

}  // namespace lockstep
