// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/all_gather/ej_three_phase_complete.hpp"

#include "algorithm/all_gather/ej_displacements.hpp"

namespace lockstep {
namespace {

[[nodiscard]] EjLoads loads_on(const EisensteinJacobiNetwork& network) {
  EjGatherPlan::check_size(std::string(EjThreePhaseComplete::info.name), network, 1);
  return ej_three_phase_loads(EisensteinJacobiTree(network.alpha()), network.dimensions(),
                              EjRelaunch::all_blocks);
}

/// The last phase of a walk: which, how far, and the dimension of the last hop.
struct LastPhase {
  std::size_t phase = 0;
  std::uint64_t weight = 0;
  std::size_t last = 0;
};

[[nodiscard]] LastPhase last_phase_to(std::span<const NodeId> coordinates,
                                      const EisensteinJacobiTree& tree) {
  LastPhase end;
  for (std::size_t d = coordinates.size(); d-- > 0;) {
    if (coordinates[d] == NodeId{0}) continue;
    const std::size_t phase = ej_phase_of(tree.sector(coordinates[d]));
    if (end.weight != 0 && phase < end.phase) continue;
    if (phase > end.phase) end = {.phase = phase};
    end.weight += tree.weight(coordinates[d]);
    end.last = d;
  }
  return end;
}

}  // namespace

EjThreePhaseComplete::EjThreePhaseComplete(const EisensteinJacobiNetwork& network, const Settings&)
    : network_(network), claims_(ej_gather_claims(network, loads_on(network))) {}

EjGatherPlan EjThreePhaseComplete::plan() const {
  const EisensteinJacobiTree tree(network_.alpha());
  const std::array<std::uint64_t, 3> depths = ej_phase_depths(tree);
  const std::uint64_t n = network_.dimensions();
  const std::array<std::uint64_t, 3> begin{0, n * depths[0], n * (depths[0] + depths[1])};
  EjGatherPlan plan(network_, claims_.footprint.steps);
  for_each_displacement(network_, [&](NodeId v, std::span<const NodeId> coordinates) {
    const LastPhase end = last_phase_to(coordinates, tree);
    plan.set(v, {static_cast<std::uint32_t>(begin.at(end.phase) + end.weight - 1),
                 ej_port(end.last, tree.parent_port(coordinates[end.last]))});
  });
  return plan;
}

}  // namespace lockstep
