// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What `lockstep compare` runs: every algorithm for an operation, and of an algorithm that packs
///
///     every single packing factor,
///     the chains and the batched single factors that are predicted to be the cheapest at
///     t_s/t_m = 0.1, 1, 100 and at the ratio asked for.

#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/cost/model.hpp"

namespace lockstep::study {

/// `base` names topology and operation, and holds what is the same for all. Throws InvalidParameter
/// where there is no algorithm.
[[nodiscard]] std::vector<RunRequest> compare_variants(const RunRequest& base,
                                                       const CostParameters& host);

}  // namespace lockstep::study
