// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The all-gathers and the drawing of the Eisenstein-Jacobi paper.

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/program/cost.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep::papers::ej {

/// The promise of an all-gather of EJ_(3+4rho)^(n).
struct Gather {
  std::string algorithm;
  Cost cost;
  std::uint64_t received;  ///< messages, by a node
};
/// Those over half-duplex links: three-phase (the paper's), three-phase-complete, two-substep,
/// rotated.
[[nodiscard]] std::vector<Gather> gathers(std::size_t n);

/// A network of one dimension: every node where its representative lies in the hexagonal lattice,
/// the six sectors in colours, the links, and the broadcast tree of node 0 with the number of the
/// step on every arc. A link that wraps around leads to a dashed circle, which names the node it
/// stands for. Throws InvalidParameter for more dimensions, or more than 500 nodes: a blur.
[[nodiscard]] std::string svg_of(const EisensteinJacobiNetwork& network);

}  // namespace lockstep::papers::ej
