// SPDX-License-Identifier: Apache-2.0
#include "catalog/memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace lockstep::catalog {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

TEST(BytesTest, StopAtTheLargestNumber) {
  EXPECT_EQ((Bytes{2} + Bytes{3}).value(), 5U);
  EXPECT_EQ((Bytes{2} * Bytes{3}).value(), 6U);
  EXPECT_EQ((Bytes{largest} * Bytes{0}).value(), 0U);
  EXPECT_EQ((Bytes{largest} + Bytes{0}).value(), largest);
  EXPECT_EQ((Bytes{largest} + Bytes{1}).value(), largest);
  EXPECT_EQ((Bytes{std::uint64_t{1} << 63U} * Bytes{2}).value(), largest);
  EXPECT_EQ((Bytes{std::uint64_t{1} << 63U} + Bytes{std::uint64_t{1} << 63U}).value(), largest);
  EXPECT_EQ((Bytes{largest / 3} * Bytes{3}).value(), largest);
}

TEST(AvailableBytesTest, ThisHostHasSome) {
  EXPECT_GT(available_bytes(), std::uint64_t{1} << 20U);
  EXPECT_LT(available_bytes(), std::uint64_t{1} << 50U);
}

TEST(PeakBytesTest, CountsWhatWasTouched) {
  const std::uint64_t before = peak_bytes();
  constexpr std::size_t size = std::size_t{96} << 20U;
  std::vector<char> memory(size, 'x');
  const volatile char* const bytes = memory.data();  // or the compiler would do without it
  EXPECT_EQ(bytes[size - 1], 'x');
  EXPECT_GT(peak_bytes(), size);
  EXPECT_GE(peak_bytes(), before);
}

}  // namespace
}  // namespace lockstep::catalog
