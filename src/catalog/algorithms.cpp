// SPDX-License-Identifier: Apache-2.0

/// The one list of algorithms: a line each, the default of a topology and operation first.

#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog_line.hpp"
#include "catalog/ej_broadcast_lines.hpp"
#include "catalog/ej_gather_lines.hpp"
#include "core/suggest.hpp"
#include "lockstep/algorithm/all_gather/star_hamiltonian_ring.hpp"
#include "lockstep/algorithm/all_gather/star_levelwise.hpp"
#include "lockstep/algorithm/all_gather/star_mesh.hpp"
#include "lockstep/algorithm/exchange_table/star_table_exchange.hpp"
#include "lockstep/algorithm/schedule_from_file.hpp"
#include "lockstep/algorithm/total_exchange/edge_colouring_exchange.hpp"
#include "lockstep/algorithm/total_exchange/node_invariant_exchange.hpp"
#include "lockstep/algorithm/total_exchange/star_levelwise.hpp"
#include "lockstep/algorithm/total_exchange/star_packing.hpp"

namespace lockstep {
namespace {

using catalog::CatalogLine;
using catalog::line;

constexpr std::string_view any_cayley_graph = "any Cayley graph";
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
      line<EdgeColouringExchange<Duplex::full>>(commutative),
      line<EdgeColouringExchange<Duplex::half>>(commutative),
      line<ScheduledExchange>(any_cayley_graph),
      line<StarMesh>("star"),
      line<StarHamiltonianRing>("star"),
      line<StarLevelwiseGather>("star"),
      line<EjRotated<Duplex::half>>("ej"),
      line<EjTwoSubstep>("ej"),
      line<EjThreePhaseComplete>("ej"),
      line<EjThreePhase>("ej"),
      line<EjGreedy<Duplex::half>>("ej"),
      line<EjRotated<Duplex::full>>("ej"),
      line<EjSimultaneous<Duplex::full>>("ej"),
      line<EjGreedy<Duplex::full>>("ej"),
      line<ScheduledGather>(any_cayley_graph),
      line<EjImproved>("ej"),
      line<EjIterative>("ej"),
      line<EjMatching>("ej"),
      line<EjSinglePortTree>("ej"),
  };
  return all;
}

[[nodiscard]] std::vector<const CatalogLine*> lines_for(const AnyTopology& topology,
                                                        Operation operation) {
  std::vector<const CatalogLine*> found;
  for (const CatalogLine& line : lines())
    if (line.entry.info.operation == operation && line.admits(topology)) found.push_back(&line);
  return found;
}

[[noreturn]] void no_algorithm(const AnyTopology& topology, Operation operation,
                               std::string_view hint) {
  throw InvalidParameter(fmt::format(
      "{} {}: there is no algorithm for this operation on this network{} (see 'lockstep "
      "list algorithms')",
      topology.name(), name_of(operation), hint));
}

/// The first that needs no plan of the user.
[[nodiscard]] const CatalogLine& default_of(const std::vector<const CatalogLine*>& found,
                                            const AnyTopology& topology, Operation operation) {
  for (const CatalogLine* line : found)
    if (line->entry.info.plan_option.empty() || line->entry.info.plan_built_in) return *line;
  no_algorithm(topology, operation,
               fmt::format(" but your own: {} FILE", found.front()->entry.info.plan_option));
}

[[nodiscard]] const CatalogLine& chosen(const AnyTopology& topology, const RunRequest& request) {
  const std::vector<const CatalogLine*> found = lines_for(topology, request.operation);
  if (found.empty()) no_algorithm(topology, request.operation, "");
  if (request.algorithm.empty()) return default_of(found, topology, request.operation);
  std::vector<std::string_view> names;
  for (const CatalogLine* line : found) {
    if (line->entry.info.name == request.algorithm) return *line;
    names.push_back(line->entry.info.name);
  }
  throw InvalidParameter(fmt::format("{} {}: {}", topology.name(), name_of(request.operation),
                                     unknown("algorithm", request.algorithm, names)));
}

void check_root(const AnyTopology& topology, const AlgorithmInfo& info, NodeId root) {
  if (root == NodeId{0}) return;
  if (!has_root(info.operation))
    throw InvalidParameter(
        fmt::format("root: {} given, but {} has none", index(root), name_of(info.operation)));
  if (index(root) >= topology.node_count())
    throw InvalidParameter(fmt::format("{}: root {} given, allowed 0..{}", topology.name(),
                                       index(root), topology.node_count() - 1));
}

void check_parameters(const AlgorithmInfo& info, const AlgorithmParameters& given) {
  if (!given.k.empty() && !info.packs)
    throw InvalidParameter(fmt::format("k: '{}' takes no packing factors", info.name));
  if (given.batch != 1 && !info.batches)
    throw InvalidParameter(fmt::format("batch: '{}' takes no batches", info.name));
  if (given.discipline != QueueDiscipline::fifo && !info.queues)
    throw InvalidParameter(fmt::format("discipline: '{}' takes no queue discipline", info.name));
  if (!given.plan_file.empty() && info.plan_option.empty())
    throw InvalidParameter(
        fmt::format("plan: '{}' reads none, '{}' given", info.name, given.plan_file));
  if (given.plan_file.empty() && !info.plan_option.empty() && !info.plan_built_in)
    throw InvalidParameter(
        fmt::format("'{}': no file given, allowed {} FILE", info.name, info.plan_option));
}

}  // namespace

std::unique_ptr<PreparedRun> prepare(const RunRequest& request, bool check_resources) {
  const AnyTopology topology = make_topology(request.topology);
  const CatalogLine& line = chosen(topology, request);
  check_parameters(line.entry.info, request.parameters);
  check_root(topology, line.entry.info, request.parameters.root);
  std::unique_ptr<PreparedRun> run = line.prepare(topology, request);
  if (check_resources) catalog::check_resources(run->estimate(), request);
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

std::vector<AlgorithmInfo> algorithms_for(const std::string& topology, Operation operation) {
  std::vector<AlgorithmInfo> infos;
  for (const CatalogLine* line : lines_for(make_topology(topology), operation))
    if (line->entry.info.plan_option.empty() || line->entry.info.plan_built_in)
      infos.push_back(line->entry.info);
  return infos;
}

}  // namespace lockstep
