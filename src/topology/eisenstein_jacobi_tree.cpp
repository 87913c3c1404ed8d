// SPDX-License-Identifier: Apache-2.0

/// The spanning tree of shortest paths in an Eisenstein-Jacobi network.

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

namespace {

/// Along the minor direction of the sector where the shortest path has such a hop: those come last.
[[nodiscard]] Port last_hop(const Sector& place) noexcept {
  return place.minor_count > 0
             ? port(place.sector - 1)
             : port(static_cast<std::size_t>(place.sector) % eisenstein_units.size());
}

}  // namespace

void EisensteinJacobiTree::check_size(const EisensteinJacobi& network) {
  if (network.node_count() > max_nodes)
    throw invalid("{}: {} in one dimension are too many for a tree; allowed: up to {}",
                  network.name(), counted(network.node_count(), "node"), grouped(max_nodes));
}

EisensteinJacobiTree::EisensteinJacobiTree(const EisensteinJacobi& network)
    : weights_((check_size(network), network.node_count())),
      sectors_(network.node_count()),
      parent_ports_(network.node_count()),
      child_masks_(network.node_count()),
      depth_(network.diameter()) {
  for (std::uint64_t u = 1; u < node_count(); ++u) {
    const Sector place = sector_of(network.representative(NodeId{u}));
    const Port hop = last_hop(place);
    const NodeId parent = network.neighbor(NodeId{u}, network.reverse_port(NodeId{u}, hop));
    weights_[u] = static_cast<std::uint16_t>(place.minor_count + place.major_count);
    sectors_[u] = static_cast<std::uint8_t>(place.sector);
    parent_ports_[u] = static_cast<std::uint8_t>(index(hop));
    child_masks_[index(parent)] |= static_cast<std::uint8_t>(1U << index(hop));
  }
}

}  // namespace lockstep
