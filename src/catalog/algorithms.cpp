// SPDX-License-Identifier: Apache-2.0

// size: a list, a line for each algorithm.

/// The one list of algorithms: a line each, the default of a topology and operation first. Of two
/// of one name the first holds: one written for a family, then the one for any network.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "catalog/catalog_line.hpp"
#include "catalog/check_setting.hpp"
#include "catalog/programs/programs.hpp"
#include "core/suggest.hpp"
#include "lockstep/algorithm/all_gather/ej_greedy.hpp"
#include "lockstep/algorithm/all_gather/ej_rotated.hpp"
#include "lockstep/algorithm/all_gather/ej_simultaneous.hpp"
#include "lockstep/algorithm/all_gather/ej_three_phase.hpp"
#include "lockstep/algorithm/all_gather/ej_three_phase_complete.hpp"
#include "lockstep/algorithm/all_gather/fat_tree_queues.hpp"
#include "lockstep/algorithm/all_gather/fat_tree_rounds.hpp"
#include "lockstep/algorithm/all_gather/star_hamiltonian_ring.hpp"
#include "lockstep/algorithm/all_gather/star_levelwise.hpp"
#include "lockstep/algorithm/all_gather/star_mesh.hpp"
#include "lockstep/algorithm/all_gather/torus_ring_by_ring.hpp"
#include "lockstep/algorithm/all_reduce/halving_doubling.hpp"
#include "lockstep/algorithm/all_reduce/recursive_doubling.hpp"
#include "lockstep/algorithm/all_reduce/star_levelwise.hpp"
#include "lockstep/algorithm/all_reduce/there_and_back.hpp"
#include "lockstep/algorithm/all_reduce/torus_ring_by_ring.hpp"
#include "lockstep/algorithm/broadcast/ej_improved.hpp"
#include "lockstep/algorithm/broadcast/ej_iterative.hpp"
#include "lockstep/algorithm/broadcast/ej_single_port_tree.hpp"
#include "lockstep/algorithm/broadcast/fat_tree_broadcast.hpp"
#include "lockstep/algorithm/broadcast/matching.hpp"
#include "lockstep/algorithm/broadcast/single_port_tree.hpp"
#include "lockstep/algorithm/broadcast/tree.hpp"
#include "lockstep/algorithm/exchange_table/star_table_exchange.hpp"
#include "lockstep/algorithm/fat_tree/on_spanning_tree.hpp"
#include "lockstep/algorithm/gather/fat_tree_greedy.hpp"
#include "lockstep/algorithm/gather/fat_tree_reversed.hpp"
#include "lockstep/algorithm/many_to_all/aggregation.hpp"
#include "lockstep/algorithm/many_to_all/aggregation_plus.hpp"
#include "lockstep/algorithm/many_to_all/edst.hpp"
#include "lockstep/algorithm/many_to_all/ring2d.hpp"
#include "lockstep/algorithm/reduce/reversed_broadcast.hpp"
#include "lockstep/algorithm/reduce_scatter/recursive_halving.hpp"
#include "lockstep/algorithm/reduce_scatter/reversed_gather.hpp"
#include "lockstep/algorithm/reduce_scatter/tree.hpp"
#include "lockstep/algorithm/scan/recursive_doubling.hpp"
#include "lockstep/algorithm/scan/tree.hpp"
#include "lockstep/algorithm/scatter/fat_tree_furthest_first.hpp"
#include "lockstep/algorithm/schedule_from_file.hpp"
#include "lockstep/algorithm/total_exchange/edge_colouring_exchange.hpp"
#include "lockstep/algorithm/total_exchange/fat_tree_class_sequence.hpp"
#include "lockstep/algorithm/total_exchange/fat_tree_first_fit.hpp"
#include "lockstep/algorithm/total_exchange/fat_tree_phases.hpp"
#include "lockstep/algorithm/total_exchange/fat_tree_up_first.hpp"
#include "lockstep/algorithm/total_exchange/linear_furthest_first.hpp"
#include "lockstep/algorithm/total_exchange/node_invariant_exchange.hpp"
#include "lockstep/algorithm/total_exchange/star_levelwise.hpp"
#include "lockstep/algorithm/total_exchange/star_packing.hpp"
#include "lockstep/algorithm/total_exchange/xgft_class_exchange.hpp"
#include "lockstep/algorithm/total_exchange/xgft_first_fit.hpp"

