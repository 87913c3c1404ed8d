// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "support/cases.hpp"

namespace lockstep::test {
namespace {

Message message(std::uint32_t first) {
  return Message::of(PackedBlocks(Blocks{Region{3}, first, 2}));
}

/// Rules of every kind of channel. Steps begin in order, as the machine begins them.
template <class C>
class Channel : public testing::Test {
 protected:
  static constexpr ArcLayout shape{5, 3};
  C channels_{shape};

  void begin_steps(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t step = first; step <= last; ++step) channels_.begin_step(step);
  }
  Pushed push(std::uint64_t step, std::uint64_t node, Port port, Message what) {
    auto sender = channels_.sender(step);
    return sender.push(NodeId{node}, port, what);
  }
  /// The message that was pushed in `step`.
  Message pull(std::uint64_t step, std::uint64_t node, Port port) {
    auto receiver = channels_.receiver(step);
    return receiver.pull(NodeId{node}, port);
  }
};

using Kinds = testing::Types<SlotChannels, SpscChannels, MailboxChannels>;
TYPED_TEST_SUITE(Channel, Kinds);

TYPED_TEST(Channel, IsEmptyAtFirst) {
  this->begin_steps(0, 1);
  for (std::uint64_t node = 0; node < 5; ++node)
    for (std::uint16_t p = 0; p < 3; ++p) {
      EXPECT_FALSE(this->pull(0, node, Port{p}));
      EXPECT_FALSE(this->pull(1, node, Port{p}));
    }
}

TYPED_TEST(Channel, GivesWhatWasPushedToItsReceiverOnly) {
  this->begin_steps(0, 0);
  EXPECT_EQ(this->push(0, 4, Port{2}, message(7)), Pushed::accepted);
  EXPECT_EQ(this->push(0, 0, Port{0}, message(9)), Pushed::accepted);
  EXPECT_FALSE(this->pull(0, 4, Port{1}));
  EXPECT_FALSE(this->pull(0, 3, Port{2}));
  EXPECT_EQ(this->pull(0, 4, Port{2}), message(7));
  EXPECT_EQ(this->pull(0, 0, Port{0}), message(9));
}

TYPED_TEST(Channel, KeepsTheFirstOfTwoMessagesThroughOneArc) {
  this->begin_steps(0, 0);
  EXPECT_EQ(this->push(0, 1, Port{1}, message(1)), Pushed::accepted);
  EXPECT_EQ(this->push(0, 1, Port{1}, message(2)), Pushed::full);
  EXPECT_EQ(this->push(0, 1, Port{1}, message(3)), Pushed::full);
  EXPECT_EQ(this->pull(0, 1, Port{1}), message(1));
}

TYPED_TEST(Channel, KeepsStepsApart) {
  this->begin_steps(0, 0);
  EXPECT_EQ(this->push(0, 2, Port{0}, message(1)), Pushed::accepted);
  this->begin_steps(1, 1);
  EXPECT_EQ(this->push(1, 2, Port{0}, message(2)), Pushed::accepted);
  EXPECT_EQ(this->pull(0, 2, Port{0}), message(1));
  this->begin_steps(2, 2);
  EXPECT_EQ(this->push(2, 2, Port{0}, message(3)), Pushed::accepted);
  EXPECT_EQ(this->pull(1, 2, Port{0}), message(2));
  EXPECT_EQ(this->pull(2, 2, Port{0}), message(3));
}

/// Stamps repeat; what is older than a step must never come back.
TYPED_TEST(Channel, NeverGivesAnOldMessage) {
  constexpr std::uint64_t stamps = 65'536;  // the most that any kind has
  for (const std::uint64_t only :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{6}, stamps - 1})
    for (std::uint64_t step = 0; step < 2 * stamps + 9; ++step) {
      this->begin_steps(step, step);
      if (step == only) {
        ASSERT_EQ(this->push(step, 3, Port{1}, message(7)), Pushed::accepted);
      }
      ASSERT_EQ(this->pull(step, 3, Port{1}), step == only ? message(7) : Message()) << step;
    }
}

TYPED_TEST(Channel, RandomTrafficArrives) {
  const auto make = [](Random& random) { return random; };
  for_all(20, make, [](Random random) {
    TypeParam channels{ArcLayout{6, 4}};
    std::vector<Message> sent(6 * 4);
    for (std::uint64_t step = 0; step < 600; ++step) {
      if (step > 0) {
        auto receiver = channels.receiver(step - 1);
        for (std::uint64_t node = 0; node < 6; ++node)
          for (std::uint16_t p = 0; p < 4; ++p)
            ASSERT_EQ(receiver.pull(NodeId{node}, Port{p}), sent[node * 4 + p]);
      }
      sent.assign(sent.size(), {});
      channels.begin_step(step);
      auto sender = channels.sender(step);
      for (std::uint64_t node = 0; node < 6; ++node) {  // one message per node: any kind takes it
        if (uniform(random, 0, 2) == 0) continue;
        const auto p = static_cast<std::uint16_t>(uniform(random, 0, 3));
        const Message what = message(static_cast<std::uint32_t>(uniform(random, 0, 99)));
        ASSERT_EQ(sender.push(NodeId{node}, Port{p}, what), Pushed::accepted);
        sent[node * 4 + p] = what;
      }
    }
  });
}

