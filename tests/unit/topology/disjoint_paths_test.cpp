// SPDX-License-Identifier: Apache-2.0

/// Node-disjoint paths: theorem 2.1 of the thesis of Dimakopoulos, corrected, beside a maximum flow
/// by Boost.Graph; closed walks and trees by rule.

#include "topology/disjoint_paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"
#include "topology/closed_walk.hpp"
#include "topology/product_factors.hpp"
#include "topology/rule_trees.hpp"

namespace lockstep {
namespace {

[[nodiscard]] bool are_linked(const AnyTopology& network, NodeId u, NodeId v) {
  for (std::size_t p = 0; p < network.degree(u); ++p)
    if (network.neighbor(u, port(p)) == v) return true;
  return false;
}

void expect_disjoint(const AnyTopology& network, NodeId from, NodeId to,
                     const std::vector<Path>& paths) {
  std::set<NodeId> inner;
  for (const Path& path : paths) {
    ASSERT_GE(path.size(), 2U);
    EXPECT_EQ(path.front(), from);
    EXPECT_EQ(path.back(), to);
    for (std::size_t i = 1; i < path.size(); ++i) {
      EXPECT_TRUE(are_linked(network, path[i - 1], path[i]));
      if (i + 1 == path.size()) continue;
      EXPECT_TRUE(path[i] != from && path[i] != to);
      EXPECT_TRUE(inner.insert(path[i]).second) << "node " << index(path[i]) << " twice";
    }
  }
}

/// The number of theorem 2.1.
[[nodiscard]] std::size_t promised(const AnyTopology& network, NodeId from, NodeId to) {
  std::size_t sum = 0;
  for (const ProductFactor& factor : product_factors(network)) {
    const NodeId a = factor.coordinate(from);
    const NodeId b = factor.coordinate(to);
    sum += a == b ? factor.topology.degree(a) : most_disjoint_paths(factor.topology, a, b).size();
  }
  return sum;
}

TEST(DisjointPaths, ProductsHaveAsManyAsTheTheoremSaysAndAFlowNeverFewer) {
  for (const std::string name : {"mesh:2x3", "mesh:3x4", "mesh:2x3x2", "torus:3x4", "hypercube:4",
                                 "generalized-hypercube:3x3", "product(star:3,linear:3)",
                                 "product(ring:5,linear:3)", "ej:1+2^2"}) {
    const AnyTopology network(name);
    for (std::uint64_t u = 0; u < network.node_count(); u += name == "ej:1+2^2" ? 11U : 1U)
      for (std::uint64_t v = 0; v < network.node_count(); ++v) {
        if (u == v) continue;
        SCOPED_TRACE(name + " from " + std::to_string(u) + " to " + std::to_string(v));
        const std::vector<Path> paths = disjoint_paths(network, NodeId{u}, NodeId{v});
        const std::vector<Path> most = most_disjoint_paths(network, NodeId{u}, NodeId{v});
        expect_disjoint(network, NodeId{u}, NodeId{v}, paths);
        expect_disjoint(network, NodeId{u}, NodeId{v}, most);
        EXPECT_EQ(paths.size(), promised(network, NodeId{u}, NodeId{v}));
        EXPECT_GE(most.size(), paths.size());
      }
  }
}

TEST(DisjointPaths, OtherNetworksByFlow) {
  for (const char* const name : {"star:4", "ccc:3", "extended-ring:14,2", "fat-tree:2^3"}) {
    const AnyTopology network(name);
    const auto paths = disjoint_paths(network, NodeId{0}, NodeId{5});
    expect_disjoint(network, NodeId{0}, NodeId{5}, paths);
    EXPECT_EQ(paths.size(), network.degree(NodeId{0})) << name;
  }
  EXPECT_THROW((void)disjoint_paths(AnyTopology("star:4"), NodeId{3}, NodeId{3}), InvalidParameter);
  EXPECT_THROW((void)disjoint_paths(AnyTopology("star:4"), NodeId{3}, NodeId{24}),
               InvalidParameter);
}

void expect_walk(const AnyTopology& network, const ClosedWalk& walk) {
  std::set<NodeId> seen;
  for (std::size_t i = 0; i < walk.size(); ++i) {
    seen.insert(walk[i]);
    if (walk.size() > 1) {
      EXPECT_TRUE(are_linked(network, walk[i], walk[(i + 1) % walk.size()]));
    }
  }
  for (std::uint64_t u = 0; u < network.processor_count(); ++u)
    EXPECT_TRUE(seen.contains(NodeId{u})) << u;
}

TEST(ClosedWalk, HamiltonianCycles) {
  for (const char* const name :
       {"ring:3", "mesh:3x4", "mesh:2x2", "mesh:3x3x2", "torus:3x3", "torus:5x7", "torus:32x32",
        "hypercube:2", "hypercube:10", "generalized-hypercube:3x5", "product(ring:5,linear:3)",
        "ccc:3", "butterfly:3", "star:4", "star:5", "pancake:4", "complete:7", "extended-ring:14,2",
        "ej:1+2^2"}) {
    SCOPED_TRACE(name);
    const AnyTopology network(name);
    const auto cycle = hamiltonian_cycle(network);
    ASSERT_TRUE(cycle.has_value());
    EXPECT_EQ(cycle->size(), network.node_count());
    expect_walk(network, *cycle);
  }
  for (const char* const name : {"linear:1", "linear:2", "linear:5", "mesh:3x3", "fat-tree:2^2"})
    EXPECT_FALSE(hamiltonian_cycle(AnyTopology(name)).has_value()) << name;
}

TEST(ClosedWalk, TreeWalks) {
  for (const char* const name : {"linear:1", "linear:2", "linear:5", "mesh:3x3", "fat-tree:2^3"}) {
    SCOPED_TRACE(name);
    const AnyTopology network(name);
    const ClosedWalk walk = tree_walk(network);
    expect_walk(network, walk);
    EXPECT_EQ(walk.size(), std::max<std::uint64_t>(1, 2 * (network.node_count() - 1)));
  }
}

/// The rule of section 3.1 for every extended ring of 3 to 60 nodes: D steps, and as many nodes in
/// the subtrees as it says.
TEST(RuleTrees, ExtendedRings) {
  for (std::uint64_t n = 3; n <= 60; ++n)
    for (std::uint64_t rho = 1; rho <= n / 2; ++rho) {
      SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(rho));
      const AnyTopology ring("extended-ring:" + std::to_string(n) + "," + std::to_string(rho));
      const SpanningTree tree = rule_tree(ring, NodeId{n / 3});
      const std::uint64_t d = (n / 2 + rho - 1) / rho;
      const std::uint64_t w = (n - 1) / rho - d;
      const std::uint64_t k = n - (w + d) * rho - 1;
      EXPECT_EQ(tree.height(), d);
      EXPECT_EQ(tree.children(tree.root()).size(), w == 0 ? rho + k : 2 * rho);
      std::vector<std::uint64_t> sizes;
      for (const SpanningTree::Child& child : tree.children(tree.root()))
        sizes.push_back(tree.subtree_size(NodeId{child.node}));
      EXPECT_EQ(std::ranges::count(sizes, d),
                static_cast<std::ptrdiff_t>(rho + (w + 1 == d ? k : 0) + (w == d ? rho - k : 0)));
      EXPECT_EQ(*std::ranges::max_element(sizes), (n - 2 + ring.max_degree()) / ring.max_degree());
    }
}

TEST(RuleTrees, ProductsAreAsHighAsTheirEccentricity) {
  for (const char* const name : {"mesh:3x4x2", "torus:4x5", "hypercube:5", "ej:1+2^2",
                                 "generalized-hypercube:3x4", "product(star:4,ring:5)"}) {
    const AnyTopology network(name);
    for (const std::uint64_t root : {std::uint64_t{0}, network.node_count() / 2})
      EXPECT_EQ(rule_tree(network, NodeId{root}).height(), eccentricity(network, NodeId{root}))
          << name;
  }
  const SpanningTree binomial = rule_tree(AnyTopology("hypercube:4"), NodeId{5});
  std::vector<std::uint64_t> sizes;
  for (const SpanningTree::Child& child : binomial.children(NodeId{5}))
    sizes.push_back(binomial.subtree_size(NodeId{child.node}));
  std::ranges::sort(sizes);
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{1, 2, 4, 8}));
}

}  // namespace
}  // namespace lockstep
