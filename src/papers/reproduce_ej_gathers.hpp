// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gathers and total exchanges of EJ_(3+4rho)^(n), n = 1, 2, for `lockstep reproduce ej`.

#include <vector>

#include "papers/reproduce_counts.hpp"

namespace lockstep::papers {

/// That of the paper must end with blocks missing for n = 2, and as many as its phases leave out.
[[nodiscard]] std::vector<CountedClaim> ej_all_gather_claims(const RunRequest& machine);

/// Against the least number of steps, which all of them reach.
[[nodiscard]] std::vector<CountedClaim> ej_total_exchange_claims(const RunRequest& machine);

}  // namespace lockstep::papers