TEST(SlotAndQueue, TakeOneMessageThroughEveryPort) {
  const auto check = [](auto channels) {
    channels->begin_step(0);
    auto sender = channels->sender(0);
    for (std::uint16_t p = 0; p < 3; ++p)
      EXPECT_EQ(sender.push(NodeId{1}, Port{p}, message(p)), Pushed::accepted);
    auto receiver = channels->receiver(0);
    for (std::uint16_t p = 0; p < 3; ++p) EXPECT_EQ(receiver.pull(NodeId{1}, Port{p}), message(p));
  };
  check(std::make_unique<SlotChannels>(ArcLayout{2, 3}));
  check(std::make_unique<SpscChannels>(ArcLayout{2, 3}));
}

TEST(Mailbox, KeepsTheLowestPortInWhateverOrderTheyCome) {
  std::vector<std::uint16_t> ports{0, 1, 2, 3};
  do {
    MailboxChannels channels{ArcLayout{2, 4}};
    channels.begin_step(0);
    auto sender = channels.sender(0);
    for (const std::uint16_t p : ports)
      EXPECT_EQ(sender.push(NodeId{1}, Port{p}, message(p)),
                p == ports[0] ? Pushed::accepted : Pushed::crowded);
    auto receiver = channels.receiver(0);
    EXPECT_EQ(receiver.pull(NodeId{1}, Port{0}), message(0));
    for (std::uint16_t p = 1; p < 4; ++p) EXPECT_FALSE(receiver.pull(NodeId{1}, Port{p}));
    EXPECT_FALSE(receiver.pull(NodeId{0}, Port{0}));
  } while (std::next_permutation(ports.begin(), ports.end()));
}

TEST(Mailbox, NamesTheHighestPort) {
  const auto last = port(MailboxChannels::max_ports - 1);
  MailboxChannels channels{ArcLayout{1, MailboxChannels::max_ports}};
  channels.begin_step(0);
  auto sender = channels.sender(0);
  EXPECT_EQ(sender.push(NodeId{0}, last, message(1)), Pushed::accepted);
  auto receiver = channels.receiver(0);
  EXPECT_FALSE(receiver.pull(NodeId{0}, Port{0}));
  EXPECT_EQ(receiver.pull(NodeId{0}, last), message(1));
}

TEST(ChannelBytes, ArePredictedByShape) {
  constexpr ArcLayout shape{1000, 6};
  EXPECT_EQ(SlotChannels::bytes(shape), 2U * 1000 * 6 * 8);
  EXPECT_EQ(MailboxChannels::bytes(shape), 2U * 1000 * 8);
  EXPECT_GE(SpscChannels::bytes(shape), 2U * 1000 * 6 * 64);  // two cache lines of indices at least
  EXPECT_EQ(SpscChannels::bytes({2000, 6}), 2 * SpscChannels::bytes(shape));
}

TEST(RowChannels, GiveOneMessageToAllNodesInItsStepOnly) {
  SlotChannels channels(ArcLayout{5, 3});
  channels.begin_step(0);
  EXPECT_FALSE(channels.sender(0).push_row(Port{1}, message(4))) << "no rows are kept";
  EXPECT_FALSE(channels.receiver(0).row(Port{1}));
  channels.keep_rows();
  EXPECT_TRUE(channels.sender(0).push_row(Port{1}, message(4)));
  EXPECT_TRUE(channels.sender(0).push_row(Port{1}, message(4))) << "by another worker";
  EXPECT_EQ(channels.receiver(0).row(Port{1}), message(4));
  EXPECT_FALSE(channels.receiver(0).row(Port{0}));
  EXPECT_FALSE(channels.receiver(0).pull(NodeId{2}, Port{1})) << "slots are apart";
  for (std::uint64_t step = 1; step <= 3 * 65'536; ++step) {
    channels.begin_step(step);
    ASSERT_FALSE(channels.receiver(step).row(Port{1})) << step;
    if (step != 65'534) continue;  // whose stamp comes again
    EXPECT_TRUE(channels.sender(step).push_row(Port{1}, message(5)));
    EXPECT_EQ(channels.receiver(step).row(Port{1}), message(5));
  }
}

}  // namespace
}  // namespace lockstep::test
