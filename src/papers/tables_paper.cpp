// SPDX-License-Identifier: Apache-2.0
#include "papers/tables_paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "lockstep/algorithm/exchange_table/exchange_table.hpp"
#include "lockstep/algorithm/exchange_table/table_check.hpp"
#include "lockstep/algorithm/exchange_table/table_text.hpp"
#include "lockstep/algorithm/exchange_table/words.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::tables_paper {
namespace {

struct PrintedTable {
  std::size_t n;
  TableKind kind;
  std::vector<const char*> rows;
  unsigned erratum;
};

constexpr unsigned wrong_time = 1;
constexpr unsigned lost_blanks = 3;
constexpr unsigned no_word_ends = 5;
constexpr unsigned more_words = 6;
constexpr unsigned no_table_for_three = 7;
constexpr unsigned exchanged_letters = 9;
constexpr unsigned trivial_power = 10;
constexpr unsigned trivial_cycles = 11;
constexpr unsigned other_sizes = 12;

/// As the text of the paper shows them; number 3 has lost where its blanks are.
const std::vector<PrintedTable>& printed_tables() {
  static const std::vector<PrintedTable> tables{
      {4,
       TableKind::odd,
       {"1 1 2 1 1 2 3 1 3 2", "2 2 3 2 2 3 1 2 1 3", "3 3 1 3 3 1 2 3 2 1"},
       no_word_ends},
      {4,
       TableKind::base_total,
       {"1 2 3 1 3 2 1 3", "2 3 1 2 1 3 2 1", "3 1 2 3 . 1 3 2"},
       no_word_ends},
      {5,
       TableKind::base_total,
       {"1 2 1 4 3 4 3 1 3 2 4 2 .", "4 3 2 1 4 . 1 2 3 4 1 1 3", "3 1 3 . 3 2 3 1 4 1 4 2 4",
        "2 4 4 2 1 . . 4 2 . 3 3 1"},
       lost_blanks},
      {5,
       TableKind::base_odd,
       {"1 2 3 4 1 4 1 3 1 2 4", "2 1 4 3 2 3 2 4 2 1 3", "3 4 2 2 3 1 3 1 3 4 1",
        "4 3 1 1 4 2 4 2 4 3 2"},
       no_word_ends},
      {6,
       TableKind::base_total,
       {"2 4 1 2 3 4 5 1 4 3 2 1 5 4", "3 5 2 4 1 3 2 5 3 1 4 2 1 5", "4 1 3 1 2 5 1 2 5 4 3 5 2 1",
        "5 2 . 3 4 2 3 4 2 2 5 3 3 2", "1 3 4 5 5 1 4 3 1 5 1 4 4 3"},
       no_word_ends}};
  return tables;
}

[[nodiscard]] PaperRow row_of(std::string where, std::size_t n, std::string quantity) {
  PaperRow row;
  row.where = std::move(where);
  row.topology = fmt::format("star:{}", n);
  row.n = n;
  row.quantity = std::move(quantity);
  return row;
}

/// Letters and blanks alone.
[[nodiscard]] std::string without_word_ends(std::string text) {
  std::replace(text.begin(), text.end(), '-', ' ');
  return text;
}

[[nodiscard]] std::string verdict_on(const ExchangeTable& table) {
  const std::vector<TableFault> faults = check_exchange_table(table);
  if (!faults.empty()) return fault_text(faults.front(), "faulty");
  const std::uint64_t blanks = blank_count(table);
  return fmt::format("valid, {} columns, {} blank{}{}", table.columns, blanks,
                     blanks == 1 ? "" : "s", check_optimality(table).empty() ? ", optimal" : "");
}

/// T as printed beside the columns of a complete and checked table.
[[nodiscard]] PaperRow time_row(std::string where, std::size_t n, TableKind kind,
                                std::string printed, unsigned erratum) {
  const ExchangeTable table = optimal_exchange_table(n, kind);
  PaperRow row = row_of(std::move(where), n, fmt::format("T, {} exchange", name(kind)));
  const std::string columns = fmt::format("{}", table.columns);
  const bool valid = check_exchange_table(table).empty();
  row.ours = valid ? fmt::format("{} (bound {})", columns, lower_bound_columns(n, kind))
                   : "no valid table";
  row.value = static_cast<double>(table.columns);
  row.agrees = valid && (printed.empty() || printed == columns);
  row.printed = std::move(printed);
  row.erratum = erratum;
  return row;
}

[[nodiscard]] std::vector<std::string> pieces(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> all;
  for (std::string piece; in >> piece;) all.push_back(piece);
  return all;
}

/// The list of exceptional words; they may be spelled differently, the nodes count.
[[nodiscard]] PaperRow exceptional_row(std::string where, std::size_t n, TableKind kind,
                                       const std::string& printed) {
  PaperRow row = row_of(std::move(where), n, fmt::format("exceptional words, {}", name(kind)));
  row.printed = printed;
  std::set<std::uint64_t> expected;
  for (const std::string& word : pieces(printed))
    expected.insert(rank(destination(n, word_from_text(word))));
  std::set<std::uint64_t> found;
  for (const Permutation r : exceptional_nodes(n)) {
    const Word word = standard_word(r);
    if (is_odd(kind) && word.size() % 2 == 0) continue;
    found.insert(rank(r));
    row.ours += (row.ours.empty() ? "" : " ") + word_text(word);
  }
  row.agrees = found == expected;
  return row;
}

/// The node of (0 1 2)(3 4).
[[nodiscard]] PaperRow minimal_words_row() {
  PaperRow row = row_of("Section 2", 5, "words of (0 1 2)(3 4)");
  row.printed = "12343 12434 34312 43412";
  for (const Word& word : minimal_words(destination(5, word_from_text("12343"))))
    row.ours += (row.ours.empty() ? "" : " ") + word_text(word);
  row.agrees = row.ours == row.printed;
  row.erratum = more_words;
  return row;
}

/// How many nodes of S_n are as they were after `places` rotations.
[[nodiscard]] std::size_t unchanged_by(std::size_t n, std::size_t places) {
  std::size_t count = 0;
  for (std::uint64_t u = 0; u < factorial(n); ++u) {
    Permutation r = unrank(n, u);
    for (std::size_t i = 0; i < places; ++i) r = rotated(r);
    count += rank(r) == u ? 1U : 0U;
  }
  return count;
}

/// Lemma 2: d! e^d, the identity included.
[[nodiscard]] PaperRow centraliser_row(std::size_t places, std::string what, std::string printed,
                                       unsigned erratum) {
  PaperRow row = row_of(places == 1 ? "Lemma 1" : "Lemma 2", 5, std::move(what));
  row.printed = std::move(printed);
  row.ours = fmt::format("{}", unchanged_by(5, places));
  row.agrees = row.ours == row.printed;
  row.erratum = erratum;
  return row;
}

[[nodiscard]] PaperRow proof_row() {
  PaperRow row;
  row.where = "Theorem 3";
  row.quantity = "sigma as d cycles of length e";
  row.printed = "d = n-1, e = 1";
  row.ours = "d = 1, e = n-1";
  row.agrees = false;
  row.erratum = exchanged_letters;
  return row;
}

}  // namespace

