// SPDX-License-Identifier: Apache-2.0
/// The proof of delivery accepts a correct run and objects to every way of breaking one.

#include "lockstep/verify/delivery.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/program/blocks.hpp"
#include "support/cases.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;

/// A block as it is handed over.
struct Handed {
  std::vector<std::byte> bytes;
  Origin origin;
  NodeId destination;
};

/// A correct run's deliveries, to be broken, then judged.
class Deliveries {
 public:
  explicit Deliveries(const ProvingHost::Parameters& parameters)
      : parameters_(parameters), host_(parameters) {
    for (std::uint64_t d = 0; d < parameters.processors; ++d)
      for (std::uint64_t s = 0; s < parameters.processors; ++s) {
        if (!parameters.collective.expects(NodeId{s}, NodeId{d})) continue;
        Handed block{std::vector<std::byte>(parameters.block_bytes), NodeId{s}, NodeId{d}};
        host_.load(block.bytes.data(), NodeId{s}, NodeId{s}, NodeId{d});
        blocks_.push_back(std::move(block));
      }
  }

  [[nodiscard]] std::vector<Handed>& blocks() { return blocks_; }
  [[nodiscard]] Handed& block(std::uint64_t source, std::uint64_t destination) {
    return *std::find_if(blocks_.begin(), blocks_.end(), [&](const Handed& block) {
      return block.origin == NodeId{source} && block.destination == NodeId{destination};
    });
  }

  /// Hands them over in batches of three.
  [[nodiscard]] DeliveryVerdict verdict() {
    DeliveryTally tally;
    std::vector<Delivery> batch;
    for (const Handed& block : blocks_) {
      batch.push_back({block.bytes.data(), block.origin, block.destination});
      if (batch.size() == 3) host_.accept(std::exchange(batch, {}), tally);
    }
    host_.accept(batch, tally);
    return host_.judge(tally);
  }
  [[nodiscard]] std::vector<MissingPair> missing() const { return host_.all_missing(); }

 private:
  ProvingHost::Parameters parameters_;
  ProvingHost host_;
  std::vector<Handed> blocks_;
};

ProvingHost::Parameters exchange(VerifyKind verify, std::size_t bytes = 8) {
  return {.collective = {Operation::total_exchange},
          .processors = 6,
          .block_bytes = bytes,
          .verify = verify};
}

class Proof : public testing::TestWithParam<VerifyKind> {};

INSTANTIATE_TEST_SUITE_P(Ledgers, Proof, testing::Values(VerifyKind::exact, VerifyKind::digest));

TEST_P(Proof, AcceptsACorrectRun) {
  for (const Operation operation : {Operation::broadcast, Operation::scatter, Operation::gather,
                                    Operation::all_gather, Operation::total_exchange})
    for (const std::size_t bytes : {1U, 7U, 8U, 65U}) {
      Deliveries run({.collective = {operation, NodeId{3}},
                      .processors = 6,
                      .block_bytes = bytes,
                      .verify = GetParam()});
      const DeliveryVerdict verdict = run.verdict();
      EXPECT_TRUE(verdict.complete()) << name_of(operation) << " " << bytes;
      EXPECT_TRUE(verdict.checked);
      EXPECT_EQ(verdict.tally.verified, verdict.expected);
      EXPECT_FALSE(verdict.first_missing.has_value());
    }
}

