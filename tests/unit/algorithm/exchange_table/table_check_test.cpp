// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/table_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "algorithm/exchange_table/words.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "support/slow_table_check.hpp"

namespace lockstep {
namespace {

using test::is_valid_table;
using testing::ElementsAre;
using testing::HasSubstr;

ExchangeTable star3() { return optimal_exchange_table(3, TableKind::total); }  // 121 12 / 2 1 . 21

std::vector<std::string> reasons(const ExchangeTable& table) {
  std::vector<std::string> texts;
  for (const TableFault& fault : check_exchange_table(table))
    texts.push_back(fault_text(fault, "t"));
  return texts;
}

TEST(TableCheck, FindsNothingInTheBuiltInTables) {
  for (std::size_t n = 3; n <= 8; ++n)
    for (const TableKind kind :
         {TableKind::total, TableKind::odd, TableKind::base_total, TableKind::base_odd}) {
      const ExchangeTable table = optimal_exchange_table(n, kind);
      EXPECT_THAT(reasons(table), ElementsAre()) << n << " " << name(kind);
      EXPECT_TRUE(check_optimality(table).empty()) << n << " " << name(kind);
      if (n <= 7) {
        EXPECT_TRUE(is_valid_table(table)) << n << " " << name(kind);
      }
    }
}

/// Condition 1: size, rows, places.
TEST(TableCheck, Size) {
  for (const std::size_t n : {0U, 2U, 13U, 1000U}) {
    ExchangeTable table = star3();
    table.symbols = n;
    EXPECT_THAT(reasons(table), ElementsAre(HasSubstr("symbols; allowed: 3..12"))) << n;
  }
  ExchangeTable wider = star3();
  wider.rows.emplace_back();
  EXPECT_THAT(reasons(wider), ElementsAre("t: 3 rows; expected 2, one row per port of star:3"));
  ExchangeTable none = star3();
  none.rows.clear();
  EXPECT_THAT(reasons(none),
              ElementsAre(HasSubstr("0 rows"), HasSubstr("5 of 5 destinations without a word")));
}

TEST(TableCheck, Places) {
  ExchangeTable narrow = star3();
  narrow.columns = 4;
  EXPECT_THAT(reasons(narrow),
              ElementsAre("t: row 1, column 4: word 12 extends beyond the 4 columns",
                          "t: row 2, column 4: word 21 extends beyond the 4 columns"));
  ExchangeTable far = star3();
  far.rows[0][1].column = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(reasons(far), ElementsAre(HasSubstr("word 12 extends beyond the 5 columns")));
  ExchangeTable overlapping = star3();
  overlapping.rows[0][1].column = 1;
  EXPECT_THAT(reasons(overlapping),
              testing::Contains("t: row 1, column 2: word 12 begins inside the previous word"));
  ExchangeTable disordered = star3();
  std::swap(disordered.rows[0][0], disordered.rows[0][1]);
  EXPECT_THAT(reasons(disordered),
              ElementsAre("t: row 1, column 1: word 121 begins inside the previous word"));
}

/// Condition 2.
TEST(TableCheck, Letters) {
  ExchangeTable table = star3();
  table.rows[1][0].ports[0] = Port{2};
  EXPECT_THAT(
      reasons(table),
      ElementsAre("t: row 2, column 1: word 3: letter 3 is not a port of star:3; allowed: 1..2",
                  HasSubstr("1 of 5 destinations without a word; the first missing word is 2")));
  table.rows[1][0].ports[0] = Port{65'535};
  EXPECT_THAT(reasons(table), testing::Contains(HasSubstr("word ?: letter 65536 is not a port")));
}

/// Condition 3.
TEST(TableCheck, Columns) {
  ExchangeTable table = star3();
  table.rows[1][1].column = 2;  // the 1 in column 3, where 121 ends
  EXPECT_THAT(reasons(table), ElementsAre("t: row 2, column 3: letter 1 occurs twice in "
                                          "the column, first in row 1"));
}

/// Condition 4.
TEST(TableCheck, Words) {
  ExchangeTable empty = star3();
  empty.rows[1].push_back({5, {}});
  EXPECT_THAT(reasons(empty), ElementsAre("t: row 2, column 6: empty word"));
  ExchangeTable back = star3();
  back.columns = 7;
  back.rows[0].push_back({5, word_from_text("11")});
  EXPECT_THAT(reasons(back), ElementsAre("t: row 1, column 6: word 11 leads back to its start"));
  ExchangeTable longer = star3();
  longer.columns = 8;
  longer.rows[0][1] = {5, word_from_text("212")};  // the node of 121
  longer.rows[0].erase(longer.rows[0].begin());
  longer.rows[0].push_back({8, {}});
  longer.rows[0].pop_back();
  EXPECT_THAT(reasons(longer), ElementsAre(HasSubstr("1 of 5 destinations without a word")));
  longer.columns = 12;
  longer.rows[0].push_back({8, word_from_text("2121")});  // four letters to the node of 12
  EXPECT_THAT(reasons(longer), ElementsAre("t: row 1, column 9: word 2121 is longer than the "
                                           "distance 2 of its destination; 12 is as short"));
}

/// Condition 5.
TEST(TableCheck, Destinations) {
  ExchangeTable table = star3();
  table.columns = 8;
  table.rows[1].push_back({5, word_from_text("212")});
  EXPECT_THAT(reasons(table), ElementsAre("t: row 2, column 6: word 212 has the destination of "
                                          "121 in row 1, column 1"));
}

/// Condition 6.
TEST(TableCheck, Kinds) {
  ExchangeTable table = star3();
  table.kind = TableKind::odd;
  EXPECT_THAT(
      reasons(table),
      ElementsAre(
          "t: row 1, column 4: word 12 leads to a node at even distance in a table of kind odd",
          "t: row 2, column 4: word 21 leads to a node at even distance in a table of kind odd"));
  table = star3();
  table.kind = TableKind::base_total;
  EXPECT_THAT(reasons(table), ElementsAre());
  table.kind = TableKind::base_odd;
  EXPECT_EQ(reasons(table).size(), 2U);
  table = optimal_exchange_table(3, TableKind::odd);
  table.kind = TableKind::total;
  EXPECT_THAT(
      reasons(table),
      ElementsAre(HasSubstr("2 of 5 destinations without a word; the first missing word is")));
  table.kind = TableKind::base_total;
  table.rows[1].pop_back();
  EXPECT_THAT(reasons(table),
              ElementsAre("t: row 2, column 1: the orbit of word 2 has 1 of its 2 words; 1 is "
                          "missing"));
  table.rows[0].clear();
  EXPECT_THAT(reasons(table),
              ElementsAre("t: the exceptional destination of 121 has no word", HasSubstr("orbit")));
}

/// One more column is no fault of validity.
TEST(TableCheck, Optimality) {
  ExchangeTable table = star3();
  ++table.columns;
  EXPECT_TRUE(check_exchange_table(table).empty());
  ASSERT_EQ(check_optimality(table).size(), 1U);
  EXPECT_EQ(check_optimality(table).front().reason, "not optimal: 6 columns; the lower bound is 5");
  ExchangeTable base = optimal_exchange_table(5, TableKind::base_total);
  ++base.columns;
  EXPECT_EQ(check_optimality(base).front().reason,
            "not optimal: 13 columns and 99 of orbit blocks; the lower bound is 111");
}

ExchangeTable with_another_letter(ExchangeTable table, std::mt19937_64& random) {
  std::vector<Port*> letters;
  for (auto& row : table.rows)
    for (PlacedWord& word : row)
      for (Port& p : word.ports) letters.push_back(&p);
  Port& chosen = *letters[random() % letters.size()];
  const Port old = chosen;
  while (chosen == old) chosen = port(random() % table.symbols);  // one of them is no port
  return table;
}

// Single-threaded arithmetic: builds with heavy checks, thirty times slower, take a tenth of them.
constexpr int share_of_mutations = heavy_checks ? 10 : 1;

/// 100,000 tables with one letter changed, of all built-in ones up to n = 6: judged as by the
/// independent check, and every fault has a reason.
TEST(TableCheck, SingleLetterMutations) {
  struct Share {
    std::size_t symbols;
    int mutations;  // of each of the four kinds
  };
  std::mt19937_64 random(20);
  int refused = 0;
  int all = 0;
  for (const Share& share : {Share{3, 10'000}, Share{4, 12'000}, Share{5, 2'600}, Share{6, 400}})
    for (const TableKind kind :
         {TableKind::total, TableKind::odd, TableKind::base_total, TableKind::base_odd}) {
      const ExchangeTable table = optimal_exchange_table(share.symbols, kind);
      if (word_count(table) == 0) continue;  // theorem 3
      const int wanted =
          is_base(kind) || share.symbols < 5 ? share.mutations * 5 / 4 : share.mutations;
      const int count = wanted / share_of_mutations;
      for (int i = 0; i < count; ++i, ++all) {
        const ExchangeTable changed = with_another_letter(table, random);
        const std::vector<TableFault> faults = check_exchange_table(changed);
        ASSERT_EQ(faults.empty(), is_valid_table(changed)) << all;
        for (const TableFault& fault : faults) ASSERT_FALSE(fault.reason.empty());
        refused += faults.empty() ? 0 : 1;
      }
    }
  EXPECT_GE(all, 100'000 / share_of_mutations);
  EXPECT_GT(refused, all * 99 / 100);
}

/// Changes of other kinds: words moved, dropped, exchanged, replaced by others as short. Many stay
/// valid: rows have no meaning of their own.
TEST(TableCheck, OtherMutations) {
  std::mt19937_64 random(21);
  int valid = 0;
  constexpr int count = 20'000 / share_of_mutations;
  for (int i = 0; i < count; ++i) {
    const std::size_t n = 3 + random() % 3;
    ExchangeTable table = optimal_exchange_table(n, static_cast<TableKind>(random() % 4));
    if (word_count(table) == 0) continue;
    auto& row = table.rows[random() % table.rows.size()];
    auto& other = table.rows[random() % table.rows.size()];
    PlacedWord& word = row[random() % row.size()];
    switch (random() % 5) {
      case 0:
        word.column += 1 + random() % 2;
        break;
      case 1:
        row.erase(row.begin() + (&word - row.data()));
        break;
      case 2:
        std::swap(word.ports, other[random() % other.size()].ports);
        break;
      case 3:
        std::swap(row, other);
        break;
      default:
        word.ports = random_minimal_word(destination(n, word.ports), random);
    }
    const bool fine = check_exchange_table(table).empty();
    ASSERT_EQ(fine, is_valid_table(table)) << i << testing::PrintToString(reasons(table));
    valid += fine ? 1 : 0;
  }
  EXPECT_GT(valid, count / 10);
  EXPECT_LT(valid, count * 9 / 10);
}

}  // namespace
}  // namespace lockstep