std::vector<PaperRow> table(unsigned number) {
  if (number < 1 || number > printed_tables().size())
    throw InvalidParameter(fmt::format("table {} of the tables paper: allowed 1..{}", number,
                                       printed_tables().size()));
  const PrintedTable& printed = printed_tables()[number - 1];
  const ExchangeTable ours = optimal_exchange_table(printed.n, printed.kind);
  const std::string where = fmt::format("Table {}", number);
  std::vector<PaperRow> rows;
  for (std::size_t i = 0; i < printed.rows.size(); ++i) {
    PaperRow row = row_of(where, printed.n, fmt::format("{}, row {}", name(printed.kind), i + 1));
    row.printed = printed.rows[i];
    row.ours = row_text(ours.rows.at(i), ours.columns);
    row.agrees = without_word_ends(row.ours) == row.printed;
    row.erratum = printed.erratum;
    rows.push_back(std::move(row));
  }
  rows.push_back(row_of(where, printed.n, fmt::format("{}, checked", name(printed.kind))));
  rows.back().ours = verdict_on(ours);
  rows.back().agrees = check_exchange_table(ours).empty();
  return rows;
}

std::vector<PaperRow> claims() {
  std::vector<PaperRow> rows{
      minimal_words_row(),
      exceptional_row("Section 2.1", 4, TableKind::total, "1231 3213"),
      time_row("Section 2.1", 4, TableKind::odd, "10", 0),
      time_row("Section 2.1", 4, TableKind::total, "21", 0),
      centraliser_row(1, "commute with sigma, (1 2 3 4)", "3", trivial_power),
      centraliser_row(2, "commute with sigma^2, (1 3)(2 4): d! e^d", "8", trivial_cycles),
      exceptional_row("Section 2.2", 5, TableKind::total,
                      "12341 131242 14321 131 242 121343 141232"),
      time_row("Section 2.2", 5, TableKind::total, "111", 0),
      exceptional_row("Section 2.2", 5, TableKind::odd, "12341 14321 131 242"),
      time_row("Section 2.2", 5, TableKind::odd, "56", 0),
      exceptional_row("Section 2.2", 6, TableKind::total, "123451 253142 352413 432154"),
      time_row("Section 2.2", 6, TableKind::total, "689", 0),
      time_row("Section 2.2", 6, TableKind::odd, "250", wrong_time),
      proof_row()};
  return rows;
}

