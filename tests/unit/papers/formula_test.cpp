// SPDX-License-Identifier: Apache-2.0
#include "papers/formula.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lockstep::papers {
namespace {

Scope scope() {
  return {.names = {{"k", 3}, {"h", 4}, {"who", "node"}},
          .formulas = {{"n", "k^h"}},
          .functions = {{"twice", [](std::uint64_t a) { return 2 * a; }}}};
}
std::string value(std::string_view formula) { return evaluate(formula, scope()).text(); }

TEST(Formula, OperatorsBindAsInC) {
  EXPECT_EQ(value("1 + 2*3"), "7");
  EXPECT_EQ(value("(1 + 2)*3 - 4 - 1"), "4");
  EXPECT_EQ(value("2*k^2"), "18");
  EXPECT_EQ(value("7/2*2"), "6");
  EXPECT_EQ(value("7 % 4"), "3");
  EXPECT_EQ(value("1 - 3"), "-2");
  EXPECT_EQ(value("1 < 2 && 2 <= 2 || 0 == 1"), "1");
  EXPECT_EQ(value("k > 2 ? n + 2*h - 2 : n"), "87");
}

TEST(Formula, TextsAreComparedAndAppended) {
  EXPECT_EQ(value("who == 'node'"), "1");
  EXPECT_EQ(value("who + ' ' + (k + 1) + ' of ' + n"), "node 4 of 81");
}

TEST(Formula, Functions) {
  EXPECT_EQ(value("twice(k) + twice(1)"), "8");
  EXPECT_EQ(value("ceil(7, 2)"), "4");
  EXPECT_EQ(value("log(5, 25)"), "2");
  EXPECT_EQ(value("log(5, 26)"), "3");
  EXPECT_EQ(value("max(k, h)"), "4");
  EXPECT_EQ(value("commas(12345)"), "12,345");
  EXPECT_EQ(value("sum('i', 1, 3, 'k^i')"), "39");
  EXPECT_EQ(value("most('i', 1, 3, '10 - (i - 2)^2')"), "10");
  EXPECT_EQ(value("list('i', 1, 3, 'k^i')"), "3 9 27");
  EXPECT_EQ(value("list('i', 1, 3, 'i', ', ')"), "1, 2, 3");
  EXPECT_EQ(value("fraction(2, 4)"), "1/2");
  EXPECT_EQ(value("fixed('1/8', 2)"), "0.12");
  EXPECT_EQ(value("percent('1/8', 2)"), "12.50%");
  EXPECT_EQ(value("is_less('1/3', '1/2')"), "1");
  EXPECT_EQ(value("like('0.3', '1/3')"), "0.333");
  EXPECT_EQ(value("is_rounded('0.7', '2/3')"), "1");
  EXPECT_EQ(value("is_cut_off('0.7', '2/3')"), "0");
}

TEST(Formula, FillsTexts) {
  EXPECT_EQ(filled("{n} leaves, {{h}} = {2*h}", scope()), "81 leaves, {h} = 8");
  EXPECT_EQ(filled("", scope()), "");
}

TEST(Formula, RefusesWhatIsNone) {
  for (const char* const formula :
       {"", "1 +", "1 2", "(1", "x", "no(1)", "1/0", "'open", "k ? 1", "who*2"})
    EXPECT_THROW((void)value(formula), std::invalid_argument) << formula;
  EXPECT_THROW((void)filled("{n", scope()), std::invalid_argument);
  EXPECT_THROW((void)filled("n}", scope()), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep::papers
