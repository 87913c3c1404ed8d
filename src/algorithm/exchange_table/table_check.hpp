// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Whether an exchange table is one, and whether it is a shortest one.
///
///     for (const TableFault& fault : check_exchange_table(table)) print(fault.reason);
///
/// A table without faults is an exchange: every processor sends each destination its message once,
/// by a shortest route, nothing waits on its way and no port is used twice in a step. The check
/// walks the words in the star graph; with what builds and searches tables it shares the rotation
/// and the exceptional nodes (words.hpp) alone.
///
/// Source: Coolsaet, Fack (exchange_table.hpp), theorem 2; what a base block is: section 2.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithm/exchange_table/exchange_table.hpp"

namespace lockstep {

struct TableFault {
  std::string reason;                     ///< names the word, where there is one
  std::optional<std::size_t> row{};       ///< counted from 0
  std::optional<std::uint64_t> column{};  ///< counted from 0
  std::optional<std::uint64_t> line{};    ///< of the file, counted from 1

  friend bool operator==(const TableFault&, const TableFault&) = default;
};

/// "FILE:7: row 2, column 5: REASON"; what is not known is left out. Counts from 1.
[[nodiscard]] std::string fault_text(const TableFault& fault, const std::string& file_name);

/// Every fault, in the order of the conditions below and of the places; none: the table is valid.
///   1. 3 <= n <= 12, n - 1 rows, every word inside the columns and behind the one before it
///   2. every letter is a port
///   3. no column holds a letter twice
///   4. no word is empty, leads back to where it starts, or is longer than the distance
///   5. no destination has two words
///   6. every destination of the kind has one, and no other node; a base block has all exceptional
///      nodes of its parity, and of every full orbit all nodes or none
/// Destinations without a word are one fault, which names the first. Letters l: O(l log l).
[[nodiscard]] std::vector<TableFault> check_exchange_table(const ExchangeTable& table);

/// The one fault of a valid table that takes more columns than lower_bound_columns, for a base
/// block: together with the orbit blocks that are left. Precondition: the table is valid.
[[nodiscard]] std::vector<TableFault> check_optimality(const ExchangeTable& table);

}  // namespace lockstep
