// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The tables and figures of K. Coolsaet, V. Fack, "Optimal data exchange algorithms on star
/// graphs", as printed, beside ours: tables that are complete and checked
/// (algorithm/exchange_table/table_check.hpp). The paper does not number its tables; here they are
/// 1 to 5 in its order.
///
///     for (const PaperRow& row : tables_paper::table(3)) print(row.printed, row.ours);

#include <string_view>
#include <vector>

#include "papers/paper_row.hpp"

namespace lockstep::tables_paper {

inline constexpr std::string_view title =
    "Coolsaet, Fack: Optimal data exchange algorithms on star graphs";

/// 1: n = 4 odd, all of it; the base blocks for 2: n = 4 total, 3: n = 5 total, 4: n = 5 odd, 5: n
/// = 6 total. A row each, printed as letters with a dot for a blank; ours with a dash inside words;
/// then what the check says. Throws InvalidParameter for others.
[[nodiscard]] std::vector<PaperRow> table(unsigned number);

/// The figures in the text: exceptional words, minimal words, times beside the lower bound.
[[nodiscard]] std::vector<PaperRow> claims();

/// Ours alone: times for n = 3, which the paper takes from elsewhere, and 7 and 8, of which it says
/// that the existence of optimal tables is not clear.
[[nodiscard]] std::vector<PaperRow> beyond();

/// All of the above, in the order of the paper.
[[nodiscard]] std::vector<PaperRow> all();

/// The errata that rows refer to, ascending.
[[nodiscard]] const std::vector<Erratum>& errata();

}  // namespace lockstep::tables_paper
