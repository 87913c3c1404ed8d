// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The star paper for `lockstep reproduce`: its rows (cost/star_paper.hpp), and the closed forms
/// behind them held against runs of the machine.

#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/run_series.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/cost/paper_row.hpp"

namespace lockstep::cli {

/// Where the rows that were counted by the machine say that they are from.
inline constexpr std::string_view counted_by_machine = "Counted by the machine";

struct CountedRows {
  std::vector<PaperRow> rows;
  Exit exit = Exit::ok;
};

/// T(n, k) for n = 2..6, every k, and both all-gather algorithms for n = 3..6, really run, every
/// delivery verified. `ours`: counted, `exact`: the closed form. `machine`: executor and workers.
[[nodiscard]] CountedRows count_star_costs(const RunRequest& machine,
                                           const RunSeries::Options& options);

}  // namespace lockstep::cli
