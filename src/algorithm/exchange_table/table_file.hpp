// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Exchange tables as text files.
///
///     startable 1               the format's version, first line
///     n 3                       these four in any order, each once, before the rows
///     kind total                total | odd | base-total | base-odd
///     columns 5
///     rows 2
///     row 121 12                a line per row: words, and blanks as . or .k for k of them
///     row 2 1 . 21
///     end                       last line: a file without it is cut short
///
/// Lines end in LF or CR LF; # begins a comment; empty lines are ignored; tokens are separated by
/// blanks or tabs. The letters of a word are ports as the paper counts them, 1 to 9, then a to z.

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "algorithm/exchange_table/exchange_table.hpp"
#include "algorithm/exchange_table/table_check.hpp"

namespace lockstep {

/// Exchange tables as the paper prints them, and where their words end, which it leaves out.
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

/// The largest text of a table file that is read.
inline constexpr std::uint64_t max_exchange_table_bytes = std::uint64_t{256} << 20U;

/// A table with the places of its rows, so that faults can name lines.
struct ExchangeTableFile {
  ExchangeTable table;
  std::vector<std::uint64_t> row_lines;  ///< counted from 1
  std::vector<TableFault> width_faults;  ///< rows that do not fill the columns they announce
};

/// Throws InvalidParameter "FILE:LINE: ..." where the text is not of the format. Rows of the wrong
/// width are no error here but in `width_faults`; what else may be wrong is for
/// check_exchange_table.
[[nodiscard]] ExchangeTableFile parse_exchange_table(std::istream& in,
                                                     const std::string& file_name);

/// All faults of the file, with their lines.
[[nodiscard]] std::vector<TableFault> check_exchange_table(const ExchangeTableFile& file);

/// A table that can be run: throws InvalidParameter "FILE:LINE: ..." for the first fault of format
/// or content.
[[nodiscard]] ExchangeTable read_exchange_table(std::istream& in, const std::string& file_name);

/// Precondition: check_exchange_table finds no fault. `remark`: comments behind the first line.
void write_exchange_table(std::ostream& out, const ExchangeTable& table,
                          const std::string& remark = {});

}  // namespace lockstep