TEST_P(Proof, ObjectsToEveryBreach) {
  const std::vector<std::pair<std::string, std::function<void(Deliveries&)>>> breaches{
      {"drop a block", [](Deliveries& run) { run.blocks().pop_back(); }},
      {"swap two bytes",
       [](Deliveries& run) {
         auto& bytes = run.block(1, 2).bytes;
         const auto other = std::find_if(bytes.begin(), bytes.end(),
                                         [&](std::byte value) { return value != bytes[0]; });
         std::swap(bytes[0], *other);
       }},
      {"swap two blocks of one destination",
       [](Deliveries& run) { std::swap(run.block(1, 2).bytes, run.block(3, 2).bytes); }},
      {"swap two blocks of one source",
       [](Deliveries& run) { std::swap(run.block(1, 2).bytes, run.block(1, 4).bytes); }},
      {"swap there and back",
       [](Deliveries& run) { std::swap(run.block(1, 2).bytes, run.block(2, 1).bytes); }},
      {"duplicate a block", [](Deliveries& run) { run.blocks().push_back(run.block(1, 2)); }},
      {"duplicate instead of another",
       [](Deliveries& run) { run.block(1, 2) = Handed(run.block(3, 2)); }},
      {"wrong source", [](Deliveries& run) { run.block(1, 2).origin = NodeId{3}; }},
      {"wrong destination", [](Deliveries& run) { run.block(1, 2).destination = NodeId{3}; }},
      {"own block", [](Deliveries& run) { run.block(1, 2).origin = NodeId{2}; }},
      {"no such source", [](Deliveries& run) { run.block(1, 2).origin = NodeId{6}; }},
      {"poison",
       [](Deliveries& run) {
         auto& bytes = run.block(1, 2).bytes;
         std::fill(bytes.begin(), bytes.end(), std::byte{0xA5});
       }},
      {"stale bytes", [](Deliveries& run) { run.block(1, 2).bytes = run.block(0, 1).bytes; }},
      {"half a block",
       [](Deliveries& run) {
         auto& bytes = run.block(1, 2).bytes;
         std::fill(bytes.begin() + 4, bytes.end(), std::byte{0});
       }},
      {"one bit", [](Deliveries& run) { run.block(1, 2).bytes.back() ^= std::byte{0x80}; }}};
  for (const std::size_t bytes : {8U, 9U, 64U, 65U})
    for (const auto& [name, break_it] : breaches) {
      Deliveries run(exchange(GetParam(), bytes));
      break_it(run);
      EXPECT_FALSE(run.verdict().complete()) << name << ", bytes " << bytes;
    }
}

TEST_P(Proof, SaysWhatIsWrong) {
  Deliveries corrupted(exchange(GetParam()));
  corrupted.block(1, 2).bytes[3] ^= std::byte{1};
  const DeliveryVerdict altered = corrupted.verdict();
  EXPECT_EQ(altered.tally, (DeliveryTally{30, 29, 1, 0, WrongDelivery{0, NodeId{2}, Origin{1}}}));
  EXPECT_EQ(altered.missing, 1U);

  Deliveries duplicated(exchange(GetParam()));
  duplicated.blocks().push_back(duplicated.block(1, 2));
  const DeliveryVerdict twice = duplicated.verdict();
  EXPECT_EQ(twice.tally, (DeliveryTally{31, 30, 0, 1}));
  EXPECT_EQ(twice.missing, 0U);

  Deliveries dropped(exchange(GetParam()));
  dropped.blocks().pop_back();
  const DeliveryVerdict less = dropped.verdict();
  EXPECT_EQ(less.tally, (DeliveryTally{29, 29, 0, 0}));
  EXPECT_EQ(less.missing, 1U);
}

TEST_P(Proof, OfOtherSeedsAreOtherProofs) {
  Deliveries run(exchange(GetParam()));
  auto other_parameters = exchange(GetParam());
  other_parameters.seed = 2;
  Deliveries other(other_parameters);
  run.block(1, 2).bytes = other.block(1, 2).bytes;
  EXPECT_FALSE(run.verdict().complete());
}

TEST(ExactProof, NamesTheMissingPairs) {
  Deliveries run(exchange(VerifyKind::exact));
  run.block(4, 1).bytes[0] ^= std::byte{1};
  run.block(2, 0).origin = NodeId{3};
  const DeliveryVerdict verdict = run.verdict();
  EXPECT_EQ(verdict.missing, 2U);
  EXPECT_EQ(verdict.first_missing, (MissingPair{NodeId{2}, NodeId{0}}));
  EXPECT_THAT(run.missing(),
              ElementsAre(MissingPair{NodeId{2}, NodeId{0}}, MissingPair{NodeId{4}, NodeId{1}}));
}

