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

TEST(TableTest, CsvIsQuotedWhereItMustBe) {
  EXPECT_EQ(example().csv(), "name,steps\nplain,7\n\"a \"\"quoted\"\", cut\",\"11,558\"\n");
  Table one({{"only"}});
  one.add({""});
  one.add({"two\nlines"});
  EXPECT_EQ(one.csv(), "only\n\n\"two\nlines\"\n");
}

TEST(TableTest, JsonIsAListOfObjects) {
  const auto json = nlohmann::json::parse(example().json());
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[1]["name"], "a \"quoted\", cut");
  EXPECT_EQ(json[0]["steps"], "7");
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
