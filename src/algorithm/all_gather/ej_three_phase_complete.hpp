// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in EJ_alpha^(n) in three phases, made complete.
/// Model:   all-port, half-duplex.
/// Idea:    as three-phase, but when a phase begins every processor sends all blocks it holds, its
///          own and those that came, each in the dimensions in which its displacement is 0; what
///          comes through dimension d goes on along the tree there, and anew into those dimensions
///          below d in which its displacement is 0. So a displacement is walked phase by phase, in
///          each from high dimensions to low ones: every block comes once.
/// Cost:    n (D1 + D2 + D3) start-ups, Dp the largest weight in the sectors of phase p. For b = a
///          + 1: 3nD, and with K = (N-1)/3 D(D+1)/2 ((1+K)^(n-1) + (1+2K)^(n-1) + N^(n-1)) message
///          times.
/// Source:  this library, after Z. Hussain, "An improved one-to-all broadcasting in higher
///          dimensional Eisenstein-Jacobi networks", 2018, section 4.2, whose algorithms 3 and 4
///          leave blocks out for n >= 2.
/// Differs: it does what the paper claims, for every alpha; tests/papers/ej_all_gather_test.cpp.

#include "algorithm/all_gather/ej_gather.hpp"

namespace lockstep {

[[nodiscard]] EjLastHops ej_three_phase_complete_hops(const EisensteinJacobiTree& tree,
                                                      std::size_t n);

namespace ej_gather_rules {

inline constexpr EjGatherRule three_phase_complete{
    .info = {.name = "three-phase-complete",
             .operation = Operation::all_gather,
             .model = port_models::all_port_half_duplex,
             .source = "this library, after Hussain, section 4",
             .costs = "3nM for b = a + 1; the sum of the largest loads",
             .summary =
                 "three phases of two sectors; each phase starts with all blocks held so far"},
    .loads = [](const EisensteinJacobiTree& tree,
                std::size_t n) { return ej_three_phase_loads(tree, n, EjRelaunch::all_blocks); },
    .last_hops = ej_three_phase_complete_hops,
    .phases = ej_three_phases};

}  // namespace ej_gather_rules

using EjThreePhaseComplete = EjGather<ej_gather_rules::three_phase_complete>;

static_assert(AlgorithmClass<EjThreePhaseComplete>);

}  // namespace lockstep
