// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/collective.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include "lockstep/topology/ring.hpp"

namespace lockstep::test {
namespace {

constexpr Operation operations[] = {Operation::broadcast, Operation::scatter, Operation::gather,
                                    Operation::all_gather, Operation::total_exchange};

constexpr Operation reductions[] = {Operation::reduce, Operation::all_reduce,
                                    Operation::reduce_scatter, Operation::scan};

std::uint64_t expected_pairs(const Collective& collective, std::uint64_t processors) {
  std::uint64_t pairs = 0;
  for (std::uint64_t s = 0; s < processors; ++s)
    for (std::uint64_t d = 0; d < processors; ++d)
      pairs += static_cast<std::uint64_t>(collective.expects(NodeId{s}, NodeId{d}));
  return pairs;
}

TEST(Collective, CountsThePairsItExpects) {
  for (const Operation operation : operations)
    for (const std::uint64_t processors : {1U, 2U, 3U, 7U})
      for (std::uint64_t root = 0; root < processors; ++root) {
        const Collective collective{operation, NodeId{root}};
        EXPECT_EQ(collective.deliveries(processors), expected_pairs(collective, processors))
            << name_of(operation) << " " << processors;
      }
  EXPECT_EQ(Collective{Operation::broadcast}.deliveries(0), 0U);
}

TEST(Collective, NobodyExpectsTheirOwnBlock) {
  for (const Operation operation : operations)
    for (std::uint64_t u = 0; u < 5; ++u)
      EXPECT_FALSE((Collective{operation, NodeId{u}}.expects(NodeId{u}, NodeId{u})));
}

/// Every result is named as the processor that expects it, and is the only block it expects.
TEST(Collective, ResultsAreExpectedByTheProcessorsTheyAreNamedAfter) {
  for (const Operation operation : reductions)
    for (std::uint64_t processors = 1; processors <= 5; ++processors) {
      const Collective collective{operation, NodeId{processors - 1}};
      const std::uint64_t results = operation == Operation::reduce ? 1 : processors;
      EXPECT_EQ(collective.deliveries(processors), results) << name_of(operation);
      EXPECT_EQ(expected_pairs(collective, processors), results) << name_of(operation);
      for (std::uint64_t u = processors - results; u < processors; ++u) {
        EXPECT_TRUE(collective.expects(NodeId{u}, NodeId{u}));
        EXPECT_EQ(collective.block_for(NodeId{u}), Origin{u});
      }
      EXPECT_FALSE(collective.every_source());
    }
  EXPECT_EQ((Collective{Operation::broadcast, NodeId{3}}.block_for(NodeId{1})), Origin{3});
}

TEST(Collective, OnlyAReduceScatterTakesAContributionForEveryProcessor) {
  for (const Operation operation : reductions) {
    EXPECT_TRUE(is_reduction(operation));
    EXPECT_EQ(Collective{operation}.personalised(), operation == Operation::reduce_scatter);
    EXPECT_EQ(has_root(operation), operation == Operation::reduce);
  }
  for (const Operation operation : operations) EXPECT_FALSE(is_reduction(operation));
}

TEST(Collective, ExpectsWhatTheOperationSays) {
  const NodeId root{2};
  const NodeId a{0};
  const NodeId b{4};
  const auto expects = [&](Operation operation, NodeId source, NodeId destination) {
    return Collective{operation, root}.expects(source, destination);
  };
  for (const Operation from_root : {Operation::broadcast, Operation::scatter}) {
    EXPECT_TRUE(expects(from_root, root, a));
    EXPECT_FALSE(expects(from_root, a, root));
    EXPECT_FALSE(expects(from_root, a, b));
  }
  EXPECT_FALSE(expects(Operation::gather, root, a));
  EXPECT_TRUE(expects(Operation::gather, a, root));
  EXPECT_FALSE(expects(Operation::gather, a, b));
  for (const Operation all : {Operation::all_gather, Operation::total_exchange})
    EXPECT_TRUE(expects(all, root, a) && expects(all, a, root) && expects(all, a, b));
}

TEST(Collective, DeliveriesBeyond64BitsAreAsManyAs64BitsCount) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t last = std::uint64_t{1} << 32U;
  const Collective all{Operation::all_gather};
  EXPECT_EQ(all.deliveries(last), most - (last - 1));
  EXPECT_EQ(all.deliveries(last + 1), most);
  EXPECT_EQ(all.deliveries(most), most);
  EXPECT_EQ(Collective{Operation::broadcast}.deliveries(most), most - 1);
}

TEST(Collective, OddDistanceExchangeIsBetweenTheTwoClasses) {
  const Ring ring(6);
  const Collective collective{Operation::odd_distance_exchange, NodeId{0},
                              Pattern::odd_distance(ring)};
  EXPECT_TRUE(collective.personalised() && collective.every_source());
  EXPECT_TRUE(collective.expects(NodeId{1}, NodeId{4}));
  EXPECT_TRUE(collective.expects(NodeId{5}, NodeId{0}));
  EXPECT_FALSE(collective.expects(NodeId{1}, NodeId{3}));
  EXPECT_FALSE(collective.expects(NodeId{2}, NodeId{2}));
  EXPECT_EQ(collective.deliveries(6), expected_pairs(collective, 6));
  EXPECT_EQ(expected_pairs(Collective{Operation::odd_distance_exchange}, 6), 0U);  // no classes
}

TEST(Collective, ManyBlocksFromAnywhereGoToAll) {
  const Collective collective{
      Operation::many_to_all, {}, Pattern::many({NodeId{3}, NodeId{3}, NodeId{1}})};
  EXPECT_EQ(collective.pattern.origins(4), 3U);
  EXPECT_EQ(collective.pattern.home(Origin{1}), NodeId{3});
  EXPECT_TRUE(collective.expects(Origin{0}, NodeId{1}));
  EXPECT_FALSE(collective.expects(Origin{1}, NodeId{3}));         // which made it
  EXPECT_FALSE(collective.expectation(4)(Origin{3}, NodeId{0}));  // there is none
  EXPECT_EQ(collective.deliveries(4), 9U);
  EXPECT_FALSE(collective.personalised());
  EXPECT_EQ(Collective{Operation::many_to_all}.deliveries(4), 0U);
}

TEST(Collective, BlocksDifferByDestinationWherePersonalised) {
  const std::vector<bool> personalised{false, true, true, false, true};
  for (std::size_t i = 0; i < personalised.size(); ++i)
    EXPECT_EQ(Collective{operations[i]}.personalised(), personalised[i]) << name_of(operations[i]);
}

TEST(Collective, NamesDiffer) {
  std::set<std::string_view> names;
  for (const Operation operation : operations) names.insert(name_of(operation));
  names.insert(name_of(Operation::odd_distance_exchange));
  for (const Operation other :
       {Operation::many_to_all, Operation::multicast, Operation::partial_exchange})
    names.insert(name_of(other));
  for (const Operation operation : reductions) names.insert(name_of(operation));
  EXPECT_EQ(names.size(), 13U);
  EXPECT_EQ(names.count(""), 0U);
}

}  // namespace
}  // namespace lockstep::test
