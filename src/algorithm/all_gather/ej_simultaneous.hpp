// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in EJ_alpha^(n): the improved broadcast from all processors at once.
/// Model:   simultaneous: all-port, full-duplex; two-substep: all-port, half-duplex.
/// Idea:    a block goes through the dimensions from the highest to the lowest, in each along the
///          tree of one dimension, so that it comes in as many steps as its source is away. Blocks
///          that want one link in one step are one message. two-substep cuts every step in two:
///          first ports +1, rho, -rho^2 of all dimensions, then the opposite ones; what comes in
///          the first half waits for the next step.
/// Cost:    simultaneous: nD start-ups; for b = a + 1, D(D+1)/2 N^(n-1) message times. two-substep:
///          2nD steps and, for b = a + 1, twice the message times: for n = 1 the least there is on
///          half-duplex links, a third less than in three phases. (A half in which nothing moves is
///          no start-up: where few residues have the largest weight. Other alphas load the ports
///          unequally and may take less than twice.)
/// Source:  this library, after Z. Hussain, "An improved one-to-all broadcasting in higher
///          dimensional Eisenstein-Jacobi networks", 2018, section 4.1, algorithms 1 and 2.
/// Differs: section 4.2 of the paper has it that on half-duplex links not all can broadcast at
///          once, and takes three phases for it; two halves are enough. Algorithm 1 is corrected
///          as in the broadcast. tests/papers/ej_all_gather_test.cpp.

#include "algorithm/all_gather/ej_gather.hpp"

namespace lockstep {

/// Of part r: dimension r + 1 is the last one.
[[nodiscard]] EjLastHops ej_simultaneous_hops(const EisensteinJacobiTree& tree, std::size_t n);

namespace ej_gather_rules {

inline constexpr EjGatherRule simultaneous{
    .info = {.name = "simultaneous",
             .operation = Operation::all_gather,
             .model = port_models::all_port,
             .source = "this library, after Hussain, section 4.1",
             .costs = "nM; sum of the largest loads",
             .summary = "the improved broadcast from all processors at once"},
    .loads = ej_simultaneous_loads,
    .last_hops = ej_simultaneous_hops};
inline constexpr EjGatherRule two_substep{
    .info = {.name = "two-substep",
             .operation = Operation::all_gather,
             .model = port_models::all_port_half_duplex,
             .source = "this library, after Hussain, section 4",
             .costs = "2nM; sum of the largest loads",
             .summary =
                 "the improved broadcast from all processors at once, each step in two halves"},
    .loads = ej_simultaneous_loads,
    .last_hops = ej_simultaneous_hops,
    .in_substeps = true};

}  // namespace ej_gather_rules

using EjSimultaneous = EjGather<ej_gather_rules::simultaneous>;
using EjTwoSubstep = EjGather<ej_gather_rules::two_substep>;

static_assert(AlgorithmClass<EjSimultaneous> && AlgorithmClass<EjTwoSubstep>);

}  // namespace lockstep
