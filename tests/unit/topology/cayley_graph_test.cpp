// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cayley_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/topology_cases.hpp"

namespace lockstep {
namespace {

using test::generated_by;
using testing::ElementsAre;
using testing::HasSubstr;

[[nodiscard]] std::string refusal(std::initializer_list<const char*> generators) {
  try {
    (void)generated_by(generators);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

TEST(CayleyGraphTest, TheIcosahedralGroupIsTheBallOfSixtyAtoms) {
  const CayleyGraph ball = generated_by({"(1 2)(3 4)", "(1 2 3 4 5)"});
  EXPECT_EQ(ball.node_count(), 60U);
  EXPECT_THAT(level_sizes(ball, NodeId{0}), ElementsAre(1, 3, 6, 8, 10, 10, 10, 8, 3, 1));
}

TEST(CayleyGraphTest, MissingInversesFollowTheGivenGenerators) {
  const CayleyGraph both = generated_by({"(1 2 3)", "(4 5)", "(6 7 8 9)"});
  ASSERT_EQ(both.max_degree(), 5U);
  std::vector<std::string> ports;
  for (std::uint16_t p = 0; p < 5; ++p) ports.push_back(both.port_label(NodeId{0}, Port{p}));
  EXPECT_THAT(ports, ElementsAre("generator (1 2 3)", "generator (4 5)", "generator (6 7 8 9)",
                                 "generator (1 3 2)", "generator (6 9 8 7)"));
  EXPECT_EQ(both.reverse_port(NodeId{0}, Port{0}), Port{3});
  EXPECT_EQ(both.reverse_port(NodeId{0}, Port{1}), Port{1});
  const CayleyGraph given = generated_by({"(1 2 3)", "(1 3 2)"});
  EXPECT_EQ(given.max_degree(), 2U);
  EXPECT_EQ(given.name(), "cayley:(1 2 3);(1 3 2)");
}

TEST(CayleyGraphTest, ProductsAreReadAsOneAfterTheOther) {
  const CayleyGraph group = generated_by({"(1 2)", "(2 3)"});
  // (1 2) after (2 3): 1 -> 2, 2 -> 3, 3 -> 1.
  EXPECT_EQ(group.label(group.product(*group.find("(1 2)"), *group.find("(2 3)"))), "(1 2 3)");
  EXPECT_EQ(group.label(group.neighbor(*group.find("(1 2)"), Port{1})), "(1 2 3)");
  EXPECT_EQ(group.label(group.inverse(*group.find("(1 2 3)"))), "(1 3 2)");
}

/// The same words lead to the same permutations in the star graph, which has code of its own.
TEST(CayleyGraphTest, AgreesWithTheStarGraph) {
  const StarGraph star{5};
  const CayleyGraph group = generated_by({"(1 2)", "(1 3)", "(1 4)", "(1 5)"});
  ASSERT_EQ(group.node_count(), star.node_count());
  const auto node_in_star = [&](NodeId u) {
    std::vector<std::uint8_t> symbols(group.permutation(u).begin(), group.permutation(u).end());
    return star.node(Permutation::from_symbols(symbols));
  };
  for (std::uint64_t u = 0; u < group.node_count(); ++u)
    for (std::uint16_t p = 0; p < 4; ++p)
      EXPECT_EQ(node_in_star(group.neighbor(NodeId{u}, Port{p})),
                star.neighbor(node_in_star(NodeId{u}), Port{p}));
}

TEST(CayleyGraphTest, FindsElementsHoweverTheirCyclesAreWritten) {
  const CayleyGraph group = generated_by({"(1 2)(3 4)", "(1 2 3 4 5)"});
  EXPECT_EQ(group.find("()"), NodeId{0});
  EXPECT_EQ(group.find("(9)"), NodeId{0});
  EXPECT_EQ(group.find("(4,3)(2,1)"), group.find("(1 2)(3 4)"));
  EXPECT_EQ(group.find("(1 2)"), std::nullopt);  // odd
  EXPECT_EQ(group.find("(1 2)(6 7)"), std::nullopt);
  EXPECT_EQ(group.find("x"), std::nullopt);
}

TEST(CayleyGraphTest, PointsThatStayAreNoPartOfTheNetwork) {
  EXPECT_EQ(generated_by({"(1 2)(9)"}).name(), "cayley:(1 2)");
  EXPECT_EQ(generated_by({"(1 2)(9)"}).permutation(NodeId{1}).size(), 2U);
  EXPECT_EQ(generated_by({"(254 255)", "(1 2)"}).node_count(), 4U);
}

TEST(CayleyGraphTest, RefusesWhatGeneratesNoNetwork) {
  EXPECT_EQ(refusal({}), "cayley: 0 generators; allowed: 1..64");
  EXPECT_EQ(refusal({"()"}),
            "cayley:(): generator 1 is the identity; expected a permutation that moves a point");
  EXPECT_THAT(refusal({"(1 2)", "(3)"}), HasSubstr("generator 2 is the identity"));
  EXPECT_EQ(refusal({"(1 2)", "(2 1)"}),
            "cayley:(1 2);(1 2): generators 1 and 2 are both (1 2); write it once");
  EXPECT_THAT(refusal({"(1 2)", "(1 2)(5)"}), HasSubstr("generators 1 and 2 are both"));
  EXPECT_THAT(refusal({"(1 2)", "(1 2 3 4 5 6 7 8 9 10)"}),
              HasSubstr("the group has more than 1,048,576 elements, the allowed maximum"));
}

/// 2^16 * 16 elements are allowed: an exchange in each of sixteen pairs, and all pairs moved on.
TEST(CayleyGraphTest, TheLargestGroup) {
  const char* const moved_on =
      "(1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31)(2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32)";
  const CayleyGraph largest = generated_by({"(1 2)", moved_on});
  EXPECT_EQ(largest.node_count(), CayleyGraph::max_nodes);
  const NodeId last{CayleyGraph::max_nodes - 1};
  EXPECT_EQ(largest.product(last, largest.inverse(last)), largest.identity());
  EXPECT_EQ(largest.find(largest.label(last)), last);
  EXPECT_THAT(refusal({"(1 2)", moved_on, "(33 34)"}), HasSubstr("more than 1,048,576 elements"));
}

}  // namespace
}  // namespace lockstep
