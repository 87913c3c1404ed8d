// SPDX-License-Identifier: Apache-2.0
/// The proof of delivery of collectives with one source, whose destinations share words of the
/// ledger.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/machine/executor.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep::test {
namespace {

constexpr std::uint64_t root_processors = 300;

/// One block for each processor but the root, in an array of the blocks' own.
class HandedAtRoot {
 public:
  HandedAtRoot(Operation operation, NodeId root, std::size_t block_bytes)
      : host_({.collective = {operation, root},
               .processors = root_processors,
               .block_bytes = block_bytes,
               .verify = VerifyKind::exact}),
        bytes_(root_processors * block_bytes) {
    for (std::uint64_t u = 0; u < root_processors; ++u) {
      std::byte* const block = bytes_.data() + u * block_bytes;
      host_.load(block, root, root, NodeId{u});
      if (NodeId{u} != root) blocks.push_back({block, root, NodeId{u}});
    }
  }

  [[nodiscard]] std::byte& first_byte(NodeId destination, std::size_t block_bytes) {
    return bytes_[index(destination) * block_bytes];
  }

  /// Handed over by the batch.
  [[nodiscard]] DeliveryVerdict verdict(std::size_t batch) {
    DeliveryTally tally;
    for (std::size_t at = 0; at < blocks.size(); at += batch)
      host_.accept(std::span(blocks).subspan(at, std::min(batch, blocks.size() - at)), tally);
    return host_.judge(tally);
  }
  [[nodiscard]] ProvingHost& host() { return host_; }

  std::vector<Delivery> blocks;

 private:
  ProvingHost host_;
  std::vector<std::byte> bytes_;
};

template <class Check>
void for_all_sizes(Check check) {
  for (const Operation operation : {Operation::broadcast, Operation::scatter})
    for (const std::uint64_t root : {0U, 64U, 299U})
      for (const std::size_t bytes : {1U, 3U, 8U, 20U})
        for (const std::size_t batch : {1U, 7U, 256U})
          check(HandedAtRoot(operation, NodeId{root}, bytes), NodeId{root}, bytes, batch);
}

TEST(RootProof, AcceptsACorrectRun) {
  for_all_sizes([](HandedAtRoot run, NodeId, std::size_t, std::size_t batch) {
    const DeliveryVerdict verdict = run.verdict(batch);
    EXPECT_TRUE(verdict.complete());
    EXPECT_EQ(verdict.tally.verified, root_processors - 1);
  });
}

TEST(RootProof, NamesWhatIsMissing) {
  for_all_sizes([](HandedAtRoot run, NodeId root, std::size_t, std::size_t batch) {
    const NodeId missing = run.blocks[150].destination;
    run.blocks.erase(run.blocks.begin() + 150);
    const DeliveryVerdict verdict = run.verdict(batch);
    EXPECT_FALSE(verdict.complete());
    EXPECT_EQ(verdict.missing, 1U);
    EXPECT_EQ(verdict.first_missing, (MissingPair{root, missing}));
  });
}

TEST(RootProof, CountsWhatComesTwice) {
  for (const std::size_t apart : {1U, 100U})  // in one word and batch, or not
    for_all_sizes([apart](HandedAtRoot run, NodeId, std::size_t, std::size_t batch) {
      run.blocks.insert(run.blocks.begin() + static_cast<std::ptrdiff_t>(100 + apart),
                        run.blocks[100]);
      const DeliveryVerdict verdict = run.verdict(batch);
      EXPECT_FALSE(verdict.complete());
      EXPECT_EQ(verdict.tally.duplicated, 1U);
      EXPECT_EQ(verdict.tally.verified, root_processors - 1);
      EXPECT_EQ(verdict.missing, 0U);
    });
}

TEST(RootProof, ObjectsToWrongBytesSourcesAndDestinations) {
  for_all_sizes([](HandedAtRoot run, NodeId root, std::size_t bytes, std::size_t batch) {
    run.first_byte(run.blocks[70].destination, bytes) ^= std::byte{4};
    run.blocks[71].origin = run.blocks[0].destination;
    run.blocks.push_back({&run.first_byte(root, bytes), root, root});
    const DeliveryVerdict verdict = run.verdict(batch);
    EXPECT_FALSE(verdict.complete());
    EXPECT_EQ(verdict.tally.corrupted, 3U);
    EXPECT_EQ(verdict.missing, 2U);
  });
}

/// Every eighth destination from one worker: all of them write every word.
TEST(RootProof, LetsWorkersShareWords) {
  HandedAtRoot run(Operation::broadcast, NodeId{5}, 1);
  constexpr std::size_t workers = 8;
  std::vector<DeliveryTally> tallies(workers);
  const auto executor = make_executor(ExecutorKind::thread, workers);
  executor->run([&] {
    executor->for_each(workers, [&](std::size_t worker) {
      for (std::size_t i = worker; i < run.blocks.size(); i += workers)
        run.host().accept(std::span(run.blocks).subspan(i, 1), tallies[worker]);
    });
  });
  DeliveryTally all;
  for (const DeliveryTally& tally : tallies) all += tally;
  EXPECT_TRUE(run.host().judge(all).complete());
}

/// As many bits as processors are never more than the other ledger takes.
TEST(RootProof, IsExactOfAnySize) {
  const ProvingHost::Parameters billions{.collective = {Operation::broadcast, NodeId{0}},
                                         .processors = 2'565'726'409};
  EXPECT_EQ(ProvingHost::definite(billions), VerifyKind::exact);
  EXPECT_EQ(ProvingHost::bytes(billions), 320'715'808U);
}

}  // namespace
}  // namespace lockstep::test
