// SPDX-License-Identifier: Apache-2.0
// The laws of the broadcast tree on every network with 0 <= a <= b <= 25, judged from its parent
// ports alone by walking the network; and the tables of an independent program.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/metrics.hpp"
#include "support/ej_golden.hpp"
#include "support/golden.hpp"

namespace lockstep {
namespace {

using test::golden;
using test::GoldenRow;

/// check(network, tree) for all 0 <= a <= b <= 25 with at least seven nodes.
template <class Check>
void for_every_network(Check check) {
  for (std::uint64_t b = 1; b <= 25; ++b)
    for (std::uint64_t a = 0; a <= b; ++a) {
      if (a * a + a * b + b * b < EisensteinJacobi::min_nodes) continue;
      const EisensteinJacobi network(a, b);
      SCOPED_TRACE(network.name());
      check(network, EisensteinJacobiTree(network));
      if (testing::Test::HasFailure()) return;
    }
}

[[nodiscard]] NodeId parent_of(const EisensteinJacobi& network, const EisensteinJacobiTree& tree,
                               NodeId u) {
  const Port hop = tree.parent_port(u);
  return network.neighbor(u, network.reverse_port(u, hop));
}

/// The ports of the path from node 0 to u, first hop first; cut off where it is too long.
[[nodiscard]] std::vector<std::size_t> path_to(const EisensteinJacobi& network,
                                               const EisensteinJacobiTree& tree, NodeId u) {
  std::vector<std::size_t> ports;
  for (; index(u) != 0 && ports.size() <= network.diameter(); u = parent_of(network, tree, u))
    ports.push_back(index(tree.parent_port(u)));
  std::reverse(ports.begin(), ports.end());
  return ports;
}

TEST(EisensteinJacobiTree, ReachesEveryNodeAtItsDistance) {
  for_every_network([](const EisensteinJacobi& network, const EisensteinJacobiTree& tree) {
    const std::vector<std::uint32_t> distances = distances_from(network, NodeId{0});
    EXPECT_EQ(tree.node_count(), network.node_count());
    EXPECT_EQ(tree.depth(), network.diameter());
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      EXPECT_EQ(tree.weight(NodeId{u}), distances[u]) << u;
      EXPECT_EQ(path_to(network, tree, NodeId{u}).size(), distances[u]) << u;
    }
  });
}

TEST(EisensteinJacobiTree, GoesAlongTheMajorThenTheMinorDirectionOfOneSector) {
  for_every_network([](const EisensteinJacobi& network, const EisensteinJacobiTree& tree) {
    EXPECT_EQ(tree.sector(NodeId{0}), 0);
    for (std::uint64_t u = 1; u < network.node_count(); ++u) {
      const auto sector = static_cast<std::size_t>(tree.sector(NodeId{u}));
      ASSERT_TRUE(1 <= sector && sector <= 6) << u;
      const std::vector<std::size_t> path = path_to(network, tree, NodeId{u});
      const auto turn = std::find(path.begin(), path.end(), sector - 1);
      EXPECT_EQ(std::count(path.begin(), turn, sector % 6), turn - path.begin()) << u;
      EXPECT_EQ(std::count(turn, path.end(), sector - 1), path.end() - turn) << u;
      EXPECT_NE(turn, path.begin()) << u << ": an axis belongs to the sector it is the major of";
      const NodeId parent = parent_of(network, tree, NodeId{u});
      EXPECT_TRUE(index(parent) == 0 || tree.sector(parent) == tree.sector(NodeId{u})) << u;
    }
  });
}

TEST(EisensteinJacobiTree, HasSixChildrenAtTheRootAndAtMostTwoElsewhere) {
  for_every_network([](const EisensteinJacobi& network, const EisensteinJacobiTree& tree) {
    std::vector<std::uint8_t> masks(tree.node_count());
    for (std::uint64_t u = 1; u < network.node_count(); ++u)
      masks[index(parent_of(network, tree, NodeId{u}))] |=
          static_cast<std::uint8_t>(1U << index(tree.parent_port(NodeId{u})));
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      EXPECT_EQ(tree.child_mask(NodeId{u}), masks[u]) << u;
      const int children = std::popcount(masks[u]);
      EXPECT_TRUE(u == 0 ? children == 6 : children <= 2) << u << ": " << children;
    }
  });
}

