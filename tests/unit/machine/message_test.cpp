// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/message.hpp"

#include <gtest/gtest.h>

#include "lockstep/core/errors.hpp"
#include "support/cases.hpp"

namespace lockstep::test {
namespace {

constexpr std::uint32_t last_region = max_regions - 1;

void expect_round_trip(Message message) {
  EXPECT_LT(message.packed(), std::uint64_t{1} << Message::packed_bits);
  EXPECT_EQ(Message::unpacked(message.packed()), message);
  // A channel keeps its own marks in the bits above.
  const std::uint64_t marked = message.packed() | ~std::uint64_t{0} << Message::packed_bits;
  EXPECT_EQ(Message::unpacked(marked), message);
}

TEST(Message, NoneIsFalse) {
  EXPECT_FALSE(Message());
  EXPECT_EQ(Message().packed(), 0U);
  EXPECT_FALSE(Message::unpacked(~std::uint64_t{0} << Message::packed_bits));
}

TEST(Message, SmallestIsTrue) {
  EXPECT_TRUE(Message::of(PackedBlocks(Blocks{Region{0}, 0, 1})));
  EXPECT_TRUE(Message::of(Region{0}, GatherList{0}, 1));
}

TEST(Message, KeepsWhatItIsMadeOf) {
  for (const std::uint32_t region : {0U, 1U, last_region})
    for (const std::uint32_t first : {0U, 1U, 719U, max_region_blocks})
      for (const std::uint32_t count : {1U, 2U, 24U, max_region_blocks}) {
        const auto consecutive =
            Message::of(PackedBlocks(Blocks{static_cast<Region>(region), first, count}));
        EXPECT_EQ(consecutive.region(), static_cast<Region>(region));
        EXPECT_EQ(consecutive.first(), first);
        EXPECT_EQ(consecutive.blocks(), count);
        EXPECT_FALSE(consecutive.gathered());
        expect_round_trip(consecutive);

        const auto gathered =
            Message::of(static_cast<Region>(region), static_cast<GatherList>(first), count);
        EXPECT_EQ(gathered.region(), static_cast<Region>(region));
        EXPECT_EQ(gathered.first(), first);
        EXPECT_EQ(gathered.blocks(), count);
        EXPECT_TRUE(gathered.gathered());
        expect_round_trip(gathered);
        EXPECT_NE(gathered, consecutive);
      }
}

TEST(Message, NothingRunsIntoItsNeighbour) {
  constexpr std::uint32_t beyond = max_region_blocks + 1;
  EXPECT_THROW((void)PackedBlocks({static_cast<Region>(max_regions), 0, 1}), InvalidParameter);
  EXPECT_THROW((void)PackedBlocks({Region{0}, beyond, 1}), InvalidParameter);
  EXPECT_THROW((void)PackedBlocks({Region{0}, 0, beyond}), InvalidParameter);
  EXPECT_THROW((void)Message::of(Region{0}, static_cast<GatherList>(beyond), 1), InvalidParameter);
}

TEST(Message, DifferentBlocksAreDifferentMessages) {
  const auto make = [](Random& random) {
    const auto part = [&random] {
      return Blocks{static_cast<Region>(uniform(random, 0, last_region)),
                    static_cast<std::uint32_t>(uniform(random, 0, max_region_blocks)),
                    static_cast<std::uint32_t>(uniform(random, 1, max_region_blocks))};
    };
    return std::pair(part(), part());
  };
  for_all(1'000, make, [](const std::pair<Blocks, Blocks>& two) {
    const auto of = [](const Blocks& blocks) { return Message::of(PackedBlocks(blocks)); };
    EXPECT_EQ(of(two.first) == of(two.second), two.first == two.second);
  });
}

}  // namespace
}  // namespace lockstep::test
