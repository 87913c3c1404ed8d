// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/assembly.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "algorithm/exchange_table/table_check.hpp"
#include "algorithm/exchange_table/words.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"

namespace lockstep {
namespace {

void check_base(const ExchangeTable& base) {
  if (!is_base(base.kind))
    throw InvalidParameter("exchange table: kind " + std::string(name(base.kind)) +
                           " given to be completed, allowed base-total, base-odd");
  if (base.symbols > max_full_table_symbols)
    throw InvalidParameter("exchange table: a full one for " + std::to_string(base.symbols) +
                           " symbols, allowed 3.." + std::to_string(max_full_table_symbols));
  const std::vector<TableFault> faults = check_exchange_table(base);
  if (!faults.empty())
    throw InvalidParameter("exchange table: a base block with a fault: " + faults.front().reason);
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

ExchangeTable assemble_exchange_table(const ExchangeTable& base) {
  check_base(base);
  ExchangeTable table = base;
  table.kind = full_of(base.kind);
  for (const Word& word : words_of_orbit_blocks(base)) {
    for (std::size_t k = 0; k < table.rows.size(); ++k)
      table.rows[k].push_back({table.columns, rotated(word, k, table.symbols)});
    table.columns += word.size();
  }
  return table;
}

}  // namespace lockstep
