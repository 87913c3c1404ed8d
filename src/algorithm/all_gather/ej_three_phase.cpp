// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/ej_three_phase.hpp"

#include "algorithm/all_gather/ej_three_phase_complete.hpp"

namespace lockstep {
namespace {

/// The last phase of a walk: which, how far in it, and the dimension of the last hop.
struct LastPhase {
  std::size_t phase = 0;
  std::uint64_t weight = 0;
  std::size_t last = 0;
  bool is_only_one = true;
};

[[nodiscard]] LastPhase last_phase_to(std::span<const NodeId> coordinates,
                                      const EisensteinJacobiTree& tree) {
  LastPhase end;
  for (std::size_t d = coordinates.size(); d-- > 0;) {
    if (coordinates[d] == NodeId{0}) continue;
    const std::size_t phase = ej_phase_of(tree.sector(coordinates[d]));
    end.is_only_one = end.is_only_one && (end.weight == 0 || phase == end.phase);
    if (end.weight != 0 && phase < end.phase) continue;
    if (phase > end.phase) end = {.phase = phase, .is_only_one = end.is_only_one};
    end.weight += tree.weight(coordinates[d]);
    end.last = d;
  }
  return end;
}

}  // namespace

EjLastHops ej_three_phase_complete_hops(const EisensteinJacobiTree& tree, std::size_t n) {
  const std::array<std::uint64_t, 3> depths = ej_phase_depths(tree);
  const std::array<std::uint64_t, 3> begin{0, n * depths[0], n * (depths[0] + depths[1])};
  return [&tree, begin](std::span<const NodeId> coordinates, std::uint32_t) -> EjGatherPlan::Hop {
    const LastPhase end = last_phase_to(coordinates, tree);
    return {static_cast<std::uint32_t>(begin.at(end.phase) + end.weight - 1),
            ej_port(end.last, tree.parent_port(coordinates[end.last]))};
  };
}

/// A block comes in the phase in which it was sent, or not at all.
EjLastHops ej_three_phase_hops(const EisensteinJacobiTree& tree, std::size_t n) {
  return [&tree, complete = ej_three_phase_complete_hops(tree, n)](
             std::span<const NodeId> coordinates, std::uint32_t part) {
    return last_phase_to(coordinates, tree).is_only_one ? complete(coordinates, part)
                                                        : EjGatherPlan::Hop{};
  };
}

}  // namespace lockstep
