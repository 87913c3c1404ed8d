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
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// An undirected edge.
struct Link {
  NodeId one{};
  NodeId other{};
};

/// The ports of a node are numbered in the order in which its links are listed; links between the
/// same two nodes are lanes of one. Nodes from `processors` on are switches; 0: there are none.
/// Throws InvalidParameter if the graph has loops or several parts. O(links).
[[nodiscard]] Network build_network(std::string name, std::uint64_t node_count,
                                    std::span<const Link> links, std::uint64_t processors = 0);

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

/// Empty tables for nodes of these degrees, as a rectangle or listed.
[[nodiscard]] NetworkTables empty_tables(std::string name, std::uint64_t node_count,
                                         std::vector<std::uint32_t> degrees);
[[nodiscard]] ArcLayout layout_of(const NetworkTables& tables);

}  // namespace build_network_detail

/// Keeps a copy of the topology for its labels. O(arcs).
template <Topology T>
[[nodiscard]] Network build_network(const T& topology) {
  namespace detail = build_network_detail;
  const std::uint64_t nodes = topology.node_count();
  detail::check_size(topology.name(), nodes, topology.max_degree());
  std::vector<std::uint32_t> degrees;
  for (std::uint64_t u = 0; u < nodes; ++u) {
    const std::size_t degree = topology.degree(NodeId{u});
    detail::check_degree(topology.name(), NodeId{u}, degree, topology.max_degree());
    degrees.push_back(static_cast<std::uint32_t>(degree));
  }
  NetworkTables tables = detail::empty_tables(topology.name(), nodes, std::move(degrees));
  const ArcLayout arcs = detail::layout_of(tables);
  const bool alike = detail::nodes_agree_on_reverse_ports(topology);
  tables.reverse_ports.resize(alike ? topology.max_degree() : arcs.size());
  for (std::uint64_t u = 0; u < nodes; ++u)
    for (std::size_t p = 0; p < topology.degree(NodeId{u}); ++p) {
      const std::uint64_t arc = arcs.index(NodeId{u}, port(p));
      tables.neighbors[arc] = detail::entry(topology.neighbor(NodeId{u}, port(p)));
      tables.reverse_ports[alike ? p : arc] = index(topology.reverse_port(NodeId{u}, port(p)));
    }
  tables.processor_count = processor_count(topology);
  tables.label = [topology](NodeId u) { return topology.label(u); };
  return Network{std::move(tables)};
}

}  // namespace lockstep
