// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Exchange tables as the paper prints them, and where their words end, which it leaves out.

#include <cstdint>
#include <string>

#include "algorithm/exchange_table/exchange_table.hpp"

namespace lockstep {

/// A line per row, two characters per column: the letter, and a dash where its word goes on; a dot
/// for a blank. Wide tables in pieces of `piece` columns with a line "columns 1-36" above each.
///
///     1-2-1 1-2
///     2 1 . 2-1
[[nodiscard]] std::string rows_text(const ExchangeTable& table, std::uint64_t piece = 36);

/// "1-2-1 1-2", "2 1 . 2-1": one row, all of it.
[[nodiscard]] std::string row_text(const std::vector<PlacedWord>& row, std::uint64_t columns);

/// The words that lead to exceptional nodes, in the order of the rows: "121 1231".
[[nodiscard]] std::string exceptional_words_text(const ExchangeTable& table);

}  // namespace lockstep
