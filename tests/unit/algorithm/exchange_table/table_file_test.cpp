// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/table_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "lockstep/core/errors.hpp"
#include "support/slow_table_check.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* star3_text =
    "startable 1\n"
    "n 3\n"
    "kind total\n"
    "columns 5\n"
    "rows 2\n"
    "row 121 12\n"
    "row 2 1 . 21\n"
    "end\n";

/// The table's text with one piece replaced.
std::string with(const std::string& old, const std::string& now) {
  std::string text = star3_text;
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

ExchangeTableFile parsed(const std::string& text) {
  std::istringstream in{text};
  return parse_exchange_table(in, "t");
}

std::string refusal(const std::string& text) {
  try {
    (void)parsed(text);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

std::string written(const ExchangeTable& table, const std::string& remark = {}) {
  std::ostringstream out;
  write_exchange_table(out, table, remark);
  return out.str();
}

TEST(TableFile, RoundTripOfEveryBuiltInTable) {
  for (std::size_t n = 3; n <= 8; ++n)
    for (const TableKind kind :
         {TableKind::total, TableKind::odd, TableKind::base_total, TableKind::base_odd}) {
      const ExchangeTable table = optimal_exchange_table(n, kind);
      std::istringstream in{written(table)};
      EXPECT_EQ(read_exchange_table(in, "t"), table) << n << " " << name(kind);
    }
}

TEST(TableFile, WritesWhatTheSpecificationShows) {
  EXPECT_EQ(written(optimal_exchange_table(3, TableKind::total)), star3_text);
  ExchangeTable wide = optimal_exchange_table(3, TableKind::total);
  wide.columns = 20'000'010;
  EXPECT_THAT(written(wide, "one\ntwo"),
              HasSubstr("startable 1\n# one\n# two\nn 3\nkind total\ncolumns 20000010\nrows 2\n"
                        "row 121 12 .9999999 .9999999 .7\n"));
  EXPECT_EQ(parsed(written(wide)).table, wide);
}

TEST(TableFile, CommentsBlanksAndLineEnds) {
  std::string text = with("row 121 12", "# a comment\n\n \t\nrow\t121  12 # the first");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\r\n");
  EXPECT_EQ(parsed(text).table, optimal_exchange_table(3, TableKind::total));
  EXPECT_THAT(parsed(text).row_lines, ElementsAre(9U, 10U));
  EXPECT_EQ(parsed(with("end\n", "end")).table, parsed(star3_text).table);
  EXPECT_EQ(parsed(with("n 3\nkind total\ncolumns 5\nrows 2", "rows 2\ncolumns 5\nkind total\nn 3"))
                .table,
            parsed(star3_text).table);
  EXPECT_EQ(parsed(with("2 1 . 21", "2 1 .1 21")).table, parsed(star3_text).table);
}

TEST(TableFile, RefusesWhatIsNotOfTheFormat) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "t:1: the file is not an exchange table; expected 'startable 1' in the first line"},
      {"# a remark\n" + std::string(star3_text), "t:1: the file is not an exchange table"},
      {with("startable 1", "startable"), "t:1: format version not given; expected 1"},
      {with("startable 1", "startable 2"), "t:1: format version '2'; expected 1"},
      {with("startable 1", "startable 1 1"), "t:1: format version"},
      {with("n 3", "n 2"), "t:2: n '2' is not valid; expected 3..12"},
      {with("n 3", "n 13"), "t:2: n '13' is not valid; expected 3..12"},
      {with("n 3", "n 03"), "t:2: n '03' is not valid"},
      {with("n 3", "n -3"), "t:2: n '-3' is not valid"},
      {with("n 3", "n"), "t:2: 'n' takes one value"},
      {with("n 3", "n 3 3"), "t:2: 'n' takes one value"},
      {with("n 3", "n 3\nn 3"), "t:3: 'n' occurs twice"},
      {with("n 3\n", ""), "t:5: 'n' is missing before the first row"},
      {with("kind total\n", ""), "t:5: 'kind' is missing before the first row"},
      {with("kind total", "kind even"),
       "t:3: kind 'even' is not valid; expected total, odd, base-total or base-odd"},
      {with("columns 5", "columns 9999999999999999"),
       "t:4: columns '9999999999999999' is not valid"},
      {with("columns 5", "columns 5x"), "t:4: columns '5x' is not valid"},
      {with("rows 2", "rows 0"), "t:5: rows '0' is not valid; expected 1..35"},
      {with("rows 2", "rows 3"), "t:8: 2 rows, but 3 are announced"},
      {with("rows 2", "rows 1"), "t:7: more rows than the announced 1"},
      {with("row 121", "column 121"),
       "t:6: 'column' is not valid; expected n, kind, columns, rows, row or end"},
      {with("121 12", "121 12!"),
       "t:6: word '12!' is not valid; expected letters 1 to 9 and a to z"},
      {with("121 12", "121 10"), "t:6: word '10' is not valid; expected letters"},
      {with("2 1 .", "2 1 .0"), "t:7: blanks '.0' are not valid; expected . or .1 to .9999999"},
      {with("2 1 .", "2 1 .01"), "t:7: blanks '.01'"},
      {with("2 1 .", "2 1 .12345678"), "t:7: blanks '.12345678'"},
      {with("2 1 .", "2 1 .1.1"), "t:7: blanks '.1.1'"},
      {with("2 1 .", "2 1 ..\x01"), "t:7: blanks '..?'"},
      {with("end\n", ""), "t:7: the file is incomplete: the line 'end' is missing"},
      {with("end", "end 1"), "t:8: 'end' takes no value"},
      {with("end\n", "end\nend\n"), "t:9: text after 'end'"},
      {with("row 2 1 . 21", "row 2 1 . 21\nn 3"), "t:8: 'n' after the first row"},
      {with("row 121 12", "row " + std::string(100, '!')),
       "!!!...' is not valid; expected letters"}};
  for (const auto& [text, expected] : cases)
    EXPECT_THAT(refusal(text), HasSubstr(expected)) << text;
  EXPECT_EQ(refusal(with("end\n", "end\n# behind it\n\n")), "accepted");
}

