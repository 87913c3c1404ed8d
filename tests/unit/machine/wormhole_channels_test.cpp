// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/wormhole_channels.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace lockstep::test {
namespace {

using Holder = MessageName;

constexpr NodeId end{4};
constexpr Port through{1};

class Wormhole : public testing::Test {
 protected:
  static constexpr ArcLayout shape{6, 3};
  WormholeChannels channels_{shape};
  Holder before_{};

  /// One that leaves `sender` through port 2 and takes the link to `end`. Whether that was held.
  bool takes(std::uint64_t step, std::uint64_t sender, bool arrives = true) {
    auto out = channels_.sender(step);
    EXPECT_EQ(out.leave(NodeId{sender}, Port{2}, message(step + sender), 7), Pushed::accepted);
    return out.finds_held(end, through, {NodeId{sender}, Port{2}, arrives}, before_);
  }
  [[nodiscard]] WormholeChannels::Arrived arrived(std::uint64_t step) {
    return channels_.receiver(step).arrived(end, through);
  }
  [[nodiscard]] static Message message(std::uint64_t number) {
    return Message::of(
        PackedBlocks(Blocks{Region{1}, static_cast<std::uint32_t>(number % max_region_blocks), 1}));
  }
};

TEST_F(Wormhole, GivesWhatEndsAtALinkWithItsSenderAndRoute) {
  channels_.begin_step(0);
  EXPECT_FALSE(takes(0, 3));
  const WormholeChannels::Arrived got = arrived(0);
  EXPECT_EQ(got.message, message(3));
  EXPECT_EQ(got.sender, NodeId{3});
  EXPECT_EQ(got.route, 7U);
}

TEST_F(Wormhole, AMessagePassingThroughDoesNotArrive) {
  channels_.begin_step(0);
  EXPECT_FALSE(takes(0, 3, false));
  EXPECT_FALSE(arrived(0).message);
}

TEST_F(Wormhole, TheLowestKeepsALinkInWhateverOrderTheyCome) {
  for (const std::uint64_t first : {1U, 3U}) {
    WormholeChannels& channels = channels_;
    channels.begin_step(first);
    EXPECT_FALSE(takes(first, first));
    EXPECT_TRUE(takes(first, 4 - first));
    EXPECT_EQ(before_.sender, NodeId{first});
    EXPECT_TRUE(before_.arrives);
    EXPECT_EQ(arrived(first).sender, NodeId{1});
  }
}

TEST_F(Wormhole, ALaneTakesOneMessage) {
  channels_.begin_step(0);
  EXPECT_FALSE(takes(0, 3));
  auto out = channels_.sender(0);
  EXPECT_EQ(out.leave(NodeId{3}, Port{2}, message(9), 0), Pushed::full);
  EXPECT_EQ(arrived(0).message, message(3));
}

/// Stamps repeat; what is older than a step must never come back, nor hold anything.
TEST_F(Wormhole, NeverGivesAnOldMessage) {
  constexpr std::uint64_t stamps = 8'192;
  for (const std::uint64_t only :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{6}, stamps - 1})
    for (std::uint64_t step = 0; step < 2 * stamps + 9; ++step) {
      channels_.begin_step(step);
      if (step == only) {
        ASSERT_FALSE(takes(step, 3)) << step;
      }
      ASSERT_EQ(arrived(step).message, step == only ? message(step + 3) : Message()) << step;
    }
}

TEST_F(Wormhole, NoOldMessageIsInTheWay) {
  constexpr std::uint64_t stamps = 8'192;
  for (std::uint64_t step = 0; step < 2 * stamps; ++step) {
    channels_.begin_step(step);
    if (step % stamps == 6 || step == stamps - 1) {
      ASSERT_FALSE(takes(step, 3)) << step;
    }
  }
}

}  // namespace
}  // namespace lockstep::test
