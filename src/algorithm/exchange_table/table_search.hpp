// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Searches base blocks from which optimal exchange tables are assembled.
///
///     const TableSearchResult found = search_base_block(7, TableKind::odd, {.workers = 2});
///     if (found.base) assemble_exchange_table(*found.base).columns == 2479;
///
/// Packed are all exceptional nodes and, as fillers, all full orbits of some short distances, into
/// the fewest columns that hold their letters. A descent fills the table from left to right:
///   1. The leftmost free cell of the table is filled next; words only stand where a row ends, so
///      there are no gaps. Rows that end in the same column are interchangeable, and without blanks
///      they are as many as the letters that the column still lacks.
///   2. Of those letters the one that the fewest fitting words begin with is decided first. No word
///      is a dead end, unless a blank may be spent: it takes a row and that letter of the column.
///   3. Long words first, single letters last, with noise per word and per node; three ways are
///      tried, then the descent goes back. After 20,000 words it starts anew with other noise.
///   4. A node's word has each symbol that the node moves once, and the first letter of every cycle
///      without 0 twice. So of the letter a at most (columns - nodes that move a) may be doubled; a
///      word over that quota does not fit. Without it most descents end in a state that no choice
///      of the remaining words can balance.
/// Workers make descents of their own; the first that arrives ends the search. With one worker the
/// result depends on the seed alone.
///
/// Source: the paper (exchange_table.hpp) arranges its blocks by hand up to n = 6 and leaves open
/// whether optimal tables exist for larger n; the algorithm is ours.
///
/// What a search of base blocks packs: nodes, their candidate words, columns, blanks and quotas.
/// Not changed while workers search.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <stop_token>
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

namespace lockstep {

/// Read while a search runs; the counts of all workers.
struct TableSearchProgress {
  std::atomic<std::uint64_t> restarts{0};
  std::atomic<std::uint64_t> full_columns{0};  ///< at the left of the best state so far
};

struct TableSearchOptions {
  std::uint64_t seed = 1;
  std::size_t workers = 1;
  double seconds = std::numeric_limits<double>::infinity();
  /// Distances of the full orbits to pack beside the exceptional nodes; empty: 1 and 2, for odd
  /// distances 1 and 3, and none where there is nothing to pack them with.
  std::vector<std::size_t> fillers{};
  std::stop_token stop{};
  TableSearchProgress* progress = nullptr;
};

struct TableSearchResult {
  std::optional<ExchangeTable> base;  ///< none: stopped, or no time left
  std::uint64_t columns = 0;          ///< of the block that is searched
  std::uint64_t words = 0;            ///< in it
  std::uint64_t full_columns = 0;     ///< at the left of the best state
  std::uint64_t restarts = 0;
  double wall_seconds = 0;
};

/// `kind`: total or odd; the block found is base_total or base_odd. Throws InvalidParameter unless
/// 3 <= n <= 12, 1 <= workers <= 1024, the time is positive, and the fillers are different
/// distances of that kind with at most 100,000 nodes.
[[nodiscard]] TableSearchResult search_base_block(std::size_t symbols, TableKind kind,
                                                  const TableSearchOptions& options);

}  // namespace lockstep
