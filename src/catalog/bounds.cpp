// SPDX-License-Identifier: Apache-2.0
#include "catalog/bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/bytes.hpp"
#include "lockstep/verify/fat_tree_bounds.hpp"

namespace lockstep::catalog {
namespace {

constexpr std::uint64_t searched_in_a_moment = 2'048;       // from every node
constexpr std::uint64_t looked_at_in_a_moment = 1'048'576;  // each node's degree

void set_levels(BoundInputs& figures, std::vector<std::uint64_t> levels, bool odd_only) {
  for (std::size_t d = 0; d < levels.size(); ++d) {
    if (odd_only && d % 2 == 0) continue;
    figures.distance_sum = (Bytes{figures.distance_sum} + Bytes{d} * levels[d]).value();
    figures.diameter = d;
  }
  figures.levels = std::move(levels);
}

void set_degrees(BoundInputs& figures, const AnyTopology& topology, NodeId root) {
  figures.root_degree = topology.degree(root);
  if (topology.node_count() > looked_at_in_a_moment) return;
  figures.least_degree = figures.degree;
  for (std::uint64_t u = 0; u < topology.node_count(); ++u)
    figures.least_degree =
        std::min<std::uint64_t>(figures.least_degree, topology.degree(NodeId{u}));
}

/// The nodes of a network that is not symmetric differ.
[[nodiscard]] std::optional<LowerBound> with_different_nodes(const AnyTopology& topology,
                                                             const Collective& collective,
                                                             BoundInputs figures,
                                                             const PortModel& model) {
  if (has_root(collective.operation)) {
    set_levels(figures, topology.level_sizes(collective.root), false);
    if (figures.levels.empty()) return std::nullopt;
    set_degrees(figures, topology, collective.root);
    figures.distance_sum = 0;
    return lower_bound(collective, figures, model);
  }
  if (topology.node_count() <= searched_in_a_moment)
    return lower_bound(collective, topology.distance_figures(), model);
  const auto diameter = topology.diameter();
  if (!diameter || collective.needs_pattern()) return std::nullopt;
  figures.diameter = *diameter;
  return lower_bound(collective, figures, model);
}

}  // namespace

std::optional<LowerBound> lower_bound_on(const AnyTopology& topology, const Collective& given,
                                         const PortModel& model) {
  const Collective collective{given.operation, given.root, given.pattern.of_whole_blocks()};
  // Distances are those of switches, too.
  if (topology.processor_count() != topology.node_count())
    return lower_bound(collective, topology, model);
  BoundInputs figures{.processors = topology.processor_count(),
                      .degree = topology.max_degree(),
                      .cut = topology.bisection()};
  if (collective.operation == Operation::total_exchange) figures.classes = topology.arc_classes();
  if (!topology.symmetric())
    return with_different_nodes(topology, collective, std::move(figures), model);
  set_levels(figures,
             topology.level_sizes(has_root(collective.operation) ? collective.root : NodeId{0}),
             collective.is_by_classes());
  if (figures.levels.empty()) return std::nullopt;
  return lower_bound(collective, figures, model);
}

}  // namespace lockstep::catalog
