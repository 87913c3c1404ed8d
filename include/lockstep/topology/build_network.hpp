// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Topology -> Network, list of links -> Network. Either way every law is checked: what comes out
/// is a lawful network, or InvalidParameter names the node and port where a law is broken.
///
///     const Network star = build_network(StarGraph{7});
///     const std::vector<Link> links{{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}};
///     const Network path = build_network("path", 3, links);

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// An undirected edge.
struct Link {
  NodeId one{};
  NodeId other{};
};

/// The ports of a node are numbered in the order in which its links are listed. Throws
/// InvalidParameter if the graph has loops, parallel links or several parts. O(links).
[[nodiscard]] Network build_network(std::string name, std::uint64_t node_count,
                                    std::span<const Link> links);

namespace build_network_detail {

/// Throws InvalidParameter where the tables would not fit their integers.
void check_size(const std::string& name, std::uint64_t node_count, std::size_t max_degree);
/// Throws InvalidParameter if a node has more ports than its network admits.
void check_degree(const std::string& name, NodeId u, std::size_t degree, std::size_t max_degree);

/// Neighbours as table entries; one that is out of range stays out of range.
[[nodiscard]] constexpr std::uint32_t entry(NodeId v) noexcept {
  return index(v) < NetworkTables::no_node ? static_cast<std::uint32_t>(index(v))
                                           : NetworkTables::no_node;
}

template <Topology T>
[[nodiscard]] bool nodes_agree_on_reverse_ports(const T& topology) {
  for (std::uint64_t u = 0; u < topology.node_count(); ++u) {
    if (topology.degree(NodeId{u}) != topology.max_degree()) return false;
    for (std::size_t p = 0; p < topology.max_degree(); ++p)
      if (topology.reverse_port(NodeId{u}, port(p)) != topology.reverse_port(NodeId{0}, port(p)))
        return false;
  }
  return true;
}

template <Topology T>
void tabulate_reverse_ports(const T& topology, NetworkTables& tables) {
  const std::uint64_t rows = nodes_agree_on_reverse_ports(topology) ? 1 : tables.node_count;
  tables.reverse_ports.resize(tables.max_degree * rows);
  for (std::uint64_t u = 0; u < rows; ++u)
    for (std::size_t p = 0; p < topology.degree(NodeId{u}); ++p)
      tables.reverse_ports[p * rows + u] = index(topology.reverse_port(NodeId{u}, port(p)));
}

template <Topology T>
void tabulate_kinds(const T& topology, NetworkTables& tables) {
  bool switches = false;
  for (std::uint64_t u = 0; u < tables.node_count; ++u) {
    tables.kinds.push_back(topology.kind(NodeId{u}));
    switches = switches || tables.kinds.back() != NodeKind::processor;
  }
  if (!switches) tables.kinds = {};
}

}  // namespace build_network_detail

/// Keeps a copy of the topology for its labels. O(arcs * log degree).
template <Topology T>
[[nodiscard]] Network build_network(const T& topology) {
  using build_network_detail::entry;
  NetworkTables tables{.name = topology.name(),
                       .node_count = topology.node_count(),
                       .max_degree = topology.max_degree(),
                       .neighbors = {},
                       .reverse_ports = {},
                       .degrees = {},
                       .kinds = {},
                       .label = [topology](NodeId u) { return topology.label(u); }};
  build_network_detail::check_size(tables.name, tables.node_count, tables.max_degree);
  tables.neighbors.assign(tables.node_count * tables.max_degree, NetworkTables::no_node);
  bool regular = true;
  for (std::uint64_t u = 0; u < tables.node_count; ++u) {
    const std::size_t degree = topology.degree(NodeId{u});
    build_network_detail::check_degree(tables.name, NodeId{u}, degree, tables.max_degree);
    tables.degrees.push_back(static_cast<std::uint16_t>(degree));
    regular = regular && degree == tables.max_degree;
    for (std::size_t p = 0; p < degree; ++p)
      tables.neighbors[p * tables.node_count + u] = entry(topology.neighbor(NodeId{u}, port(p)));
  }
  if (regular) tables.degrees = {};
  build_network_detail::tabulate_reverse_ports(topology, tables);
  build_network_detail::tabulate_kinds(topology, tables);
  return Network{std::move(tables)};
}

}  // namespace lockstep
