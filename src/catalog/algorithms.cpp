// SPDX-License-Identifier: Apache-2.0

// size: a list, a line for each algorithm.

/// The one list of algorithms: a line each, the default of a topology and operation first. Of two
/// of one name the first holds: one written for a family, then the one for any network.

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/all_gather/star_hamiltonian_ring.hpp"
#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/broadcast/beam_search.hpp"
#include "algorithm/broadcast/ej_single_port_tree.hpp"
#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "algorithm/broadcast/planned_broadcast.hpp"
#include "algorithm/cube_reductions.hpp"
#include "algorithm/exchange_table/star_table_exchange.hpp"
#include "algorithm/family_shapes.hpp"
#include "algorithm/fat_tree/delivered_exchanges.hpp"
#include "algorithm/fat_tree/queued_operations.hpp"
#include "algorithm/fat_tree/rooted_deliveries.hpp"
#include "algorithm/fat_tree/rounds.hpp"
#include "algorithm/gathered_broadcast.hpp"
#include "algorithm/many_to_all/aggregation.hpp"
#include "algorithm/many_to_all/edst.hpp"
#include "algorithm/many_to_all/ring2d.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/schedule_from_file.hpp"
#include "algorithm/star_levelwise_reduce.hpp"
#include "algorithm/torus_rings.hpp"
#include "algorithm/total_exchange/linear_furthest_first.hpp"
#include "algorithm/total_exchange/star_packing.hpp"
#include "algorithm/tree_reductions.hpp"
#include "algorithm/tree_scatter.hpp"
#include "catalog/candidates.hpp"
#include "catalog/catalog_line.hpp"
#include "catalog/check_setting.hpp"
#include "catalog/choice.hpp"
#include "catalog/open_variants.hpp"
#include "catalog/planned_line.hpp"
#include "catalog/programs/programs.hpp"
#include "catalog/trial.hpp"
#include "core/joined.hpp"
#include "lockstep/catalog/register_algorithm.hpp"

