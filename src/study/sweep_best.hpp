// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a sweep is for: the cheapest parameters of every network, by the costs that were counted.

#include <span>
#include <string>
#include <vector>

#include "lockstep/program/settings.hpp"
#include "lockstep/report/table.hpp"
#include "report/fields.hpp"

namespace lockstep::study {

/// A row per topology, a column per ratio t_s/t_m: "k = 3", "k = 4,3,2, batch 6" (what the row says
/// of its settings), with the algorithm before it where there are several. Only rows whose status
/// is ok count.
[[nodiscard]] Table best_by_ratio(const std::vector<report::Fields>& rows);

/// The same as rows: topology, operation, ratio, algorithm, and these parameters.
[[nodiscard]] std::vector<report::Fields> best_rows(const std::vector<report::Fields>& rows,
                                                    std::span<const Parameter> parameters);

}  // namespace lockstep::study
