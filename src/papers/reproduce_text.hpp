// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Rows of a paper as a reader wants them: a table per table of the paper, a figure as one line per
/// size or step and a column per curve, and behind each the errata that explain its differences.

#include <string>
#include <vector>

#include "papers/paper_row.hpp"

namespace lockstep::papers {

/// Nothing printed by the paper differs from ours without an erratum.
[[nodiscard]] bool explained(const PaperRow& row) noexcept;

/// "agrees", "differs", "differs: NOT EXPLAINED", with ", erratum 15" where there is one; empty
/// where there is nothing to compare with.
[[nodiscard]] std::string judgement(const PaperRow& row);

[[nodiscard]] std::string paper_text(const std::vector<PaperRow>& rows,
                                     const std::vector<Erratum>& errata);

}  // namespace lockstep::papers
