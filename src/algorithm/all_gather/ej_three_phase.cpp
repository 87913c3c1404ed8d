// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/all_gather/ej_three_phase.hpp"

#include "algorithm/all_gather/ej_displacements.hpp"

namespace lockstep {
namespace {

[[nodiscard]] EjLoads loads_on(const EisensteinJacobiNetwork& network) {
  EjGatherPlan::check_size(std::string(EjThreePhase::info.name), network, 1);
  return ej_three_phase_loads(EisensteinJacobiTree(network.alpha()), network.dimensions(),
                              EjRelaunch::own_block);
}

/// Where a walk that stays in the sectors of one phase ends.
struct Walk {
  std::size_t phase = 0;
  std::uint64_t weight = 0;
  std::size_t last = 0;  ///< dimension
  bool in_one_phase = true;
};

[[nodiscard]] Walk walk_to(std::span<const NodeId> coordinates, const EisensteinJacobiTree& tree) {
  Walk walk;
  for (std::size_t d = coordinates.size(); d-- > 0;) {
    if (coordinates[d] == NodeId{0}) continue;
    const std::size_t phase = ej_phase_of(tree.sector(coordinates[d]));
    walk.in_one_phase = walk.in_one_phase && (walk.weight == 0 || phase == walk.phase);
    walk.phase = phase;
    walk.weight += tree.weight(coordinates[d]);
    walk.last = d;
  }
  return walk;
}

}  // namespace

EjThreePhase::EjThreePhase(const EisensteinJacobiNetwork& network, const Settings&)
    : network_(network), claims_(ej_gather_claims(network, loads_on(network))) {}

EjGatherPlan EjThreePhase::plan() const {
  const EisensteinJacobiTree tree(network_.alpha());
  const std::array<std::uint64_t, 3> depths = ej_phase_depths(tree);
  const std::uint64_t n = network_.dimensions();
  const std::array<std::uint64_t, 3> begin{0, n * depths[0], n * (depths[0] + depths[1])};
  EjGatherPlan plan(network_, claims_.footprint.steps);
  for_each_displacement(network_, [&](NodeId v, std::span<const NodeId> coordinates) {
    const Walk walk = walk_to(coordinates, tree);
    if (!walk.in_one_phase) return;
    plan.set(v, {static_cast<std::uint32_t>(begin.at(walk.phase) + walk.weight - 1),
                 ej_port(walk.last, tree.parent_port(coordinates[walk.last]))});
  });
  return plan;
}

}  // namespace lockstep
