// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {
namespace {

TEST(InjectionTimes, AreByStepAndSenderInTheOrderInjected) {
  const InjectionTimes plan([](const InjectionTimes::Inject& inject) {
    inject(2, 5, 1);
    inject(0, 7, 2);
    inject(2, 3, 3);
    inject(2, 5, 0);
  });
  using Words = std::vector<std::uint32_t>;
  const auto list = [](auto words) { return Words(words.begin(), words.end()); };
  EXPECT_EQ(list(plan.in(2)), (Words{3, 5, 5}));
  EXPECT_EQ(list(plan.of(2, NodeId{5})), (Words{1, 0}));
  EXPECT_TRUE(plan.in(1).empty());
  EXPECT_EQ(plan.steps(), 3U);
  EXPECT_EQ(plan.last(), 2U);
}

/// The place of a sender is guessed where everyone sends once; the guess may be wrong.
TEST(InjectionTimes, AreFoundWhicheverProcessorsSend) {
  const std::vector<std::vector<std::uint64_t>> senders{
      {0, 1, 2, 3}, {1, 2, 3}, {0, 1, 1, 3}, {0, 0, 1, 1, 2, 2}, {0, 2, 2, 3, 3, 3}, {}};
  const InjectionTimes plan([&](const InjectionTimes::Inject& inject) {
    for (std::uint64_t step = 0; step < senders.size(); ++step)
      for (std::uint64_t i = 0; i < senders[step].size(); ++i) inject(step, senders[step][i], i);
    inject(senders.size(), 3, 0);
  });
  for (std::uint64_t step = 0; step < senders.size(); ++step)
    for (std::uint64_t sender = 0; sender < 5; ++sender) {
      std::vector<std::uint32_t> words;
      for (std::uint64_t i = 0; i < senders[step].size(); ++i)
        if (senders[step][i] == sender) words.push_back(static_cast<std::uint32_t>(i));
      const auto found = plan.of(step, NodeId{sender});
      EXPECT_EQ(std::vector<std::uint32_t>(found.begin(), found.end()), words) << step << sender;
    }
  EXPECT_TRUE(plan.of(senders.size() + 1, NodeId{3}).empty());
}

/// Its program has nothing to wait for.
TEST(InjectionTimes, MayBeNone) {
  const auto none = std::make_shared<InjectionTimes>([](const InjectionTimes::Inject&) {});
  EXPECT_EQ(none->steps(), 0U);
  EXPECT_EQ(none->last(), 0U);
  EXPECT_EQ(
      FatTreeDelivery(FatTree({2}, {.name = "constant"}), FatTreeColumns::first, none).last_start(),
      0U);
}

TEST(InjectionTimesDeathTest, RefuseWhat32BitsDoNotHold) {
  const auto made = [](std::uint64_t sender, std::uint64_t word) {
    return InjectionTimes([=](const InjectionTimes::Inject& inject) { inject(0, sender, word); });
  };
  constexpr std::uint64_t most = ~std::uint32_t{0};
  EXPECT_EQ(made(most, most).steps(), 1U);
  EXPECT_DEATH((void)made(most + 1, 0), "below 2.32");
  EXPECT_DEATH((void)made(0, most + 1), "below 2.32");
}

}  // namespace
}  // namespace lockstep
