// SPDX-License-Identifier: Apache-2.0
/// Labels, control words and memories of different sizes: what a message may be stored as, what is
/// refused. That all else comes to the same on every machine: property/open_machine_laws_test.cpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/ring_ports.hpp"

namespace lockstep::test {
namespace {

constexpr Region word_region{0};
constexpr Region words{1};

/// On a ring: every node sends to the right, from one region, what is stored in the other.
struct Mixing {
  using Memory = std::uint64_t;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::labels | Traits::control_regions;
  Region from{};

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2, 2}; }
  [[nodiscard]] std::vector<Region> control_regions() const { return {words}; }
  [[nodiscard]] std::uint64_t step_count() const { return 2; }
  void operator()(auto& here) const {
    const Region into = from == word_region ? words : word_region;
    if (here.step() == 0) {
      here.load(word_region, 0, here.node());
      here.set_word(word_region, 0, 5);
      here.set_word(words, 0, 6);
      here.set_word(into, 1, 8);  // poison is odd
      return here.send(right, Blocks{from, 0, 1});
    }
    if (here.step() == 1) {
      here.store(here.take(left), Blocks{into, 1, 1});
      return here.send(right, Blocks{word_region, here.word(into, 1) % 2 == 0 ? 0U : 1U, 1});
    }
    const auto arrival = here.take(left);
    here.deliver(arrival, 0, Origin{arrival.word(0) % 8});
  }
};

TEST(Words, AMessageOfWordsIsNoMessageOfBlocks) {
  const Network ring = build_network(Ring(8));
  for (const Region from : {word_region, words}) {
    const Mixing program{from};
    const Job job{};
    expect_reference_outcome(ring, program, job, every_channel);
    EXPECT_EQ(run(ring, program, job).record.stores_without_message, 8U);
  }
}

/// Every node keeps a control word for a step before it passes it on; what comes at the end lies
/// elsewhere, since the word that was passed on may still be read.
struct KeepingWords {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::control_regions;

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1, 3}; }
  [[nodiscard]] std::vector<Region> control_regions() const { return {words}; }
  [[nodiscard]] std::uint64_t step_count() const { return 3; }
  void operator()(auto& here) const {
    if (here.step() == 0) here.set_word(words, 0, index(here.node()));
    if (const auto arrival = here.take(left)) {
      const std::uint32_t kept = here.last_call() ? 2 : 1;
      here.store(arrival, Blocks{words, kept, 1});
    }
    if (here.step() == 0) here.send(right, Blocks{words, 0, 1});
    if (here.step() == 2) here.send(right, Blocks{words, 1, 1});
  }
};

TEST(Words, WaitAndAreNoBlocksThatWaited) {
  const Network ring = build_network(Ring(8));
  expect_reference_outcome(ring, KeepingWords{}, Job{}, every_channel);
  const RunRecord record = run(ring, KeepingWords{}, Job{}).record;
  EXPECT_EQ(record.waits.blocks, 0U);
  EXPECT_EQ(record.control_words_moved, 16U);
}

/// Every node says what word it was sent, as it came and as it was stored, by claiming that its
/// blocks have origins of these numbers.
struct Telling {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::labels | Traits::control_regions;

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2, 2}; }
  [[nodiscard]] std::vector<Region> control_regions() const { return {words}; }
  [[nodiscard]] std::uint64_t step_count() const { return 2; }
  void operator()(auto& here) const {
    if (here.step() == 0) {
      here.set_word(words, 0, index(here.node()));
      return here.send(right, Blocks{words, 0, 1});
    }
    const auto arrival = here.take(left);
    if (here.last_call()) {
      for (std::uint32_t i = 0; i < 2; ++i)
        here.deliver(arrival, i, Origin{arrival.word(i) % 1'000});
      return;
    }
    here.store(arrival, Blocks{words, 1, 1});
    for (std::uint32_t i = 0; i < 2; ++i) here.load(word_region, i, here.node());
    here.set_word(word_region, 0, arrival.word(0));
    here.set_word(word_region, 1, here.word(words, 1));
    here.send(right, Blocks{word_region, 0, 2});
  }
};

TEST(Words, AFaultAltersWhatIsReadAndWhatIsStored) {
  const Network ring = build_network(Ring(8));
  const std::uint64_t lawful = run(ring, Telling{}, Job{}).digest;
  for (std::uint64_t byte = 0; byte < 8; ++byte) {
    const Job job{.fault = {.kind = FaultKind::corrupt, .sender = NodeId{3}, .corrupt_byte = byte}};
    expect_reference_outcome(ring, Telling{}, job, every_channel);
    EXPECT_NE(run(ring, Telling{}, job).digest, lawful);
  }
}

/// Node u has u + 1 blocks; what it sends begins at `first`.
struct Growing {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::blocks_of;
  std::uint32_t most = 8;
  std::uint32_t first = 0;

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {most}; }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region) const {
    return static_cast<std::uint32_t>(index(node)) + 1;
  }
  [[nodiscard]] std::uint64_t step_count() const { return 1; }
  void operator()(auto& here) const {
    const Blocks last{Region{0}, first + static_cast<std::uint32_t>(index(here.node())), 1};
    if (here.last_call()) {
      if (const auto arrival = here.take(left))
        here.deliver(arrival, 0, NodeId{index(here.node()) - 1});
    } else if (index(here.node()) < 7) {
      here.load(Region{0}, last.first - first, NodeId{index(here.node()) + 1});
      here.send(right, last);
    }
  }
};

TEST(UnevenMemory, TakesTheLastBlockOfEveryNode) {
  const Network ring = build_network(Ring(8));
  expect_reference_outcome(ring, Growing{}, Job{}, every_channel);
  EXPECT_EQ(run(ring, Growing{}, Job{}).record.deliveries.verified, 7U);
}

TEST(UnevenMemory, RefusesANodeWithMoreThanItsRegionHas) {
  const Network ring = build_network(Ring(8));
  try {
    (void)run(ring, Growing{.most = 7}, Job{});
    FAIL() << "no exception";
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(std::string(error.what()),
              "program: node 7 has 8 blocks of region 0; allowed: up to 7");
  }
}

/// Every node sends the block behind its last one, though other nodes have more.
TEST(UnevenMemory, NoNodeSendsBeyondItsOwn) {
  const Network ring = build_network(Ring(8));
  expect_reference_outcome(ring, Growing{.first = 1}, Job{}, every_channel);
  const RunRecord record = run(ring, Growing{.first = 1}, Job{}).record;
  ASSERT_EQ(record.violation_count, 7U);
  EXPECT_EQ(record.hops, 0U);
  EXPECT_EQ(described(record.violations[2]), "step 0 node 2 port 0 memory (1) region 0 slot 3");
}

}  // namespace
}  // namespace lockstep::test
