// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/fat_tree/departures.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lockstep/algorithm/fat_tree/delivery_program.hpp"

namespace lockstep {
namespace {

TEST(Departures, AreByStepAndSenderInTheOrderTold) {
  const Departures plan([](const Departures::Leaves& leaves) {
    leaves(2, 5, 1);
    leaves(0, 7, 2);
    leaves(2, 3, 3);
    leaves(2, 5, 0);
  });
  using Words = std::vector<std::uint32_t>;
  const auto list = [](auto words) { return Words(words.begin(), words.end()); };
  EXPECT_EQ(list(plan.in(2)), (Words{3, 5, 5}));
  EXPECT_EQ(list(plan.of(2, NodeId{5})), (Words{1, 0}));
  EXPECT_TRUE(plan.in(1).empty());
  EXPECT_EQ(plan.steps(), 3U);
  EXPECT_EQ(plan.last(), 2U);
}

/// Its program has nothing to wait for.
TEST(Departures, MayBeNone) {
  const auto none = std::make_shared<Departures>([](const Departures::Leaves&) {});
  EXPECT_EQ(none->steps(), 0U);
  EXPECT_EQ(none->last(), 0U);
  EXPECT_EQ(FatTreeDelivery(FatTree({2}, {.name = "constant"}), none).last_start(), 0U);
}

TEST(DeparturesDeathTest, RefuseWhat32BitsDoNotHold) {
  const auto made = [](std::uint64_t sender, std::uint64_t word) {
    return Departures([=](const Departures::Leaves& leaves) { leaves(0, sender, word); });
  };
  constexpr std::uint64_t most = ~std::uint32_t{0};
  EXPECT_EQ(made(most, most).steps(), 1U);
  EXPECT_DEATH((void)made(most + 1, 0), "below 2.32");
  EXPECT_DEATH((void)made(0, most + 1), "below 2.32");
}

}  // namespace
}  // namespace lockstep