/// A wrong table is no error of the format; the faults name the line.
TEST(TableFile, FaultsNameTheLine) {
  const auto texts = [](const std::string& text) {
    std::vector<std::string> all;
    for (const TableFault& fault : check_exchange_table(parsed(text)))
      all.push_back(fault_text(fault, "t"));
    return all;
  };
  EXPECT_THAT(texts(star3_text), ElementsAre());
  EXPECT_THAT(texts(with("2 1 . 21", "2 1 . 21 .")),
              ElementsAre("t:7: row 2: the row has 6 cells, but 5 columns are announced"));
  EXPECT_THAT(
      texts(with("121 12", "131 12")),
      ElementsAre("t:6: row 1, column 2: word 131: letter 3 is not a port of star:3; allowed: "
                  "1..2",
                  "t: 1 of 5 destinations without a word; the first missing word is 121"));
  EXPECT_THAT(texts(with("rows 2\nrow 121 12\n", "rows 1\n")),
              testing::Contains("t: 1 rows; expected 2, one row per port of star:3"));
}

TEST(TableFile, ReadsOnlyTablesWithoutFaults) {
  std::istringstream fine{star3_text};
  EXPECT_EQ(read_exchange_table(fine, "t").columns, 5U);
  std::istringstream faulty{with("121 12", "121 21")};
  try {
    (void)read_exchange_table(faulty, "t");
    ADD_FAILURE() << "accepted";
  } catch (const InvalidParameter& problem) {
    EXPECT_STREQ(problem.what(),
                 "t:7: row 2, column 4: letter 2 occurs twice in the column, first in row 1");
  }
}

std::string malformed(std::string text, std::mt19937_64& random) {
  for (std::uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
    const std::size_t at = random() % (text.size() + 1);
    switch (random() % 6) {
      case 0:
        text.insert(at, 1, static_cast<char>(random() % 256));
        break;
      case 1:
        text.erase(at, 1 + random() % 20);
        break;
      case 2:
        text.resize(at);
        break;
      case 3:
        text.insert(at, text.substr(text.size() / 2, random() % 30));
        break;
      case 4:
        text.insert(at, "\nrow 1 .99 z\n");
        break;
      default:
        if (at < text.size()) text[at] = "0123456789az .\n#\r\t"[random() % 18];
    }
  }
  return text;
}

/// Read or refused with file and line; a table that is read is judged as by the independent check.
TEST(TableFile, MalformedFiles) {
  std::mt19937_64 random(22);
  int refused = 0;
  int faulty = 0;
  constexpr int count = 4'000;
  for (int i = 0; i < count; ++i) {
    const auto kind = static_cast<TableKind>(random() % 4);
    const std::string text =
        malformed(written(optimal_exchange_table(3 + random() % 3, kind)), random);
    try {
      const ExchangeTableFile file = parsed(text);
      const bool valid = check_exchange_table(file).empty();
      if (file.table.symbols <= 6) {
        ASSERT_EQ(valid, file.width_faults.empty() && test::is_valid_table(file.table)) << text;
      }
      faulty += valid ? 0 : 1;
    } catch (const InvalidParameter& problem) {
      ASSERT_EQ(std::string(problem.what()).rfind("t:", 0), 0U) << problem.what();
      ASSERT_EQ(std::string(problem.what()).find('\n'), std::string::npos) << problem.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, count / 4);
  EXPECT_GT(faulty, count / 50);
}

}  // namespace
}  // namespace lockstep
