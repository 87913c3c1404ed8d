// SPDX-License-Identifier: Apache-2.0
#include "topology/graph_shapes.hpp"

#include <bit>

#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {

bool is_complete(const ErasedTopology& network) {
  const std::uint64_t nodes = network.node_count();
  if (nodes < 2 || network.processor_count() != nodes) return false;
  if (network.as<CompleteGraph>() != nullptr) return true;
  if (nodes > most_complete_nodes || network.max_degree() + 1 < nodes) return false;
  std::vector<std::uint64_t> seen_from(nodes, nodes);
  for (std::uint64_t u = 0; u < nodes; ++u) {
    std::uint64_t others = 0;
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      const std::uint64_t v = index(network.neighbor(NodeId{u}, port(p)));
      others += seen_from[v] == u ? 0U : 1U;
      seen_from[v] = u;
    }
    if (others + 1 < nodes) return false;
  }
  return true;
}

std::optional<std::uint64_t> hypercube_dimensions(const ErasedTopology& network) {
  const std::uint64_t nodes = network.node_count();
  if (!std::has_single_bit(nodes) || nodes < 2 || network.processor_count() != nodes) return {};
  const auto dimensions = static_cast<std::uint64_t>(std::countr_zero(nodes));
  if (network.as<Hypercube>() != nullptr) return dimensions;
  if (nodes > most_cube_nodes || network.max_degree() != dimensions) return {};
  for (std::uint64_t u = 0; u < nodes; ++u) {
    std::uint64_t seen = 0;
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      const std::uint64_t bit = u ^ index(network.neighbor(NodeId{u}, port(p)));
      if (!std::has_single_bit(bit)) return {};
      seen |= bit;
    }
    if (seen != nodes - 1) return {};
  }
  return dimensions;
}

bool is_chain(const ErasedTopology& network) {
  const std::uint64_t nodes = network.node_count();
  if (nodes < 2 || network.processor_count() != nodes) return false;
  if (network.as<LinearArray>() != nullptr) return true;
  if (nodes > most_chain_nodes) return false;
  for (std::uint64_t u = 0; u + 1 < nodes; ++u)
    if (!port_to(network, NodeId{u}, NodeId{u + 1})) return false;
  return true;
}

bool is_linear(const ErasedTopology& network) {
  return is_chain(network) && network.link_count() == network.node_count() - 1;
}

}  // namespace lockstep
