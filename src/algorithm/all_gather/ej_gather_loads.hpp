// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Loads of all-gathers in EJ_alpha^(n) in closed form: what every processor sends through each of
/// its ports in each step. They are coefficients of polynomials in which z^w stands for the
/// residues, or displacements, of weight w. Plans (ej_gathers.cpp) are held against these.
///
/// With P_k the residues whose last hop in the tree of one dimension is port k, and W = 1 + P_0 +
/// .. + P_5, the improved broadcast from all processors at once sends [z^s] P_k W^(n-d) blocks
/// through port k of dimension d in step s = 1, 2, ..: lower dimensions are untouched, higher ones
/// done. The three phases have P_k and W of their sectors alone.
///
/// Source: derived; Hussain 2018, section 4.2, has no such figures.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

/// The load of a port in a step: [step][port], in blocks or parts of blocks.
using EjLoads = std::vector<std::vector<std::uint64_t>>;

/// The phase, 0..2, in which the paper serves a sector, 1..6: sectors 6 and 1, 2 and 3, 4 and 5.
[[nodiscard]] constexpr std::size_t ej_phase_of(int sector) noexcept {
  return static_cast<std::size_t>(sector % 6) / 2;
}
/// The first of the two halves of a step in which no link is used both ways: ports +1, rho, -rho^2.
[[nodiscard]] constexpr bool ej_first_substep(std::size_t port_of_dimension) noexcept {
  return port_of_dimension < 2 || port_of_dimension == 5;
}
/// Port k of dimension d, both counted from 0.
[[nodiscard]] constexpr Port ej_port(std::size_t d, Port k) noexcept {
  return port(6 * d + index(k));
}
/// The largest weight in the sectors of each phase.
[[nodiscard]] std::array<std::uint64_t, 3> ej_phase_depths(const EisensteinJacobiTree& tree);

/// The improved broadcast from all at once.
[[nodiscard]] EjLoads ej_simultaneous_loads(const EisensteinJacobiTree& tree, std::size_t n);
/// The same in n parts, the dimensions in an order rotated from part to part; in parts.
[[nodiscard]] EjLoads ej_rotated_loads(const EisensteinJacobiTree& tree, std::size_t n);
/// Each step cut in two.
[[nodiscard]] EjLoads ej_in_substeps(const EjLoads& loads);

/// The blocks that are sent anew when a phase begins.
enum class EjRelaunch : std::uint8_t { own_block, all_blocks };
/// Three phases one after the other.
[[nodiscard]] EjLoads ej_three_phase_loads(const EisensteinJacobiTree& tree, std::size_t n,
                                           EjRelaunch relaunch);

/// The paper's, each of n times as many steps as its sectors are deep.
[[nodiscard]] std::vector<Phase> ej_three_phases(const EisensteinJacobiTree& tree, std::size_t n);

}  // namespace lockstep
