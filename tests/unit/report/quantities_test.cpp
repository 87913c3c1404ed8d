// SPDX-License-Identifier: Apache-2.0
#include "report/quantities.hpp"

#include <gtest/gtest.h>

namespace lockstep::report {
namespace {

TEST(CountTextTest, SeparatesThousands) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1'000), "1,000");
  EXPECT_EQ(count_text(25'396'560), "25,396,560");
  EXPECT_EQ(count_text(18'446'744'073'709'551'615U), "18,446,744,073,709,551,615");
}

TEST(CountTextTest, SaysWhatIsNoWholeNumber) {
  EXPECT_EQ(count_text(Fraction(5'602, 2)), "2,801");
  EXPECT_EQ(count_text(Fraction(5'602, 10)), "2,801/5");
  EXPECT_EQ(count_text(Fraction(0, 3)), "0");
}

TEST(NumberTextTest, WholeNumbersHaveNoPoint) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(100), "100");
  EXPECT_EQ(number_text(1'187'348), "1,187,348");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1'234.5), "1,234.5");
  EXPECT_EQ(number_text(-1'234.5), "-1,234.5");
  EXPECT_EQ(number_text(1e300), "1e+300");
}

TEST(BytesTextTest, TakesAUnitThatFits) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(1'023), "1023 bytes");
  EXPECT_EQ(bytes_text(1'024), "1.0 KiB");
  EXPECT_EQ(bytes_text(13'002'342), "12.4 MiB");
  EXPECT_EQ(bytes_text(18'446'744'073'709'551'614U), "16.0 EiB");
  EXPECT_EQ(bytes_text(18'446'744'073'709'551'615U), "16 EiB or more");  // where counts stop
}

TEST(SecondsTextTest, FromMicrosecondsToYears) {
  EXPECT_EQ(seconds_text(0), "0 us");
  EXPECT_EQ(seconds_text(0.000'042), "42 us");
  EXPECT_EQ(seconds_text(0.0421), "42.1 ms");
  EXPECT_EQ(seconds_text(2.5), "2.50 s");
  EXPECT_EQ(seconds_text(125), "2 min 5 s");
  EXPECT_EQ(seconds_text(5'025), "1 h 23 min");
  EXPECT_EQ(seconds_text(1e7), "116 days");
  EXPECT_EQ(seconds_text(1e9), "31.7 years");
}

TEST(RateTextTest, TakesAPrefixThatFits) {
  EXPECT_EQ(rate_text(12), "12");
  EXPECT_EQ(rate_text(1'500), "1.5 k");
  EXPECT_EQ(rate_text(62'140'000), "62.1 M");
  EXPECT_EQ(rate_text(2.5e9), "2.50 G");
}

}  // namespace
}  // namespace lockstep::report
