// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Plots over the rows of a sweep or a comparison (study/run_row.hpp): each takes the columns that
/// it needs, and is left out where these have too few values to draw.

#include <span>
#include <vector>

#include "report/document.hpp"

namespace lockstep::study {

using Rows = std::span<const report::Fields>;

/// Those that suit a sweep, or a comparison, as sections. `complete`: rows of which the best one is
/// known, because no run is left that competes with them.
[[nodiscard]] std::vector<report::Section> sections_of_sweep(Rows rows, Rows complete);
[[nodiscard]] std::vector<report::Section> sections_of_comparison(Rows rows, Rows complete);

}  // namespace lockstep::study
