// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in EJ_alpha^(n) with blocks cut in n parts: all ports are loaded alike.
/// Model:   rotated: all-port, half-duplex; simultaneous-rotated: all-port, full-duplex.
/// Idea:    as two-substep (simultaneous), but part r = 0..n-1 of a block goes through the
///          dimensions in the order r, r - 1, .., 1, n, .., r + 1. So every dimension is the last
///          one, which carries most, for one part in n.
/// Cost:    rotated: 2nD steps and, for b = a + 1, (N^n - 1)/(3n) message times: no all-gather on
///          half-duplex links takes less. simultaneous-rotated: nD steps and, for b = a + 1, half
///          of the message times. Counted in parts of ceil(bytes/n) bytes, n of them a message
///          time.
/// Source:  this library, after Z. Hussain, "An improved one-to-all broadcasting in higher
///          dimensional Eisenstein-Jacobi networks", 2018, section 4.1.
/// Differs: not in the paper; tests/papers/ej_all_gather_test.cpp.

#include "algorithm/all_gather/ej_simultaneous.hpp"

namespace lockstep {

namespace ej_gather_rules {

inline constexpr EjGatherRule rotated{
    .info = {.name = "rotated",
             .operation = Operation::all_gather,
             .model = port_models::all_port_half_duplex,
             .source = "this library, after Hussain, section 4",
             .costs = "2nM; for b = a + 1 (N^n - 1)/(3n), the lower bound",
             .summary = "two-substep with blocks in n parts and rotated dimensions, "
                        "which balances the ports"},
    .loads = ej_rotated_loads,
    .last_hops = ej_simultaneous_hops,
    .in_parts = true,
    .in_substeps = true};
inline constexpr EjGatherRule simultaneous_rotated{
    .info = {.name = "simultaneous-rotated",
             .operation = Operation::all_gather,
             .model = port_models::all_port,
             .source = "this library, after Hussain, section 4.1",
             .costs = "nM; for b = a + 1 (N^n - 1)/(6n), the lower bound",
             .summary = "broadcasts from all processors at once, blocks in n parts, "
                        "rotated dimensions"},
    .loads = ej_rotated_loads,
    .last_hops = ej_simultaneous_hops,
    .in_parts = true};

}  // namespace ej_gather_rules

using EjRotated = EjGather<ej_gather_rules::rotated>;
using EjSimultaneousRotated = EjGather<ej_gather_rules::simultaneous_rotated>;

static_assert(AlgorithmClass<EjRotated> && AlgorithmClass<EjSimultaneousRotated>);

}  // namespace lockstep
