// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Sections of plots over the rows of a sweep or a comparison (study/run_row.hpp). A plot is left
/// out if its columns have too few values.

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