TEST_P(Proof, SaysHowManyBlocksEachReceived) {
  EXPECT_EQ(Deliveries(exchange(GetParam())).verdict().received, std::nullopt);
  Deliveries dropped(exchange(GetParam()));
  dropped.blocks().pop_back();
  EXPECT_EQ(dropped.verdict().received, (Received{4, 5, 5}));
  ProvingHost::Parameters parameters = exchange(GetParam());
  parameters.collective = {Operation::broadcast};  // the root expects none
  Deliveries broadcast(parameters);
  broadcast.blocks().pop_back();
  EXPECT_EQ(broadcast.verdict().received, std::nullopt);
  parameters.collective = {Operation::many_to_all, {}, Pattern::many({NodeId{1}})};  // nor who made
  EXPECT_EQ(ProvingHost(parameters).judge({}).received, std::nullopt);
}

TEST(UncheckedRun, SaysThatNothingIsProved) {
  Deliveries run(exchange(VerifyKind::off));
  run.block(1, 2).bytes[0] ^= std::byte{1};
  const DeliveryVerdict verdict = run.verdict();
  EXPECT_FALSE(verdict.checked);
  EXPECT_TRUE(verdict.complete());
  EXPECT_EQ(verdict.tally.verified, 0U);

  Deliveries less(exchange(VerifyKind::off));
  less.blocks().pop_back();
  EXPECT_FALSE(less.verdict().complete());
}

TEST(AutomaticProof, IsExactWhileItFits) {
  const auto kind = [](std::uint64_t processors) {
    return ProvingHost::definite({.collective = {Operation::total_exchange},
                                  .processors = processors,
                                  .verify = VerifyKind::automatic});
  };
  EXPECT_EQ(kind(5'040), VerifyKind::exact);
  EXPECT_EQ(kind(40'320), VerifyKind::digest);
  EXPECT_EQ(ProvingHost::definite(exchange(VerifyKind::off)), VerifyKind::off);
}

TEST(Proof, TakesTheMemoryItSays) {
  EXPECT_EQ(ProvingHost::bytes(exchange(VerifyKind::off)), 0U);
  EXPECT_EQ(ProvingHost::bytes(exchange(VerifyKind::exact)),
            ExactLedger::bytes({Operation::total_exchange}, 6));
  EXPECT_EQ(ProvingHost::bytes(exchange(VerifyKind::digest)), DigestLedger::bytes(6));
}

TEST(ProvingHost, GivesANodeOnlyWhatItMadeItself) {
  ProvingHost host(
      {.collective = {Operation::many_to_all, {}, Pattern::many({NodeId{2}, NodeId{0}})},
       .processors = 3});
  std::vector<std::byte> block(8);
  const auto delivered = [&](NodeId node, Origin origin) {
    DeliveryTally tally;
    host.load(block.data(), node, origin, NodeId{1});
    const Delivery delivery{block.data(), origin, NodeId{1}};
    host.accept(std::span(&delivery, 1), tally);
    return tally;
  };
  EXPECT_EQ(delivered(NodeId{0}, Origin{0}).corrupted, 1U);  // which node 2 made
  EXPECT_EQ(delivered(NodeId{2}, Origin{0}).verified, 1U);
  EXPECT_EQ(delivered(NodeId{0}, Origin{1}).verified, 1U);
  EXPECT_EQ(delivered(NodeId{0}, Origin{2}).corrupted, 1U);  // which there is not
  EXPECT_EQ(block, std::vector<std::byte>(8, poison));
}

}  // namespace
}  // namespace lockstep::test
