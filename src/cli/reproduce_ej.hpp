// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The paper on Eisenstein-Jacobi networks for `lockstep reproduce`: its tables and the closed
/// forms behind its figures (cost/ej_paper.hpp) held against runs of the machine.

#include "cli/reproduce_counts.hpp"

namespace lockstep::cli {

/// Both broadcasts, step by step up to 2 million processors, in all up to 69 million, with
/// Effort::full up to 2.6 billion; all-gathers and total exchanges of EJ_(3+4rho)^(n).
[[nodiscard]] CountedRows count_ej_costs(const CountOptions& options);

}  // namespace lockstep::cli
