// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The last hop of a block, or of a part of it, in improved broadcasts from all processors at once.

#include <cstdint>
#include <span>

#include "algorithm/all_gather/ej_displacements.hpp"
#include "lockstep/algorithm/all_gather/ej_gather_loads.hpp"
#include "lockstep/algorithm/all_gather/ej_gather_plan.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"

namespace lockstep {

/// The dimensions are walked from `last` (counted from 0) - 1 downwards, cyclically, so that `last`
/// comes last. On half-duplex links a step is two: the ports of one half, then the others.
[[nodiscard]] inline EjGatherPlan::Hop last_hop_to(std::span<const NodeId> coordinates,
                                                   const EisensteinJacobiTree& tree, Duplex duplex,
                                                   std::size_t last) {
  std::uint64_t distance = 0;
  for (const NodeId c : coordinates) distance += tree.weight(c);
  std::size_t d = last;
  while (coordinates[d] == NodeId{0}) d = (d + 1) % coordinates.size();
  const Port k = tree.parent_port(coordinates[d]);
  const std::uint64_t half = ej_first_substep(index(k)) ? 0 : 1;
  const std::uint64_t step = duplex == Duplex::full ? distance - 1 : 2 * (distance - 1) + half;
  return {static_cast<std::uint32_t>(step), ej_port(d, k)};
}

}  // namespace lockstep