std::vector<PaperRow> beyond() {
  std::vector<PaperRow> rows;
  for (const std::size_t n : {3U, 7U, 8U})
    for (const TableKind kind : {TableKind::total, TableKind::odd})
      rows.push_back(time_row("not in the paper", n, kind, "",
                              n == 3                             ? no_table_for_three
                              : n == 7 && kind == TableKind::odd ? other_sizes
                                                                 : 0));
  return rows;
}

std::vector<PaperRow> all() {
  std::vector<PaperRow> rows;
  const auto add = [&rows](const std::vector<PaperRow>& part) {
    rows.insert(rows.end(), part.begin(), part.end());
  };
  for (unsigned number = 1; number <= printed_tables().size(); ++number) add(table(number));
  add(claims());
  add(beyond());
  return rows;
}

const std::vector<Erratum>& errata() {
  static const std::vector<Erratum> list{
      {wrong_time,
       "For odd exchange on n = 6 the paper states T = 250, below the lower bound: the odd "
       "distances sum up to 5 + 70*3 + 250*5 + 35*7 = 1710 and 1710/5 = 342. The construction is "
       "right and gives 342 columns without blanks."},
      {lost_blanks,
       "The block for n = 5 total has 12 columns and 2 blanks; in the text at hand its rows have "
       "13 cells and columns that hold a letter twice. Two placements of the blanks keep all "
       "columns distinct, both in row 4; ours is the one that fits the order of the empty cells."},
      {no_word_ends,
       "The tables do not show where words end, and letters and blanks alone do not determine it: "
       "the block for n = 6 can be cut in 7 ways. Dashes join the letters of a word."},
      {more_words,
       "A piece of a word may also stand inside another: (0 1 2)(3 4) has six minimal words, the "
       "paper's rule gives four."},
      {no_table_for_three,
       "No table is given for n = 3, which is left to an earlier article; the block is ours."},
      {exchanged_letters,
       "The proof of theorem 3 exchanges d and e: sigma is one cycle of length n - 1."},
      {trivial_power,
       "Lemma 1 must leave out the identity, which is no message and commutes with all, and the "
       "power sigma^(n-1) = 1, with which all commute. The paper's list of 3 leaves it out too, "
       "the "
       "count of 4 has it."},
      {trivial_cycles,
       "Lemma 2 needs cycles of length e >= 2: with the identity all n! permutations commute, not "
       "(n-1)!. The order d! e^d is right."},
      {other_sizes,
       "That n - 1 is an odd prime is enough for an optimal odd exchange, not necessary: n = 5 and "
       "n = 7 have one too."}};
  return list;
}

}  // namespace lockstep::tables_paper
