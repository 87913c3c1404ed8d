// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shapes of networks that algorithms know by their links, whatever their names: a complete graph
/// from a file is one, too.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// Whether every node is linked to every other. No more than most_complete_nodes are looked at,
/// unless the network is written as a complete graph.
[[nodiscard]] bool is_complete(const ErasedTopology& network);

/// d where the nodes are the numbers of d bits, and neighbours differ in one bit.
[[nodiscard]] std::optional<std::uint64_t> hypercube_dimensions(const ErasedTopology& network);

/// Whether node i is linked to node i + 1, for all i.
[[nodiscard]] bool is_chain(const ErasedTopology& network);
/// Whether these are all links: a linear array.
[[nodiscard]] bool is_linear(const ErasedTopology& network);

/// Whether several ports of a node lead to the same other one.
template <Topology T>
[[nodiscard]] bool has_lanes(const T& network) {
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    std::vector<NodeId> ends;
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      ends.push_back(network.neighbor(NodeId{u}, port(p)));
    std::ranges::sort(ends);
    if (std::ranges::adjacent_find(ends) != ends.end()) return true;
  }
  return false;
}

}  // namespace lockstep
