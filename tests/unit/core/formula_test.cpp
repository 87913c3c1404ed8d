// SPDX-License-Identifier: Apache-2.0
#include "core/formula.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lockstep::formulas {
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
  EXPECT_EQ(value("floor(7, 2)"), "3");
  EXPECT_EQ(value("factorial(5)"), "120");
  EXPECT_EQ(value("log(5, 25)"), "2");
  EXPECT_EQ(value("log(5, 26)"), "3");
  EXPECT_EQ(value("max(k, h)"), "4");
  EXPECT_EQ(value("sum('i', 1, 3, 'k^i')"), "39");
  EXPECT_EQ(value("most('i', 1, 3, '10 - (i - 2)^2')"), "10");
  EXPECT_EQ(value("list('i', 1, 3, 'k^i')"), "3 9 27");
  EXPECT_EQ(value("list('i', 1, 3, 'i', ', ')"), "1, 2, 3");
  EXPECT_EQ(value("fraction(2, 4)"), "1/2");
  EXPECT_EQ(value("is_less('1/3', '1/2')"), "1");
}

TEST(Formula, FillsTexts) {
  EXPECT_EQ(filled("{n} leaves, {{h}} = {2*h}", scope()), "81 leaves, {h} = 8");
  EXPECT_EQ(filled("", scope()), "");
}

TEST(Formula, ExactQuotientsAreFractions) {
  Scope exact = scope();
  EXPECT_EQ(evaluate("(k + 4)/14", exact).text(), "0");
  exact.exact = true;
  EXPECT_EQ(evaluate("(k + 4)/14", exact).fraction(), Fraction(1, 2));
  EXPECT_EQ(evaluate("2*(k - 1)/k", exact).fraction(), Fraction(4, 3));
  EXPECT_EQ(evaluate("k*(k - 1)/2", exact).number(), 3);
}

TEST(Formula, AsksForOtherNames) {
  Scope with_others = scope();
  with_others.others = [](std::string_view name) {
    return name == "x" ? std::optional<Value>(7) : std::nullopt;
  };
  EXPECT_EQ(evaluate("x + k", with_others).number(), 10);
  EXPECT_THROW((void)evaluate("y", with_others), std::invalid_argument);
}

TEST(Formula, IsReadable) {
  EXPECT_EQ(readable("N - 1"), "N - 1");
  EXPECT_EQ(readable("n*(n - 1)/2 + log(2, N)"), "n(n - 1)/2 + ceil(log2 N)");
  EXPECT_EQ(readable("2*floor(N, 2) - 2*n*M"), "2 floor(N/2) - 2nM");
  EXPECT_EQ(readable("max(floor(N, 2), ceil(P + N - 2, 2))"),
            "max(floor(N/2), ceil((P + N - 2)/2))");
  EXPECT_EQ(readable("factorial(n - 1) + 6*n"), "(n - 1)! + 6n");
  EXPECT_EQ(readable("2*sides('k - 1') + N % 2"), "2 (sum of k - 1 over the sides k) + N mod 2");
  EXPECT_EQ(readable("3*sum('i', 1, n, 'N/i')"), "3 (sum of N/i over i = 1..n)");
}

TEST(Formula, RefusesWhatIsNone) {
  for (const char* const formula :
       {"", "1 +", "1 2", "(1", "x", "no(1)", "1/0", "'open", "k ? 1", "who*2"})
    EXPECT_THROW((void)value(formula), std::invalid_argument) << formula;
  EXPECT_THROW((void)filled("{n", scope()), std::invalid_argument);
  EXPECT_THROW((void)filled("n}", scope()), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep::formulas
