// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in EJ_alpha^(n) in three phases, as the paper has it: complete for n = 1 alone.
/// Model:   all-port, half-duplex.
/// Idea:    phase p = 1, 2, 3 is the improved broadcast of every processor's own block, in all
///          dimensions at once, along the tree of two sectors: 6 and 1, 2 and 3, 4 and 5. The ports
///          that send in a phase are not those that receive, so no link is used both ways.
/// Cost:    3nD start-ups, D(D+1)/2 * 3 ((N+2)/3)^(n-1) message times for b = a + 1; in general n
///          (D1 + D2 + D3) start-ups, Dp the largest weight in the sectors of phase p. For n >= 2 a
///          block comes only where all coordinates of the displacement are in sectors of one phase:
///          3 (((N+2)/3)^n - 1) of N^n - 1 blocks, for EJ_(3+4rho)^(2) 504 of 1368.
/// Source:  Z. Hussain, "An improved one-to-all broadcasting in higher dimensional
///          Eisenstein-Jacobi networks", 2018, section 4.2, algorithms 3 and 4.
/// Differs: algorithm 4 lets every packet of the last step start the next phase, with the message
///          it carries, and no processor sends its own again; here, as the text means it, every
///          processor begins each phase once, with its own block. Messages that want one link in
///          one step are combined: with one message per link and step, 3nD steps are not enough.
///          The paper claims that all blocks arrive; EJ_(1+2rho)^(2), (0, 0) -> (+1, -1) does not.
///          Other alphas: not in the paper; a residue is in the sector of its tree. Each is a test
///          of tests/papers/ej_all_gather_test.cpp.

#include "algorithm/all_gather/ej_gather.hpp"

namespace lockstep {

[[nodiscard]] EjLastHops ej_three_phase_hops(const EisensteinJacobiTree& tree, std::size_t n);

namespace ej_gather_rules {

inline constexpr EjGatherRule three_phase{
    .info = {.name = "three-phase",
             .operation = Operation::all_gather,
             .model = port_models::all_port_half_duplex,
             .source = "Hussain, section 4.2, algorithms 3 and 4",
             .costs = "3nM for b = a + 1; the sum of the largest loads",
             .summary = "as printed: three phases of two sectors; loses blocks in 2 or more "
                        "dimensions"},
    .loads = [](const EisensteinJacobiTree& tree,
                std::size_t n) { return ej_three_phase_loads(tree, n, EjRelaunch::own_block); },
    .last_hops = ej_three_phase_hops,
    .phases = ej_three_phases};

}  // namespace ej_gather_rules

using EjThreePhase = EjGather<ej_gather_rules::three_phase>;

static_assert(AlgorithmClass<EjThreePhase>);

}  // namespace lockstep
