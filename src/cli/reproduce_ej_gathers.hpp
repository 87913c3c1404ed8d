// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchanges of EJ_(3+4rho)^(n), n = 1, 2, for `lockstep reproduce ej`.

#include <vector>

#include "cli/reproduce_counts.hpp"

namespace lockstep::cli {

/// Against the least number of steps, which all of them reach.
[[nodiscard]] std::vector<CountedClaim> ej_total_exchange_claims(const RunRequest& machine);

}  // namespace lockstep::cli
