// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The star paper for `lockstep reproduce`: the closed forms behind its rows
/// (papers/star_paper.hpp) held against runs of the machine.

#include "papers/reproduce_counts.hpp"

namespace lockstep::papers {

/// T(n, k) for n = 2..6, every k, and both all-gather algorithms for n = 3..6.
[[nodiscard]] CountedRows count_star_costs(const CountOptions& options);

}  // namespace lockstep::papers
