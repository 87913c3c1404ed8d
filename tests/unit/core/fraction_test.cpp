// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/fraction.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace lockstep {
namespace {

constexpr std::uint64_t largest_part = std::numeric_limits<std::uint64_t>::max();

TEST(FractionTest, IsInLowestTerms) {
  EXPECT_EQ(Fraction(10, 36), Fraction(5, 18));
  EXPECT_EQ(Fraction(10, 36).numerator(), 5U);
  EXPECT_EQ(Fraction(10, 36).denominator(), 18U);
  EXPECT_EQ(Fraction(10, 36).text(), "5/18");
  EXPECT_EQ(Fraction(0, 7), Fraction{});
  EXPECT_EQ(Fraction(7, 1).text(), "7/1");
}

TEST(FractionTest, AWholeNumberIsOne) {
  EXPECT_EQ(Fraction{largest_part}, Fraction(largest_part, 1));
  EXPECT_EQ(Fraction(14, 2), 7U);
  EXPECT_EQ(to_string(Fraction(14, 2)), "7");
  EXPECT_EQ(to_string(Fraction(7, 2)), "7/2");
  EXPECT_EQ(Fraction(7, 2).rounded_up(), 4U);
  EXPECT_EQ(Fraction(8, 2).rounded_up(), 4U);
  EXPECT_EQ(Fraction{}.rounded_up(), 0U);
  EXPECT_EQ(Fraction(largest_part, 2).rounded_up(), largest_part / 2 + 1);
}

TEST(FractionTest, SumsDifferencesAndQuotientsAreExact) {
  EXPECT_EQ(Fraction(1, 6) + Fraction(1, 10), Fraction(4, 15));
  EXPECT_EQ(Fraction(1, 6) - Fraction(1, 10), Fraction(1, 15));
  EXPECT_EQ(Fraction(5, 18) - Fraction(5, 18), Fraction{});
  EXPECT_EQ(Fraction(largest_part - 1) + 1, Fraction{largest_part});
  EXPECT_EQ(Fraction(1, largest_part) + Fraction(largest_part - 1, largest_part), 1U);
  EXPECT_EQ(Fraction(12, 5) / 8, Fraction(3, 10));
  EXPECT_EQ(Fraction(largest_part, 3) / largest_part, Fraction(1, 3));
  Fraction sum;
  for (int i = 0; i < 9; ++i) sum += Fraction(1, 9);
  EXPECT_EQ(sum, 1U);
}

TEST(FractionTest, RefusesDenominatorZero) { EXPECT_THROW(Fraction(1, 0), InvalidParameter); }

TEST(FractionTest, ComparesWithoutRounding) {
  EXPECT_LT(Fraction(1, 10), Fraction(5, 18));
  EXPECT_LT(Fraction(largest_part, largest_part - 1), Fraction(largest_part - 1, largest_part - 2));
  EXPECT_LT(Fraction(largest_part - 1, largest_part), Fraction(1, 1));
  EXPECT_DOUBLE_EQ(Fraction(largest_part - 1, largest_part).value(), 1.0);  // a double cannot tell
}

TEST(FractionTest, DigitsAreCutOffOrRounded) {
  EXPECT_EQ(static_cast<std::uint64_t>(Fraction(5, 18).digits(2)), 27U);
  EXPECT_EQ(static_cast<std::uint64_t>(Fraction(5, 18).rounded_digits(2)), 28U);
  EXPECT_EQ(static_cast<std::uint64_t>(Fraction(1, 8).digits(2)), 12U);
  EXPECT_EQ(static_cast<std::uint64_t>(Fraction(1, 8).rounded_digits(2)), 13U);
  EXPECT_EQ(static_cast<std::uint64_t>(Fraction(1, 3).rounded_digits(3)), 333U);
  EXPECT_EQ(static_cast<std::uint64_t>(Fraction(7, 2).digits(0)), 3U);
}

}  // namespace
}  // namespace lockstep
