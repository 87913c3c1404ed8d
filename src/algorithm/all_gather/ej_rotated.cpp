// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/all_gather/ej_rotated.hpp"

#include "algorithm/all_gather/ej_displacements.hpp"
#include "algorithm/all_gather/ej_simultaneous_hops.hpp"

namespace lockstep {
namespace {

template <Duplex duplex>
[[nodiscard]] EjLoads loads_on(const EisensteinJacobiNetwork& network) {
  const std::size_t n = network.dimensions();
  EjGatherPlan::check_size(std::string(EjRotated<duplex>::info.name), network, n);
  const EjLoads loads = ej_rotated_loads(EisensteinJacobiTree(network.alpha()), n);
  return duplex == Duplex::full ? loads : ej_in_substeps(loads);
}

[[nodiscard]] std::uint32_t parts_on(const EisensteinJacobiNetwork& network) {
  return static_cast<std::uint32_t>(network.dimensions());
}

}  // namespace

template <Duplex duplex>
EjRotated<duplex>::EjRotated(const EisensteinJacobiNetwork& network, const Settings&)
    : network_(network),
      claims_(ej_gather_claims(network, loads_on<duplex>(network), parts_on(network))) {}

template <Duplex duplex>
EjGatherPlan EjRotated<duplex>::plan() const {
  const EisensteinJacobiTree tree(network_.alpha());
  EjGatherPlan plan(network_, claims_.footprint.steps, parts_on(network_));
  for_each_displacement(network_, [&](NodeId v, std::span<const NodeId> coordinates) {
    for (std::uint32_t part = 0; part < plan.parts(); ++part)
      plan.set(v, last_hop_to(coordinates, tree, duplex, part), part);
  });
  return plan;
}

template class EjRotated<Duplex::full>;
template class EjRotated<Duplex::half>;

}  // namespace lockstep
