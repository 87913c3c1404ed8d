// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Answers of a topology that need no search (topology.hpp); an answer is empty if the topology
/// does not know it.

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
  if constexpr (knows<T>(Knows::diameter)) return topology.diameter();
  return std::nullopt;
}

template <Topology T>
[[nodiscard]] std::vector<std::uint64_t> known_level_sizes(const T& topology, NodeId from) {
  if constexpr (!knows<T>(Knows::level_sizes))
    return {};
  else if constexpr (requires { topology.level_sizes(from); })
    return topology.level_sizes(from);
  else
    return topology.level_sizes();
}

template <Topology T>
[[nodiscard]] Cut known_bisection(const T& topology) {
  if constexpr (knows<T>(Knows::bisection)) return topology.bisection();
  return {};
}

/// None but those of all arcs together, where there are no others.
template <Topology T>
[[nodiscard]] std::vector<ArcClass> known_arc_classes(const T& topology) {
  if constexpr (knows<T>(Knows::arc_classes)) return topology.arc_classes();
  return {};
}

/// Counts the arcs where there is no formula. Empty where it exceeds 64 bits.
template <Topology T>
[[nodiscard]] std::optional<std::uint64_t> known_link_count(const T& topology) {
  if constexpr (knows<T>(Knows::link_count))
    return topology.link_count();
  else
    return link_count(topology);
}

/// "port 0" where the papers give it no name.
template <Topology T>
[[nodiscard]] std::string known_port_label(const T& topology, NodeId u, Port p) {
  if constexpr (knows<T>(Knows::port_label)) return topology.port_label(u, p);
  return "port " + std::to_string(index(p));
}

}  // namespace lockstep
