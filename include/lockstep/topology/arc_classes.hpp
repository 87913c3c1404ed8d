// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Classes of arcs that messages must use, because no other arcs change a certain coordinate. In a
/// torus of 4 x 40 nodes, the arcs of the long dimension determine the time of a total exchange.
///
///     Torus({4, 40}).arc_classes()        // {4, 8, 640}, {40, 80, 64'000}: 800 uses of an arc
///
/// Whatever the routes: between nodes whose coordinates in a factor are d apart at least d arcs of
/// that factor are used. The same holds for some generators of a group and the distance in which
/// all other arcs cost nothing. Source: derived.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/closed_forms.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// The class of a product that has `copies` copies of a factor with this class. Left out where 64
/// bits do not count its uses.
void add_copies(std::vector<ArcClass>& classes, const ArcClass& of_factor, std::uint64_t copies);

/// The class of all arcs of a factor whose nodes look alike; `levels`: nodes by their distance from
/// one.
[[nodiscard]] ArcClass class_of_all(const std::vector<std::uint64_t>& levels, std::size_t degree);

/// By generators of a group, ports that lead back among themselves: each, and where they are few
/// every choice of them. Looks at `most_arcs` arcs at most. Precondition: the port of a node is the
/// same generator everywhere.
[[nodiscard]] std::vector<ArcClass> classes_of_generators(const Network& group,
                                                          std::uint64_t most_arcs);

/// The class of all arcs of a factor; without uses if its distances take long to compute.
template <Topology T>
[[nodiscard]] ArcClass class_of_factor(const T& factor) {
  bool alike = CayleyTopology<T>;
  if constexpr (requires { factor.symmetric(); }) alike = factor.symmetric();
  if (alike) return class_of_all(known_level_sizes(factor, NodeId{0}), factor.max_degree());
  constexpr std::uint64_t most_nodes = 2'048;
  if (factor.node_count() > most_nodes) return {};
  ArcClass all{.nodes = factor.node_count()};
  for (std::uint64_t u = 0; u < factor.node_count(); ++u) all.arcs += factor.degree(NodeId{u});
  if constexpr (requires { factor.distance_figures(); }) {
    for (const NodeDistances& node : factor.distance_figures().nodes) all.uses += node.status;
  } else {
    for (std::uint64_t u = 0; u < factor.node_count(); ++u)
      all.uses += metrics_detail::sum(known_level_sizes(factor, NodeId{u}));
  }
  return all;
}

}  // namespace lockstep
