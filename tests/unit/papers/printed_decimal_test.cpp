// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "lockstep/core/errors.hpp"
#include "papers/formula.hpp"

namespace lockstep {
namespace {

TEST(PrintedDecimalTest, DigitsAndPlaces) {
  EXPECT_EQ(parse_printed("0.190").digits, 190U);
  EXPECT_EQ(parse_printed("0.190").places, 3U);
  EXPECT_EQ(parse_printed(".043").digits, 43U);
  EXPECT_EQ(parse_printed(".043").places, 3U);
  EXPECT_EQ(parse_printed("7.0e-3").digits, 70U);
  EXPECT_EQ(parse_printed("7.0e-3").places, 4U);
  EXPECT_EQ(parse_printed("12.5").digits, 125U);
}

TEST(PrintedDecimalTest, RefusesOtherText) {
  for (const char* text : {"", ".", "7", "0.", "1e-3", "1.0e3", "-0.1", "0.1.2", "0.1x", "1.0e-",
                           "0.1234567890123456789"})
    EXPECT_THROW((void)parse_printed(text), InvalidParameter) << text;
}

TEST(PrintedDecimalTest, WritesInTheSameForm) {
  EXPECT_EQ(written_like("0.190", Fraction(4, 21), 0), "0.190");
  EXPECT_EQ(written_like("0.190", Fraction(4, 21), 2), "0.19047");
  EXPECT_EQ(written_like(".043", Fraction(5, 114), 2), ".04385");
  EXPECT_EQ(written_like("7.0e-3", Fraction(5, 714), 2), "7.002e-3");
  EXPECT_EQ(written_like("0.5", Fraction(0, 1), 1), "0.00");
  EXPECT_EQ(written_like("1.5", Fraction(25, 2), 0), "12.5");
}

TEST(PrintedDecimalTest, FixedRounds) {
  EXPECT_EQ(fixed(-0.02786, 4), "-0.0279");
  EXPECT_EQ(fixed(0.5, 4), "0.5000");
}

TEST(PrintedFunctions, AreForFormulas) {
  const papers::Scope scope{.functions = papers::printed_functions()};
  const auto value = [&](std::string_view formula) {
    return papers::evaluate(formula, scope).text();
  };
  EXPECT_EQ(value("commas(12345)"), "12,345");
  EXPECT_EQ(value("fixed('1/8', 2)"), "0.12");
  EXPECT_EQ(value("percent('1/8', 2)"), "12.50%");
  EXPECT_EQ(value("like('0.3', '1/3')"), "0.333");
  EXPECT_EQ(value("is_rounded('0.7', '2/3')"), "1");
  EXPECT_EQ(value("is_cut_off('0.7', '2/3')"), "0");
}

}  // namespace
}  // namespace lockstep
