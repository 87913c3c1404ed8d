// SPDX-License-Identifier: Apache-2.0
#include "lockstep/report/table.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

[[nodiscard]] Table example() {
  Table table({{"name"}, {"steps", Table::Align::right}});
  table.add({"plain", "7"});
  table.add({"a \"quoted\", cut", "11,558"});
  return table;
}

TEST(TableTest, TextIsAligned) {
  EXPECT_EQ(example().text(),
            "name              steps\n"
            "plain                 7\n"
            "a \"quoted\", cut  11,558\n");
}

TEST(TableTest, NoBlanksAtLineEnds) {
  Table table({{"a"}, {"long heading"}});
  table.add({"x", ""});
  EXPECT_EQ(table.text(), "a  long heading\nx\n");
}

[[nodiscard]] Table wide() {
  Table table({{"network"},
               {"what it is", Table::Align::left},
               {"unused"},
               {"nodes", Table::Align::right}});
  table.add(
      {"star:7", "permutations of seven symbols, the first exchanged with another", "-", "5,040"});
  table.add({"ring:9", "a cycle", "-", "9"});
  return table;
}

TEST(TableTest, OnANarrowPageColumnsThatSayNothingGoFirst) {
  EXPECT_EQ(wide().text(82),
            "network  what it is                                                       nodes\n"
            "star:7   permutations of seven symbols, the first exchanged with another  5,040\n"
            "ring:9   a cycle                                                              9\n");
}

TEST(TableTest, ThenCellsAreWrapped) {
  EXPECT_EQ(wide().text(40),
            "network  what it is                nodes\n"
            "star:7   permutations of seven     5,040\n"
            "         symbols, the first\n"
            "         exchanged with another\n"
            "ring:9   a cycle                       9\n");
}

TEST(TableTest, ThenRowsAreParagraphs) {
  EXPECT_EQ(wide().text(26),
            "network     star:7\n"
            "what it is  permutations\n"
            "            of seven\n"
            "            symbols, the\n"
            "            first\n"
            "            exchanged with\n"
            "            another\n"
            "nodes       5,040\n"
            "\n"
            "network     ring:9\n"
            "what it is  a cycle\n"
            "nodes       9\n");
}

TEST(TableTest, LinesPrintedOneByOneFitThePage) {
  const Table table({{"k", Table::Align::right}, {"what", Table::Align::left, 30}});
  EXPECT_EQ(table.text_heading(24), "k  what\n");
  EXPECT_EQ(table.text_line({"3", "the longest of all cells here"}, 24),
            "3  the longest of all\n   cells here\n");
  EXPECT_EQ(table.text_line({"123456789", "a cell of text"}, 24),
            "k     123456789\nwhat  a cell of text\n\n");
  EXPECT_EQ(table.text_line({"123", "a"}), "123  a\n");
}

TEST(TableTest, CsvIsQuotedWhereItMustBe) {
  EXPECT_EQ(example().csv(), "name,steps\nplain,7\n\"a \"\"quoted\"\", cut\",\"11,558\"\n");
  Table one({{"only"}});
  one.add({""});
  one.add({"two\nlines"});
  EXPECT_EQ(one.csv(), "only\n\n\"two\nlines\"\n");
}

TEST(TableTest, JsonIsAListOfObjects) {
  const auto rows = nlohmann::json::parse(example().json());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1]["name"], "a \"quoted\", cut");
  EXPECT_EQ(rows[0]["steps"], "7");
}

TEST(TableTest, ATableWithoutRowsHasItsHeading) {
  EXPECT_EQ(Table({{"a"}, {"b"}}).text(), "a  b\n");
  EXPECT_EQ(Table({{"a"}, {"b"}}).csv(), "a,b\n");
  EXPECT_EQ(Table({{"a"}, {"b"}}).json(), "[]\n");
}

TEST(TableDeathTest, ARowHasACellForEveryColumn) {
  EXPECT_DEATH(Table({{"a"}, {"b"}}).add({"x"}), "a cell for every column");
}

}  // namespace
}  // namespace lockstep
