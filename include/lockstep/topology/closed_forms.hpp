// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a topology may know of itself beyond topology.hpp, without a search. All of it is optional:
/// whoever wants to know asks here, and gets an empty answer where the topology has no such member.
///
///     diameter()                          of the whole network
///     level_sizes() or level_sizes(from)  as metrics.hpp counts them; the first is for networks
///                                         that look the same from every node
///     bisection()                         the cut through its middle; no links if none is known
///     arc_classes()                       what pairs of nodes need of the arcs of each factor
///     link_count()                        empty where it exceeds 64 bits
///     find(label)                         the node with that label, if there is one
///     port_label(u, p)                    as the papers call it: "dimension 4"
///     levels()                            of a network of switches, from the processors up: the
///                                         nodes of a level are numbered one after the other

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

template <Topology T>
[[nodiscard]] std::optional<std::uint64_t> known_diameter(const T& topology) {
  if constexpr (requires { topology.diameter(); })
    return topology.diameter();
  else
    return std::nullopt;
}

template <Topology T>
[[nodiscard]] std::vector<std::uint64_t> known_level_sizes(const T& topology, NodeId from) {
  if constexpr (requires { topology.level_sizes(from); })
    return topology.level_sizes(from);
  else if constexpr (requires { topology.level_sizes(); })
    return topology.level_sizes();
  else
    return {};
}

template <Topology T>
[[nodiscard]] Cut known_bisection(const T& topology) {
  if constexpr (requires { topology.bisection(); })
    return topology.bisection();
  else
    return {};
}

/// None but those of all arcs together, where there are no others.
template <Topology T>
[[nodiscard]] std::vector<ArcClass> known_arc_classes(const T& topology) {
  if constexpr (requires { topology.arc_classes(); })
    return topology.arc_classes();
  else
    return {};
}

/// Counts the arcs where there is no formula. Empty where it exceeds 64 bits.
template <Topology T>
[[nodiscard]] std::optional<std::uint64_t> known_link_count(const T& topology) {
  if constexpr (requires { topology.link_count(); })
    return topology.link_count();
  else
    return link_count(topology);
}

/// None where the network has no levels.
template <Topology T>
[[nodiscard]] std::vector<Level> known_levels(const T& topology) {
  if constexpr (requires { topology.levels(); })
    return topology.levels();
  else
    return {};
}

/// "port 0" where the papers give it no name.
template <Topology T>
[[nodiscard]] std::string known_port_label(const T& topology, NodeId u, Port p) {
  if constexpr (requires { topology.port_label(u, p); })
    return topology.port_label(u, p);
  else
    return "port " + std::to_string(index(p));
}

}  // namespace lockstep
