// SPDX-License-Identifier: Apache-2.0

/// The type-erased topologies of our own families, and what TopologyInterface does for all of
/// them: compiled once, not by every user of one.

#include <mutex>

#include "lockstep/topology/cayley_graph.hpp"
#include "lockstep/topology/cube_cycle_group.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/topology/symmetric_group_graph.hpp"
#include "topology/prime_form.hpp"

namespace lockstep {

std::vector<Hypercube> Hypercube::factors() const {
  return std::vector(dimensions_ < 2 ? 0 : dimensions_, Hypercube(1));
}

struct TopologyInterface::Searched {
  std::once_flag once_crossed;
  std::optional<std::uint64_t> diameter;
  std::once_flag once;
  DistanceFigures figures;
  std::once_flag once_factored;
  std::optional<PrimeForm> form;
};

TopologyInterface::TopologyInterface() : searched_(std::make_shared<Searched>()) {}

std::optional<std::uint64_t> TopologyInterface::diameter() const {
  std::call_once(searched_->once_crossed, [this] { searched_->diameter = computed_diameter(); });
  return searched_->diameter;
}

const DistanceFigures& TopologyInterface::distance_figures() const {
  std::call_once(searched_->once, [this] {
    DistanceFigures& figures = searched_->figures;
    figures = lockstep::distance_figures(network());
    figures.narrowest = narrower(figures.narrowest, bisection(), node_count());
    figures.classes = arc_classes();
  });
  return searched_->figures;
}

const PrimeForm* TopologyInterface::prime_form() const {
  std::call_once(searched_->once_factored, [this] {
    if (node_count() > most_factored_nodes) return;
    searched_->form = lockstep::prime_form(network());
    if (searched_->form && searched_->form->network.name() == name()) searched_->form.reset();
  });
  return searched_->form ? &*searched_->form : nullptr;
}

template std::shared_ptr<const TopologyInterface> topology_model(StarGraph);
template std::shared_ptr<const TopologyInterface> topology_model(Hypercube);
template std::shared_ptr<const TopologyInterface> topology_model(Ring);
template std::shared_ptr<const TopologyInterface> topology_model(LinearArray);
template std::shared_ptr<const TopologyInterface> topology_model(Mesh);
template std::shared_ptr<const TopologyInterface> topology_model(Hypercycle);
template std::shared_ptr<const TopologyInterface> topology_model(Circulant);
template std::shared_ptr<const TopologyInterface> topology_model(ExtendedRing);
template std::shared_ptr<const TopologyInterface> topology_model(CompleteGraph);
template std::shared_ptr<const TopologyInterface> topology_model(Torus);
template std::shared_ptr<const TopologyInterface> topology_model(GeneralizedHypercube);
template std::shared_ptr<const TopologyInterface> topology_model(EisensteinJacobi);
template std::shared_ptr<const TopologyInterface> topology_model(EisensteinJacobiNetwork);
template std::shared_ptr<const TopologyInterface> topology_model(CayleyGraph);
template std::shared_ptr<const TopologyInterface> topology_model(CubeConnectedCycles);
template std::shared_ptr<const TopologyInterface> topology_model(WrappedButterfly);
template std::shared_ptr<const TopologyInterface> topology_model(BubbleSortGraph);
template std::shared_ptr<const TopologyInterface> topology_model(PancakeGraph);
template std::shared_ptr<const TopologyInterface> topology_model(FatTree);
template std::shared_ptr<const TopologyInterface> topology_model(Xgft);
template std::shared_ptr<const TopologyInterface> topology_model(Network);

}  // namespace lockstep
