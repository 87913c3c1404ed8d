// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "support/broadcast_class.hpp"
#include "support/fewest_single_port_steps.hpp"

namespace lockstep {
namespace {

/// Children by node, lowest port first.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> children_of(const SpanningTree& tree) {
  std::vector<std::vector<std::uint64_t>> children(tree.node_count());
  for (std::uint64_t u = 0; u < tree.node_count(); ++u)
    for (const SpanningTree::Child& child : tree.children(NodeId{u}))
      children[u].push_back(child.node);
  return children;
}

TEST(SinglePortTree, NoOrderOfTheChildrenIsFasterOnThisTree) {
  for (const AnyTopology network :
       {"linear:1", "linear:8", "mesh:4x5", "mesh:3x3x3", "torus:4x5", "hypercube:6", "star:5",
        "ccc:4", "ej:2+3", "product(ring:5,linear:4)"})
    for (const std::uint64_t root : {std::uint64_t{0}, network.node_count() / 2}) {
      const SpanningTree tree = SpanningTree::breadth_first(network, NodeId{root});
      EXPECT_EQ(single_port_plan_of(tree).steps(),
                test::fewest_single_port_steps(children_of(tree), root))
          << network.name() << " from " << root;
    }
}

/// Every node's parent drawn among its neighbours closer to the root: trees of other shapes.
TEST(SinglePortTree, NoOrderIsFasterOnRandomTrees) {
  std::mt19937_64 random(3);
  const AnyTopology network("mesh:5x6");
  for (int round = 0; round < 50; ++round) {
    const NodeId root{random() % network.node_count()};
    const std::vector<std::uint32_t> distances = distances_from(network, root);
    std::vector<Port> parents(network.node_count());
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      std::vector<Port> closer;
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        if (distances[index(network.neighbor(NodeId{u}, port(p)))] < distances[u])
          closer.push_back(port(p));
      if (!closer.empty()) parents[u] = closer[random() % closer.size()];
    }
    const SpanningTree tree(network, root, parents);
    EXPECT_EQ(single_port_plan_of(tree).steps(),
              test::fewest_single_port_steps(children_of(tree), index(root)));
  }
}

/// Through one port the binomial tree of a cube takes no longer than through all.
TEST(SinglePortTree, IsOptimalInHypercubes) {
  for (std::uint64_t d = 0; d <= 10; ++d) {
    const AnyTopology cube("hypercube:" + std::to_string(d));
    EXPECT_EQ(test::SinglePortTree(cube, {}).promise()->startups, d);
    EXPECT_EQ(test::Matching(cube, {}).promise()->startups, d);
    EXPECT_EQ(test::TreeBroadcast(cube, {}).promise()->startups, d);
  }
}

TEST(SinglePortTree, RefusesRootsAndSizesWithoutAPlan) {
  EXPECT_THROW(test::SinglePortTree(AnyTopology("mesh:3x4"), {{"root", std::uint64_t{12}}}),
               InvalidParameter);
  EXPECT_THROW(test::SinglePortTree(AnyTopology("hypercube:30"), {}), ResourceExhausted);
  EXPECT_THROW(test::TreeBroadcast(AnyTopology("linear:100000000"), {}), ResourceExhausted);
}

/// A step has 32 bits, not 16.
TEST(SinglePortTree, LongArraysTakeMoreThan65536Steps) {
  const AnyTopology array("linear:100000");
  const BroadcastPlan plan = single_port_plan(array, NodeId{0});
  EXPECT_EQ(plan.steps(), 99'999U);
  EXPECT_EQ(plan.sends_of(NodeId{99'998}).front().step, 99'998U);
  EXPECT_EQ(tree_plan(array, NodeId{0}).steps(), 99'999U);
}

}  // namespace
}  // namespace lockstep
