// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shapes of the networks for which plans are written: families, known by the type of the network,
/// and Cayley graphs whose plans are of one class.

#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/network_shapes.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace families {

template <class Family>
[[nodiscard]] bool is_of(const ErasedTopology& network) {
  return network.as<Family>() != nullptr;
}

inline constexpr NetworkShape star{.text = "star", .plural = "star graphs", .is = is_of<StarGraph>};
inline constexpr NetworkShape ej{
    .text = "ej", .plural = "Eisenstein-Jacobi networks", .is = is_of<EisensteinJacobiNetwork>};
inline constexpr NetworkShape hypercube{
    .text = "hypercube", .plural = "hypercubes", .is = is_of<Hypercube>};
inline constexpr NetworkShape linear{
    .text = "linear", .plural = "linear arrays", .is = is_of<LinearArray>};

}  // namespace families

/// Plans of one class begin at node 0.
inline constexpr NetworkShape group_from_node_0{
    .text = "any Cayley graph",
    .plural = "Cayley graphs",
    .is = [](const ErasedTopology& network) { return network.cayley()->identity() == NodeId{0}; },
    .wider = &shapes::cayley_graph};

}  // namespace lockstep
