// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/exchange_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>

#include "algorithm/exchange_table/base_blocks.hpp"
#include "algorithm/exchange_table/table_check.hpp"
#include "algorithm/exchange_table/table_file.hpp"
#include "algorithm/exchange_table/words.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 4> kind_names{"total", "odd", "base-total", "base-odd"};

/// Theorem 3: n - 1 is an odd prime. Then the exceptional nodes are the powers of the rotation,
/// all of them even, and a table for the odd distances is made of orbit blocks alone.
[[nodiscard]] constexpr bool needs_no_base(std::size_t symbols, TableKind kind) noexcept {
  return is_odd(kind) && (symbols == 4 || symbols == 6 || symbols == 8 || symbols == 12);
}

[[nodiscard]] auto base_block_in_list(std::size_t symbols, TableKind kind) noexcept {
  return std::find_if(base_blocks.begin(), base_blocks.end(), [&](const BaseBlock& block) {
    return block.symbols == symbols && block.kind == base_of(kind);
  });
}

/// Precondition: there is one.
[[nodiscard]] ExchangeTable base_block(std::size_t symbols, TableKind kind) {
  if (needs_no_base(symbols, kind))
    return {symbols, base_of(kind), 0, std::vector<std::vector<PlacedWord>>(symbols - 1)};
  const BaseBlock& block = *base_block_in_list(symbols, kind);
  std::istringstream text{fmt::format("startable 1\nn {}\nkind {}\ncolumns {}\nrows {}\n{}end\n",
                                      symbols, name(block.kind), block.columns, symbols - 1,
                                      block.rows)};
  return read_exchange_table(text, "built-in base block");
}

void check_to_complete(const ExchangeTable& base) {
  if (!is_base(base.kind))
    throw InvalidParameter("exchange table: kind " + std::string(name(base.kind)) +
                           " cannot be completed; expected base-total or base-odd");
  if (base.symbols > max_full_table_symbols)
    throw InvalidParameter("exchange table: a full table for " + std::to_string(base.symbols) +
                           " symbols; allowed: 3.." + std::to_string(max_full_table_symbols));
  const std::vector<TableFault> faults = check_exchange_table(base);
  if (!faults.empty())
    throw InvalidParameter("exchange table: the base block has a fault: " + faults.front().reason);
}

/// Ranks of the nodes that the block has words for, ascending.
[[nodiscard]] std::vector<std::uint64_t> destinations_in(const ExchangeTable& base) {
  std::vector<std::uint64_t> ranks;
  for (const auto& row : base.rows)
    for (const PlacedWord& word : row) ranks.push_back(rank(destination(base.symbols, word.ports)));
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

/// The least standard word of the node's orbit; empty unless the orbit is full and `r` is the
/// member of the least rank, so that a loop over all nodes meets every orbit once.
[[nodiscard]] Word least_word_of_orbit(Permutation r) {
  Word least = standard_word(r);
  std::size_t size = 1;
  for (Permutation other = rotated(r); other != r; other = rotated(other), ++size) {
    if (rank(other) < rank(r)) return {};
    least = std::min(least, standard_word(other));
  }
  return size == r.size() - 1 ? least : Word{};
}

[[nodiscard]] std::vector<Word> words_of_orbit_blocks(const ExchangeTable& base) {
  const std::vector<std::uint64_t> taken = destinations_in(base);
  std::vector<Word> words;
  for (std::uint64_t u = 1; u < factorial(base.symbols); ++u) {
    if (std::binary_search(taken.begin(), taken.end(), u)) continue;
    Word word = least_word_of_orbit(unrank(base.symbols, u));
    if (!word.empty() && (!is_odd(base.kind) || word.size() % 2 == 1))
      words.push_back(std::move(word));
  }
  std::sort(words.begin(), words.end(), [](const Word& a, const Word& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return words;
}

}  // namespace

std::string_view name(TableKind kind) noexcept {
  return kind_names[static_cast<std::size_t>(kind)];
}

TableKind table_kind(std::string_view name) {
  for (std::size_t i = 0; i < kind_names.size(); ++i)
    if (kind_names[i] == name) return static_cast<TableKind>(i);
  throw InvalidParameter(unknown("kind of table", name, {kind_names.begin(), kind_names.end()}));
}

bool has_optimal_exchange_table(std::size_t symbols, TableKind kind) noexcept {
  if (!is_base(kind) && symbols > max_full_table_symbols) return false;
  return needs_no_base(symbols, kind) || base_block_in_list(symbols, kind) != base_blocks.end();
}

ExchangeTable optimal_exchange_table(std::size_t symbols, TableKind kind) {
  if (!has_optimal_exchange_table(symbols, kind)) {
    throw InvalidParameter(
        fmt::format("exchange table: no built-in table for {} symbols, kind {}; allowed: 3..8 "
                    "symbols; search one "
                    "with `lockstep table search`",
                    symbols, name(kind)));
  }
  ExchangeTable base = base_block(symbols, kind);
  return is_base(kind) ? base : assemble_exchange_table(base);
}

ExchangeTable assemble_exchange_table(const ExchangeTable& base) {
  check_to_complete(base);
  ExchangeTable table = base;
  table.kind = full_of(base.kind);
  for (const Word& word : words_of_orbit_blocks(base)) {
    for (std::size_t k = 0; k < table.rows.size(); ++k)
      table.rows[k].push_back({table.columns, rotated(word, k, table.symbols)});
    table.columns += word.size();
  }
  return table;
}

std::uint64_t letters_of_full_table(std::size_t symbols, TableKind kind) {
  if (symbols < min_table_symbols || symbols > max_star_distance_symbols)
    throw InvalidParameter(fmt::format("exchange table: {} symbols; allowed: 3..{}", symbols,
                                       max_star_distance_symbols));
  if (!is_odd(kind)) return star_distance_sum(symbols, 1);
  const std::vector<std::uint64_t> levels = star_level_sizes(symbols);
  std::uint64_t letters = 0;
  for (std::size_t distance = 1; distance < levels.size(); distance += 2)
    letters += distance * levels[distance];
  return letters;
}

std::uint64_t lower_bound_columns(std::size_t symbols, TableKind kind) {
  const std::uint64_t letters = letters_of_full_table(symbols, kind);
  const std::uint64_t ports = symbols - 1;
  return letters / ports + (letters % ports == 0 ? 0 : 1);
}

std::uint64_t letter_count(const ExchangeTable& table) noexcept {
  std::uint64_t letters = 0;
  for (const auto& row : table.rows)
    for (const PlacedWord& word : row) letters += word.ports.size();
  return letters;
}

std::uint64_t word_count(const ExchangeTable& table) noexcept {
  std::uint64_t words = 0;
  for (const auto& row : table.rows) words += row.size();
  return words;
}

std::uint64_t blank_count(const ExchangeTable& table) noexcept {
  return table.rows.size() * table.columns - letter_count(table);
}

}  // namespace lockstep
