// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The star paper for `lockstep reproduce`: the closed forms behind its rows (cost/star_paper.hpp)
/// held against runs of the machine.

#include "cli/reproduce_counts.hpp"

namespace lockstep::cli {

/// T(n, k) for n = 2..6, every k, and both all-gather algorithms for n = 3..6.
[[nodiscard]] CountedRows count_star_costs(const CountOptions& options);

}  // namespace lockstep::cli
