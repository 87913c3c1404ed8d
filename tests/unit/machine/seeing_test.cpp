// SPDX-License-Identifier: Apache-2.0
/// What a program sees of what it receives, and says once the run is over.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "lockstep/collective/payload.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/ring_ports.hpp"

namespace lockstep::test {
namespace {

constexpr Region room{0};

/// Hash of a span of bytes, so that a digest of the deliveries can tell what was seen.
std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = bytes.size();
  for (const std::byte b : bytes) hash = hash * 31 + std::to_integer<std::uint64_t>(b);
  return hash;
}

/// Every node tells by a wrong delivery what it saw of what its neighbours sent.
struct Looking {
  struct Memory {
    explicit Memory(NodeId own) : node(own) {}
    NodeId node;
    std::uint64_t seen = 0;
    Port through{9};
  };
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::reads_bytes;
  std::uint32_t read = 0;  ///< the block of the message

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2}; }
  [[nodiscard]] std::uint64_t step_count() const { return 1; }
  void operator()(auto& here) const {
    if (here.step() == 0) {
      for (std::uint32_t i = 0; i < 2; ++i) here.load(room, i, NodeId{i});
      here.memory().seen = hash_of(here.bytes(room, 1));
      return here.send(right, Blocks{room, 0, 2});
    }
    if (const auto arrival = here.take(left)) {
      here.memory().seen += hash_of(arrival.bytes(read));
      here.memory().through = arrival.port();
    }
    here.deliver(room, 0, Origin{here.memory().seen % 8});
  }
};

TEST(Seeing, BytesOfArrivalsAndOfOwnMemory) {
  const Network ring = build_network(Ring(8));
  for (const std::size_t bytes : {1U, 8U, 24U}) {
    const Job job{.block_bytes = bytes};
    ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(ring, Looking{}, job, every_channel));
    ProvingHost host({.collective = job.collective, .processors = 8, .block_bytes = bytes});
    const Looking program{1};
    Machine<Network, Looking, SlotChannels> machine(ring, program, host, {.block_bytes = bytes});
    (void)machine.run(*make_executor(ExecutorKind::serial, 1));
    for (std::uint64_t u = 0; u < 8; ++u) {
      const NodeId before{(u + 7) % 8};
      std::vector<std::byte> own(bytes);
      std::vector<std::byte> other(bytes);
      const Payload payload({.seed = 1, .block_bytes = bytes});
      payload.fill(own.data(), NodeId{u}, NodeId{1});
      payload.fill(other.data(), before, NodeId{1});
      const Looking::Memory& memory = machine.memory(NodeId{u});
      EXPECT_EQ(memory.node, NodeId{u});
      EXPECT_EQ(memory.through, left);
      EXPECT_EQ(memory.seen, hash_of(own) + hash_of(other));
    }
  }
}

TEST(Seeing, AFaultAltersWhatIsSeen) {
  const Network ring = build_network(Ring(8));
  const std::uint64_t lawful = run(ring, Looking{}, Job{}).digest;
  for (std::uint64_t byte = 0; byte < 8; ++byte) {
    const Job job{.fault = {.kind = FaultKind::corrupt, .sender = NodeId{3}, .corrupt_byte = byte}};
    expect_reference_outcome(ring, Looking{}, job, every_channel);
    EXPECT_NE(run(ring, Looking{}, job).digest, lawful);
  }
}

TEST(Seeing, ABlockThatIsNotThereIsRefused) {
  const Network ring = build_network(Ring(8));
  try {
    (void)run(ring, Looking{.read = 2}, Job{});
    FAIL() << "no exception";
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(std::string(error.what()), "arrival.bytes(2): the message has 2");
  }
}

/// Never stops by itself.
struct Endless {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2}; }
  void operator()(auto& here) const {
    const auto slot = static_cast<std::uint32_t>(here.step() % 2);
    if (const auto arrival = here.take(left)) here.store(arrival, Blocks{room, slot, 1});
    here.send(right, Blocks{room, slot, 1});
  }
};

TEST(Seeing, ARunEndsAfterSoManySteps) {
  const Network ring = build_network(Ring(8));
  for (const std::uint64_t most : {1U, 2U, 100U}) {
    RecordingHost host = host_for(ring, Job{});
    const Endless program;
    Machine<Network, Endless, SlotChannels> machine(ring, program, host, {.max_steps = most});
    const RunRecord record = machine.run(*make_executor(ExecutorKind::serial, 1));
    EXPECT_TRUE(record.interrupted);
    EXPECT_EQ(record.steps, most);
    EXPECT_EQ(record.hops, 8 * most);
  }
}

}  // namespace
}  // namespace lockstep::test
