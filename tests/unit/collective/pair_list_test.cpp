// SPDX-License-Identifier: Apache-2.0
/// Collectives that a user lists pair by pair: who expects what, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/collective/pattern.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;

BlockPair pair(std::uint64_t origin, std::uint64_t destination) {
  return {Origin{origin}, NodeId{destination}};
}

TEST(PairList, IsSortedAndKnowsHowItWasListed) {
  const PairList pairs({pair(2, 5), pair(9, 0), pair(1, 5)});
  EXPECT_THAT(pairs.all(), ElementsAre(pair(9, 0), pair(1, 5), pair(2, 5)));
  EXPECT_EQ(pairs.find(Origin{2}, NodeId{5}), 2U);
  EXPECT_EQ(pairs.listed(2), 0U);
  EXPECT_EQ(pairs.listed(0), 1U);
  EXPECT_EQ(pairs.listed(1), 2U);
  EXPECT_EQ(pairs.of(NodeId{5}).size(), 2U);
  for (const std::uint64_t nobody : {1U, 4U, 6U, 1'000U})
    EXPECT_TRUE(pairs.of(NodeId{nobody}).empty());
  EXPECT_FALSE(pairs.find(Origin{9}, NodeId{5}));
  EXPECT_FALSE(pairs.find(Origin{1}, NodeId{0}));
  EXPECT_EQ(PairList({}).size(), 0U);
  EXPECT_TRUE(PairList({}).of(NodeId{0}).empty());
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "";
}

TEST(PairList, RefusesAPairTwice) {
  EXPECT_EQ(refusal([] {
              (void)PairList({pair(2, 5), pair(1, 5), pair(2, 5)});
            }),
            "pattern: block 2 for node 5 is listed twice");
}

TEST(Pattern, OfPairsLeavesOutWhatStaysAtItsMaker) {
  const Collective permutation{
      Operation::partial_exchange, {}, Pattern::pairs({pair(0, 2), pair(1, 1), pair(2, 0)})};
  EXPECT_EQ(permutation.deliveries(3), 2U);
  EXPECT_TRUE(permutation.expects(Origin{0}, NodeId{2}));
  EXPECT_FALSE(permutation.expects(Origin{1}, NodeId{1}));
  EXPECT_FALSE(permutation.expects(Origin{0}, NodeId{1}));
  EXPECT_TRUE(permutation.personalised());
  EXPECT_FALSE(Collective{Operation::multicast}.personalised());
}

TEST(Pattern, OfPairsMayHaveHomes) {
  const Collective multicast{
      Operation::multicast,
      {},
      Pattern::pairs({pair(0, 1), pair(0, 2), pair(1, 0), pair(1, 2)}, {NodeId{2}, NodeId{2}})};
  EXPECT_EQ(multicast.pattern.origins(3), 2U);
  EXPECT_EQ(multicast.deliveries(3), 2U);  // node 2 has both
  EXPECT_FALSE(multicast.expects(Origin{1}, NodeId{2}));
  EXPECT_EQ(refusal([] {
              (void)Pattern::pairs({pair(2, 0)}, {NodeId{1}, NodeId{1}});
            }),
            "pattern: block 2 is not valid; expected 0..1");
}

TEST(Pattern, OfAPredicateHoldsThePairsOfWhichItIsTrue) {
  const Collective near{
      Operation::partial_exchange, {}, Pattern::where(5, [](Origin origin, NodeId destination) {
        return index(origin) <= index(destination) && index(destination) <= index(origin) + 1;
      })};
  EXPECT_EQ(near.deliveries(5), 4U);
  for (std::uint64_t u = 0; u + 1 < 5; ++u) EXPECT_TRUE(near.expects(Origin{u}, NodeId{u + 1}));
}

TEST(Pattern, IsHeldAgainstTheProcessorsThereAre) {
  const auto checked = [](const Pattern& pattern) {
    return refusal([&] { check_collective({Operation::partial_exchange, {}, pattern}, 4); });
  };
  EXPECT_EQ(checked(Pattern::pairs({pair(0, 3), pair(3, 0)})), "");
  EXPECT_EQ(
      checked(Pattern::pairs({pair(0, 4)})),
      "partial-exchange: destination of block 0: node 4 is not valid; expected a processor, 0..3");
  EXPECT_EQ(checked(Pattern::pairs({pair(4, 0)})),
            "partial-exchange: source of block 4: node 4 is not valid; expected a processor, 0..3");
}

/// A pattern of pairs changes nothing for an operation that uses no pairs.
TEST(Pattern, OfPairsIsForOperationsThatGoByThem) {
  const Collective broadcast{Operation::broadcast, {}, Pattern::pairs({pair(0, 3)})};
  EXPECT_EQ(broadcast.deliveries(4), 3U);
  EXPECT_TRUE(broadcast.expects(Origin{0}, NodeId{1}));
  EXPECT_EQ(Collective{Operation::partial_exchange}.deliveries(4), 0U);
  EXPECT_FALSE(Collective{Operation::partial_exchange}.expects(Origin{0}, NodeId{1}));
}

}  // namespace
}  // namespace lockstep::test