namespace lockstep {
namespace {

using catalog::Candidates;
using catalog::CatalogLine;
using catalog::formula;
using catalog::line;
using catalog::Lines;
using catalog::planned;
using catalog::runs_by_itself;
using shapes::any_network;

[[nodiscard]] std::vector<CatalogLine> built_in_lines() {
  constexpr TableKind total = TableKind::total;
  constexpr TableKind odd = TableKind::odd;
  return {
      formula<StarPacking>(families::star),
      planned(star_total_exchange),
      line<StarTableExchange<total, TableVariant::all_port>>(families::star),
      line<StarTableExchange<total, TableVariant::single_port>>(families::star),
      line<StarTableExchange<total, TableVariant::half_duplex>>(families::star),
      line<StarTableExchange<total, TableVariant::single_half_duplex>>(families::star),
      line<StarTableExchange<odd, TableVariant::all_port>>(families::star),
      line<StarTableExchange<odd, TableVariant::single_port>>(families::star),
      line<StarTableExchange<odd, TableVariant::half_duplex>>(families::star),
      line<StarTableExchange<odd, TableVariant::single_half_duplex>>(families::star),
      planned(node_invariant_exchange),
      planned(edge_colouring_exchange),
      planned(edge_colouring_half_duplex),
      formula<LinearFurthestFirst>(families::linear),
      formula<LinearExchange<Ports::one>>(families::linear),
      line<ScheduleFromFile<Operation::total_exchange>>(any_network),
      line<FatTreeClassSequence>(),
      line<FatTreeDigitwise>(),
      line<FatTreePhases>(),
      line<FatTreeFirstFit>(fat_trees),
      formula<FatTreeUpFirst>(fat_trees),
      planned(level_exchange_in_turn),
      planned(level_exchange),
      planned(odd_level_exchange_in_turn),
      planned(odd_level_exchange),
      formula<FatTreeAscending>(fat_trees),
      formula<FatTreeDescending>(fat_trees),
      formula<FatTreeFloodingGather>(fat_trees),
      formula<FatTreeInTurn>(fat_trees),
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
      line<GatheredAllGather<TreeBroadcast>>(any_network),
      line<GatheredAllGather<Matching>>(any_network),
      line<GatheredAllGather<SinglePortTree>>(any_network),
      planned(level_gather),
      planned(level_gather_in_turn),
      planned(factor_gather),
      planned(factor_gather_in_turn),
      planned(cycle_walk_gather),
      planned(tree_walk_gather),
      line<ScheduleFromFile<Operation::all_gather>>(any_network),
      line<Aggregation>(),
      line<AggregationPlus>(),
      formula<Ring2d>(),
      line<Edst>(),
      line<GatheredManyToAll<TreeBroadcast>>(any_network),
      line<GatheredManyToAll<Matching>>(any_network),
      line<GatheredManyToAll<SinglePortTree>>(any_network),
      planned(level_many_to_all),
      planned(level_many_to_all_in_turn),
      formula<FatTreeFurthestFirst<FatTreeSends::one>>(fat_trees),
      formula<FatTreeFurthestFirst<FatTreeSends::all_lanes>>(),
      formula<FatTreeReversedGather>(fat_trees),
      formula<FatTreeGreedyGather<FatTreeDiscipline::greedy>>(fat_trees),
      formula<FatTreeGreedyGather<FatTreeDiscipline::greedy_all_port>>(),
      formula<FatTreeFlooding>(fat_trees),
      formula<FatTreeParentFirst>(fat_trees),
      formula<EjImproved>(families::ej),
      formula<EjIterative>(families::ej),
      line<TreeScatter<Operation::scatter>>(any_network),
      line<TreeScatter<Operation::gather>>(any_network),
      planned(balanced_tree_scatter),
      planned(balanced_tree_gather),
      planned(flow_scatter),
      planned(mirrored(flow_scatter)),
      planned(bundled_matching),
      planned(mirrored(bundled_matching)),
      planned(bundled_single_port_tree),
      planned(mirrored(bundled_single_port_tree)),
      planned(bundled_tree),
      planned(mirrored(bundled_tree)),
      line<TreeBroadcast>(any_network),
      line<Matching>(any_network),
      formula<EjSinglePortTree>(families::ej),
      line<SinglePortTree>(any_network),
      line<BeamSearchBroadcast>(beam_search_networks()),
      line<ReversedBroadcast<TreeBroadcast>>(any_network),
      line<ReversedBroadcast<Matching>>(any_network),
      line<ReversedBroadcast<SinglePortTree>>(any_network),
      line<ReversedBroadcast<BeamSearchBroadcast>>(beam_search_networks()),
      formula<CubeRecursiveDoubling>(families::hypercube),
      formula<CubeHalvingDoubling>(families::hypercube),
      formula<StarLevelwiseReduce>(families::star),
      formula<TorusRingReduce>(torus_or_ring),
      line<ThereAndBack<TreeBroadcast>>(any_network),
      line<ThereAndBack<Matching>>(any_network),
      line<ThereAndBack<SinglePortTree>>(any_network),
      formula<CubeRecursiveHalving>(families::hypercube),
      planned(star_reduce_scatter),
      planned(mirrored(torus_all_gather)),
      planned(mirrored(ej_two_substep)),
      planned(mirrored(ej_simultaneous)),
      planned(mirrored(ej_greedy)),
      planned(mirrored(ej_greedy_half_duplex)),
      line<TreeReduceScatter<TreeBroadcast>>(any_network),
      line<TreeReduceScatter<Matching>>(any_network),
      line<TreeReduceScatter<SinglePortTree>>(any_network),
      formula<CubeScan>(families::hypercube),
      line<TreeScan<TreeBroadcast>>(any_network),
      line<TreeScan<Matching>>(any_network),
      line<TreeScan<SinglePortTree>>(any_network),
      planned(mirrored(bruck_gather)),
      planned(pipelined_path),
      planned(pipelined_binary_tree),
      planned(pipelined_tree_in_turn),
      planned(pipelined_tree),
      planned(mirrored(pipelined_path)),
      planned(mirrored(pipelined_binary_tree)),
      planned(mirrored(pipelined_tree_in_turn)),
      planned(mirrored(pipelined_tree)),
      planned(circulant_broadcast),
      planned(edge_disjoint_trees_in_turn),
      planned(edge_disjoint_trees),
      planned(cycle_broadcast),
      planned(arc_disjoint_trees),
      planned(mirrored(circulant_broadcast)),
      planned(mirrored(edge_disjoint_trees_in_turn)),
      planned(mirrored(edge_disjoint_trees)),
      planned(mirrored(cycle_broadcast)),
      planned(mirrored(arc_disjoint_trees)),
      planned(pipelined_path_reduction),
      planned(pipelined_binary_reduction),
      planned(pipelined_reduction_over_tree),
      planned(scattered_reduction(bruck_gather)),
      line<ScheduleFromFile<Operation::broadcast>>(any_network),
      line<ScheduleFromFile<Operation::scatter>>(any_network),
      line<ScheduleFromFile<Operation::gather>>(any_network),
      line<ScheduleFromFile<Operation::odd_distance_exchange>>(any_network),
      line<ScheduleFromFile<Operation::many_to_all>>(any_network),
      line<ScheduleFromFile<Operation::reduce>>(any_network),
      line<ScheduleFromFile<Operation::all_reduce>>(any_network),
      line<ScheduleFromFile<Operation::reduce_scatter>>(any_network),
      line<ScheduleFromFile<Operation::scan>>(any_network),
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
      planned(one_way_gather),
      planned(mirrored(one_way_gather)),
      planned(scattered_reduction(one_way_gather)),
      planned(both_ways_gather),
      planned(mirrored(both_ways_gather)),
      planned(scattered_reduction(both_ways_gather)),
      planned(neighbour_exchange_gather),
      planned(mirrored(neighbour_exchange_gather)),
      planned(scattered_reduction(neighbour_exchange_gather)),
      planned(odd_even_exchange_gather),
      planned(mirrored(odd_even_exchange_gather)),
      planned(scattered_reduction(odd_even_exchange_gather)),
      planned(along_line_gather),
      planned(mirrored(along_line_gather)),
      planned(scattered_reduction(along_line_gather)),
      planned(along_line_in_turn_gather),
      planned(mirrored(along_line_in_turn_gather)),
      planned(scattered_reduction(along_line_in_turn_gather)),
      planned(dimension_gather),
      planned(mirrored(dimension_gather)),
      planned(scattered_reduction(dimension_gather)),
      planned(rotated_gather),
      planned(mirrored(rotated_gather)),
      planned(scattered_reduction(rotated_gather)),
      planned(halving_scatter),
      planned(alternating_scatter),
      planned(dimension_scatter),
      planned(bundled_flow_scatter),
      planned(mirrored(halving_scatter)),
      planned(mirrored(alternating_scatter)),
      planned(mirrored(dimension_scatter)),
      planned(mirrored(bundled_flow_scatter)),
      planned(scattered_broadcast(halving_scatter, bruck_gather, "binomial-bruck")),
      planned(scattered_broadcast(alternating_scatter, neighbour_exchange_gather,
                                  "alternating-neighbour-exchange")),
      planned(scattered_broadcast(dimension_scatter, dimension_gather, "scatter-dimensions")),
      planned(scattered_broadcast(bundled_flow_scatter, rotated_gather, "flow-rotated")),
      planned(mirrored(scattered_broadcast(halving_scatter, bruck_gather, "binomial-bruck"))),
      planned(mirrored(scattered_broadcast(alternating_scatter, neighbour_exchange_gather,
                                           "alternating-neighbour-exchange"))),
      planned(
          mirrored(scattered_broadcast(dimension_scatter, dimension_gather, "scatter-dimensions"))),
      planned(mirrored(scattered_broadcast(bundled_flow_scatter, rotated_gather, "flow-rotated"))),
      planned(census_reduction),
      planned(pair_sum_reduction),
      planned(sweeping_reduction),
      planned(sweeping_reduction_in_turn),
      planned(dimension_reduction),
      planned(rotated_reduction),
      planned(doubling_scan),
      planned(chain_scan),
      planned(shortest_path_scan),
      planned(shortest_path_scan_in_turn),
      planned(sweeping_scan),
      planned(sweeping_scan_in_turn),
      planned(gathered_reduction(both_ways_gather, Operation::all_reduce, "added-both-ways")),
      planned(gathered_reduction(both_ways_gather, Operation::scan, "added-both-ways")),
      planned(
          gathered_reduction(rotated_gather, Operation::all_reduce, "added-rotated-dimensions")),
      planned(gathered_reduction(rotated_gather, Operation::scan, "added-rotated-dimensions")),
      planned(gathered_reduction(bruck_gather, Operation::all_reduce, "added-bruck")),
      planned(gathered_reduction(bruck_gather, Operation::scan, "added-bruck")),
      planned(gathered_reduction(neighbour_exchange_gather, Operation::all_reduce,
                                 "added-neighbour-exchange")),
      planned(gathered_reduction(neighbour_exchange_gather, Operation::scan,
                                 "added-neighbour-exchange")),
      planned(gathered_reduction(along_line_gather, Operation::all_reduce, "added-along-line")),
      planned(gathered_reduction(along_line_gather, Operation::scan, "added-along-line")),
      planned(gathered_reduction(dimension_gather, Operation::all_reduce, "added-dimensions")),
      planned(gathered_reduction(dimension_gather, Operation::scan, "added-dimensions")),
      planned(mirrored(shortest_path_gather)),
      planned(scattered_reduction(shortest_path_gather)),
      planned(mirrored(shortest_path_gather_in_turn)),
      planned(scattered_reduction(shortest_path_gather_in_turn)),
      planned(node_invariant_gather),
      planned(mirrored(node_invariant_gather)),
      planned(scattered_reduction(node_invariant_gather)),
      planned(scattered_broadcast(bundled_flow_scatter, node_invariant_gather, "flow-invariant")),
      planned(mirrored(
          scattered_broadcast(bundled_flow_scatter, node_invariant_gather, "flow-invariant"))),
      planned(scattered_broadcast(bundled_flow_scatter, shortest_path_gather, "flow-shortest")),
      planned(mirrored(
          scattered_broadcast(bundled_flow_scatter, shortest_path_gather, "flow-shortest"))),
      planned(
          gathered_reduction(shortest_path_gather, Operation::all_reduce, "added-shortest-paths")),
      planned(gathered_reduction(shortest_path_gather, Operation::scan, "added-shortest-paths")),
      planned(
          gathered_reduction(node_invariant_gather, Operation::all_reduce, "added-node-invariant")),
      planned(gathered_reduction(node_invariant_gather, Operation::scan, "added-node-invariant")),
      planned(gathered_reduction(shortest_path_gather_in_turn, Operation::all_reduce,
                                 "added-shortest-paths-in-turn")),
      planned(gathered_reduction(shortest_path_gather_in_turn, Operation::scan,
                                 "added-shortest-paths-in-turn")),
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
      planned(sequence_gather),
      planned(mirrored(sequence_gather)),
      planned(scattered_reduction(sequence_gather)),
      planned(gathered_reduction(sequence_gather, Operation::all_reduce, "added-sequence")),
      planned(gathered_reduction(sequence_gather, Operation::scan, "added-sequence")),
      planned(sequence_exchange),
      planned(exchanged_scan(sequence_exchange, "exchanged-sequence")),
      planned(collected(sequence_gather)),
      planned(mirrored(collected(sequence_gather))),
      planned(scattered_broadcast(mirrored(collected(sequence_gather)), sequence_gather,
                                  "scatter-sequence")),
      planned(mirrored(scattered_broadcast(mirrored(collected(sequence_gather)), sequence_gather,
                                           "scatter-sequence"))),
      planned(matched_gather),
      planned(mirrored(matched_gather)),
      planned(scattered_reduction(matched_gather)),
      planned(gathered_reduction(matched_gather, Operation::all_reduce, "added-matched-rounds")),
      planned(gathered_reduction(matched_gather, Operation::scan, "added-matched-rounds")),
      planned(matched_single_gather),
      planned(mirrored(matched_single_gather)),
      planned(scattered_reduction(matched_single_gather)),
      planned(gathered_reduction(matched_single_gather, Operation::all_reduce,
                                 "added-matched-single-blocks")),
      planned(gathered_reduction(matched_single_gather, Operation::scan,
                                 "added-matched-single-blocks")),
      planned(matched_exchange),
      planned(exchanged_scan(matched_exchange, "exchanged-matched-rounds")),
      planned(between_classes(sequence_exchange)),
      planned(between_classes(matched_exchange)),
      planned(between_classes(dimension_exchange_in_turn)),
      planned(between_classes(rotated_exchange)),
      planned(collected(matched_gather)),
      planned(mirrored(collected(matched_gather))),
      planned(scattered_broadcast(mirrored(collected(matched_gather)), matched_gather,
                                  "scatter-matched-rounds")),
      planned(mirrored(scattered_broadcast(mirrored(collected(matched_gather)), matched_gather,
                                           "scatter-matched-rounds"))),
      planned(collected(shortest_path_gather)),
      planned(mirrored(collected(shortest_path_gather))),
      planned(divided_flow_scatter),
      planned(mirrored(divided_flow_scatter)),
      planned(with_any_makers(bruck_gather)),
      planned(with_any_makers(one_way_gather)),
      planned(with_any_makers(neighbour_exchange_gather)),
      planned(with_any_makers(odd_even_exchange_gather)),
      planned(with_any_makers(along_line_gather)),
      planned(with_any_makers(along_line_in_turn_gather)),
      planned(with_any_makers(dimension_gather)),
      planned(with_any_makers(node_invariant_gather)),
      planned(with_any_makers(sequence_gather)),
      planned(with_any_makers(matched_gather)),
      planned(with_any_makers(matched_single_gather)),
      planned(queued_scan),
      planned(queued_scan_in_turn),
  };
}

/// Built-in lines, then those that users registered, until the catalogue is in use.
struct Catalogue {
  std::mutex mutex{};
  std::vector<CatalogLine> lines = built_in_lines();
  bool in_use = false;
};
[[nodiscard]] Catalogue& catalogue() {
  static Catalogue all;
  return all;
}

[[nodiscard]] const std::vector<CatalogLine>& lines() {
  const std::scoped_lock lock(catalogue().mutex);
  catalogue().in_use = true;
  return catalogue().lines;
}

[[nodiscard]] Lines lines_for(const AnyTopology& topology, Operation operation) {
  Lines found;
  for (const CatalogLine& line : lines()) {
    const AlgorithmInfo& info = line.entry.info;
    const bool known = std::ranges::any_of(
        found, [&](const CatalogLine* other) { return other->entry.info.name == info.name; });
    if (info.operation == operation && !known && line.entry.networks.admits(topology))
      found.push_back(&line);
  }
  return found;
}

/// `hint`: what could be done all the same.
[[noreturn]] void no_algorithm(const AnyTopology& topology, Operation operation,
                               std::string_view hint) {
  SupportedNetworks networks;
  for (const CatalogLine& line : lines())
    if (line.entry.info.operation == operation && runs_by_itself(line))
      networks = networks.or_else(line.entry.networks);
  throw InvalidParameter(fmt::format(
      "{1} has no algorithm for {0}{2}; it {3}. Other operations: `lockstep list operations '{0}'`",
      topology.name(), name_of(operation), hint, networks.reason_against(topology)));
}

/// The algorithms for network and operation, at least one. Throws InvalidParameter if there is
/// none, or for a value that its parameter does not allow.
[[nodiscard]] Lines checked_lines(const RunRequest& request) {
  for (const auto& [name, value] : request.settings)
    if (const Parameter* const parameter = parameter_of(parameter_catalog(), name))
      check_setting(*parameter, value, request.topology);
  Lines found = lines_for(request.topology, request.operation);
  if (found.empty()) no_algorithm(request.topology, request.operation, "");
  return found;
}

/// "; only algorithm packing accepts it": the algorithms of the operation that take the parameter,
/// or else the operations that have any.
[[nodiscard]] std::string takers_of(std::string_view name, const RunRequest& request) {
  std::set<std::string_view> own;
  std::set<std::string_view> operations;
  SupportedNetworks networks;
  for (const AlgorithmEntry& entry : algorithm_catalog()) {
    if (parameter_of(entry.info.parameters, name) == nullptr) continue;
    operations.insert(name_of(entry.info.operation));
    if (entry.info.operation != request.operation) continue;
    own.insert(entry.info.name);
    networks = networks.or_else(entry.networks);
  }
  if (operations.empty()) return {};
  const auto& takers = own.empty() ? operations : own;
  const bool one = takers.size() == 1;
  std::string where;
  if (one && !own.empty())
    where = networks.admits(request.topology)
                ? fmt::format(" (networks: {})", networks.text())
                : fmt::format(", which {}", networks.reason_against(request.topology));
  return fmt::format("; only {}{} {} accept{} it{}", own.empty() ? "operation" : "algorithm",
                     one ? "" : "s", joined(takers, ", "), one ? "s" : "", where);
}

/// Another option that selects an algorithm, where the parameter itself selects one: "--table".
[[nodiscard]] std::string contradicted_by(const Parameter& parameter, const RunRequest& request) {
  if (!parameter.selects_algorithm) return {};
  if (!request.algorithm.empty()) return fmt::format("--algorithm {}", request.algorithm);
  for (const auto& [name, value] : request.settings)
    if (const Parameter* const other = parameter_of(parameter_catalog(), name);
        other != nullptr && other->selects_algorithm && name != parameter.name)
      return fmt::format("--{}", name);
  return {};
}

void check_settings(const AlgorithmInfo& info, const RunRequest& request) {
  for (const auto& [name, value] : request.settings) {
    if (parameter_of(info.parameters, name) != nullptr) continue;
    const Parameter* const known = parameter_of(parameter_catalog(), name);
    if (known == nullptr)
      throw InvalidParameter(fmt::format("algorithm '{}' has no setting '{}'", info.name, name));
    const std::string contradicted = contradicted_by(*known, request);
    if (!contradicted.empty())
      throw InvalidParameter(
          fmt::format("--{} and {} cannot be combined; omit one", name, contradicted));
    // Users who did not name the algorithm may not know its name.
    const std::string subject =
        !request.algorithm.empty()
            ? fmt::format("algorithm '{}'", info.name)
            : fmt::format(
                  "{} on {}{}", name_of(request.operation), request.topology.name(),
                  std::ranges::distance(request.settings) > 1 ? " with the other options" : "");
    throw InvalidParameter(
        fmt::format("--{} does not apply to {}{}", name, subject, takers_of(name, request)));
  }
  for (const Parameter& parameter : info.parameters)
    if (parameter.required && request.settings.text(parameter.name).empty())
      throw InvalidParameter(
          fmt::format("'{}' needs a file; use --{} FILE", info.name, parameter.name));
}

/// Of the first that has to make one beforehand: all carry out the same problem.
[[nodiscard]] Pattern pattern_for(const Lines& lines, const RunRequest& request) {
  if (request.pattern.homes() != nullptr) return request.pattern;
  for (const CatalogLine* line : lines)
    if (Pattern fixed = line->fixed_pattern(request.topology, request.settings);
        fixed.homes() != nullptr)
      return fixed;
  return {};
}

}  // namespace

void catalog::add_line(CatalogLine line) {
  const AlgorithmInfo& info = line.entry.info;
  const auto refuse = [&](std::string_view why) {
    throw InvalidParameter(fmt::format("register_algorithm: '{}' for {}: {}", info.name,
                                       name_of(info.operation), why));
  };
  Catalogue& all = catalogue();
  const std::scoped_lock lock(all.mutex);
  if (all.in_use) refuse("the catalogue is in use; register algorithms first in main()");
  for (const CatalogLine& other : all.lines)
    if (other.entry.info.name == info.name && other.entry.info.operation == info.operation)
      refuse(fmt::format("there is one of this name, for {}", other.entry.networks.text()));
  all.lines.push_back(std::move(line));
}

Pattern fixed_pattern(const RunRequest& request) {
  return pattern_for(lines_for(request.topology, request.operation), request);
}

std::unique_ptr<PreparedRun> prepare(const RunRequest& request, bool check_resources) {
  if (!request.topology)
    throw InvalidParameter("no topology given; expected a name such as star:5");
  const Lines found = checked_lines(request);
  RunRequest definite = request;
  definite.settings = without_open(parameter_catalog(), request.settings);
  const std::vector<Candidates> candidates = candidates_of(found, definite);
  if (candidates.empty())
    no_algorithm(request.topology, request.operation,
                 fmt::format(" except a schedule file (--{} FILE)",
                             found.front()->entry.info.parameters.front().name));
  for (const Candidates& machine : candidates)
    for (const CatalogLine* line : machine.lines) check_settings(line->entry.info, definite);
  definite.pattern = pattern_for(candidates.front().lines, definite);
  catalog::Choice choice = catalog::cheapest(candidates, definite);
  definite.port_model = choice.port_model;
  std::unique_ptr<PreparedRun> run = catalog::prepare_run(std::move(choice), std::move(definite));
  if (check_resources) run->check_resources();
  return run;
}

namespace {

[[nodiscard]] const CatalogLine& named_line(const RunRequest& request) {
  const CatalogLine* const line =
      candidates_of(checked_lines(request), request).front().lines.front();
  check_settings(line->entry.info, request);
  return *line;
}

/// The algorithm that the request names, with its settings, made.
[[nodiscard]] catalog::Choice named_choice(const RunRequest& request) {
  const CatalogLine* const line = &named_line(request);
  if (line->entry.info.plans_every_node)
    catalog::check_least_memory(line->entry.info, line->program, request);
  catalog::Choice choice{
      .line = line, .settings = request.settings, .port_model = request.port_model};
  choice.instance = line->make(request.topology, request.settings, request.pattern);
  return choice;
}

}  // namespace

std::optional<catalog::Promise> catalog::promise_of(const RunRequest& request) {
  return promised(named_choice(request), request.topology, definite_block_bytes(request));
}

Variants catalog::open_variants(const RunRequest& request) {
  const CatalogLine& line = named_line(request);
  RunRequest filled = request;  // any choice will do to ask the algorithm
  if (const std::vector<Settings> open =
          line.choices(request.topology, request.settings, request.pattern, 1);
      !open.empty())
    filled.settings = with(request.settings, open.front());
  return open_variants(line, *named_choice(filled).instance.algorithm, request);
}

catalog::Trial catalog::trial_of(const RunRequest& request, double most_seconds,
                                 const std::stop_token& stop) {
  return trial_of(named_choice(request), request, most_seconds, stop);
}

const std::vector<AlgorithmEntry>& algorithm_catalog() {
  static const std::vector<AlgorithmEntry> all = [] {
    std::vector<AlgorithmEntry> entries;
    for (const CatalogLine& line : lines()) entries.push_back(line.entry);
    return entries;
  }();
  return all;
}

std::vector<AlgorithmInfo> algorithms_for(const AnyTopology& topology, Operation operation) {
  std::vector<AlgorithmInfo> infos;
  for (const CatalogLine* line : lines_for(topology, operation))
    if (runs_by_itself(*line)) infos.push_back(line->entry.info);
  return infos;
}

std::vector<ChannelKind> channels_for(const RunRequest& request) {
  for (const CatalogLine* line : lines_for(request.topology, request.operation))
    if (line->entry.info.name == request.algorithm)
      return catalog::channels_for(request, line->program, line->entry.info);
  return {};
}

const std::vector<Parameter>& parameter_catalog() {
  static const std::vector<Parameter> all = [] {
    std::vector<Parameter> parameters;
    for (const CatalogLine& line : lines())
      for (const Parameter& parameter : line.entry.info.parameters)
        if (parameter_of(parameters, parameter.name) == nullptr) parameters.push_back(parameter);
    return parameters;
  }();
  return all;
}

}  // namespace lockstep
