// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The paper on Eisenstein-Jacobi networks for `lockstep reproduce`: its tables and the closed
/// forms behind its figures (papers/ej_paper.hpp) held against runs of the machine.

#include "papers/reproduce_counts.hpp"

namespace lockstep::papers {

/// Both broadcasts, step by step, on up to 69 million processors, with Effort::full on 2.6 billion;
/// all-gathers and total exchanges of EJ_(3+4rho)^(n), n = 1, 2.
[[nodiscard]] CountedRows count_ej_costs(const CountOptions& options);

}  // namespace lockstep::papers
