// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What single families of topologies know of themselves without a search: overloads by type, all
/// of them optional (topology_model.hpp searches where there is none).

#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/complete_graph.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/linear_array.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "topology/star_distances.hpp"

namespace lockstep::catalog {

[[nodiscard]] inline std::uint64_t closed_link_count(const LinearArray& array) {
  return array.node_count() - 1;
}

/// Families may say these things themselves.
template <class T>
requires requires(const T& topology) { topology.link_count(); }
[[nodiscard]] std::optional<std::uint64_t> closed_link_count(const T& topology) {
  return topology.link_count();
}

template <class T>
requires requires(const T& topology) { topology.level_sizes(); }
[[nodiscard]] std::vector<std::uint64_t> closed_level_sizes(const T& topology) {
  return topology.level_sizes();
}

template <class T>
requires requires(const T& topology, NodeId u, Port p) { topology.port_label(u, p); }
[[nodiscard]] std::string named_port(const T& topology, NodeId u, Port p) {
  return topology.port_label(u, p);
}

template <class T>
requires requires(const T& topology, Port p) { topology.port_label(p); }
[[nodiscard]] std::string named_port(const T& topology, NodeId, Port p) {
  return topology.port_label(p);
}

template <class T>
requires requires(const T& topology, const std::string& label) { topology.find(label); }
[[nodiscard]] std::optional<NodeId> node_from_label(const T& topology, const std::string& label) {
  return topology.find(label);
}

[[nodiscard]] inline std::vector<std::uint64_t> closed_level_sizes(const StarGraph& star) {
  return star_level_sizes(star.symbols());
}

/// Binomial coefficients: d choose j nodes differ in j bits.
[[nodiscard]] inline std::vector<std::uint64_t> closed_level_sizes(const Hypercube& cube) {
  const std::uint64_t dimensions = cube.dimensions();
  std::vector<std::uint64_t> levels{1};
  for (std::uint64_t j = 1; j <= dimensions; ++j)
    levels.push_back(levels.back() * (dimensions - j + 1) / j);
  return levels;
}

/// The papers name the generators of the star graph.
[[nodiscard]] inline std::string named_port(const StarGraph&, NodeId, Port p) {
  return "dimension " + std::to_string(StarGraph::to_paper_dimension(p));
}

/// A whole number in that base, nothing before or behind it.
[[nodiscard]] inline std::optional<std::uint64_t> whole_number(const std::string& text,
                                                               int base = 10) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, base);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

[[nodiscard]] inline std::optional<NodeId> node_below(std::optional<std::uint64_t> number,
                                                      std::uint64_t node_count) {
  if (!number || *number >= node_count) return std::nullopt;
  return NodeId{*number};
}

[[nodiscard]] inline std::optional<NodeId> node_from_label(const StarGraph& star,
                                                           const std::string& label) {
  try {
    const Permutation x = permutation_from_label(label);
    if (x.size() != star.symbols()) return std::nullopt;
    return star.node(x);
  } catch (const InvalidParameter&) {
    return std::nullopt;
  }
}

[[nodiscard]] inline std::optional<NodeId> node_from_label(const Hypercube& cube,
                                                           const std::string& label) {
  if (label.size() != std::max<std::size_t>(cube.dimensions(), 1)) return std::nullopt;
  return node_below(whole_number(label, 2), cube.node_count());
}

[[nodiscard]] inline std::optional<NodeId> node_from_label(const Ring& ring,
                                                           const std::string& label) {
  return node_below(whole_number(label), ring.node_count());
}

[[nodiscard]] inline std::optional<NodeId> node_from_label(const LinearArray& array,
                                                           const std::string& label) {
  return node_below(whole_number(label), array.node_count());
}

[[nodiscard]] inline std::optional<NodeId> node_from_label(const CompleteGraph& complete,
                                                           const std::string& label) {
  return node_below(whole_number(label), complete.node_count());
}

}  // namespace lockstep::catalog
