// SPDX-License-Identifier: Apache-2.0
/// A user's own bytes: where they lie, that every delivery is held against what was put in, and
/// that what arrived is given back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using Bytes = std::vector<std::byte>;

constexpr std::uint64_t own_processors = 4;
constexpr std::size_t own_block_bytes = 3;

std::vector<BlockPair> some_pairs() {
  return {{Origin{3}, NodeId{0}}, {Origin{0}, NodeId{2}}, {Origin{3}, NodeId{1}}};
}

std::vector<Collective> collectives() {
  const std::vector<NodeId> homes{NodeId{2}, NodeId{2}, NodeId{0}, NodeId{3}, NodeId{1}};
  return {{Operation::broadcast, NodeId{2}},
          {Operation::scatter, NodeId{1}},
          {Operation::gather, NodeId{3}},
          {Operation::all_gather},
          {Operation::total_exchange},
          {Operation::odd_distance_exchange, {}, Pattern::odd_distance(Ring{4})},
          {Operation::many_to_all, {}, Pattern::many(homes)},
          {Operation::multicast, {}, Pattern::pairs(some_pairs())},
          {Operation::partial_exchange, {}, Pattern::pairs(some_pairs())}};
}

/// Different everywhere.
Bytes some_input(const Collective& collective) {
  Bytes input(BufferLayout(collective, own_processors).input_blocks() * own_block_bytes);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::byte>(i + 1);
  return input;
}

ProvingHost host_of(const Collective& collective, const Bytes& input, VerifyKind verify) {
  return ProvingHost({.collective = collective,
                      .processors = own_processors,
                      .block_bytes = own_block_bytes,
                      .verify = verify,
                      .input = input});
}

std::vector<BlockPair> expected_pairs(const Collective& collective) {
  std::vector<BlockPair> pairs;
  for (std::uint64_t d = 0; d < own_processors; ++d)
    for (std::uint64_t o = 0; o < collective.pattern.origins(own_processors); ++o)
      if (collective.expects(Origin{o}, NodeId{d})) pairs.push_back({Origin{o}, NodeId{d}});
  return pairs;
}

/// As a program would that sends every block to where it belongs.
DeliveryVerdict delivered(ProvingHost& host, const Collective& collective,
                          const std::vector<BlockPair>& pairs) {
  DeliveryTally tally;
  for (const auto& [origin, destination] : pairs) {
    Bytes block(own_block_bytes);
    host.load(block.data(), collective.pattern.home(origin), origin, destination);
    const Delivery delivery{block.data(), origin, destination};
    host.accept({&delivery, 1}, tally);
  }
  return host.judge(tally);
}

TEST(OwnBytes, ArriveWhereTheLayoutSays) {
  for (const Collective& collective : collectives())
    for (const VerifyKind verify : {VerifyKind::exact, VerifyKind::digest, VerifyKind::off}) {
      SCOPED_TRACE(std::string(name_of(collective.operation)) + " " + std::string(name_of(verify)));
      const Bytes input = some_input(collective);
      const BufferLayout layout(collective, own_processors);
      ProvingHost host = host_of(collective, input, verify);
      const std::vector<BlockPair> pairs = expected_pairs(collective);
      EXPECT_TRUE(delivered(host, collective, pairs).complete());
      ASSERT_EQ(host.output().size(), layout.output_blocks() * own_block_bytes);
      for (const auto& [origin, destination] : pairs) {
        const auto from = input.begin() +
                          static_cast<std::ptrdiff_t>(*layout.input_block(origin, destination) * 3);
        const auto to = host.output().begin() +
                        static_cast<std::ptrdiff_t>(*layout.output_block(origin, destination) * 3);
        EXPECT_TRUE(std::equal(from, from + 3, to)) << index(origin) << index(destination);
      }
    }
}

