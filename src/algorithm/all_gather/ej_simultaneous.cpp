// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/all_gather/ej_simultaneous.hpp"

#include "algorithm/all_gather/ej_displacements.hpp"
#include "algorithm/all_gather/ej_simultaneous_hops.hpp"

namespace lockstep {
namespace {

template <Duplex duplex>
[[nodiscard]] EjLoads loads_on(const EisensteinJacobiNetwork& network) {
  EjGatherPlan::check_size(std::string(EjSimultaneous<duplex>::info.name), network, 1);
  const EisensteinJacobiTree tree(network.alpha());
  const EjLoads loads = ej_simultaneous_loads(tree, network.dimensions());
  return duplex == Duplex::full ? loads : ej_in_substeps(loads);
}

}  // namespace

template <Duplex duplex>
EjSimultaneous<duplex>::EjSimultaneous(const EisensteinJacobiNetwork& network, const Settings&)
    : network_(network), claims_(ej_gather_claims(network, loads_on<duplex>(network))) {}

template <Duplex duplex>
EjGatherPlan EjSimultaneous<duplex>::plan() const {
  const EisensteinJacobiTree tree(network_.alpha());
  EjGatherPlan plan(network_, claims_.footprint.steps);
  for_each_displacement(network_, [&](NodeId v, std::span<const NodeId> coordinates) {
    plan.set(v, last_hop_to(coordinates, tree, duplex, 0));
  });
  return plan;
}

template class EjSimultaneous<Duplex::full>;
template class EjSimultaneous<Duplex::half>;

}  // namespace lockstep
