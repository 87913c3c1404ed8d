// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The displacements of EJ_alpha^(n), one after the other, with their coordinates.

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"

namespace lockstep {

/// visit(displacement, coordinates), dimension 1 first, for every displacement but 0.
template <class Visit>
void for_each_displacement(const EisensteinJacobiNetwork& network, Visit visit) {
  const std::uint64_t residues = network.alpha().node_count();
  std::vector<NodeId> coordinates(network.dimensions());
  for (std::uint64_t v = 1; v < network.node_count(); ++v) {
    std::size_t d = 0;
    for (; index(coordinates[d]) + 1 == residues; ++d) coordinates[d] = NodeId{0};
    coordinates[d] = NodeId{index(coordinates[d]) + 1};
    visit(NodeId{v}, std::span<const NodeId>(coordinates));
  }
}

/// Port k of dimension d, both counted from 0.
[[nodiscard]] inline Port ej_port(std::size_t d, Port k) { return port(6 * d + index(k)); }

}  // namespace lockstep