namespace lockstep {
namespace {

using catalog::CatalogLine;
using catalog::line;

constexpr std::string_view any_cayley_graph = "any Cayley graph";
constexpr std::string_view any_network = "any network";
constexpr std::string_view torus = "torus, ring";
constexpr std::string_view xgft = "xgft, kary-tree";
constexpr std::string_view commutative = "any commutative Cayley graph";

[[nodiscard]] const std::vector<CatalogLine>& lines() {
  constexpr TableKind total = TableKind::total;
  constexpr TableKind odd = TableKind::odd;
  static const std::vector<CatalogLine> all{
      line<StarPacking>("star"),
      line<StarLevelwiseExchange>("star"),
      line<StarTableExchange<total, TableVariant::all_port>>("star"),
      line<StarTableExchange<total, TableVariant::single_port>>("star"),
      line<StarTableExchange<total, TableVariant::half_duplex>>("star"),
      line<StarTableExchange<total, TableVariant::single_half_duplex>>("star"),
      line<StarTableExchange<odd, TableVariant::all_port>>("star"),
      line<StarTableExchange<odd, TableVariant::single_port>>("star"),
      line<StarTableExchange<odd, TableVariant::half_duplex>>("star"),
      line<StarTableExchange<odd, TableVariant::single_half_duplex>>("star"),
      line<NodeInvariantExchange>(any_cayley_graph),
      line<EdgeColouringExchange<Duplex::full>>(commutative,
                                                EdgeColouringExchange<Duplex::full>::admits),
      line<EdgeColouringExchange<Duplex::half>>(commutative,
                                                EdgeColouringExchange<Duplex::half>::admits),
      line<LinearFurthestFirst>("linear"),
      line<ScheduledExchange>(any_cayley_graph),
      line<FatTreeClassSequence>("fat-tree", FatTreeClassSequence::admits),
      line<FatTreeDigitwise>("fat-tree", FatTreeDigitwise::admits),
      line<FatTreePhases>("fat-tree"),
      line<FatTreeFirstFit>("fat-tree"),
      line<FatTreeUpFirst>("fat-tree"),
      line<XgftClassSequence>(xgft, XgftClassSequence::admits),
      line<XgftDigitwise>(xgft, XgftDigitwise::admits),
      line<XgftFirstFit>(xgft),
      line<OnSpanningTree<FatTreeUpFirst>>(xgft),
      line<FatTreeAscending>("fat-tree"),
      line<FatTreeDescending>("fat-tree"),
      line<FatTreeFloodingGather>("fat-tree"),
      line<FatTreeInTurn>("fat-tree"),
      line<OnSpanningTree<FatTreeAscending>>(xgft),
      line<OnSpanningTree<FatTreeDescending>>(xgft),
      line<OnSpanningTree<FatTreeFloodingGather>>(xgft),
      line<OnSpanningTree<FatTreeInTurn>>(xgft),
      line<StarMesh>("star"),
      line<StarHamiltonianRing>("star"),
      line<StarLevelwiseGather>("star"),
      line<EjRotated>("ej"),
      line<EjTwoSubstep>("ej"),
      line<EjThreePhaseComplete>("ej"),
      line<EjThreePhase>("ej"),
      line<EjGreedy<Duplex::half>>("ej"),
      line<EjSimultaneousRotated>("ej"),
      line<EjSimultaneous>("ej"),
      line<EjGreedy<Duplex::full>>("ej"),
      line<TorusRingGather>(torus),
      line<ScheduledGather>(any_cayley_graph),
      line<Aggregation>("torus", Aggregation::admits),
      line<AggregationPlus>("torus", AggregationPlus::admits),
      line<Ring2d>("torus", Ring2d::admits),
      line<Edst>("torus", Edst::admits),
      line<FatTreeFurthestFirst<FatTreeSends::one>>("fat-tree"),
      line<FatTreeFurthestFirst<FatTreeSends::all_lanes>>(
          "fat-tree", FatTreeFurthestFirst<FatTreeSends::all_lanes>::admits),
      line<OnSpanningTree<FatTreeFurthestFirst<FatTreeSends::one>>>(xgft),
      line<FatTreeReversedGather>("fat-tree"),
      line<FatTreeGreedyGather<FatTreeDiscipline::greedy>>("fat-tree"),
      line<FatTreeGreedyGather<FatTreeDiscipline::greedy_all_port>>("fat-tree"),
      line<OnSpanningTree<FatTreeReversedGather>>(xgft),
      line<OnSpanningTree<FatTreeGreedyGather<FatTreeDiscipline::greedy>>>(xgft),
      line<FatTreeFlooding>("fat-tree"),
      line<FatTreeParentFirst>("fat-tree"),
      line<OnSpanningTree<FatTreeFlooding>>(xgft),
      line<OnSpanningTree<FatTreeParentFirst>>(xgft),
      line<EjImproved>("ej"),
      line<EjIterative>("ej"),
      line<TreeBroadcast>(any_network),
      line<Matching>(any_network),
      line<EjSinglePortTree>("ej"),
      line<SinglePortTree>(any_network),
      line<ReversedBroadcast<TreeBroadcast>>(any_network),
      line<ReversedBroadcast<Matching>>(any_network),
      line<ReversedBroadcast<SinglePortTree>>(any_network),
      line<CubeRecursiveDoubling>("hypercube"),
      line<CubeHalvingDoubling>("hypercube"),
      line<StarLevelwiseReduce>("star"),
      line<TorusRingReduce>(torus),
      line<ThereAndBack<TreeBroadcast>>(any_network),
      line<ThereAndBack<Matching>>(any_network),
      line<ThereAndBack<SinglePortTree>>(any_network),
      line<CubeRecursiveHalving>("hypercube"),
      line<ReversedGather<StarLevelwiseGather>>("star"),
      line<ReversedGather<TorusRingGather>>(torus),
      line<ReversedGather<EjTwoSubstep>>("ej"),
      line<ReversedGather<EjSimultaneous>>("ej"),
      line<ReversedGather<EjGreedy<Duplex::full>>>("ej"),
      line<ReversedGather<EjGreedy<Duplex::half>>>("ej"),
      line<TreeReduceScatter>(any_network),
      line<CubeScan>("hypercube"),
      line<TreeScan>(any_network),
  };
  return all;
}

[[nodiscard]] std::vector<const CatalogLine*> lines_for(const AnyTopology& topology,
                                                        Operation operation) {
  std::vector<const CatalogLine*> found;
  for (const CatalogLine& line : lines()) {
    const AlgorithmInfo& info = line.entry.info;
    const bool known = std::any_of(found.begin(), found.end(), [&](const CatalogLine* other) {
      return other->entry.info.name == info.name;
    });
    if (info.operation == operation && !known && line.admits(topology)) found.push_back(&line);
  }
  return found;
}

[[noreturn]] void no_algorithm(const AnyTopology& topology, Operation operation,
                               std::string_view hint) {
  throw InvalidParameter(fmt::format(
      "{} {}: there is no algorithm for this operation on this network{} (see 'lockstep "
      "list algorithms')",
      topology.name(), name_of(operation), hint));
}

/// Runs without anything that only the user has.
[[nodiscard]] bool runs_by_itself(const CatalogLine& line) {
  const auto& parameters = line.entry.info.parameters;
  return std::none_of(parameters.begin(), parameters.end(),
                      [](const Parameter& parameter) { return parameter.required; });
}

/// Null where none has this name.
[[nodiscard]] const Parameter* parameter_of(std::span<const Parameter> parameters,
                                            std::string_view name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

/// Where a setting chooses the algorithm: one that has all of these.
[[nodiscard]] bool is_chosen_by(const CatalogLine& line, const Settings& settings) {
  return std::any_of(settings.begin(), settings.end(), [&](const Settings::Entry& entry) {
    const Parameter* const parameter = parameter_of(line.entry.info.parameters, entry.first);
    return parameter != nullptr && parameter->chooses;
  });
}

/// Of a default with a part for every processor: parts have a byte or more, or most of what it
/// sends would be padding. An operation of the user's own knows nothing of padding.
[[nodiscard]] bool fills_parts(const CatalogLine& line, const RunRequest& request) {
  const std::uint64_t parts = request.topology.processor_count();
  const std::size_t bytes = definite_block_bytes(request);
  return !line.entry.info.whole_parts || (request.combine ? bytes % parts == 0 : parts <= bytes);
}

/// What an algorithm costs depends on who makes how much: none is the cheapest in general.
[[nodiscard]] bool is_picked_by_cost(Operation operation) {
  return operation == Operation::many_to_all;
}

/// Takes all that is set, under the port model that is asked for.
[[nodiscard]] bool fits(const CatalogLine& line, const RunRequest& request) {
  const AlgorithmInfo& info = line.entry.info;
  return runs_by_itself(line) && fills_parts(line, request) &&
         (!request.port_model || request.port_model->admits(info.model)) &&
         std::all_of(request.settings.begin(), request.settings.end(),
                     [&](const Settings::Entry& entry) {
                       return parameter_of(info.parameters, entry.first) != nullptr;
                     });
}

using Lines = std::vector<const CatalogLine*>;

/// One, or several that the request leaves the choice of.
[[nodiscard]] Lines default_of(const Lines& found, const RunRequest& request) {
  for (const CatalogLine* line : found)
    if (is_chosen_by(*line, request.settings)) return {line};
  Lines fitting;
  std::copy_if(found.begin(), found.end(), std::back_inserter(fitting),
               [&](const CatalogLine* line) { return fits(*line, request); });
  if (!fitting.empty() && is_picked_by_cost(request.operation)) return fitting;
  if (!fitting.empty() && request.port_model) return {fitting.front()};
  for (const CatalogLine* line : found)  // which says why, where it does not fit
    if (runs_by_itself(*line) && fills_parts(*line, request)) return {line};
  no_algorithm(request.topology, request.operation,
               fmt::format(" but your own: lockstep run --{} FILE",
                           found.front()->entry.info.parameters.front().name));
}

[[nodiscard]] Lines chosen(const RunRequest& request) {
  const Lines found = lines_for(request.topology, request.operation);
  if (found.empty()) no_algorithm(request.topology, request.operation, "");
  if (request.algorithm.empty()) return default_of(found, request);
  std::vector<std::string_view> names;
  for (const CatalogLine* line : found) {
    if (line->entry.info.name == request.algorithm) return {line};
    names.push_back(line->entry.info.name);
  }
  throw InvalidParameter(fmt::format("{} {}: {}", request.topology.name(),
                                     name_of(request.operation),
                                     unknown("algorithm", request.algorithm, names)));
}

/// What else the default could have been.
[[nodiscard]] Lines alternatives(const CatalogLine& line, const RunRequest& request) {
  Lines others = lines_for(request.topology, request.operation);
  std::erase_if(others,
                [&](const CatalogLine* other) { return other == &line || !fits(*other, request); });
  return others;
}

/// Before an algorithm sees a value.
void check_values(const RunRequest& request) {
  for (const auto& [name, value] : request.settings)
    if (const Parameter* const parameter = parameter_of(parameter_catalog(), name))
      check_setting(*parameter, value, request.topology);
}

void check_settings(const AlgorithmInfo& info, const RunRequest& request) {
  for (const auto& [name, value] : request.settings) {
    if (name == fixed_homes) continue;
    if (parameter_of(info.parameters, name) != nullptr) continue;
    const Parameter* const known = parameter_of(parameter_catalog(), name);
    throw InvalidParameter(fmt::format("{}: '{}' takes no {}", name, info.name,
                                       known == nullptr ? "such setting" : known->noun));
  }
  for (const Parameter& parameter : info.parameters)
    if (parameter.required && request.settings.text(parameter.name).empty())
      throw InvalidParameter(
          fmt::format("'{}': no file given, allowed --{} FILE", info.name, parameter.name));
}

}  // namespace

std::unique_ptr<PreparedRun> prepare(const RunRequest& request, bool check_resources) {
  if (!request.topology) throw InvalidParameter("topology: none given, allowed such as star:5");
  check_values(request);
  const Lines lines = chosen(request);
  for (const CatalogLine* line : lines) check_settings(line->entry.info, request);
  RunRequest definite = request;
  if (const auto* const torus = request.topology.as<Torus>()) fix_homes(definite.settings, *torus);
  catalog::Choice choice = catalog::cheapest(lines, definite);
  if (request.algorithm.empty() && choice.estimate.picked.empty())
    choice.estimate.picked =
        catalog::much_cheaper(choice, alternatives(*choice.line, request), request);
  std::unique_ptr<PreparedRun> run = catalog::prepare_run(std::move(choice), request);
  if (check_resources) run->check_resources();
  return run;
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
