// SPDX-License-Identifier: Apache-2.0

/// The laws of topology.hpp, over every topology at awkward sizes, formula and table alike. Written
/// without the checks that a Network makes for itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"
#include "support/topology_cases.hpp"

namespace lockstep {
namespace {

using test::cases;
using test::for_every_arc;
using test::for_every_node;

template <class T>
class TopologyLaws : public testing::Test {};

using Topologies =
    testing::Types<StarGraph, Ring, LinearArray, Hypercube, CompleteGraph, Circulant, ExtendedRing,
                   Torus, Mesh, FatTree, Xgft, GeneralizedHypercube, Hypercycle,
                   CubeConnectedCycles, WrappedButterfly, PancakeGraph, BubbleSortGraph,
                   CayleyGraph, EisensteinJacobi, EisensteinJacobiNetwork, test::GroupProduct,
                   test::PlainProduct, Network, AnyTopology>;
TYPED_TEST_SUITE(TopologyLaws, Topologies);

TYPED_TEST(TopologyLaws, NameNodesAndDegreeAreTheFormulas) {
  for (const auto& expected : cases<TypeParam>()) {
    const TypeParam& topology = expected.topology;
    EXPECT_EQ(topology.name(), expected.name);
    EXPECT_EQ(topology.node_count(), expected.node_count) << expected.name;
    std::size_t largest = 0;
    for_every_node(topology, [&](NodeId u) { largest = std::max(largest, topology.degree(u)); });
    EXPECT_EQ(topology.max_degree(), largest) << expected.name;
  }
}

TYPED_TEST(TopologyLaws, PortsLeadToOtherNodesAndBack) {
  for (const auto& expected : cases<TypeParam>()) {
    const TypeParam& topology = expected.topology;
    for_every_arc(topology, [&](NodeId u, Port p) {
      const NodeId v = topology.neighbor(u, p);
      const Port back = topology.reverse_port(u, p);
      ASSERT_LT(index(v), topology.node_count()) << expected.name;
      EXPECT_NE(v, u) << expected.name;
      ASSERT_LT(index(back), topology.degree(v)) << expected.name;
      EXPECT_EQ(topology.neighbor(v, back), u) << expected.name;
      EXPECT_EQ(topology.reverse_port(v, back), p) << expected.name;
    });
  }
}

TYPED_TEST(TopologyLaws, ParallelLinksAreLanesOfSwitches) {
  for (const auto& expected : cases<TypeParam>()) {
    const TypeParam& topology = expected.topology;
    for_every_node(topology, [&](NodeId u) {
      std::set<NodeId> ends;
      for (std::size_t p = 0; p < topology.degree(u); ++p) {
        const NodeId v = topology.neighbor(u, port(p));
        const bool direct =
            index(u) < processor_count(topology) && index(v) < processor_count(topology);
        const bool again = !ends.insert(v).second;
        EXPECT_FALSE(direct && again) << expected.name << ", node " << index(u);
        // Lanes are the ports next to each other.
        if (again) {
          EXPECT_EQ(v, topology.neighbor(u, port(p - 1))) << expected.name;
        }
      }
    });
  }
}

TYPED_TEST(TopologyLaws, ConnectedWithTheDiameterOfTheFormula) {
  for (const auto& expected : cases<TypeParam>()) {
    std::uint64_t largest = 0;
    for_every_node(expected.topology, [&](NodeId u) {
      const std::vector<std::uint64_t> levels = level_sizes(expected.topology, u);
      std::uint64_t reached = 0;
      for (const std::uint64_t level : levels) reached += level;
      EXPECT_EQ(reached, expected.node_count) << expected.name;
      largest = std::max<std::uint64_t>(largest, levels.size() - 1);
    });
    EXPECT_EQ(largest, expected.diameter) << expected.name;
    if constexpr (requires { expected.topology.diameter(); }) {
      EXPECT_EQ(expected.topology.diameter(), expected.diameter) << expected.name;
    }
  }
}

TYPED_TEST(TopologyLaws, LabelsTellNodesApart) {
  for (const auto& expected : cases<TypeParam>()) {
    std::set<std::string> labels;
    for_every_node(expected.topology, [&](NodeId u) { labels.insert(expected.topology.label(u)); });
    EXPECT_EQ(labels.size(), expected.node_count) << expected.name;
    EXPECT_FALSE(labels.contains("")) << expected.name;
  }
}

TYPED_TEST(TopologyLaws, TableEqualsFormula) {
  for (const auto& expected : cases<TypeParam>()) {
    const TypeParam& formula = expected.topology;
    const Network table = build_network(formula);
    EXPECT_EQ(table.name(), formula.name());
    EXPECT_EQ(table.max_degree(), formula.max_degree());
    EXPECT_EQ(table.processor_count(), processor_count(formula));
    for_every_node(formula, [&](NodeId u) {
      ASSERT_EQ(table.degree(u), formula.degree(u));
      EXPECT_EQ(table.label(u), formula.label(u));
    });
    for_every_arc(formula, [&](NodeId u, Port p) {
      EXPECT_EQ(table.neighbor(u, p), formula.neighbor(u, p)) << expected.name;
      EXPECT_EQ(table.reverse_port(u, p), formula.reverse_port(u, p)) << expected.name;
    });
  }
}

TEST(TopologySizes, WhatCannotBeBuiltIsRefusedByName) {
  const auto refusal = [](auto build) -> std::string {
    try {
      build();
    } catch (const InvalidParameter& refused) {
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal([] { (void)Ring{2}; }), "ring:2: 2 nodes; allowed: 3..1,099,511,627,776");
  EXPECT_EQ(refusal([] { (void)LinearArray{0}; }),
            "linear:0: 0 nodes; allowed: 1..1,099,511,627,776");
  EXPECT_EQ(refusal([] { (void)Hypercube{41}; }), "hypercube:41: 41 dimensions; allowed: 0..40");
  EXPECT_EQ(refusal([] { (void)CompleteGraph{0}; }), "complete:0: 0 nodes; allowed: 1..65,536");
  EXPECT_EQ(refusal([] { (void)CompleteGraph{65'537}; }),
            "complete:65537: 65,537 nodes; allowed: 1..65,536");
}

TEST(TopologySizes, LargestOnesWrapAround) {
  const Ring ring{Ring::max_nodes};
  const NodeId last{Ring::max_nodes - 1};
  EXPECT_EQ(ring.neighbor(last, Port{0}), NodeId{0});
  EXPECT_EQ(ring.neighbor(NodeId{0}, Port{1}), last);
  const Hypercube cube{40};
  EXPECT_EQ(cube.neighbor(NodeId{0}, Port{39}), NodeId{std::uint64_t{1} << 39});
  const CompleteGraph complete{CompleteGraph::max_nodes};
  EXPECT_EQ(complete.neighbor(NodeId{1}, Port{65'534}), NodeId{0});
  EXPECT_EQ(complete.reverse_port(NodeId{1}, Port{65'534}), Port{0});
}

}  // namespace
}  // namespace lockstep
