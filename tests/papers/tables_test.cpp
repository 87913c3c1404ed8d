// SPDX-License-Identifier: Apache-2.0

/// K. Coolsaet, V. Fack, "Optimal data exchange algorithms on star graphs": the tables as printed,
/// the words and times in the text, theorem 3. That every table is one is for
/// tests/unit/algorithm/exchange_table/table_check_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "algorithm/exchange_table/exchange_table.hpp"
#include "algorithm/exchange_table/table_check.hpp"
#include "algorithm/exchange_table/table_file.hpp"
#include "algorithm/exchange_table/words.hpp"
#include "support/golden.hpp"
#include "support/papers.hpp"

namespace lockstep {
namespace {

using papers::PaperRow;
using test::golden;
using test::GoldenRow;

struct Place {
  std::size_t n;
  TableKind kind;
};
const std::map<std::uint64_t, Place> places{{1, {4, TableKind::odd}},
                                            {2, {4, TableKind::base_total}},
                                            {3, {5, TableKind::base_total}},
                                            {4, {5, TableKind::base_odd}},
                                            {5, {6, TableKind::base_total}}};

/// A letter or a dot per cell, nothing between.
std::string cells(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == ' ' || c == '-'; }),
             text.end());
  return text;
}

std::string our_cells(const Place& place, std::size_t row) {
  const ExchangeTable table = optimal_exchange_table(place.n, place.kind);
  return cells(row_text(table.rows.at(row), table.columns));
}

std::string letters(std::string cells) {
  cells.erase(std::remove(cells.begin(), cells.end(), '.'), cells.end());
  return cells;
}

/// All but the block for n = 5 total are the printed ones, cell by cell (erratum 4: right).
TEST(TablesPaper, OursAreThePrintedTables) {
  std::size_t rows = 0;
  for (const GoldenRow& row : golden("papers/tables/printed.csv")) {
    const Place& place = places.at(row.number("table"));
    const std::string ours = our_cells(place, row.number("row") - 1);
    const std::string printed = cells(row.text("cells"));
    EXPECT_EQ(letters(ours), letters(printed)) << row.text("table") << ", " << row.text("row");
    if (row.number("table") != 3) {
      EXPECT_EQ(ours, printed) << row.text("table") << ", " << row.text("row");
    }
    ++rows;
  }
  EXPECT_EQ(rows, 19U);
}

/// Erratum 3: with its 13 cells the block for n = 5 total holds letters twice in six columns; ours
/// drops one cell of each row and keeps two blanks, both in row 4.
TEST(TablesPaper, Table3HasLostItsBlanks) {
  std::vector<std::string> printed;
  for (const GoldenRow& row : golden("papers/tables/printed.csv"))
    if (row.number("table") == 3) printed.push_back(cells(row.text("cells")));
  ASSERT_EQ(printed.size(), 4U);
  std::size_t bad_columns = 0;
  for (std::size_t column = 0; column < 13; ++column) {
    std::string column_letters;
    for (const std::string& row : printed) column_letters += row.at(column);
    column_letters = letters(column_letters);
    std::sort(column_letters.begin(), column_letters.end());
    if (std::adjacent_find(column_letters.begin(), column_letters.end()) != column_letters.end())
      ++bad_columns;
  }
  EXPECT_EQ(bad_columns, 6U);
  for (std::size_t row = 0; row < 4; ++row) {
    const std::string ours = our_cells(places.at(3), row);
    EXPECT_EQ(ours.size(), 12U);
    EXPECT_EQ(std::count(ours.begin(), ours.end(), '.'), row == 3 ? 2 : 0);
  }
}

TEST(TablesPaper, Times) {
  for (const GoldenRow& row : golden("papers/tables/times.csv")) {
    const TableKind kind = table_kind(row.text("kind"));
    const ExchangeTable table = optimal_exchange_table(row.number("n"), kind);
    EXPECT_EQ(table.columns, row.number("ours")) << row.text("topology");
    EXPECT_EQ(lower_bound_columns(row.number("n"), kind), row.number("ours"));
    const bool erratum = row.text("where").find("erratum 1") != std::string::npos;
    EXPECT_EQ(row.number("printed") == row.number("ours"), !erratum);
    if (erratum) {  // what the paper states is below the bound
      EXPECT_LT(row.number("printed"), lower_bound_columns(row.number("n"), kind));
    }
  }
}

/// Theorem 3, n - 1 = 3, 5, 7: no exceptional node at an odd distance, no base block, no blank.
/// Not for n - 1 = 9, which is odd but no prime.
TEST(TablesPaper, Theorem3) {
  const auto odd_exceptional = [](std::size_t n) {
    const std::vector<Permutation> nodes = exceptional_nodes(n);
    return std::count_if(nodes.begin(), nodes.end(),
                         [](Permutation r) { return standard_word(r).size() % 2 == 1; });
  };
  for (const std::size_t n : {4U, 6U, 8U, 12U}) {
    EXPECT_EQ(odd_exceptional(n), 0) << n;
    EXPECT_EQ(optimal_exchange_table(n, TableKind::base_odd).columns, 0U) << n;
    if (n == 12) continue;  // 240 million words
    const ExchangeTable table = optimal_exchange_table(n, TableKind::odd);
    EXPECT_TRUE(check_exchange_table(table).empty()) << n;
    EXPECT_TRUE(check_optimality(table).empty()) << n;
    EXPECT_EQ(blank_count(table), 0U) << n;
  }
  EXPECT_EQ(odd_exceptional(10), 81);
}

/// The rows of `lockstep reproduce tables` show what was typed.
TEST(TablesPaper, RowsShowWhatIsPrinted) {
  for (const GoldenRow& row : golden("papers/tables/printed.csv")) {
    const auto rows = test::part("tables", "Table", row.number("table"));
    EXPECT_EQ(rows.at(row.number("row") - 1).printed, row.text("cells"));
  }
  for (const GoldenRow& row : golden("papers/tables/times.csv")) {
    const auto claims = test::part("tables", "claims");
    const auto found = std::find_if(claims.begin(), claims.end(), [&](const PaperRow& claim) {
      return claim.topology == row.text("topology") &&
             claim.quantity == "T, " + row.text("kind") + " exchange";
    });
    ASSERT_NE(found, claims.end()) << row.text("topology");
    EXPECT_EQ(found->printed, row.text("printed"));
    EXPECT_EQ(found->ours, row.text("ours") + " (bound " + row.text("ours") + ")");
    EXPECT_EQ(found->agrees(), row.text("printed") == row.text("ours"));
  }
}

}  // namespace
}  // namespace lockstep
