// SPDX-License-Identifier: Apache-2.0

/// The type-erased topologies of our own families: compiled once, not by every user of one.

#include "lockstep/topology/cayley_graph.hpp"
#include "lockstep/topology/cube_cycle_group.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/topology/symmetric_group_graph.hpp"
#include "topology/permutation_translations.hpp"

namespace lockstep {

template DistanceFigures distance_figures(const Network& network);
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
