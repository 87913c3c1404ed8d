// SPDX-License-Identifier: Apache-2.0
#include "catalog/algorithm_lines.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/broadcast/ej_single_port_tree.hpp"
#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "algorithm/broadcast/planned_broadcast.hpp"
#include "algorithm/cube_reductions.hpp"
#include "algorithm/exchange_table/star_table_exchange.hpp"
#include "algorithm/family_shapes.hpp"
#include "algorithm/fat_tree/delivered_exchanges.hpp"
#include "algorithm/fat_tree/deliveries.hpp"
#include "algorithm/fat_tree/queued_operations.hpp"
#include "algorithm/fat_tree/rounds.hpp"
#include "algorithm/many_to_all/aggregation.hpp"
#include "algorithm/many_to_all/edst.hpp"
#include "algorithm/many_to_all/ring2d.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/schedule_from_file.hpp"
#include "algorithm/star_levelwise_reduce.hpp"
#include "algorithm/torus_rings.hpp"
#include "algorithm/total_exchange/linear_furthest_first.hpp"
#include "algorithm/total_exchange/star_packing.hpp"
#include "algorithm/tree_scatter.hpp"
#include "catalog/programs/programs.hpp"

namespace lockstep::catalog {
namespace {

/// A line, or several in a row.
struct LineGroup {
  LineGroup(CatalogLine line) : lines{std::move(line)} {}  // NOLINT(google-explicit-constructor)
  explicit LineGroup(std::vector<CatalogLine> some) : lines(std::move(some)) {}
  /// The lines of these plans.
  LineGroup(std::initializer_list<PlannedAlgorithm> plans) {
    for (const PlannedAlgorithm& plan : plans) lines.push_back(planned(plan));
  }

