// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a search of base blocks packs: nodes, their candidate words, columns, blanks and quotas.
/// Not changed while workers search.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "algorithm/exchange_table/exchange_table.hpp"
#include "algorithm/exchange_table/words.hpp"

namespace lockstep::table_search {

/// One letter, or the letters of one cell or column, as bits: bit p for port p.
using LetterSet = std::uint16_t;

/// The letters of 16 consecutive columns, four to a number: a word of any star graph with up to 12
/// symbols fits (diameter 16), so that one look says whether it can stand there.
inline constexpr std::size_t window_columns = 16;
using Window = std::array<std::uint64_t, window_columns / 4>;

[[nodiscard]] constexpr bool disjoint(const Window& a, const Window& b) noexcept {
  return ((a[0] & b[0]) | (a[1] & b[1]) | (a[2] & b[2]) | (a[3] & b[3])) == 0;
}

struct Candidate {
  Window letters{};
  LetterSet doubled = 0;  ///< letters that the word has twice
  Word ports;
};

/// The candidate words of a node that begin with one letter: a range of Problem::candidates.
struct Group {
  std::uint32_t node;
  std::uint32_t first;
  std::uint32_t last;
};

struct Problem {
  std::size_t symbols = 0;
  TableKind kind{};  ///< base_total or base_odd
  std::vector<Permutation> nodes;
  std::uint64_t columns = 0;  ///< the fewest that hold all letters
  std::uint64_t blanks = 0;   ///< cells that are left over
  /// How often each letter may be doubled.
  std::vector<std::uint64_t> quota;
  std::vector<Candidate> candidates;
  std::vector<std::vector<Group>> groups;  ///< by first letter

  [[nodiscard]] std::size_t ports() const noexcept { return symbols - 1; }
};

/// Throws as search_base_block.
[[nodiscard]] Problem make_problem(std::size_t symbols, TableKind kind,
                                   const std::vector<std::size_t>& fillers,
                                   std::mt19937_64& random);

/// One descent with noise of its own (rules: algorithm/exchange_table/table_search.hpp): the block,
/// if it arrived. `stopped` is asked now and then; `full_columns` rises to the most columns that
/// were full at the left.
[[nodiscard]] std::optional<ExchangeTable> descend(const Problem& problem, std::mt19937_64& random,
                                                   const std::function<bool()>& stopped,
                                                   std::uint64_t& full_columns);

}  // namespace lockstep::table_search
