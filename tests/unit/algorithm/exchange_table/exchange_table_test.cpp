// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/exchange_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithm/exchange_table/table_file.hpp"
#include "algorithm/exchange_table/words.hpp"
#include "lockstep/core/errors.hpp"
#include "support/golden.hpp"
#include "support/slow_table_check.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {
namespace {

using test::golden;
using test::GoldenRow;

TEST(ExchangeTableTest, ColumnsWordsAndBlanks) {
  std::size_t tables = 0;
  for (const GoldenRow& row : golden("tables/columns.csv")) {
    const std::size_t n = row.number("n");
    const TableKind kind = table_kind(row.text("kind"));
    SCOPED_TRACE(row.text("n") + " " + row.text("kind"));
    EXPECT_EQ(letters_of_full_table(n, kind), row.number("letters"));
    EXPECT_EQ(lower_bound_columns(n, kind), row.number("bound"));
    EXPECT_EQ(lower_bound_columns(n, base_of(kind)), row.number("bound"));
    const ExchangeTable base = optimal_exchange_table(n, base_of(kind));
    EXPECT_EQ(base.columns, row.number("base_columns"));
    EXPECT_EQ(blank_count(base), row.number("base_blanks"));
    const ExchangeTable table = optimal_exchange_table(n, kind);
    EXPECT_EQ(table.symbols, n);
    EXPECT_EQ(table.kind, kind);
    EXPECT_EQ(table.rows.size(), n - 1);
    EXPECT_EQ(table.columns, row.number("columns"));
    EXPECT_EQ(word_count(table), row.number("words"));
    EXPECT_EQ(letter_count(table), row.number("letters"));
    EXPECT_EQ(blank_count(table), row.number("blanks"));
    EXPECT_EQ(factorial(n) * word_count(table), row.number("deliveries"));
    EXPECT_EQ(factorial(n) * letter_count(table), row.number("hops"));
    ++tables;
  }
  EXPECT_EQ(tables, 12U);
}

/// A row per rotation: every column of an orbit block has every letter once.
TEST(ExchangeTableTest, OrbitBlocksFollowTheBaseBlock) {
  const ExchangeTable base = optimal_exchange_table(5, TableKind::base_total);
  const ExchangeTable table = assemble_exchange_table(base);
  std::vector<Word> blocks;
  for (std::size_t row = 0; row < 4; ++row) {
    const auto& words = table.rows[row];
    const auto& first = base.rows[row];
    ASSERT_TRUE(std::equal(first.begin(), first.end(), words.begin()));
    const std::size_t count = words.size() - first.size();
    for (std::size_t i = 0; i < count; ++i) {
      const PlacedWord& word = words[first.size() + i];
      if (row == 0) blocks.push_back(word.ports);
      EXPECT_EQ(word.column, table.rows[0][base.rows[0].size() + i].column);
      EXPECT_EQ(word.ports, rotated(blocks.at(i), row, 5));
    }
  }
  EXPECT_EQ(blocks.size(), 28U - 2U);  // [1, 2, 3, 4] and [13, 24, 31, 42] are in the base block
  for (std::size_t i = 1; i < blocks.size(); ++i)
    EXPECT_TRUE(blocks[i - 1].size() < blocks[i].size() ||
                (blocks[i - 1].size() == blocks[i].size() && blocks[i - 1] < blocks[i]));
}

TEST(ExchangeTableTest, AssembliesAreRefused) {
  EXPECT_THROW((void)assemble_exchange_table(optimal_exchange_table(3, TableKind::total)),
               InvalidParameter);
  EXPECT_THROW((void)assemble_exchange_table(optimal_exchange_table(12, TableKind::base_odd)),
               InvalidParameter);
  ExchangeTable base = optimal_exchange_table(5, TableKind::base_total);
  base.rows[0].pop_back();
  EXPECT_THROW((void)assemble_exchange_table(base), InvalidParameter);
}

TEST(ExchangeTableTest, NoneIsBuiltIn) {
  const auto refusal = [](std::size_t n, TableKind kind) {
    EXPECT_FALSE(has_optimal_exchange_table(n, kind));
    try {
      (void)optimal_exchange_table(n, kind);
    } catch (const InvalidParameter& problem) {
      return std::string(problem.what());
    }
    return std::string("built");
  };
  EXPECT_EQ(refusal(9, TableKind::total),
            "exchange table: no built-in table for 9 symbols, kind total; allowed: 3..8 symbols; "
            "search for one with `lockstep table search`");
  for (const std::size_t n : {0U, 1U, 2U, 9U, 10U, 12U, 13U})
    for (const TableKind kind : {TableKind::total, TableKind::odd, TableKind::base_total})
      EXPECT_NE(refusal(n, kind), "built") << n << " " << name(kind);
}

TEST(ExchangeTableTest, BoundsOfOddDistances) {
  for (std::size_t n = 3; n <= max_star_distance_symbols; ++n) {
    const auto levels = star_level_sizes(n);
    std::uint64_t all = 0;
    for (std::size_t d = 0; d < levels.size(); ++d) all += d * levels[d];
    EXPECT_EQ(letters_of_full_table(n, TableKind::total), all) << n;
    EXPECT_LT(letters_of_full_table(n, TableKind::odd), all) << n;
  }
  EXPECT_THROW((void)lower_bound_columns(2, TableKind::odd), InvalidParameter);
  EXPECT_THROW((void)lower_bound_columns(20, TableKind::total), InvalidParameter);
}

TEST(ExchangeTableTest, Kinds) {
  for (const TableKind kind :
       {TableKind::total, TableKind::odd, TableKind::base_total, TableKind::base_odd}) {
    EXPECT_EQ(table_kind(name(kind)), kind);
    EXPECT_TRUE(is_base(base_of(kind)));
    EXPECT_FALSE(is_base(full_of(kind)));
    EXPECT_EQ(is_odd(base_of(kind)), is_odd(kind));
    EXPECT_EQ(is_odd(full_of(kind)), is_odd(kind));
  }
  EXPECT_THROW((void)table_kind("even"), InvalidParameter);
  EXPECT_THROW((void)table_kind(""), InvalidParameter);
}

TEST(ExchangeTableTest, AsThePaperPrintsIt) {
  const ExchangeTable table = optimal_exchange_table(3, TableKind::total);
  EXPECT_EQ(rows_text(table), "1-2-1 1-2\n2 1 . 2-1\n");
  EXPECT_EQ(rows_text(table, 3), "columns 1-3\n1-2-1\n2 1 .\n\ncolumns 4-5\n1-2\n2-1\n");
  EXPECT_EQ(rows_text(table, 2),
            "columns 1-2\n1-2-\n2 1\n\ncolumns 3-4\n1 1-\n. 2-\n\ncolumns 5-5\n2\n1\n");
  EXPECT_EQ(row_text(table.rows[1], 7), "2 1 . 2-1 . .");
  EXPECT_EQ(rows_text({4, TableKind::base_odd, 0, {{}, {}, {}}}), "");
  EXPECT_EQ(exceptional_words_text(table), "121");
  EXPECT_EQ(exceptional_words_text(optimal_exchange_table(4, TableKind::odd)), "");
}

}  // namespace
}  // namespace lockstep
