// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Plots over the rows of a sweep or a comparison (study/run_row.hpp): each takes the columns that
/// it needs, and is empty where these have too few values to draw.
///
///     document.sections.push_back({.heading = "Block length", .plots = {time_by_bytes(rows)}});

#include <span>
#include <string_view>
#include <vector>

#include "report/document.hpp"

namespace lockstep::study {

using Rows = std::span<const report::Fields>;

/// Wall time, or another column, against block length, on logarithmic axes; a curve per network and
/// algorithm.
[[nodiscard]] report::Plot time_by_bytes(Rows rows);
[[nodiscard]] report::Plot rate_by_bytes(Rows rows);
/// A column against the packing factor, a curve per network; and against the network, a curve per
/// algorithm and settings.
[[nodiscard]] report::Plot by_packing_factor(Rows rows, std::string_view column,
                                             const report::Axis& axis);
[[nodiscard]] report::Plot by_network(Rows rows, std::string_view column, const report::Axis& axis);
/// Measured wall time beside wall/predicted_seconds where rows have it, else beside the modelled
/// time.
[[nodiscard]] std::vector<report::Plot> rows_against_model(Rows rows);
/// The choice of the least counted cost for every network and port model, for t_s/t_m from 10^-3 to
/// 10^6.
[[nodiscard]] report::Plot winner_map(Rows rows);
/// Cost over that of the best, against t_s/t_m; of one network.
[[nodiscard]] report::Plot cost_by_ratio(Rows rows);
/// Start-ups times t_s and message times times t_m of every row.
[[nodiscard]] report::Plot cost_terms(Rows rows);

/// All of these that suit a sweep, or a comparison, as sections. `complete`: rows of which the best
/// one is known, because no run is left that competes with them.
[[nodiscard]] std::vector<report::Section> sections_of_sweep(Rows rows, Rows complete);
[[nodiscard]] std::vector<report::Section> sections_of_comparison(Rows rows, Rows complete);

}  // namespace lockstep::study