/// The nodes without children by their distance from node 0, and those in the sectors 1..6.
struct Counts {
  explicit Counts(const EisensteinJacobiTree& tree) : leaves(tree.depth() + 1), sectors(6) {
    for (std::uint64_t u = 0; u < tree.node_count(); ++u) {
      if (tree.is_leaf(NodeId{u})) ++leaves[tree.weight(NodeId{u})];
      if (u != 0) ++sectors[static_cast<std::size_t>(tree.sector(NodeId{u}) - 1)];
    }
  }
  std::vector<std::uint64_t> leaves;
  std::vector<std::uint64_t> sectors;
};

TEST(EisensteinJacobiTree, InThePapersCaseHasLeavesOnlyAtTheRim) {
  for_every_network([](const EisensteinJacobi& network, const EisensteinJacobiTree& tree) {
    const std::vector<std::uint64_t> leaves = Counts(tree).leaves;
    if (network.b() != network.a() + 1) return;
    EXPECT_EQ(leaves.back(), 6 * tree.depth());
    EXPECT_EQ(std::accumulate(leaves.begin(), leaves.end(), 0ULL), leaves.back());
  });
}

TEST(EisensteinJacobiTree, IsTheTreeOfTheReferenceTables) {
  for (const GoldenRow& row : golden("ej/trees.csv")) {
    const EisensteinJacobi network(row.number("a"), row.number("b"));
    SCOPED_TRACE(network.name());
    const EisensteinJacobiTree tree(network);
    std::vector<std::uint64_t> weights;
    std::vector<std::uint64_t> parent_ports;
    std::vector<std::uint64_t> child_masks;
    for (std::uint64_t u = 0; u < tree.node_count(); ++u) {
      weights.push_back(tree.weight(NodeId{u}));
      child_masks.push_back(tree.child_mask(NodeId{u}));
      if (u != 0) parent_ports.push_back(index(tree.parent_port(NodeId{u})));
    }
    EXPECT_EQ(weights, row.numbers("weights"));
    EXPECT_EQ(parent_ports, row.numbers("parent_ports"));
    EXPECT_EQ(child_masks, row.numbers("child_masks"));
  }
}

TEST(EisensteinJacobiTree, HasTheReferenceCountsAndChecksums) {
  for (const GoldenRow& row : golden("ej/topology.csv")) {
    const EisensteinJacobi network(row.number("a"), row.number("b"));
    SCOPED_TRACE(network.name());
    const EisensteinJacobiTree tree(network);
    const auto [leaves, sectors] = Counts(tree);
    std::uint64_t weights = 0;
    std::uint64_t parent_ports = 0;  // node 0 counts as port -1
    for (std::uint64_t u = 0; u < tree.node_count(); ++u) {
      weights += (u + 1) * tree.weight(NodeId{u});
      if (u != 0) parent_ports += (u + 1) * (index(tree.parent_port(NodeId{u})) + 1U);
    }
    EXPECT_EQ(leaves, row.numbers("leaves_per_weight"));
    EXPECT_EQ(sectors, row.numbers("sector_sizes"));
    EXPECT_EQ(tree.node_count() - std::accumulate(leaves.begin(), leaves.end(), 0ULL),
              row.number("non_leaf_nodes"));
    EXPECT_EQ(weights, row.number("weights_checksum"));
    EXPECT_EQ(parent_ports, row.number("parent_ports_checksum"));
  }
}

TEST(EisensteinJacobiTree, RefusesNetworksTooLargeForTables) {
  EXPECT_THROW(EisensteinJacobiTree(EisensteinJacobi(20'000, 20'001)), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
