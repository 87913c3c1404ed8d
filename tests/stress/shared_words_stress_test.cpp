// SPDX-License-Identifier: Apache-2.0
/// Words that workers share: what one adds, no other takes away. Few workers go over many words in
/// one order at the same time, so that they meet at each; one lost addition in a million fails.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/detail/pass.hpp"
#include "lockstep/machine/detail/receive_once_boxes.hpp"
#include "lockstep/machine/detail/wormhole_channels.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/verify/ledger.hpp"

namespace lockstep::test {
namespace {

constexpr std::uint64_t workers = 2;
constexpr std::uint64_t words = 4'096;
constexpr std::uint64_t rounds = 200;

/// The sum of body(worker, word) over all words, by workers that stay close to each other.
template <class Body>
std::uint64_t sum_of(Body body) {
  std::array<std::uint64_t, workers> sums{};
  std::array<std::atomic<std::uint64_t>, workers> reached{};
  make_executor(ExecutorKind::thread, workers)->for_each(workers, [&](std::size_t worker) {
    std::uint64_t sum = 0;
    for (std::uint64_t word = 0; word < words; ++word) {
      if (word % 16 == 0) {
        // relaxed: it orders nothing, and is a number of tries, no wait: the other may be asleep.
        reached[worker].store(word, std::memory_order_relaxed);
        for (int i = 0; i < 2'000; ++i)
          if (reached[1 - worker].load(std::memory_order_relaxed) >= word) break;
      }
      sum += static_cast<std::uint64_t>(body(worker, word));
    }
    sums[worker] = sum;
  });
  return sums[0] + sums[1];
}

const Message some_message = Message::of(PackedBlocks(Blocks{Region{1}, 2, 3}));

TEST(SharedWords, OneMessageIsAcceptedByAMailboxAndTheLowestPortStays) {
  MailboxChannels channels{ArcLayout{words, 4}};
  for (std::uint64_t step = 0; step < rounds; ++step) {
    channels.begin_step(step);
    const std::uint64_t accepted = sum_of([&](std::uint64_t worker, std::uint64_t word) {
      // The lower port is one worker's in some boxes, the other's in the others.
      const Port through = port((worker + word) % 2);
      return channels.sender(step).push(NodeId{word}, through, some_message) == Pushed::accepted
                 ? 1U
                 : 0U;
    });
    ASSERT_EQ(accepted, words);
    for (std::uint64_t word = 0; word < words; ++word)
      ASSERT_EQ(channels.receiver(step).occupied_port(NodeId{word}), Port{0});
  }
}

TEST(SharedWords, EveryMessageButOneFindsALinkHeldAndTheLowestKeepsIt) {
  WormholeChannels channels{ArcLayout{words, 1}};
  for (std::uint64_t step = 0; step < rounds; ++step) {
    channels.begin_step(step);
    const std::uint64_t held = sum_of([&](std::uint64_t worker, std::uint64_t word) {
      const NodeId sender{(worker + word) % 2};
      MessageName before;
      const bool found =
          channels.sender(step).finds_held(NodeId{word}, Port{0}, {sender, Port{0}, true}, before);
      return found && before.sender != sender ? 1U : 0U;
    });
    ASSERT_EQ(held, (workers - 1) * words);
    for (const std::uint64_t sender : {0U, 1U})
      (void)channels.sender(step).leave(NodeId{sender}, Port{0}, some_message, 0);
    for (std::uint64_t word = 0; word < words; ++word)
      ASSERT_EQ(channels.receiver(step).arrived(NodeId{word}, Port{0}).sender, NodeId{0});
  }
}

/// Both find a link that the one between them holds.
TEST(SharedWords, WhoPutsAHolderBackDoesNotDisplaceALowerOne) {
  WormholeChannels channels{ArcLayout{words, 1}};
  for (std::uint64_t step = 0; step < rounds; ++step) {
    channels.begin_step(step);
    const auto take = [&](std::uint64_t sender, std::uint64_t word) {
      MessageName before;
      return channels.sender(step).finds_held(NodeId{word}, Port{0},
                                              {NodeId{sender}, Port{0}, true}, before);
    };
    for (std::uint64_t word = 0; word < words; ++word) ASSERT_FALSE(take(1, word));
    const std::uint64_t held = sum_of(
        [&](std::uint64_t worker, std::uint64_t word) { return take(2 * worker, word) ? 1U : 0U; });
    ASSERT_EQ(held, workers * words);
    (void)channels.sender(step).leave(NodeId{0}, Port{0}, some_message, 0);
    for (std::uint64_t word = 0; word < words; ++word)
      ASSERT_EQ(channels.receiver(step).arrived(NodeId{word}, Port{0}).sender, NodeId{0});
  }
}

/// Word by word of bits, one node of each.
NodeId node_of(std::uint64_t word, std::uint64_t bit = 0) {
  return NodeId{word * detail::NodeBits::nodes_per_word + bit};
}
constexpr std::uint64_t nodes = words * detail::NodeBits::nodes_per_word;

TEST(SharedWords, ABoxAcceptsOneMessageAndForgetsNoReceiver) {
  for (std::uint64_t round = 0; round < rounds; ++round) {
    detail::ReceiveOnceBoxes boxes(nodes, 1, {0, nodes});
    const std::uint64_t accepted = sum_of([&](std::uint64_t worker, std::uint64_t word) {
      const detail::ReceiveOnceBoxes::InStep step(boxes, 0);
      const bool same = step.put(node_of(word), port(worker)) == detail::Put::accepted;
      const bool own = step.put(node_of(word, 1 + worker), Port{0}) == detail::Put::accepted;
      return (same ? 1U : 0U) + (own ? 1U : 0U);
    });
    ASSERT_EQ(accepted, (1 + workers) * words);
    const detail::ReceiveOnceBoxes::InStep next(boxes, 1);
    for (std::uint64_t word = 0; word < words; ++word)
      ASSERT_EQ(next.drain(word).reached_now, 0b111U);
  }
}

/// One worker runs the nodes of a word while another sends to them.
TEST(SharedWords, ANodeThatRunsIsNotReachedAgain) {
  for (std::uint64_t round = 0; round < 4 * rounds; ++round) {
    detail::ReceiveOnceBoxes boxes(nodes, 1, {0, nodes});
    for (std::uint64_t word = 0; word < words; ++word)
      ASSERT_EQ(detail::ReceiveOnceBoxes::InStep(boxes, 0).put(node_of(word), Port{0}),
                detail::Put::accepted);
    const detail::ReceiveOnceBoxes::InStep step(boxes, 1);
    const std::uint64_t refused = sum_of([&](std::uint64_t worker, std::uint64_t word) {
      if (worker == 0) return std::popcount(step.drain(word).reached_now);
      return step.put(node_of(word), Port{1}) == detail::Put::again ? 1 : 0;
    });
    ASSERT_EQ(refused, 2 * words);
  }
}

TEST(SharedWords, ALedgerForgetsNoDestination) {
  const Collective broadcast{Operation::broadcast, NodeId{0}};
  for (std::uint64_t round = 0; round < rounds; ++round) {
    ExactLedger ledger(broadcast, nodes);
    const std::uint64_t fresh = sum_of([&](std::uint64_t worker, std::uint64_t word) {
      const std::uint64_t own = worker == 0 ? 0x5555'5555'5555'5555 : 0xAAAA'AAAA'AAAA'AAAA;
      const std::uint64_t mine = word == 0 ? own & ~std::uint64_t{1} : own;  // not the root
      return static_cast<std::uint64_t>(std::popcount(ledger.enter_word(word, mine)));
    });
    ASSERT_EQ(fresh, nodes - 1);
    ASSERT_EQ(ledger.missing(), 0U);
  }
}

TEST(SharedWords, NoProcessorThatWasWokenSleepsOn) {
  for (std::uint64_t round = 0; round < rounds; ++round) {
    detail::ActiveSet active(nodes);
    (void)sum_of([&](std::uint64_t worker, std::uint64_t word) {
      active.insert(node_of(word, worker));
      return std::uint64_t{0};
    });
    // Each worker removes its words, which share groups with those of the other.
    const auto taken = [&](std::uint64_t first, std::uint64_t last) {
      std::uint64_t found = 0;
      for (std::uint64_t group = first / 64 / 64; group < active.words_for(words); ++group)
        found += static_cast<std::uint64_t>(std::popcount(active.take_words(group, first, last)));
      return found;
    };
    const std::uint64_t half = words / 2 * 64 + 64;
    const std::uint64_t found = sum_of([&](std::uint64_t worker, std::uint64_t word) {
      if (word != 0) return std::uint64_t{0};
      return worker == 0 ? taken(0, half) : taken(half, nodes);
    });
    ASSERT_EQ(found, words);
    for (std::uint64_t word = 0; word < words; ++word) {
      const std::uint64_t first = index(node_of(word, 0));
      ASSERT_EQ(active.drain(word, first, first + 1), 0b01U);  // the other stays, and is marked
      ASSERT_EQ(active.take_words(word / 64, 0, nodes), std::uint64_t{1} << (word % 64));
      ASSERT_EQ(active.drain(word, 0, nodes), 0b10U);
    }
    ASSERT_EQ(taken(0, nodes), 0U);
  }
}

}  // namespace
}  // namespace lockstep::test
