// SPDX-License-Identifier: Apache-2.0

/// The tables and figures of K. Coolsaet, V. Fack, "Optimal data exchange algorithms on star
/// graphs", as printed, beside ours: tables that are complete and checked
/// (algorithm/exchange_table/table_check.hpp). The paper does not number its tables; here they are
/// 1 to 5 in its order.

#include "papers/paper.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "algorithm/exchange_table/table_check.hpp"
#include "algorithm/exchange_table/table_text.hpp"
#include "algorithm/exchange_table/words.hpp"
#include "lockstep/algorithm/exchange_table/exchange_table.hpp"

namespace lockstep::papers {
namespace {

/// 1: n = 4 odd, all of it; the base blocks of the others. Letters, a dot for a blank, as the text
/// of the paper shows them; number 3 has lost where its blanks are.
struct PrintedTable {
  std::size_t n;
  TableKind kind;
  unsigned erratum;
  std::array<const char*, 5> rows;
};
constexpr std::array<PrintedTable, 5> printed_tables{
    {{4, TableKind::odd, 5, {"1 1 2 1 1 2 3 1 3 2", "2 2 3 2 2 3 1 2 1 3", "3 3 1 3 3 1 2 3 2 1"}},
     {4, TableKind::base_total, 5, {"1 2 3 1 3 2 1 3", "2 3 1 2 1 3 2 1", "3 1 2 3 . 1 3 2"}},
     {5,
      TableKind::base_total,
      3,
      {"1 2 1 4 3 4 3 1 3 2 4 2 .", "4 3 2 1 4 . 1 2 3 4 1 1 3", "3 1 3 . 3 2 3 1 4 1 4 2 4",
       "2 4 4 2 1 . . 4 2 . 3 3 1"}},
     {5,
      TableKind::base_odd,
      5,
      {"1 2 3 4 1 4 1 3 1 2 4", "2 1 4 3 2 3 2 4 2 1 3", "3 4 2 2 3 1 3 1 3 4 1",
       "4 3 1 1 4 2 4 2 4 3 2"}},
     {6,
      TableKind::base_total,
      5,
      {"2 4 1 2 3 4 5 1 4 3 2 1 5 4", "3 5 2 4 1 3 2 5 3 1 4 2 1 5", "4 1 3 1 2 5 1 2 5 4 3 5 2 1",
       "5 2 . 3 4 2 3 4 2 2 5 3 3 2", "1 3 4 5 5 1 4 3 1 5 1 4 4 3"}}}};

/// A row each, ours with a dash inside words, which the paper does not show; then what the check
/// says.
template <std::size_t Number>
PaperRows table() {
  const PrintedTable& printed = printed_tables[Number - 1];
  const ExchangeTable ours = optimal_exchange_table(printed.n, printed.kind);
  PaperRows rows;
  for (std::size_t i = 0; i < ours.rows.size(); ++i) {
    std::string cells = row_text(ours.rows[i], ours.columns);
    rows.push_back(claim("", printed.n, fmt::format("{}, row {}", name(printed.kind), i + 1),
                         printed.rows[i], cells, printed.erratum));
    std::replace(cells.begin(), cells.end(), '-', ' ');
    rows.back().same = cells == printed.rows[i];
  }
  const std::vector<TableFault> faults = check_exchange_table(ours);
  const std::uint64_t blanks = blank_count(ours);
  std::string verdict =
      faults.empty()
          ? fmt::format("valid, {} columns, {} blank{}{}", ours.columns, blanks,
                        blanks == 1 ? "" : "s", check_optimality(ours).empty() ? ", optimal" : "")
          : fault_text(faults.front(), "faulty");
  rows.push_back(claim("", printed.n, fmt::format("{}, checked", name(printed.kind)), "", verdict));
  rows.back().same = faults.empty();
  return rows;
}

/// T as printed beside the columns of a complete and checked table.
[[nodiscard]] PaperRow time_row(std::string where, std::size_t n, TableKind kind,
                                std::string printed, unsigned erratum = 0) {
  const ExchangeTable table = optimal_exchange_table(n, kind);
  const bool valid = check_exchange_table(table).empty();
  PaperRow row =
      claim(std::move(where), n, fmt::format("T, {} exchange", name(kind)), std::move(printed),
            valid ? fmt::format("{} (bound {})", table.columns, lower_bound_columns(n, kind))
                  : "no valid table",
            erratum);
  row.same = valid && (row.printed.empty() || row.printed == fmt::format("{}", table.columns));
  return row;
}

/// The list of exceptional words; they may be spelled differently, the nodes count.
[[nodiscard]] PaperRow exceptional_row(std::string where, std::size_t n, TableKind kind,
                                       const std::string& printed) {
  std::set<std::uint64_t> expected;
  std::istringstream in{printed};
  for (std::string word; in >> word;) expected.insert(rank(destination(n, word_from_text(word))));
  std::set<std::uint64_t> found;
  std::vector<std::string> words;
  for (const Permutation r : exceptional_nodes(n)) {
    const Word word = standard_word(r);
    if (is_odd(kind) && word.size() % 2 == 0) continue;
    found.insert(rank(r));
    words.push_back(word_text(word));
  }
  PaperRow row = claim(std::move(where), n, fmt::format("exceptional words, {}", name(kind)),
                       printed, fmt::format("{}", fmt::join(words, " ")));
  row.same = found == expected;
  return row;
}

/// The node of (0 1 2)(3 4).
[[nodiscard]] std::string words_of_two_cycles() {
  std::vector<std::string> words;
  for (const Word& word : minimal_words(destination(5, word_from_text("12343"))))
    words.push_back(word_text(word));
  return fmt::format("{}", fmt::join(words, " "));
}

/// How many nodes of S_5 are as they were after `places` rotations: lemma 2: d! e^d, the identity
/// included.
[[nodiscard]] std::string unchanged_by(std::size_t places) {
  std::size_t count = 0;
  for (std::uint64_t u = 0; u < factorial(5); ++u) {
    Permutation r = unrank(5, u);
    for (std::size_t i = 0; i < places; ++i) r = rotated(r);
    count += rank(r) == u ? 1U : 0U;
  }
  return fmt::format("{}", count);
}

/// The figures in the text: exceptional words, minimal words, times beside the lower bound.
PaperRows claims() {
  return {claim("Section 2", 5, "words of (0 1 2)(3 4)", "12343 12434 34312 43412",
                words_of_two_cycles(), 6),
          exceptional_row("Section 2.1", 4, TableKind::total, "1231 3213"),
          time_row("Section 2.1", 4, TableKind::odd, "10"),
          time_row("Section 2.1", 4, TableKind::total, "21"),
          claim("Lemma 1", 5, "commute with sigma, (1 2 3 4)", "3", unchanged_by(1), 10),
          claim("Lemma 2", 5, "commute with sigma^2, (1 3)(2 4): d! e^d", "8", unchanged_by(2), 11),
          exceptional_row("Section 2.2", 5, TableKind::total,
                          "12341 131242 14321 131 242 121343 141232"),
          time_row("Section 2.2", 5, TableKind::total, "111"),
          exceptional_row("Section 2.2", 5, TableKind::odd, "12341 14321 131 242"),
          time_row("Section 2.2", 5, TableKind::odd, "56"),
          exceptional_row("Section 2.2", 6, TableKind::total, "123451 253142 352413 432154"),
          time_row("Section 2.2", 6, TableKind::total, "689"),
          time_row("Section 2.2", 6, TableKind::odd, "250", 1),
          claim("Theorem 3", 0, "sigma as d cycles of length e", "d = n-1, e = 1", "d = 1, e = n-1",
                9)};
}

/// Ours alone: times for n = 3, which the paper takes from elsewhere, and 7 and 8, of which it says
/// that the existence of optimal tables is not clear.
PaperRows beyond() {
  const auto time = [](std::size_t n, TableKind kind, unsigned erratum = 0) {
    return time_row("not in the paper", n, kind, "", erratum);
  };
  return {time(3, TableKind::total, 7), time(3, TableKind::odd, 7), time(7, TableKind::total),
          time(7, TableKind::odd, 12),  time(8, TableKind::total),  time(8, TableKind::odd)};
}

constexpr std::array parts{Part{"Table 1", table<1>}, Part{"Table 2", table<2>},
                           Part{"Table 3", table<3>}, Part{"Table 4", table<4>},
                           Part{"Table 5", table<5>}, Part{"claims", claims},
                           Part{"beyond", beyond}};

constexpr std::array errata{
    Erratum{1,
            "For odd exchange on n = 6 the paper states T = 250, below the lower bound: the odd "
            "distances sum up to 5 + 70*3 + 250*5 + 35*7 = 1710 and 1710/5 = 342. The construction "
            "is right and gives 342 columns without blanks."},
    Erratum{3,
            "The block for n = 5 total has 12 columns and 2 blanks; in the text at hand its rows "
            "have 13 cells and columns that hold a letter twice. Two placements of the blanks keep "
            "all columns distinct, both in row 4; ours is the one that fits the order of the empty "
            "cells."},
    Erratum{5,
            "The tables do not show where words end, and letters and blanks alone do not determine "
            "it: the block for n = 6 can be cut in 7 ways. Dashes join the letters of a word."},
    Erratum{6,
            "A piece of a word may also stand inside another: (0 1 2)(3 4) has six minimal words, "
            "the paper's rule gives four."},
    Erratum{7,
            "No table is given for n = 3, which is left to an earlier article; the block is ours."},
    Erratum{9, "The proof of theorem 3 exchanges d and e: sigma is one cycle of length n - 1."},
    Erratum{10,
            "Lemma 1 must leave out the identity, which is no message and commutes with all, and "
            "the power sigma^(n-1) = 1, with which all commute. The paper's list of 3 leaves it "
            "out too, the count of 4 has it."},
    Erratum{11,
            "Lemma 2 needs cycles of length e >= 2: with the identity all n! permutations commute, "
            "not (n-1)!. The order d! e^d is right."},
    Erratum{12,
            "That n - 1 is an odd prime is enough for an optimal odd exchange, not necessary: n = "
            "5 and n = 7 have one too."}};

std::string network(std::size_t n) { return fmt::format("star:{}", n); }

/// Total and odd-distance exchange by table for n = 3..7, against the lower bound; that no message
/// waits is measured too.
std::vector<PaperRun> runs() {
  std::vector<PaperRun> all;
  for (std::size_t n = min_table_symbols; n <= 7; ++n) {
    for (const TableKind kind : {TableKind::total, TableKind::odd}) {
      const std::uint64_t steps = lower_bound_columns(n, kind);
      all.push_back(
          {.topology = network(n),
           .operation = is_odd(kind) ? Operation::odd_distance_exchange : Operation::total_exchange,
           .algorithm = "table",
           .n = n,
           .block_bytes = 8,
           .quantity = fmt::format("T, {} exchange", name(kind)),
           .closed_form = cost_text({steps, steps})});
    }
  }
  return all;
}

}  // namespace

extern const Paper tables_paper;
const Paper tables_paper{.name = "tables",
                         .title = "Coolsaet, Fack: Optimal data exchange algorithms on star graphs",
                         .network = network,
                         .parts = parts,
                         .errata = errata,
                         .runs = runs};

}  // namespace lockstep::papers
