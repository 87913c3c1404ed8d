// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The drawing of an Eisenstein-Jacobi network of one dimension, as an SVG document: every node
/// where its representative lies in the hexagonal lattice, the six sectors in colours, the links,
/// and the broadcast tree of node 0 with the number of the step on every arc. A link that wraps
/// around leads to a dashed circle, which names the node it stands for.

#include <cstdint>
#include <string>

#include "lockstep/topology/eisenstein_jacobi_network.hpp"

namespace lockstep::papers {

/// More would be a blur.
inline constexpr std::uint64_t max_drawn_nodes = 500;

/// Throws InvalidParameter where there is more than one dimension, or more than max_drawn_nodes.
[[nodiscard]] std::string svg_of(const EisensteinJacobiNetwork& network);

}  // namespace lockstep::papers
