// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/spanning_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/topology_cases.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

/// Every topology of the catalogue, and products of unlike ones.
[[nodiscard]] std::vector<AnyTopology> networks() {
  std::vector<AnyTopology> all{"linear:1", "product(star:3,linear:4)", "mesh:2x3x4"};
  for (const TopologyInfo& info : topology_catalog())
    if (!info.example.empty()) all.push_back(AnyTopology(std::string(info.example)));
  return all;
}

/// The properties that make it a tree.
void expect_tree(const AnyTopology& network, NodeId root, const SpanningTree& tree) {
  ASSERT_EQ(tree.node_count(), network.node_count());
  EXPECT_EQ(tree.root(), root);
  EXPECT_EQ(tree.depth(root), 0U);
  EXPECT_EQ(tree.subtree_size(root), network.node_count());
  std::vector<std::uint64_t> times_a_child(network.node_count());
  std::uint64_t height = 0;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    std::uint64_t below = 1;
    int last_port = -1;
    for (const auto& [child, through] : tree.children(NodeId{u})) {
      EXPECT_GT(static_cast<int>(index(through)), last_port);
      last_port = static_cast<int>(index(through));
      ASSERT_LT(index(through), network.degree(NodeId{u}));
      EXPECT_EQ(network.neighbor(NodeId{u}, through), NodeId{child});
      EXPECT_EQ(tree.parent_port(NodeId{child}), network.reverse_port(NodeId{u}, through));
      EXPECT_EQ(tree.depth(NodeId{child}), tree.depth(NodeId{u}) + 1);
      below += tree.subtree_size(NodeId{child});
      ++times_a_child[child];
    }
    EXPECT_EQ(tree.subtree_size(NodeId{u}), below);
    height = std::max(height, tree.depth(NodeId{u}));
  }
  EXPECT_EQ(tree.height(), height);
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    EXPECT_EQ(times_a_child[u], NodeId{u} == root ? 0U : 1U);
}

TEST(SpanningTree, BreadthFirstTreesFollowTheCanonicalRule) {
  for (const AnyTopology& network : networks())
    for (std::uint64_t root = 0; root < network.node_count(); ++root) {
      SCOPED_TRACE(network.name() + " from " + std::to_string(root));
      const SpanningTree tree = SpanningTree::breadth_first(network, NodeId{root});
      expect_tree(network, NodeId{root}, tree);
      const std::vector<std::uint32_t> distances = distances_from(network, NodeId{root});
      for (std::uint64_t u = 0; u < network.node_count(); ++u) {
        EXPECT_EQ(tree.depth(NodeId{u}), distances[u]);
        if (u == root) continue;
        for (std::size_t p = 0; p <= index(tree.parent_port(NodeId{u})); ++p)
          EXPECT_EQ(distances[index(network.neighbor(NodeId{u}, port(p)))] < distances[u],
                    port(p) == tree.parent_port(NodeId{u}));
      }
      if (HasFailure()) return;
    }
}

TEST(SpanningTree, ListsItsNodesLevelByLevelWithTheirPorts) {
  for (const AnyTopology& network : networks()) {
    SCOPED_TRACE(network.name());
    const NodeId root{network.node_count() / 3};
    const SpanningTree tree = SpanningTree::breadth_first(network, root);
    std::vector<std::uint32_t> expected{static_cast<std::uint32_t>(index(root))};
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (const SpanningTree::Child& child : tree.children(NodeId{expected[i]}))
        expected.push_back(child.node);
    ASSERT_EQ(tree.by_level().size(), network.node_count());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(tree.by_level()[i].node, expected[i]);
      if (i == 0) continue;
      const NodeId parent =
          network.neighbor(NodeId{expected[i]}, tree.parent_port(NodeId{expected[i]}));
      EXPECT_EQ(network.neighbor(parent, tree.by_level()[i].port), NodeId{expected[i]});
    }
  }
}

TEST(SpanningTree, TheTreeOfACubeIsBinomial) {
  const SpanningTree tree = SpanningTree::breadth_first(Hypercube{3}, NodeId{0});
  EXPECT_EQ(tree.parent_port(NodeId{6}), Port{1});
  std::vector<std::uint64_t> sizes;
  for (const SpanningTree::Child& child : tree.children(NodeId{0}))
    sizes.push_back(tree.subtree_size(NodeId{child.node}));
  EXPECT_THAT(sizes, testing::ElementsAre(1, 2, 4));
}

