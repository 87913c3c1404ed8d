// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The packing factors that an algorithm takes on a network, found by asking it.

#include <cstddef>
#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::study {

using Factors = std::vector<std::size_t>;

/// 1, 2, ..., up to the last that is not refused; `request` names topology, operation, algorithm.
[[nodiscard]] std::vector<Factors> single_factors(const RunRequest& request);

/// Every decreasing chain of two factors or more between `largest` and 2: 4,3,2; 4,3; 4,2; 3,2.
/// Precondition: largest <= 20.
[[nodiscard]] std::vector<Factors> chains_up_to(std::size_t largest);

}  // namespace lockstep::study
