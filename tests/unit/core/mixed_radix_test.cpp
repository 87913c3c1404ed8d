// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/mixed_radix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using Sizes = std::vector<std::uint64_t>;

TEST(MixedRadixTest, FirstDigitIsTheMostSignificant) {
  const MixedRadix radix(Sizes{3, 1, 4});
  EXPECT_EQ(radix.count(), 12U);
  std::uint64_t number = 0;
  for (std::uint64_t a = 0; a < 3; ++a)
    for (std::uint64_t b = 0; b < 4; ++b, ++number) {
      EXPECT_EQ(radix.digit(number, 0), a);
      EXPECT_EQ(radix.digit(number, 1), 0U);
      EXPECT_EQ(radix.digit(number, 2), b);
    }
  EXPECT_EQ(radix.stride(0), 4U);
  EXPECT_EQ(radix.stride(2), 1U);
  EXPECT_EQ(sizes_text(std::vector<std::uint64_t>{3, 1, 4}), "3x1x4");
}

TEST(MixedRadixTest, TextAndBack) {
  for (const std::vector<std::uint64_t>& sizes :
       std::vector<std::vector<std::uint64_t>>{{1}, {7}, {2, 3}, {11, 1, 13}, {2, 2, 2, 2, 2}}) {
    const MixedRadix radix(sizes);
    for (std::uint64_t number = 0; number < radix.count(); ++number)
      EXPECT_EQ(radix.number(radix.text(number)), number);
  }
  EXPECT_EQ(MixedRadix(Sizes{11, 12}).text(131), "10,11");
}

TEST(MixedRadixTest, OtherTextIsNoNumber) {
  const MixedRadix radix(Sizes{3, 4});
  for (const char* wrong : {"", ",", "1", "1,", ",1", "3,0", "0,4", "1,2,0", "1,2,", "1 2", "1, 2",
                            " 1,2", "1,2 ", "-1,2", "+1,2", "1.2", "99999999999999999999,1"})
    EXPECT_EQ(radix.number(wrong), std::nullopt) << wrong;
}

TEST(MixedRadixTest, SizesAreChecked) {
  EXPECT_EQ(MixedRadix(Sizes{MixedRadix::max_count}).count(), MixedRadix::max_count);
  EXPECT_THROW(MixedRadix(Sizes{}), InvalidParameter);
  EXPECT_THROW(MixedRadix(Sizes{3, 0}), InvalidParameter);
  EXPECT_THROW(MixedRadix(Sizes{MixedRadix::max_count, 2}), InvalidParameter);
}

TEST(ProductAtMostTest, DoesNotOverflow) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(product_at_most(std::vector<std::uint64_t>{}, 5), 1U);
  EXPECT_EQ(product_at_most(std::vector<std::uint64_t>{2, 3}, 6), 6U);
  EXPECT_EQ(product_at_most(std::vector<std::uint64_t>{2, 3}, 5), std::nullopt);
  EXPECT_EQ(product_at_most(std::vector<std::uint64_t>{1U << 31, 1U << 31, 4}, most), std::nullopt);
  EXPECT_EQ(product_at_most(std::vector<std::uint64_t>{most, most, 0}, most), 0U);
}

}  // namespace
}  // namespace lockstep
