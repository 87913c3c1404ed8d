// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/ej_simultaneous.hpp"

namespace lockstep {

/// The dimensions are walked from `part` (counted from 0) - 1 downwards, cyclically, so that `part`
/// comes last.
EjLastHops ej_simultaneous_hops(const EisensteinJacobiTree& tree, std::size_t /*n*/) {
  return [&tree](std::span<const NodeId> coordinates, std::uint32_t part) -> EjGatherPlan::Hop {
    std::uint64_t distance = 0;
    for (const NodeId c : coordinates) distance += tree.weight(c);
    std::size_t d = part;
    while (coordinates[d] == NodeId{0}) d = (d + 1) % coordinates.size();
    return {static_cast<std::uint32_t>(distance - 1), ej_port(d, tree.parent_port(coordinates[d]))};
  };
}

}  // namespace lockstep