/// Only what processors need, which are all that is counted.
TEST(SpanningTree, OfProcessorsLeavesOutSwitchesThatLeadToNone) {
  for (const AnyTopology& network : networks())
    for (std::uint64_t root = 0; root < network.processor_count(); root += 3) {
      SCOPED_TRACE(network.name() + " from " + std::to_string(root));
      const SpanningTree whole = SpanningTree::breadth_first(network, NodeId{root});
      const SpanningTree tree = SpanningTree::of_processors(network, NodeId{root});
      EXPECT_EQ(tree.root(), NodeId{root});
      EXPECT_EQ(tree.subtree_size(NodeId{root}), network.processor_count());
      std::set<std::uint64_t> needed;  // on the way from a processor
      for (std::uint64_t u = 0; u < network.processor_count(); ++u)
        for (NodeId v{u}; needed.insert(index(v)).second && index(v) != root;)
          v = network.neighbor(v, whole.parent_port(v));
      std::set<std::uint64_t> kept;
      for (const SpanningTree::Child& one : tree.by_level()) {
        const NodeId u{one.node};
        kept.insert(one.node);
        std::uint64_t below = one.node < network.processor_count() ? 1 : 0;
        for (const SpanningTree::Child& child : tree.children(u))
          below += tree.subtree_size(NodeId{child.node});
        EXPECT_EQ(tree.subtree_size(u), below);
        EXPECT_EQ(tree.depth(u), whole.depth(u));
        EXPECT_EQ(tree.parent_port(u), whole.parent_port(u));
      }
      EXPECT_EQ(kept, needed);
      for (std::uint64_t u = 0; u < network.node_count(); ++u)
        EXPECT_EQ(tree.subtree_size(NodeId{u}) == 0, kept.count(u) == 0);
      if (HasFailure()) return;
    }
}

/// Not of least depth: once around a ring.
TEST(SpanningTree, TakesAnyParentsThatMakeATree) {
  const std::vector<Port> back(9, Port{1});
  const SpanningTree tree(Ring{9}, NodeId{4}, back);
  expect_tree("ring:9", NodeId{4}, tree);
  EXPECT_EQ(tree.height(), 8U);
}

[[nodiscard]] std::string refusal(const AnyTopology& network, std::uint64_t root,
                                  const std::vector<Port>& parents) {
  try {
    const SpanningTree tree(network, NodeId{root}, parents);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "none";
}

/// More children than 16 bits count.
TEST(SpanningTree, OfAHubHasAllItsLeaves) {
  constexpr std::uint64_t leaves = 100'000;
  std::vector<Link> links;
  for (std::uint64_t leaf = 1; leaf <= leaves; ++leaf) links.push_back({NodeId{0}, NodeId{leaf}});
  const Network network = build_network("hub", leaves + 1, links);
  const SpanningTree tree = SpanningTree::breadth_first(network, NodeId{0});
  EXPECT_EQ(tree.children(NodeId{0}).size(), leaves);
  EXPECT_EQ(tree.subtree_size(NodeId{0}), leaves + 1);
}

TEST(SpanningTree, RefusesWhatIsNoTree) {
  const Port up{1};
  const Port down{0};
  EXPECT_EQ(refusal("ring:4", 0, {up, down, down, down}), "none");
  EXPECT_EQ(refusal("linear:4", 0, {down, down, down, down}), "none");
  // 2 and 3 point at each other.
  EXPECT_EQ(refusal("linear:4", 0, {down, down, up, down}),
            "spanning tree of linear:4: node 2 has no path to root 0; expected a path over the "
            "given parents");
  // All around: the root's is of no meaning, any other node's is not.
  EXPECT_EQ(refusal("ring:4", 2, {up, up, up, up}), "none");
  EXPECT_EQ(refusal("linear:4", 0, {down, down, down, up}),
            "spanning tree of linear:4: parent port 1 given for node 3; allowed: below 1");
  EXPECT_EQ(refusal("linear:4", 4, {down, down, down, down}),
            "spanning tree of linear:4: root 4 is not valid; expected 0..3");
  EXPECT_EQ(refusal("linear:4", 0, {down, down, down}),
            "spanning tree of linear:4: 3 parent ports given; expected 4");
  EXPECT_THAT(refusal("hypercube:40", 0, {}), HasSubstr("hypercube:40"));
  EXPECT_THROW((void)SpanningTree::breadth_first(LinearArray{3}, NodeId{3}), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
