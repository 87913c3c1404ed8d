// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Exchange tables of star graphs: which word a processor starts in which step, the same for all.
///
///     const ExchangeTable table = optimal_exchange_table(6, TableKind::total);
///     table.columns == 689;                                 // one step each
///     table.columns == lower_bound_columns(6, TableKind::total);
///
/// A table has a row per port and a column per step; a cell is blank or a port. Every row is a
/// sequence of words and blanks, a column holds each port at most once. Such tables correspond to
/// the node-invariant exchanges in which no message waits on its way: in step t all processors send
/// through the ports of column t, and who receives at position j of a word sends it on at j + 1.
/// The ends of the words belong to the table; letters and blanks alone do not determine them.
///
/// A word is the list of ports to take. Walked from the identity it ends at the relative
/// destination r, walked from s at product(s, r) (topology/star_graph.hpp). The paper's letter a is
/// port a - 1; its permutation g of a word is the inverse of r's arrangement, because it is the map
/// from a symbol to the position where it lies, with products read from left to right.
///
/// Source: K. Coolsaet, V. Fack, "Optimal data exchange algorithms on star graphs", theorem 2.
/// Differs: the paper prints letters only, the ends of its words were restored (erratum 5).

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {

/// For which destinations a table has words. A base block holds those that need an arrangement of
/// their own; orbit blocks make it a full table (assemble_exchange_table).
enum class TableKind : std::uint8_t {
  total,       ///< every node but the own
  odd,         ///< every node at odd distance
  base_total,  ///< all exceptional nodes, and any full orbits as a whole
  base_odd     ///< the same among the nodes at odd distance
};

/// "total", "odd", "base-total", "base-odd".
[[nodiscard]] std::string_view name(TableKind kind) noexcept;
/// Throws InvalidParameter with the names allowed.
[[nodiscard]] TableKind table_kind(std::string_view name);

[[nodiscard]] constexpr bool is_base(TableKind kind) noexcept {
  return kind == TableKind::base_total || kind == TableKind::base_odd;
}
/// Whether only nodes at odd distance are destinations.
[[nodiscard]] constexpr bool is_odd(TableKind kind) noexcept {
  return kind == TableKind::odd || kind == TableKind::base_odd;
}
[[nodiscard]] constexpr TableKind base_of(TableKind kind) noexcept {
  return is_odd(kind) ? TableKind::base_odd : TableKind::base_total;
}
[[nodiscard]] constexpr TableKind full_of(TableKind kind) noexcept {
  return is_odd(kind) ? TableKind::odd : TableKind::total;
}

/// A word with its place: letters through consecutive columns of one row.
struct PlacedWord {
  std::uint64_t column = 0;  ///< of the first letter, counted from 0
  std::vector<Port> ports;   ///< port p is the paper's letter p + 1

  friend bool operator==(const PlacedWord&, const PlacedWord&) = default;
};

struct ExchangeTable {
  std::size_t symbols = 0;  ///< of the star graph
  TableKind kind{};
  std::uint64_t columns = 0;
  std::vector<std::vector<PlacedWord>> rows;  ///< words of a row by column; the gaps are blanks

  friend bool operator==(const ExchangeTable&, const ExchangeTable&) = default;
};

/// For files and searches of base blocks; n = 12 is the largest star graph of the library.
inline constexpr std::size_t min_table_symbols = 3;
inline constexpr std::size_t max_table_symbols = 12;

/// The optimal table built in for n symbols, or its base block: n = 3..8, total and odd.
/// Throws InvalidParameter for others.
[[nodiscard]] ExchangeTable optimal_exchange_table(std::size_t symbols, TableKind kind);
[[nodiscard]] bool has_optimal_exchange_table(std::size_t symbols, TableKind kind) noexcept;

/// A full table for 10 symbols has 3.6 million words, 0.4 GB.
inline constexpr std::size_t max_full_table_symbols = 10;

/// From a base block to a full table. An orbit block is a minimal word of a full orbit and all its
/// rotations, a row each: every column then holds every letter once, and no cell is blank. So all
/// the art is in the base block, which holds the nodes whose orbits are not full (the paper's
/// section 2; theorem 3: none is needed for the odd distances where n - 1 is an odd prime).
///
///     assemble_exchange_table(optimal_exchange_table(6, TableKind::base_total)).columns == 689;
///
/// The base block, followed by an orbit block for each full orbit that is not in it, by the length
/// of the orbit's words and then by its least standard word. Throws InvalidParameter unless `base`
/// is a base block without faults for at most 10 symbols. O(n! n^2).
[[nodiscard]] ExchangeTable assemble_exchange_table(const ExchangeTable& base);

/// ceil(D / (n-1)), D the sum of the distances of the destinations: no all-port exchange takes
/// fewer steps, with or without buffers, as all processors together need n! D sends. Of a base
/// block: the bound of the full table it is for. Throws InvalidParameter unless 3 <= n <= 19.
[[nodiscard]] std::uint64_t lower_bound_columns(std::size_t symbols, TableKind kind);

/// D: the letters of a full table of minimal words. Throws as lower_bound_columns.
[[nodiscard]] std::uint64_t letters_of_full_table(std::size_t symbols, TableKind kind);

[[nodiscard]] std::uint64_t letter_count(const ExchangeTable& table) noexcept;
[[nodiscard]] std::uint64_t word_count(const ExchangeTable& table) noexcept;
/// Blank cells, if no word lies outside the columns.
[[nodiscard]] std::uint64_t blank_count(const ExchangeTable& table) noexcept;

}  // namespace lockstep
