// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The matrix of gaps, for readers and for programs.

#include <cstddef>
#include <string>
#include <vector>

#include "report/document.hpp"
#include "report/fields.hpp"
#include "study/gap.hpp"

namespace lockstep::study {

/// A row per cell.
[[nodiscard]] std::vector<report::Fields> gap_rows(const std::vector<GapCell>& cells);

/// How many cells are optimal, more than twice their bound or without an algorithm; geometric mean
/// and largest of time / bound.
[[nodiscard]] report::Fields gap_summary(const std::vector<GapCell>& cells);

/// A line per network, operation and port model with a column per ratio, and the summary.
[[nodiscard]] std::string gap_text(const std::vector<GapCell>& cells, std::size_t page);

/// The same to be looked at: a map of one network, or one per port model and ratio of several.
[[nodiscard]] std::vector<report::Section> gap_sections(const std::vector<GapCell>& cells);

}  // namespace lockstep::study
