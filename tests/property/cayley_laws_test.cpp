// SPDX-License-Identifier: Apache-2.0

/// The group laws of topology.hpp, over every Cayley graph at awkward sizes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/cases.hpp"
#include "support/topology_cases.hpp"

namespace lockstep {
namespace {

using test::cases;
using test::for_all;
using test::for_every_arc;
using test::for_every_node;
using test::Random;
using test::uniform;

template <class T>
class CayleyLaws : public testing::Test {};

using CayleyTopologies =
    testing::Types<StarGraph, Ring, Hypercube, CompleteGraph, Circulant, ExtendedRing, Torus,
                   GeneralizedHypercube, CubeConnectedCycles, WrappedButterfly, PancakeGraph,
                   BubbleSortGraph, CayleyGraph, EisensteinJacobi, EisensteinJacobiNetwork,
                   Hypercycle, test::GroupProduct>;
TYPED_TEST_SUITE(CayleyLaws, CayleyTopologies);

TYPED_TEST(CayleyLaws, NodesAreAGroup) {
  for (const auto& expected : cases<TypeParam>()) {
    const TypeParam& group = expected.topology;
    const NodeId one = group.identity();
    for_every_node(group, [&](NodeId u) {
      EXPECT_EQ(group.product(u, one), u) << expected.name;
      EXPECT_EQ(group.product(one, u), u) << expected.name;
      EXPECT_EQ(group.product(u, group.inverse(u)), one) << expected.name;
      EXPECT_EQ(group.product(group.inverse(u), u), one) << expected.name;
    });
    const std::uint64_t last = group.node_count() - 1;
    const auto three_nodes = [&](Random& random) {
      return std::vector<NodeId>{NodeId{uniform(random, 0, last)}, NodeId{uniform(random, 0, last)},
                                 NodeId{uniform(random, 0, last)}};
    };
    for_all(100, three_nodes, [&](const std::vector<NodeId>& nodes) {
      const NodeId u = nodes[0];
      const NodeId v = nodes[1];
      const NodeId w = nodes[2];
      EXPECT_EQ(group.product(group.product(u, v), w), group.product(u, group.product(v, w)))
          << expected.name;
    });
  }
}

TYPED_TEST(CayleyLaws, PortsAreGenerators) {
  for (const auto& expected : cases<TypeParam>()) {
    const TypeParam& group = expected.topology;
    for_every_arc(group, [&](NodeId u, Port p) {
      EXPECT_EQ(group.neighbor(u, p), group.product(u, group.neighbor(group.identity(), p)))
          << expected.name;
      EXPECT_EQ(group.reverse_port(u, p), group.reverse_port(group.identity(), p)) << expected.name;
    });
  }
}

TYPED_TEST(CayleyLaws, LeftTranslationKeepsArcsAndPorts) {
  for (const auto& expected : cases<TypeParam>()) {
    const TypeParam& group = expected.topology;
    const std::uint64_t last = group.node_count() - 1;
    const auto any_node = [&](Random& random) { return NodeId{uniform(random, 0, last)}; };
    for_all(std::min<std::uint64_t>(20, group.node_count()), any_node, [&](NodeId a) {
      for_every_arc(group, [&](NodeId u, Port p) {
        ASSERT_EQ(group.product(a, group.neighbor(u, p)), group.neighbor(group.product(a, u), p))
            << expected.name;
      });
    });
  }
}

/// A catalogue line whose type is missing from the list above has no group laws held against it.
TEST(CayleyCatalogue, EveryCayleyGraphIsInTheList) {
  const auto listed = []<class... T>(const AnyTopology& topology, testing::Types<T...>) {
    return ((topology.as<T>() != nullptr) || ...);
  };
  for (const auto& expected : cases<AnyTopology>()) {
    if (!expected.topology.symmetric()) continue;
    EXPECT_TRUE(listed(expected.topology, CayleyTopologies{})) << expected.name;
  }
}

}  // namespace
}  // namespace lockstep