/// Kept for the user, but no delivery: of either ledger.
TEST(OwnBytes, ACorruptBlockCountsAsMissing) {
  for (const Collective& collective : collectives())
    for (const VerifyKind verify : {VerifyKind::exact, VerifyKind::digest}) {
      SCOPED_TRACE(std::string(name_of(collective.operation)) + " " + std::string(name_of(verify)));
      const Bytes input = some_input(collective);
      ProvingHost host = host_of(collective, input, verify);
      std::vector<BlockPair> pairs = expected_pairs(collective);
      const auto [origin, destination] = pairs.back();
      pairs.pop_back();
      const Bytes zeros(own_block_bytes);
      const Delivery corrupt{zeros.data(), origin, destination};
      DeliveryTally tally;
      host.accept({&corrupt, 1}, tally);
      EXPECT_EQ(tally.corrupted, 1U);
      EXPECT_EQ(delivered(host, collective, pairs).missing, 1U);
    }
}

/// Places are all different, and all there are are used but for what nobody expects.
TEST(OwnBytes, EveryBlockHasAPlaceOfItsOwn) {
  for (const Collective& collective : collectives()) {
    SCOPED_TRACE(name_of(collective.operation));
    const BufferLayout layout(collective, own_processors);
    std::vector<std::uint64_t> places;
    for (const auto& [origin, destination] : expected_pairs(collective))
      places.push_back(*layout.output_block(origin, destination));
    std::sort(places.begin(), places.end());
    EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end());
    EXPECT_LT(places.back(), layout.output_blocks());
  }
}

TEST(OwnBytes, OfAProcessorForItselfAreThereFromTheStart) {
  const Collective gather{Operation::all_gather};
  const Bytes input = some_input(gather);
  const ProvingHost host = host_of(gather, input, VerifyKind::exact);
  for (std::size_t u = 0; u < own_processors; ++u)
    for (std::size_t o = 0; o < own_processors; ++o)
      EXPECT_EQ(host.output()[(u * own_processors + o) * own_block_bytes],
                u == o ? input[u * own_block_bytes] : poison);
}

TEST(OwnBytes, AreHeldAgainstWhatWasPutIn) {
  const Collective exchange{Operation::partial_exchange, {}, Pattern::pairs(some_pairs())};
  const Bytes input = some_input(exchange);
  ProvingHost host = host_of(exchange, input, VerifyKind::exact);
  Bytes block(input.begin(), input.begin() + own_block_bytes);  // of 3 for 0
  DeliveryTally tally;
  const auto hand_over = [&](std::uint64_t origin, std::uint64_t destination) {
    const Delivery delivery{block.data(), Origin{origin}, NodeId{destination}};
    host.accept({&delivery, 1}, tally);
  };
  hand_over(3, 0);
  hand_over(3, 0);
  hand_over(3, 2);  // no such pair
  hand_over(3, 1);  // another block's bytes
  EXPECT_EQ(tally, (DeliveryTally{.delivered = 4,
                                  .verified = 1,
                                  .corrupted = 2,
                                  .duplicated = 1,
                                  .first_corrupted = WrongDelivery{0, NodeId{1}, Origin{3}}}));
  EXPECT_THAT(host.all_missing(),
              ElementsAre(MissingPair{Origin{3}, NodeId{1}}, MissingPair{Origin{0}, NodeId{2}}));
  EXPECT_EQ(host.output()[2 * own_block_bytes], block[0]) << "what arrived is kept as it is";
}

TEST(OwnBytes, AreAsManyAsTheBlocksHold) {
  const Bytes input(7);
  try {
    (void)host_of({Operation::broadcast}, input, VerifyKind::exact);
    ADD_FAILURE() << "7 bytes for a block of 3";
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.what(), "broadcast: 7 bytes given; expected 1 blocks of 3 bytes");
  }
  EXPECT_EQ(ProvingHost::bytes({.collective = {Operation::broadcast},
                                .processors = 64,
                                .block_bytes = 7,
                                .verify = VerifyKind::off,
                                .input = input}),
            64U * 7);
}

}  // namespace
}  // namespace lockstep::test
