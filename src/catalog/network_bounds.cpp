// SPDX-License-Identifier: Apache-2.0
#include "catalog/network_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/bytes.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "topology/searched_cut.hpp"
#include "verify/fat_tree_bounds.hpp"
#include "verify/message_time_bounds.hpp"
#include "verify/scan_cut.hpp"
#include "verify/tree_load.hpp"

namespace lockstep::catalog {
namespace {

constexpr std::uint64_t searched_in_a_moment = 2'048;       // from every node, once for all runs
constexpr std::uint64_t searched_each_time = 512;           // from every node, for each bound
constexpr std::uint64_t broadcast_from_each = 512;          // from every node, for each bound
constexpr std::uint64_t looked_at_in_a_moment = 1'048'576;  // each node's degree

void set_levels(BoundInputs& figures, std::vector<std::uint64_t> levels, bool odd_only) {
  figures.distance_sum = 0;
  for (std::size_t d = 0; d < levels.size(); ++d) {
    if (odd_only && d % 2 == 0) continue;
    figures.distance_sum = (Bytes{figures.distance_sum} + Bytes{d} * levels[d]).value();
    if (levels[d] != 0) figures.diameter = std::max<std::uint64_t>(figures.diameter, d);
  }
  figures.levels = std::move(levels);
}

void set_degrees(BoundInputs& figures, const AnyTopology& topology, NodeId root) {
  figures.root_degree = topology.degree(root);
  if (topology.node_count() > looked_at_in_a_moment) return;
  figures.least_degree = figures.degree;
  for (std::uint64_t u = 0; u < figures.processors; ++u)
    figures.least_degree =
        std::min<std::uint64_t>(figures.least_degree, topology.degree(NodeId{u}));
}

/// The processors that make blocks, or the first of them where a search from each takes too long.
/// Then the largest distance that a block goes is at least what is found.
[[nodiscard]] std::vector<NodeId> sources_of(const AnyTopology& topology,
                                             const Collective& collective) {
  if (has_root(collective.operation)) return {collective.root};
  std::vector<NodeId> sources;
  if (const std::vector<NodeId>* const homes = collective.pattern.homes(); homes != nullptr) {
    sources = *homes;
    std::ranges::sort(sources);
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  } else {
    for (std::uint64_t u = 0; u < topology.processor_count() && u < searched_each_time; ++u)
      sources.push_back(NodeId{u});
  }
  if (sources.empty()) sources.push_back(NodeId{0});
  if (topology.node_count() > searched_each_time) sources.resize(1);
  return sources;
}

/// The sum of all distances that are odd; 0 where a search from every node takes too long.
[[nodiscard]] std::uint64_t sum_of_odd_distances(const AnyTopology& topology) {
  if (topology.node_count() > searched_each_time) return 0;
  const Network network = topology.network();
  std::uint64_t sum = 0;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    BoundInputs own;
    set_levels(own, level_sizes(network, NodeId{u}), true);
    sum += own.distance_sum;
  }
  return sum;
}

/// The narrowest cut that is known or found.
[[nodiscard]] Cut cut_of(const AnyTopology& topology) {
  Cut cut = topology.bisection();
  if (cut.links == 0) cut = searched_cut(topology);
  if (topology.node_count() > (topology.symmetric() ? searched_each_time : searched_in_a_moment))
    return cut;
  return narrower(topology.distance_figures().narrowest, cut, topology.node_count());
}

/// The nodes of a network that is not symmetric differ. A large one is searched from one node
/// only.
[[nodiscard]] BoundInputs of_different_nodes(const AnyTopology& topology,
                                             const Collective& collective, BoundInputs figures) {
  const bool rooted = has_root(collective.operation);
  if (!rooted && topology.node_count() <= searched_in_a_moment) {
    BoundInputs searched = bound_inputs(collective, topology.distance_figures());
    searched.cut = figures.cut;
    searched.classes = std::move(figures.classes);
    if (collective.is_by_classes()) searched.pair_distances = sum_of_odd_distances(topology);
    return searched;
  }
  const NodeId from = sources_of(topology, collective).front();
  set_levels(figures, topology.level_sizes(from), collective.is_by_classes());
  set_degrees(figures, topology, from);
  figures.distance_sum = 0;  // not the same from every node
  if (rooted) return figures;
  figures.levels.clear();
  figures.root_degree = 0;
  if (!collective.needs_pattern())
    figures.diameter = std::max(figures.diameter, topology.diameter().value_or(0));
  return figures;
}

/// Over any switches. Paths lead through switches, so that sums of distances say nothing.
[[nodiscard]] BoundInputs over_switches(const AnyTopology& topology, const Collective& collective) {
  BoundInputs figures{.processors = topology.processor_count(),
                      .degree = topology.max_degree(),
                      .has_switches = true};
  const std::vector<NodeId> sources = sources_of(topology, collective);
  set_degrees(figures, topology, sources.front());
  if (topology.node_count() > searchable_nodes) return figures;
  for (const NodeId source : sources) {
    std::vector<std::uint64_t> levels;  // of processors
    const auto distances = distances_from(topology, source);
    for (std::uint64_t u = 0; u < figures.processors; ++u) {
      levels.resize(std::max<std::size_t>(levels.size(), distances[u] + std::size_t{1}));
      ++levels[distances[u]];
    }
    set_levels(figures, std::move(levels), collective.is_by_classes());
  }
  figures.distance_sum = 0;
  if (!has_root(collective.operation)) figures.levels.clear();
  return figures;
}

[[nodiscard]] BoundInputs figures_of(const AnyTopology& topology, const Collective& collective) {
  if (topology.processor_count() != topology.node_count())
    return over_switches(topology, collective);
  BoundInputs figures{.processors = topology.processor_count(), .degree = topology.max_degree()};
  if (collective.operation == Operation::total_exchange) {
    figures.classes = topology.arc_classes();
    figures.cut = cut_of(topology);
  }
  if (!topology.symmetric()) return of_different_nodes(topology, collective, std::move(figures));
  set_levels(figures,
             topology.level_sizes(has_root(collective.operation) ? collective.root : NodeId{0}),
             collective.is_by_classes());
  return figures;
}

/// By all arguments that are made for this port model.
[[nodiscard]] std::optional<LowerBound> under(const PortModel& model, const AnyTopology& topology,
                                              const Collective& collective,
                                              const BoundInputs& figures) {
  std::optional<LowerBound> bound = lower_bound(collective, figures, model);
  if (!bound) return bound;
  if (figures.has_switches) {
    const std::optional<SwitchTree> tree = switch_tree(topology);
    if (const auto of_tree = tree ? lower_bound(collective, *tree, model) : std::nullopt)
      return detail::strongest(*bound, *of_tree);
  } else if (collective.operation == Operation::total_exchange &&
             topology.node_count() <= searched_in_a_moment) {
    return with_tree_load(*bound, topology, model);
  }
  return bound;
}

/// Processors whose blocks, or contributions, reach all others; in large networks one of them. In a
/// scan those of all reach the last one: read backwards, the same.
[[nodiscard]] std::vector<NodeId> roots_of(const AnyTopology& topology,
                                           const Collective& collective, const PortModel& model) {
  switch (collective.operation) {
    case Operation::scatter:
      return {collective.root};
    case Operation::scan:
      return model == mirrored(model)
                 ? std::vector{NodeId{0}, NodeId{topology.processor_count() - 1}}
                 : std::vector{NodeId{0}};
    case Operation::all_gather:
    case Operation::total_exchange:
    case Operation::all_reduce:
      break;
    default:
      return {};
  }
  const bool one_is_enough = topology.symmetric() || topology.node_count() > broadcast_from_each ||
                             topology.levels().size() > 1;
  std::vector<NodeId> roots;
  for (std::uint64_t u = 0; u < (one_is_enough ? 1 : topology.processor_count()); ++u)
    roots.push_back(NodeId{u});
  return roots;
}

/// A schedule whose messages bring something of one processor to all others is one of a broadcast,
/// if that is all that they carry.
[[nodiscard]] LowerBound with_broadcasts(LowerBound bound, const PortModel& model,
                                         const AnyTopology& topology,
                                         const Collective& collective) {
  for (const NodeId root : roots_of(topology, collective, model)) {
    const Collective broadcast{Operation::broadcast, root};
    const auto own = under(model, topology, broadcast, figures_of(topology, broadcast));
    if (!own) continue;
    LowerBound startups = bound;
    startups.least.startups = startups.undivided.startups = own->least.startups;
    startups.startups_by = own->startups_by;
    startups.undivided.message_times =
        std::max(bound.undivided.message_times, Fraction(own->least.startups));
    startups.undivided_by = "start-ups";
    bound = detail::strongest(bound, startups);
    if (collective.operation == Operation::all_reduce || collective.operation == Operation::scan)
      bound.latency = own->latency;
  }
  return bound;
}

/// By all arguments, those about a broadcast in it included.
[[nodiscard]] std::optional<LowerBound> by_all_arguments(const PortModel& model,
                                                         const AnyTopology& topology,
                                                         const Collective& collective,
                                                         const BoundInputs& figures) {
  std::optional<LowerBound> bound = under(model, topology, collective, figures);
  if (!bound) return bound;
  if (collective.operation == Operation::scan && topology.node_count() <= searched_each_time)
    detail::raise_message_times(*bound, scan_cut(topology, model), "sums across a cut");
  if (const auto mirror = mirror_with_bounds(collective))
    return with_broadcasts(*bound, mirrored(model), topology, *mirror);
  return with_broadcasts(*bound, model, topology, collective);
}

}  // namespace

std::optional<LowerBound> lower_bound_on(const AnyTopology& topology, const Collective& given,
                                         const PortModel& model) {
  Collective collective{given.operation, given.root, given.pattern.of_whole_blocks()};
  if (!topology.symmetric()) collective = collective.on(topology);
  const BoundInputs figures = figures_of(topology, collective);
  std::optional<LowerBound> bound = by_all_arguments(model, topology, collective, figures);
  // A schedule under this model is one under each model that admits it: their bounds hold as well.
  for (const PortModel& other : port_models::all) {
    if (!bound || other == model || !other.admits(model)) continue;
    if (const auto relaxed = by_all_arguments(other, topology, collective, figures))
      bound = detail::strongest(*bound, *relaxed);
  }
  return bound;
}

}  // namespace lockstep::catalog
