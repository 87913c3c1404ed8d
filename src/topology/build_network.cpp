// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/build_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep {

namespace build_network_detail {

void check_size(const std::string& name, std::uint64_t node_count, std::size_t max_degree) {
  constexpr std::size_t max_ports = std::numeric_limits<std::uint16_t>::max();
  if (node_count < 1 || node_count >= Network::max_nodes)
    throw InvalidParameter(fmt::format("{}: {} nodes, allowed 1..{} in a tabulated network", name,
                                       node_count, Network::max_nodes - 1));
  if (max_degree > max_ports)
    throw InvalidParameter(
        fmt::format("{}: {} ports at a node, allowed 0..{} in a tabulated network", name,
                    max_degree, max_ports));
}

void check_degree(const std::string& name, NodeId u, std::size_t degree, std::size_t max_degree) {
  if (degree > max_degree)
    throw InvalidParameter(
        fmt::format("{}: node {}: {} ports, allowed 0..{}", name, index(u), degree, max_degree));
}

}  // namespace build_network_detail

namespace {

/// How many links each node has; refuses ends that are no nodes.
std::vector<std::size_t> degrees_of(const std::string& name, std::uint64_t node_count,
                                    std::span<const Link> links) {
  std::vector<std::size_t> degrees(node_count, 0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (const NodeId end : {links[i].one, links[i].other}) {
      if (index(end) >= node_count)
        throw InvalidParameter(fmt::format("{}: link {}: node {}, allowed 0..{}", name, i,
                                           index(end), node_count - 1));
      ++degrees[index(end)];
    }
  }
  return degrees;
}

}  // namespace

Network build_network(std::string name, std::uint64_t node_count, std::span<const Link> links) {
  build_network_detail::check_size(name, node_count, 0);
  const std::vector<std::size_t> degrees = degrees_of(name, node_count, links);
  const std::size_t max_degree = *std::max_element(degrees.begin(), degrees.end());
  build_network_detail::check_size(name, node_count, max_degree);

  NetworkTables tables{.name = std::move(name),
                       .node_count = node_count,
                       .max_degree = max_degree,
                       .neighbors = {},
                       .reverse_ports = {},
                       .degrees = std::vector<std::uint16_t>(node_count, 0),
                       .kinds = {},
                       .label = {}};
  tables.neighbors.assign(node_count * max_degree, NetworkTables::no_node);
  tables.reverse_ports.assign(node_count * max_degree, 0);
  for (const auto& [one, other] : links) {
    const std::uint16_t port_of_one = tables.degrees[index(one)]++;
    const std::uint16_t port_of_other = tables.degrees[index(other)]++;
    tables.neighbors[port_of_one * node_count + index(one)] = build_network_detail::entry(other);
    tables.neighbors[port_of_other * node_count + index(other)] = build_network_detail::entry(one);
    tables.reverse_ports[port_of_one * node_count + index(one)] = port_of_other;
    tables.reverse_ports[port_of_other * node_count + index(other)] = port_of_one;
  }
  return Network{std::move(tables)};
}

}  // namespace lockstep
