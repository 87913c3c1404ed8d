// SPDX-License-Identifier: Apache-2.0
/// Channels under many threads: what they hold after a step does not depend on who came first.

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/executor.hpp"
#include "support/cases.hpp"

namespace lockstep::test {
namespace {

Message message(std::uint64_t number) {
  return Message::of(
      PackedBlocks(Blocks{Region{1}, static_cast<std::uint32_t>(number % max_region_blocks), 3}));
}

/// Runs body(i) for every i below `count`, on more workers than there are cores, in mixed order.
template <class Body>
void crowd(Random& random, std::size_t count, Body body) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  const auto executor = make_executor(ExecutorKind::thread, 8);
  executor->for_each(count, [&](std::size_t i) {
    if (i % 5 == 0) std::this_thread::yield();
    body(order[i]);
  });
}

/// All ports of one node at once: the lowest stays, all others are told.
TEST(ChannelStress, ACrowdedMailboxKeepsTheLowestPort) {
  const auto make = [](Random& random) { return random; };
  for_all(150, make, [](Random random) {
    constexpr std::uint16_t ports = MailboxChannels::max_ports;
    MailboxChannels channels{ArcLayout{4, ports}};
    channels.begin_step(0);
    const std::uint64_t lowest = uniform(random, 0, ports - 2);
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> crowded{0};
    crowd(random, ports - lowest, [&](std::size_t i) {
      auto sender = channels.sender(0);
      const Port through = port(lowest + i);
      const Pushed pushed = sender.push(NodeId{2}, through, message(lowest + i));
      // relaxed: counters, read after the loop.
      (pushed == Pushed::accepted ? accepted : crowded).fetch_add(1, std::memory_order_relaxed);
    });
    EXPECT_EQ(accepted.load(), 1U);
    EXPECT_EQ(crowded.load(), ports - lowest - 1);
    auto receiver = channels.receiver(0);
    for (std::uint16_t p = 0; p < ports; ++p)
      ASSERT_EQ(receiver.pull(NodeId{2}, Port{p}), p == lowest ? message(lowest) : Message());
  });
}

/// Senders of step t + 1 and receivers of step t work at the same time, as in a pass.
template <class C>
void expect_traffic_arrives(std::uint64_t steps) {
  constexpr std::uint64_t nodes = 64;
  C channels{ArcLayout{nodes, 2}};
  const auto executor = make_executor(ExecutorKind::thread, 6);
  std::atomic<std::uint64_t> wrong{0};
  for (std::uint64_t step = 0; step < steps; ++step) {
    channels.begin_step(step);
    executor->for_each(nodes, [&](std::size_t u) {
      // Node u sends to u + step, through alternating ports; so it hears from u - (step - 1).
      if (step > 0) {
        auto receiver = channels.receiver(step - 1);
        const std::uint64_t from = (u + nodes - (step - 1) % nodes) % nodes;
        const Message wanted = message(from * 31 + step - 1);
        const Message got = receiver.pull(NodeId{u}, port((step - 1) % 2));
        const Message none = receiver.pull(NodeId{u}, port(step % 2));
        // relaxed: a counter, read at the end.
        if (!(got == wanted) || none) wrong.fetch_add(1, std::memory_order_relaxed);
      }
      auto sender = channels.sender(step);
      const NodeId to{(u + step) % nodes};
      if (sender.push(to, port(step % 2), message(u * 31 + step)) != Pushed::accepted)
        wrong.fetch_add(1, std::memory_order_relaxed);  // as above
    });
  }
  EXPECT_EQ(wrong.load(), 0U);
}

TEST(ChannelStress, TrafficArrivesThroughSlots) { expect_traffic_arrives<SlotChannels>(1'000); }
TEST(ChannelStress, TrafficArrivesThroughQueues) { expect_traffic_arrives<SpscChannels>(1'000); }
TEST(ChannelStress, TrafficArrivesThroughMailboxes) {
  expect_traffic_arrives<MailboxChannels>(1'000);
}

}  // namespace
}  // namespace lockstep::test
