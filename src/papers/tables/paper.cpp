// SPDX-License-Identifier: Apache-2.0

/// K. Coolsaet, V. Fack, "Optimal data exchange algorithms on star graphs": tables.json has what it
/// prints; ours are tables that are complete and checked
/// (algorithm/exchange_table/table_check.hpp). The paper does not number its tables; here they are
/// 1 to 5 in its order: letters, a dot for a blank, as the text of the paper shows them. Number 3
/// has lost where its blanks are.

#include "papers/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "algorithm/exchange_table/exchange_table.hpp"
#include "algorithm/exchange_table/table_check.hpp"
#include "algorithm/exchange_table/table_file.hpp"
#include "algorithm/exchange_table/words.hpp"
#include "core/joined.hpp"

namespace lockstep::papers {

extern const std::string_view tables_json;

namespace {

[[nodiscard]] std::size_t symbols(const Call& call) { return call.number("n"); }
[[nodiscard]] TableKind kind(const Call& call) { return table_kind(call.text("kind")); }

/// The table for the symbols and the kind in the row.
[[nodiscard]] ExchangeTable table(const Call& call) {
  return optimal_exchange_table(symbols(call), kind(call));
}

/// The verdict of the check.
[[nodiscard]] Value verdict(const Call& call) {
  const ExchangeTable ours = table(call);
  const std::vector<TableFault> faults = check_exchange_table(ours);
  if (!faults.empty()) return fault_text(faults.front(), "faulty");
  const std::uint64_t blanks = blank_count(ours);
  return fmt::format("valid, {} columns, {} blank{}{}", ours.columns, blanks,
                     blanks == 1 ? "" : "s", check_optimality(ours).empty() ? ", optimal" : "");
}

/// Columns of a complete and checked table, beside the lower bound.
[[nodiscard]] Value time(const Call& call) {
  const ExchangeTable ours = table(call);
  if (!check_exchange_table(ours).empty()) return "no valid table";
  return fmt::format("{} (bound {})", ours.columns, lower_bound_columns(symbols(call), kind(call)));
}

[[nodiscard]] std::vector<Word> exceptional(const Call& call) {
  std::vector<Word> words;
  for (const Permutation r : exceptional_nodes(symbols(call))) {
    const Word word = standard_word(r);
    if (!is_odd(kind(call)) || word.size() % 2 == 1) words.push_back(word);
  }
  return words;
}

/// Whether these words lead to the exceptional nodes: they may be spelled differently.
[[nodiscard]] Value are_exceptional(const Call& call) {
  std::set<std::uint64_t> printed;
  std::istringstream in{call.text(0)};
  for (std::string word; in >> word;)
    printed.insert(rank(destination(symbols(call), word_from_text(word))));
  std::set<std::uint64_t> found;
  for (const Word& word : exceptional(call)) found.insert(rank(destination(symbols(call), word)));
  return printed == found;
}

/// How many nodes are as they were after so many rotations: lemma 2: d! e^d, the identity included.
[[nodiscard]] Value unchanged_by(const Call& call) {
  std::size_t count = 0;
  for (std::uint64_t u = 0; u < factorial(symbols(call)); ++u) {
    Permutation r = unrank(symbols(call), u);
    for (std::uint64_t i = 0; i < call.number(0); ++i) r = rotated(r);
    count += rank(r) == u ? 1U : 0U;
  }
  return count;
}

const Functions functions{
    {"row",  // ours has a dash inside words, which the paper does not show
     [](const Call& call) {
       const ExchangeTable ours = table(call);
       return row_text(ours.rows.at(call.number(0) - 1), ours.columns);
     }},
    {"without_dashes",
     [](std::string cells) {
       std::replace(cells.begin(), cells.end(), '-', ' ');
       return cells;
     }},
    {"verdict", verdict},
    {"is_valid", [](const Call& call) { return check_exchange_table(table(call)).empty(); }},
    {"time", time},
    {"is_time",  // where nothing is printed every time of a valid table is
     [](const Call& call) {
       const std::string ours = time(call).text();
       return call.text(0).empty() ? ours.starts_with(fmt::format("{} ", table(call).columns))
                                   : ours.starts_with(call.text(0) + " ");
     }},
    {"bound", [](const Call& call) { return lower_bound_columns(symbols(call), kind(call)); }},
    {"exceptional_words",
     [](const Call& call) { return joined(exceptional(call), " ", word_text); }},
    {"are_exceptional", are_exceptional},
    {"words_of",
     [](const Call& call) {
       return joined(minimal_words(destination(symbols(call), word_from_text(call.text(0)))), " ",
                     word_text);
     }},
    {"unchanged_by", unchanged_by}};

}  // namespace

const Paper tables_paper{.name = "tables", .data = data_from<tables_json, functions>};

}  // namespace lockstep::papers
