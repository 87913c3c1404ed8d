// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/ids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

static_assert(port(3) == Port{3});
static_assert(port(std::uint64_t{4294967295}) == Port{4294967295});
static_assert(SlotNumber(std::uint64_t{7}) == 7U);

template <class Make>
[[nodiscard]] std::string refusal_of(Make make) {
  try {
    (void)make();
  } catch (const InvalidParameter& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(IdsTest, APortThatDoesNotFitIsNoOtherPort) {
  const std::uint64_t large = (std::uint64_t{1} << 32U) + 1;
  EXPECT_EQ(refusal_of([&] { return port(large); }),
            "port: 4294967297 is not valid; allowed: 0 to 4294967295");
  EXPECT_THAT(refusal_of([] { return port(-1); }), HasSubstr("port: -1 is not valid"));
  EXPECT_THAT(refusal_of([] { return port(std::int8_t{-5}); }), HasSubstr("port: -5"));
  EXPECT_THAT(refusal_of([] { return port(std::numeric_limits<std::int64_t>::min()); }),
              HasSubstr("port: -9223372036854775808"));
  EXPECT_THAT(refusal_of([] { return port(std::numeric_limits<std::uint64_t>::max()); }),
              HasSubstr("port: 18446744073709551615"));
  EXPECT_EQ(refusal_of([] { return port(std::int64_t{4294967295}); }), "accepted");
  EXPECT_EQ(refusal_of([] { return port(std::uint16_t{65535}); }), "accepted");
}

TEST(IdsTest, NorIsASlot) {
  const std::size_t large = std::size_t{1} << 32U;
  EXPECT_THAT(refusal_of([&] { return SlotNumber(large); }),
              HasSubstr("slot: 4294967296 is not valid"));
  EXPECT_THAT(refusal_of([] { return SlotNumber(-1); }), HasSubstr("slot: -1 is not valid"));
  EXPECT_EQ(refusal_of([] { return SlotNumber(std::uint32_t{4294967295}); }), "accepted");
}

}  // namespace
}  // namespace lockstep
