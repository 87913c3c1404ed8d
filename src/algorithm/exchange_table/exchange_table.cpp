// SPDX-License-Identifier: Apache-2.0

/// Base blocks: n = 4, 5, 6 as Coolsaet and Fack print them, with the ends of the words restored
/// (erratum 5) and for n = 5 total the two blanks (erratum 3); n = 3, 7 and 8 are ours. Those of
/// n = 7 and 8 were found by algorithm/exchange_table/table_search.hpp:
///     lockstep table search star:7 total --base --seed 1 --threads 1     (and odd; star:8 total)

#include "algorithm/exchange_table/exchange_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "algorithm/exchange_table/table_check.hpp"
#include "algorithm/exchange_table/table_file.hpp"
#include "algorithm/exchange_table/words.hpp"
#include "core/invalid.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/core/permutation.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {

struct BaseBlock {
  std::size_t symbols;
  TableKind kind;  ///< base_total or base_odd
  std::uint64_t columns;
  std::string_view rows;  ///< as in a file (algorithm/exchange_table/table_file.hpp)
};

inline constexpr std::array base_blocks{
    BaseBlock{3, TableKind::base_total, 3, R"(
row 121
row 2 1 .
)"},
    BaseBlock{3, TableKind::base_odd, 3, R"(
row 121
row 2 1 .
)"},
    BaseBlock{4, TableKind::base_total, 8, R"(
row 1231 3213
row 23 12 13 21
row 31 2 3 . 1 32
)"},
    BaseBlock{5, TableKind::base_total, 12, R"(
row 121434 313242
row 43214 12341 13
row 313 323141 424
row 24 42 1 . 4 2 . 3 31
)"},
    BaseBlock{5, TableKind::base_odd, 11, R"(
row 12341 413 124
row 21432 324 213
row 342 231 313 4 1
row 431 142 424 3 2
)"},
    BaseBlock{6, TableKind::base_total, 14, R"(
row 24 123451 432154
row 352413 253142 1 5
row 41 31 25 12 54 35 21
row 52 . 34 23 42 2 53 32
row 13 45 51 4 3 15 14 43
)"},
    BaseBlock{7, TableKind::base_total, 78, R"(
row 525136341 263615142 34261253 64316 12636451 643416 35623 65 14 6243516 45 4321654 16 1351 12
row 131462524 421254 521614345 26414532 42135164 3126453 5462135 236562 23 26532 32 363 35 24 25
row 454613236 54 54362165 5 54636215 24143562 1632541 352623 5342615 26 2345612 6 51 42 34 41 43 56
row 64352516 531214365 42615314 432565314 54324165 6521436 1564231 52 4651324 46 5315 15 21 53 3
row 31 62 546121365 62435136 2 24315362 2563412 325263 2361452 425154 141 51245 15421 525 2462 61
row 262341453 65432136 34231561 52613465 12564531 254142 1 141363 463134 36 13 61346 6426 63 64 4
)"},
    BaseBlock{7, TableKind::base_odd, 101,
              R"(
row 532341465 124345651 2361452 4621354 141 634 512 412 542 516 541 534 526)"
              R"( 561 146 231 313 265 156 134 135 124 126 214 1 4 653 345 3
row 214152636 546232165 424 361 4321654 5634125 645 623 31643 46134 234 643)"
              R"( 346 143 432 615 245 256 415 435 323 351 462 654 2 626 5
row 645436212 651 454 413162524 6153426 125 35623 51245 635 621 362 165 342)"
              R"( 145 253 625 436 132 463 213 254 261 251 523 451 162 314
row 156263541 315 123 2465132 531 535 212 246 235 1264531 264 365 236 216)"
              R"( 153 252 325 416 524 413 241 452 426 453 614 352 514 354 521
row 363 515324263 616 324 3456123 646 563 3516243 136 364 151 243 425 652)"
              R"( 631 613 431 562 142 356 312 326 612 316 543 461 632 641 642
row 421 624 153432561 53265 1436521 434 1632541 6423156 423 152 154 341)"
              R"( 21542 656 215 465 564 163 456 536 164 546 263 532 321 513 6
)"},
    BaseBlock{8, TableKind::base_total, 20, R"(
row 16427531 57246135 1 3 35
row 25 64 36 65 15 17 14 27 2 5 54
row 34 57 52 47 73 32 76543217
row 71 13 21 24 26 75 45 46 4 62 .
row 42 25147362 41526374 72
row 53 76 43 56 41 63 37 12 51 61
row 67 31 67123456 23 7 16 74 6
)"},
};

namespace {

constexpr std::array<std::string_view, 4> kind_names{"total", "odd", "base-total", "base-odd"};

/// Theorem 3: n - 1 is an odd prime. Then the exceptional nodes are the powers of the rotation,
/// all of them even, and a table for the odd distances is made of orbit blocks alone.
[[nodiscard]] constexpr bool needs_no_base(std::size_t symbols, TableKind kind) noexcept {
  return is_odd(kind) && (symbols == 4 || symbols == 6 || symbols == 8 || symbols == 12);
}

[[nodiscard]] auto base_block_in_list(std::size_t symbols, TableKind kind) noexcept {
  return std::ranges::find_if(base_blocks, [&](const BaseBlock& block) {
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
  std::ranges::sort(ranks);
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
    if (std::ranges::binary_search(taken, u)) continue;
    Word word = least_word_of_orbit(unrank(base.symbols, u));
    if (!word.empty() && (!is_odd(base.kind) || word.size() % 2 == 1))
      words.push_back(std::move(word));
  }
  std::ranges::sort(words, [](const Word& a, const Word& b) {
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
    throw invalid(
        "exchange table: no built-in table for {} symbols, kind {}; allowed: 3..8 "
        "symbols; search for one with `lockstep table search`",
        symbols, name(kind));
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
    throw invalid("exchange table: {} symbols; allowed: 3..{}", symbols, max_star_distance_symbols);
  if (!is_odd(kind)) return star_distance_sum(symbols, 1);
  const std::vector<std::uint64_t> levels = star_level_sizes(symbols);
  std::uint64_t letters = 0;
  for (std::size_t distance = 1; distance < levels.size(); distance += 2)
    letters += distance * levels[distance];
  return letters;
}

std::uint64_t lower_bound_columns(std::size_t symbols, TableKind kind) {
  return Fraction(letters_of_full_table(symbols, kind), symbols - 1).rounded_up();
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