  std::vector<CatalogLine> lines;
};

/// The plans that are made of each of these.
[[nodiscard]] LineGroup of_each(PlannedAlgorithm (*made_of)(const PlannedAlgorithm&),
                                std::initializer_list<PlannedAlgorithm> plans) {
  std::vector<CatalogLine> lines;
  for (const PlannedAlgorithm& plan : plans) lines.push_back(planned(made_of(plan)));
  return LineGroup(std::move(lines));
}

/// All of these, and then all of their mirrors.
[[nodiscard]] LineGroup with_mirrors(std::initializer_list<PlannedAlgorithm> plans) {
  LineGroup group = plans;
  for (const PlannedAlgorithm& plan : plans) group.lines.push_back(planned(mirrored(plan)));
  return group;
}

/// The plans that are made of each broadcast over a tree.
[[nodiscard]] LineGroup over_trees(PlannedAlgorithm (*made_of)(const BroadcastRule&)) {
  return {made_of(tree_broadcast), made_of(matching_broadcast), made_of(single_port_tree)};
}

/// An all-gather, its mirror and the all-reduce of both.
[[nodiscard]] LineGroup with_reductions(const PlannedAlgorithm& all_gather) {
  return {all_gather, mirrored(all_gather), scattered_reduction(all_gather)};
}

/// The all-reduce and the scan that add what this all-gather brings.
[[nodiscard]] LineGroup added(const PlannedAlgorithm& all_gather, std::string_view name) {
  return {gathered_reduction(all_gather, Operation::all_reduce, name),
          gathered_reduction(all_gather, Operation::scan, name)};
}

template <TableKind kind>
[[nodiscard]] LineGroup by_star_tables() {
  using enum TableVariant;
  return LineGroup(std::vector{line<StarTableExchange<kind, all_port>>(families::star),
                               line<StarTableExchange<kind, single_port>>(families::star),
                               line<StarTableExchange<kind, half_duplex>>(families::star),
                               line<StarTableExchange<kind, single_half_duplex>>(families::star)});
}

template <Operation... operations>
[[nodiscard]] LineGroup from_files() {
  return LineGroup(std::vector{line<ScheduleFromFile<operations>>(shapes::any_network)...});
}

}  // namespace

std::vector<CatalogLine> built_in_lines() {
  const std::initializer_list<LineGroup> groups{
      formula<StarPacking>(families::star),
      planned(star_total_exchange),
      by_star_tables<TableKind::total>(),
      by_star_tables<TableKind::odd>(),
      planned(node_invariant_exchange),
      planned(edge_colouring_exchange),
      planned(edge_colouring_half_duplex),
      formula<LinearFurthestFirst>(families::linear),
      formula<LinearExchange<Ports::one>>(families::linear),
      line<ScheduleFromFile<Operation::total_exchange>>(shapes::any_network),
      line<FatTreeDelivered<class_sequence_exchange>>(full_trees),
      line<FatTreeDelivered<digitwise_exchange>>(full_trees),
      line<FatTreeDelivered<exchange_in_phases>>(one_parent_trees),
      line<FatTreeFirstFit>(fat_trees),
      formula<FatTreeQueued<fat_tree_queuing::up_first>>(fat_trees),
      planned(level_exchange_in_turn),
      planned(level_exchange),
      planned(odd_level_exchange_in_turn),
      planned(odd_level_exchange),
      formula<FatTreeAscending>(fat_trees),
      formula<FatTreeDescending>(fat_trees),
      formula<FatTreeQueued<fat_tree_queuing::flooding_gather>>(fat_trees),
      formula<FatTreeQueued<fat_tree_queuing::in_turn>>(fat_trees),
      formula<StarMesh>(families::star),
      formula<StarHamiltonianRing>(families::star),
      planned(star_all_gather),
      planned(ej_rotated),
      planned(ej_two_substep),
      planned(ej_three_phase_complete),
      planned(ej_three_phase),
      planned(ej_greedy_half_duplex),
      planned(ej_simultaneous_rotated),
      planned(ej_simultaneous),
      planned(ej_greedy),
      planned(torus_all_gather),
      planned(cube_all_gather),
      planned(bruck_gather),
      over_trees(all_gather_by),
      planned(level_gather),
      planned(level_gather_in_turn),
      planned(factor_gather),
      planned(factor_gather_in_turn),
      planned(cycle_walk_gather),
      planned(tree_walk_gather),
      line<ScheduleFromFile<Operation::all_gather>>(shapes::any_network),
      line<Aggregation>(),
      line<AggregationPlus>(),
      formula<Ring2d>(),
      line<Edst>(),
      over_trees(many_to_all_by),
      planned(level_many_to_all),
      planned(level_many_to_all_in_turn),
      formula<FatTreeDelivered<furthest_first_scatter>>(fat_trees),
      formula<FatTreeDelivered<furthest_first_scatter_by_lanes>>(several_lane_trees),
      formula<FatTreeDelivered<reversed_gather>>(fat_trees),
      formula<FatTreeQueued<fat_tree_queuing::greedy>>(fat_trees),
      formula<FatTreeQueued<fat_tree_queuing::greedy_all_port>>(one_parent_trees),
      formula<FatTreeQueued<fat_tree_queuing::flooding>>(fat_trees),
      formula<FatTreeQueued<fat_tree_queuing::parent_first>>(fat_trees),
      formula<EjImproved>(families::ej),
      formula<EjIterative>(families::ej),
      line<TreeScatter<Operation::scatter>>(shapes::any_network),
      line<TreeScatter<Operation::gather>>(shapes::any_network),
      planned(balanced_tree_scatter),
      planned(balanced_tree_gather),
      with_mirrors({flow_scatter}),
      with_mirrors({bundled_scatter_by(matching_broadcast, "bundled-matching")}),
      with_mirrors({bundled_scatter_by(single_port_tree, "bundled-single-port-tree")}),
      with_mirrors({bundled_scatter_by(tree_broadcast, "bundled-tree")}),
      planned(broadcast_by(tree_broadcast)),
      planned(broadcast_by(matching_broadcast)),
      formula<EjSinglePortTree>(families::ej),
      planned(broadcast_by(single_port_tree)),
      planned(broadcast_by(beam_search)),
      over_trees(reduce_by),
      planned(reduce_by(beam_search)),
      formula<CubeRecursiveDoubling>(families::hypercube),
      formula<CubeHalvingDoubling>(families::hypercube),
      formula<StarLevelwiseReduce>(families::star),
      formula<TorusRingReduce>(torus_or_ring),
      over_trees(all_reduce_by),
      formula<CubeRecursiveHalving>(families::hypercube),
      planned(star_reduce_scatter),
      of_each(mirrored, {torus_all_gather, ej_two_substep, ej_simultaneous, ej_greedy,
                         ej_greedy_half_duplex}),
      over_trees(reduce_scatter_by),
      formula<CubeScan>(families::hypercube),
      over_trees(scan_by),
      planned(mirrored(bruck_gather)),
      with_mirrors({pipelined_path, pipelined_binary_tree, pipelined_tree_in_turn, pipelined_tree}),
      with_mirrors({circulant_broadcast, edge_disjoint_trees_in_turn, edge_disjoint_trees,
                    cycle_broadcast, arc_disjoint_trees}),
      planned(pipelined_path_reduction),
      planned(pipelined_binary_reduction),
      planned(pipelined_reduction_over_tree),
      planned(scattered_reduction(bruck_gather)),
      from_files<Operation::broadcast, Operation::scatter, Operation::gather,
                 Operation::odd_distance_exchange, Operation::many_to_all, Operation::reduce,
                 Operation::all_reduce, Operation::reduce_scatter, Operation::scan>(),
      // Behind all others, so that the columns of parameters keep their places.
      planned(product_in_turn),
      planned(product_bundled),
      planned(product_simultaneous),
      planned(product_rounds),
      planned(ring_both_ways),
      planned(parity_colouring),
      planned(hop_levels),
      planned(queued_paths),
      planned(queued_paths_in_turn),
      with_reductions(one_way_gather),
      with_reductions(both_ways_gather),
      with_reductions(neighbour_exchange_gather),
      with_reductions(odd_even_exchange_gather),
      with_reductions(along_line_gather),
      with_reductions(along_line_in_turn_gather),
      with_reductions(dimension_gather),
      with_reductions(rotated_gather),
      with_mirrors({halving_scatter, alternating_scatter, dimension_scatter, bundled_flow_scatter}),
      with_mirrors({scattered_broadcast(halving_scatter, bruck_gather, "binomial-bruck"),
                    scattered_broadcast(alternating_scatter, neighbour_exchange_gather,
                                        "alternating-neighbour-exchange"),
                    scattered_broadcast(dimension_scatter, dimension_gather, "scatter-dimensions"),
                    scattered_broadcast(bundled_flow_scatter, rotated_gather, "flow-rotated")}),
      planned(census_reduction),
      planned(pair_sum_reduction),
      planned(sweeping_reduction),
      planned(sweeping_reduction_in_turn),
      planned(dimension_reduction),
      planned(rotated_reduction),
      planned(doubling_scan),
      planned(cube_scan),
      planned(chain_scan),
      planned(shortest_path_scan),
      planned(shortest_path_scan_in_turn),
      planned(sweeping_scan),
      planned(sweeping_scan_in_turn),
      added(both_ways_gather, "added-both-ways"),
      added(rotated_gather, "added-rotated-dimensions"),
      added(bruck_gather, "added-bruck"),
      added(neighbour_exchange_gather, "added-neighbour-exchange"),
      added(along_line_gather, "added-along-line"),
      added(dimension_gather, "added-dimensions"),
      planned(mirrored(shortest_path_gather)),
      planned(scattered_reduction(shortest_path_gather)),
      planned(mirrored(shortest_path_gather_in_turn)),
      planned(scattered_reduction(shortest_path_gather_in_turn)),
      with_reductions(node_invariant_gather),
      with_mirrors(
          {scattered_broadcast(bundled_flow_scatter, node_invariant_gather, "flow-invariant")}),
      with_mirrors(
          {scattered_broadcast(bundled_flow_scatter, shortest_path_gather, "flow-shortest")}),
      added(shortest_path_gather, "added-shortest-paths"),
      added(node_invariant_gather, "added-node-invariant"),
      added(shortest_path_gather_in_turn, "added-shortest-paths-in-turn"),
      planned(exchanged_scan(rotated_exchange, "exchanged-rotated-dimensions")),
      planned(exchanged_scan(dimension_exchange_in_turn, "exchanged-dimensions")),
      planned(exchanged_scan(pairwise_total_exchange, "exchanged-pairwise")),
      planned(exchanged_scan(bundled_cycle_exchange, "exchanged-both-ways")),
      planned(exchanged_scan(shortest_path_exchange, "exchanged-shortest-paths")),
      planned(exchanged_scan(shortest_path_exchange_in_turn, "exchanged-shortest-paths-in-turn")),
      planned(pairwise_total_exchange),
      planned(index_2_exchange),
      planned(index_3_exchange),
      planned(index_4_exchange),
      planned(bundled_cycle_exchange),
      planned(bundled_cycle_exchange_in_turn),
      planned(bundled_line_exchange),
      planned(furthest_first_bundles),
      planned(odd_even_bundles),
      planned(rotated_exchange),
      planned(all_port_dimension_exchange),
      planned(dimension_exchange_in_turn),
      planned(index_by_dimensions),
      planned(one_way_by_dimensions),
      planned(furthest_first_long_bundles),
      planned(odd_even_long_bundles),
      planned(alternating_line_exchange),
      with_reductions(sequence_gather),
      added(sequence_gather, "added-sequence"),
      planned(sequence_exchange),
      planned(exchanged_scan(sequence_exchange, "exchanged-sequence")),
      with_mirrors({collected(sequence_gather)}),
      with_mirrors({scattered_broadcast(mirrored(collected(sequence_gather)), sequence_gather,
                                        "scatter-sequence")}),
      with_reductions(matched_gather),
      added(matched_gather, "added-matched-rounds"),
      with_reductions(matched_single_gather),
      added(matched_single_gather, "added-matched-single-blocks"),
      with_reductions(flooded_gather),
      added(flooded_gather, "added-matched-ports"),
      planned(with_any_makers(flooded_gather)),
      planned(matched_exchange),
      planned(exchanged_scan(matched_exchange, "exchanged-matched-rounds")),
      of_each(between_classes,
              {sequence_exchange, matched_exchange, dimension_exchange_in_turn, rotated_exchange}),
      with_mirrors({collected(matched_gather)}),
      with_mirrors({scattered_broadcast(mirrored(collected(matched_gather)), matched_gather,
                                        "scatter-matched-rounds")}),
      with_mirrors({collected(shortest_path_gather)}),
      with_mirrors({divided_flow_scatter}),
      of_each(with_any_makers,
              {bruck_gather, one_way_gather, both_ways_gather, neighbour_exchange_gather,
               odd_even_exchange_gather, along_line_gather, along_line_in_turn_gather,
               dimension_gather, rotated_gather, node_invariant_gather, sequence_gather,
               matched_gather, matched_single_gather}),
      planned(queued_scan),
      planned(queued_scan_in_turn),
      planned(balanced_path_gather),
      planned(with_any_makers(balanced_path_gather)),
      planned(shortest_path_exchange),
      planned(shortest_path_exchange_in_turn),
      planned(short_bundles),
      planned(short_bundles_in_turn),
      planned(merging_scan),
      planned(merging_scan_in_turn),
  };
  std::vector<CatalogLine> all;
  for (const LineGroup& group : groups)
    all.insert(all.end(), group.lines.begin(), group.lines.end());
  return all;
}

}  // namespace lockstep::catalog
