// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/build_network.hpp"

#include <algorithm>
#include <numeric>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"

namespace lockstep {

namespace build_network_detail {

void check_size(const std::string& name, std::uint64_t node_count, std::size_t max_degree) {
  if (node_count < 1 || node_count >= Network::max_nodes)
    throw invalid("{}: {}; allowed in a tabulated network: 1..{}", name,
                  counted(node_count, "node"), grouped(Network::max_nodes - 1));
  if (max_degree > max_ports_of_a_node)
    throw invalid("{}: {} per node; allowed in a tabulated network: 0..{}", name,
                  counted(max_degree, "port"), grouped(max_ports_of_a_node));
}

void check_degree(const std::string& name, NodeId u, std::size_t degree, std::size_t max_degree) {
  if (degree > max_degree)
    throw invalid("{}: node {} has {}; allowed: 0..{}", name, index(u), counted(degree, "port"),
                  max_degree);
}

NetworkTables empty_tables(std::string name, std::uint64_t node_count,
                           std::vector<std::uint32_t> degrees) {
  const std::uint32_t most = *std::ranges::max_element(degrees);
  NetworkTables tables{.name = std::move(name),
                       .node_count = node_count,
                       .max_degree = most,
                       .neighbors = {},
                       .reverse_ports = {},
                       .degrees = std::move(degrees),
                       .label = {}};
  const std::uint64_t arcs =
      std::accumulate(tables.degrees.begin(), tables.degrees.end(), std::uint64_t{0});
  if (ArcLayout::is_better_listed(node_count, most, arcs)) {
    tables.first_arcs.assign(1, 0);
    for (const std::uint32_t degree : tables.degrees)
      tables.first_arcs.push_back(tables.first_arcs.back() + degree);
  } else if (arcs == node_count * most) {
    tables.degrees.clear();
  }
  tables.neighbors.assign(layout_of(tables).size(), NetworkTables::no_node);
  return tables;
}

ArcLayout layout_of(const NetworkTables& tables) {
  return {tables.node_count, tables.max_degree,
          tables.first_arcs.empty() ? nullptr : tables.first_arcs.data()};
}

}  // namespace build_network_detail

namespace {

/// How many links each node has; refuses ends that are no nodes.
std::vector<std::uint32_t> degrees_of(const std::string& name, std::uint64_t node_count,
                                      std::span<const Link> links) {
  std::vector<std::uint32_t> degrees(node_count, 0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (const NodeId end : {links[i].one, links[i].other}) {
      if (index(end) >= node_count)
        throw invalid("{}: link {} names node {}; allowed: 0..{}", name, i, index(end),
                      node_count - 1);
      ++degrees[index(end)];
    }
  }
  return degrees;
}

}  // namespace

Network build_network(std::string name, std::uint64_t node_count, std::span<const Link> links,
                      std::uint64_t processors) {
  namespace detail = build_network_detail;
  detail::check_size(name, node_count, 0);
  std::vector<std::uint32_t> degrees = degrees_of(name, node_count, links);
  detail::check_size(name, node_count, *std::ranges::max_element(degrees));

  NetworkTables tables = detail::empty_tables(std::move(name), node_count, std::move(degrees));
  const ArcLayout arcs = detail::layout_of(tables);
  tables.reverse_ports.assign(arcs.size(), 0);
  tables.processor_count = processors;
  std::vector<std::uint32_t> used(node_count, 0);
  for (const auto& [one, other] : links) {
    const Port port_of_one{used[index(one)]++};
    const Port port_of_other{used[index(other)]++};
    tables.neighbors[arcs.index(one, port_of_one)] = detail::entry(other);
    tables.neighbors[arcs.index(other, port_of_other)] = detail::entry(one);
    tables.reverse_ports[arcs.index(one, port_of_one)] = index(port_of_other);
    tables.reverse_ports[arcs.index(other, port_of_other)] = index(port_of_one);
  }
  return Network{std::move(tables)};
}

}  // namespace lockstep
