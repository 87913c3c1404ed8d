// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {
namespace {

using LevelNumbers = std::vector<std::uint64_t>;

/// Levels from the bottom up; processors first.
TEST(FatTree, NumbersLevelByLevelLeftToRight) {
  const FatTree tree({3, 2}, {.name = "constant"});
  EXPECT_EQ(tree.node_count(), 9U);
  EXPECT_EQ(tree.processor_count(), 6U);
  EXPECT_EQ(tree.place(NodeId{5}), (FatTree::Place{0, 5}));
  EXPECT_EQ(tree.place(NodeId{7}), (FatTree::Place{1, 1}));
  EXPECT_EQ(tree.place(NodeId{8}), (FatTree::Place{2, 0}));
  EXPECT_EQ(tree.neighbor(NodeId{4}, Port{0}), NodeId{7});
  EXPECT_EQ(tree.neighbor(NodeId{7}, Port{1}), NodeId{4});
  EXPECT_EQ(tree.neighbor(NodeId{7}, Port{3}), NodeId{8});
  EXPECT_EQ(tree.label(NodeId{7}), "(1,1)");
  EXPECT_EQ(tree.find("(1,1)"), NodeId{7});
  for (const char* const none : {"(1,2)", "(3,0)", "(1,1", "1,1)", "(,)", "x"})
    EXPECT_FALSE(tree.find(none)) << none;
}

TEST(FatTree, CapacitiesByNameAreThoseOfTheSpecification) {
  const auto capacities = [](const LevelNumbers& arities, const std::string& name) {
    const FatTree tree(arities, {.name = name});
    LevelNumbers all;
    for (std::size_t i = 1; i <= tree.height(); ++i) all.push_back(tree.capacity(i));
    return all;
  };
  EXPECT_EQ(capacities({2, 2, 2, 2, 2}, "constant"), (LevelNumbers{1, 1, 1, 1, 1}));
  EXPECT_EQ(capacities({2, 2, 2, 2, 2}, "exponential"), (LevelNumbers{1, 2, 4, 8, 16}));
  EXPECT_EQ(capacities({2, 2, 2, 2, 2}, "half"), (LevelNumbers{1, 1, 2, 2, 4}));
  EXPECT_EQ(capacities({2, 2, 2, 2, 2}, "linear"), (LevelNumbers{1, 2, 3, 4, 5}));
  EXPECT_EQ(capacities({3, 4, 2}, "half"), (LevelNumbers{1, 1, 4}));
  EXPECT_EQ(capacities({3, 2, 3, 2}, "steep"), (LevelNumbers{1, 6, 18, 36}));
}

TEST(FatTree, WhatLowerLevelsCanFill) {
  const FatTree tree({2, 2, 2}, {.list = {1, 1, 4}});
  EXPECT_EQ(tree.effective_capacity(2), 1U);
  EXPECT_EQ(tree.effective_capacity(3), 2U);
}

TEST(FatTree, LanesArePortsNextToEachOther) {
  const FatTree tree({2, 3}, {.list = {2, 3}});
  const NodeId left{6};
  const NodeId root{9};
  EXPECT_EQ(tree.degree(NodeId{0}), 2U);
  EXPECT_EQ(tree.degree(left), 2U * 2 + 3);
  EXPECT_EQ(tree.degree(root), 9U);
  EXPECT_EQ(tree.link_count(), 6U * 2 + 3 * 3);
  EXPECT_EQ(tree.neighbor(left, Port{6}), root);
  EXPECT_EQ(tree.reverse_port(left, Port{6}), Port{2});
  EXPECT_EQ(tree.reverse_port(root, Port{8}), Port{6});
  EXPECT_EQ(tree.port_label(left, Port{3}), "child 1, lane 1");
  EXPECT_EQ(tree.port_label(left, Port{6}), "parent, lane 2");
  EXPECT_EQ(FatTree({2, 3}, {.name = "constant"}).port_label(left, Port{2}), "parent");
}

TEST(FatTree, TurningLevelsAreHalfTheDistances) {
  const FatTree tree({2, 3, 2}, {.name = "constant"});
  for (std::uint64_t a = 0; a < tree.processor_count(); ++a) {
    const std::vector<std::uint32_t> distances = distances_from(tree, NodeId{a});
    for (std::uint64_t b = 0; b < tree.processor_count(); ++b)
      EXPECT_EQ(2 * tree.turning_level(a, b), distances[b]);
  }
}

TEST(FatTree, LevelsTellNodesChildrenAndLanes) {
  const FatTree tree({4, 2}, {.list = {1, 3}});
  EXPECT_EQ(tree.levels(), (std::vector<Level>{{8, 0, 1, 0}, {2, 4, 1, 1}, {1, 2, 0, 3}}));
}

TEST(FatTree, WhatCannotBeBuiltIsRefused) {
  const auto refusal = [](const LevelNumbers& arities, const FatTreeCapacities& capacities) {
    try {
      const FatTree tree(arities, capacities);
    } catch (const InvalidParameter& refused) {
      return std::string(refused.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({}, {.name = "constant"}), "fat-tree:: height 0; allowed: 1 or more");
  EXPECT_EQ(refusal({2, 1}, {.name = "constant"}), "fat-tree:2x1: arity 1; allowed: 2 or more");
  EXPECT_EQ(refusal({2, 2}, {.list = {1}}),
            "fat-tree:2^2,1: expected 2 capacities, one per level; given: 1");
  EXPECT_EQ(refusal({2, 2}, {.list = {2, 1}}),
            "fat-tree:2^2,2.1: capacity 1 above a level of capacity 2; expected at least the "
            "capacity below");
  EXPECT_EQ(refusal({2, 2}, {.list = {0, 1}}), "fat-tree:2^2,0.1: capacity 0; allowed: 1 or more");
  EXPECT_EQ(refusal({2}, {.name = "cubic"}),
            "fat-tree:2^1,cubic: capacities 'cubic'; allowed: constant, exponential, half, linear, "
            "steep, or a list such as 1.2.4");
  EXPECT_EQ(refusal(LevelNumbers(63, 2), {.name = "constant"}),
            "fat-tree:2^63: more than 2^62 processors, the allowed maximum");
  EXPECT_EQ(refusal(LevelNumbers(20, 2), {.name = "exponential"}),
            "fat-tree:2^20,exponential: a switch of level 16 has more than 131,071 ports, the "
            "allowed maximum");
  EXPECT_EQ(refusal(LevelNumbers(62, 2), {.name = "linear"}),
            "fat-tree:2^62,linear: more than 2^63 links, the allowed maximum");
  EXPECT_EQ(refusal(LevelNumbers(62, 2), {.name = "constant"}), "accepted");
}

}  // namespace
}  // namespace lockstep
