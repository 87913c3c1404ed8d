// SPDX-License-Identifier: Apache-2.0
#include "core/physical_units.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(PhysicalUnitsTest, TimesAreInSeconds) {
  EXPECT_DOUBLE_EQ(*seconds_of("50us"), 50e-6);
  EXPECT_DOUBLE_EQ(*seconds_of("0.5ms"), 0.5e-3);
  EXPECT_DOUBLE_EQ(*seconds_of("20ns"), 20e-9);
  EXPECT_DOUBLE_EQ(*seconds_of("2s"), 2);
  EXPECT_DOUBLE_EQ(*seconds_of("0s"), 0);
  for (const char* const text : {"", "50", "us", "-1us", "50 us", "50us ", "1h", "infs", "nans"})
    EXPECT_FALSE(seconds_of(text)) << text;
}

TEST(PhysicalUnitsTest, RatesAreInBytesPerSecond) {
  EXPECT_DOUBLE_EQ(*bytes_per_second_of("10GB/s"), 10e9);
  EXPECT_DOUBLE_EQ(*bytes_per_second_of("2.5MB/s"), 2.5e6);
  EXPECT_DOUBLE_EQ(*bytes_per_second_of("7B/s"), 7);
  EXPECT_DOUBLE_EQ(*bytes_per_second_of("100Gbit/s"), 12.5e9);
  EXPECT_DOUBLE_EQ(*bytes_per_second_of("1kbit/s"), 125);
  for (const char* const text : {"", "10", "10GB", "10Gb/s", "GB/s", "-1GB/s", "10GiB/s"})
    EXPECT_FALSE(bytes_per_second_of(text)) << text;
}

}  // namespace
}  // namespace lockstep
