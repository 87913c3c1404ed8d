// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(Xgft, NumbersLevelByLevelSubtreeBySubtree) {
  const Xgft tree({3, 2}, {1, 2});
  EXPECT_EQ(tree.name(), "xgft:2;3,2;1,2");
  EXPECT_EQ(tree.processor_count(), 6U);
  EXPECT_EQ(tree.node_count(), 6U + 2 + 2);
  EXPECT_EQ(tree.place(NodeId{7}), (Xgft::Place{1, 1, 0}));
  EXPECT_EQ(tree.place(NodeId{9}), (Xgft::Place{2, 0, 1}));
  EXPECT_EQ(tree.neighbor(NodeId{4}, Port{0}), NodeId{7});
  EXPECT_EQ(tree.neighbor(NodeId{7}, Port{1}), NodeId{4});
  EXPECT_EQ(tree.neighbor(NodeId{7}, Port{4}), NodeId{9});
  EXPECT_EQ(tree.neighbor(NodeId{9}, Port{1}), NodeId{7});
  EXPECT_EQ(tree.label(NodeId{9}), "(2,0,1)");
  EXPECT_EQ(tree.port_label(NodeId{7}, Port{2}), "child 2");
  EXPECT_EQ(tree.port_label(NodeId{7}, Port{4}), "parent 1");
  EXPECT_EQ(tree.find("(2,0,1)"), NodeId{9});
  for (const char* const none : {"(1,2,0)", "(1,0,1)", "(3,0,0)", "(1,1)", "1,1,0", "(,,)", "x"})
    EXPECT_FALSE(tree.find(none)) << none;
}

/// As many links above a subtree as the fat tree of capacities W_i has lanes.
TEST(Xgft, IsAFatTreeTakenApart) {
  const Xgft tree({2, 3, 2}, {2, 1, 3});
  const FatTree whole({2, 3, 2}, {.list = {2, 2, 6}});
  EXPECT_EQ(tree.link_count(), whole.link_count());
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    EXPECT_EQ(tree.capacity(i), whole.capacity(i));
    EXPECT_EQ(tree.effective_capacity(i), whole.effective_capacity(i));
    std::uint64_t links = 0;  // from below subtree 0 of level i - 1 to above
    for (std::uint64_t column = 0; column < tree.columns(i - 1); ++column)
      links += tree.degree(tree.node({i - 1, 0, column})) - (i == 1 ? 0 : tree.arity(i - 1));
    EXPECT_EQ(links, whole.capacity(i));
  }
  for (std::uint64_t a = 0; a < tree.processor_count(); ++a) {
    const std::vector<std::uint32_t> distances = distances_from(tree, NodeId{a});
    for (std::uint64_t b = 0; b < tree.processor_count(); ++b)
      EXPECT_EQ(distances[b], 2 * whole.turning_level(a, b));
  }
}

TEST(Xgft, ColumnZeroIsASpanningTree) {
  const Xgft tree({2, 3, 2}, {2, 1, 3});
  const SwitchTree spanning = tree.spanning_tree();
  EXPECT_EQ(spanning.levels(), FatTree({2, 3, 2}, {.name = "constant"}).levels());
  const auto on_it = [&](SwitchTree::Place place) { return tree.node(place); };
  for (std::uint64_t u = 0; u < spanning.node_count(); ++u)
    for (std::size_t p = 0; p < spanning.degree(NodeId{u}); ++p) {
      const NodeId v = spanning.neighbor(NodeId{u}, port(p));
      const NodeId own = on_it(spanning.place(NodeId{u}));
      EXPECT_EQ(tree.neighbor(own, port(p)), on_it(spanning.place(v)));
      EXPECT_EQ(tree.reverse_port(own, port(p)), spanning.reverse_port(NodeId{u}, port(p)));
    }
}

/// A message that turns at a switch comes down to its destination, whichever the switch.
TEST(Xgft, EveryTopSwitchReachesEveryLeafByTheSamePorts) {
  const Xgft tree({2, 3, 2}, {2, 1, 3});
  for (std::uint64_t leaf = 0; leaf < tree.processor_count(); ++leaf)
    for (std::uint64_t column = 0; column < tree.columns(3); ++column) {
      NodeId at{(leaf + 5) % tree.processor_count()};
      for (std::size_t level = 0; level < 3; ++level)
        at = tree.neighbor(at, tree.branch_port(level, tree.branch_up(column, level)));
      EXPECT_EQ(tree.place(at), (Xgft::Place{3, 0, column}));
      for (std::size_t level = 3; level > 0; --level) {
        EXPECT_TRUE(tree.is_below(leaf, tree.place(at)));
        at = tree.neighbor(at,
                           tree.branch_port(level, tree.branch_towards(leaf, 0, tree.place(at))));
      }
      EXPECT_EQ(at, NodeId{leaf});
    }
}

TEST(Xgft, KAryTreesHaveNamesOfTheirOwn) {
  EXPECT_EQ(Xgft({3, 3}, {1, 3}).name(), "kary-tree:3^2");
  EXPECT_EQ(Xgft({5}, {1}).name(), "kary-tree:5^1");
  EXPECT_EQ(Xgft({3, 3}, {3, 3}).name(), "xgft:2;3,3;3,3");
  EXPECT_EQ(Xgft({2, 2, 2}, {1, 2, 2}).levels(),
            (std::vector<Level>{{8, 0, 1, 0}, {4, 2, 2, 1}, {4, 2, 2, 1}, {4, 2, 0, 1}}));
}

/// Two leaves with one link each fill two of four links above their switch.
TEST(Xgft, LowerLevelsFillNoMoreLinksThanTheyHave) {
  const Xgft tree({2, 3}, {1, 4});
  EXPECT_EQ(tree.capacity(2), 4U);
  EXPECT_EQ(tree.effective_capacity(1), 1U);
  EXPECT_EQ(tree.effective_capacity(2), 2U);
  EXPECT_EQ(Xgft({2, 3, 2}, {1, 4, 1}).effective_capacity(3), 4U);
}

TEST(Xgft, WhatCannotBeBuiltIsRefused) {
  const auto refusal = [](const Numbers& children, const Numbers& parents) {
    try {
      const Xgft tree(children, parents);
    } catch (const InvalidParameter& refused) {
      return std::string(refused.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({}, {}), "xgft:0;;: height 0; allowed: 1 or more");
  EXPECT_EQ(refusal({2, 2}, {1}),
            "xgft:2;2,2;1: numbers of parents: 1 given; expected 2, one per level");
  EXPECT_EQ(refusal({2, 1}, {1, 1}), "xgft:2;2,1;1,1: 1 children; allowed: 2..131,071");
  EXPECT_EQ(refusal({2, 2}, {1, 0}), "xgft:2;2,2;1,0: 0 parents; allowed: 1..131,071");
  EXPECT_EQ(refusal({2, 2}, {1, 131070}),
            "xgft:2;2,2;1,131070: a switch of level 1 has 131072 ports; allowed: up to 131071");
  EXPECT_EQ(refusal(Numbers(63, 2), Numbers(63, 1)).substr(0, 7), "xgft:63");
  Numbers parents(62, 2);
  parents.front() = 1;
  EXPECT_EQ(refusal(Numbers(62, 2), parents),
            "kary-tree:2^62: more than 2^62 links, the allowed maximum");
  EXPECT_EQ(refusal(Numbers(62, 2), Numbers(62, 1)).find("links") != std::string::npos, true);
  EXPECT_EQ(refusal(Numbers(60, 2), Numbers(60, 1)), "accepted");
}

}  // namespace
}  // namespace lockstep
