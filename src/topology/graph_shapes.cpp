// SPDX-License-Identifier: Apache-2.0
#include "topology/graph_shapes.hpp"

#include <cstdint>
#include <vector>

#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

bool is_complete(const ErasedTopology& network) {
  constexpr std::uint64_t most_nodes = 4'096;
  const std::uint64_t nodes = network.node_count();
  if (nodes < 2 || network.processor_count() != nodes) return false;
  if (network.as<CompleteGraph>() != nullptr) return true;
  if (nodes > most_nodes) return false;
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

}  // namespace lockstep
