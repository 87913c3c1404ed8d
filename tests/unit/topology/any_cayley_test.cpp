// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/any_cayley.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/small_cayley_graphs.hpp"
#include "topology/relative_routes.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;

/// Every member says what the family's own type says.
template <CayleyTopology Group>
void expect_same_graph(const Group& group) {
  const AnyCayley any = any_cayley(group);
  SCOPED_TRACE(group.name());
  EXPECT_EQ(any.name(), group.name());
  ASSERT_EQ(any.node_count(), group.node_count());
  EXPECT_EQ(any.max_degree(), group.max_degree());
  EXPECT_EQ(any.identity(), group.identity());
  for (std::uint64_t u = 0; u < group.node_count(); ++u) {
    const NodeId node{u};
    EXPECT_EQ(any.label(node), group.label(node));
    EXPECT_EQ(any.inverse(node), group.inverse(node));
    ASSERT_EQ(any.degree(node), group.degree(node));
    for (std::size_t p = 0; p < group.degree(node); ++p) {
      EXPECT_EQ(any.neighbor(node, port(p)), group.neighbor(node, port(p)));
      EXPECT_EQ(any.reverse_port(node, port(p)), group.reverse_port(node, port(p)));
    }
    for (std::uint64_t v = 0; v < group.node_count(); ++v)
      ASSERT_EQ(any.product(node, NodeId{v}), group.product(node, NodeId{v}));
  }
}

TEST(AnyCayleyTest, IsTheGraphThatStandsBehindIt) {
  expect_same_graph(Ring{3});
  expect_same_graph(Ring{8});
  expect_same_graph(Hypercube{0});
  expect_same_graph(Hypercube{3});
  expect_same_graph(CompleteGraph{1});
  expect_same_graph(CompleteGraph{6});
  expect_same_graph(StarGraph{2});
  expect_same_graph(StarGraph{4});
  expect_same_graph(any_cayley(Ring{5}));
}

/// Translations of every family, from every node on, by every element; of ten symbols, whose labels
/// are not kept; of digits with as many values as a table takes, and more; and of products of
/// groups that are not abelian.
TEST(AnyTranslationsTest, AreTheProductsOfTheGroup) {
  std::vector<std::string> names{"star:7",
                                 "star:8",
                                 "pancake:6",
                                 "bubble-sort:7",
                                 "pancake:9",
                                 "pancake:10",
                                 "ej:1+2^4",
                                 "ej:3+4^2",
                                 "ej:9+10^2",
                                 "torus:70x3x5",
                                 "torus:8x8",
                                 "torus:8x9",
                                 "torus:3x256",
                                 "torus:3x257",
                                 "product(star:4,ring:5)",
                                 "product(ring:5,pancake:4)",
                                 "product(star:3,ccc:3)"};
  for (const AnyTopology& graph : test::small_cayley_graphs()) names.push_back(graph.name());
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const AnyCayley group = *make_topology(name).cayley();
    const std::uint64_t nodes = group.node_count();
    std::vector<NodeId> elements;
    for (std::uint64_t a = 0; a < nodes; a += 1 + nodes / 150) elements.push_back(NodeId{a});
    const auto translations = any_translations(group, elements);
    std::array<std::uint32_t, 9> products{};
    std::array<std::uint32_t, 9> again{};
    for (std::uint32_t i = 0; i < elements.size(); ++i)
      for (std::uint64_t first = 0; first < nodes; first += 1 + nodes / 60) {
        const std::size_t count = std::min<std::uint64_t>(products.size(), nodes - first);
        std::array<std::uint32_t, 9> here{};
        for (std::size_t k = 0; k < count; ++k)
          here[k] = static_cast<std::uint32_t>((first + 7 * k * k) % nodes);
        translations->apply(NodeId{first}, i, std::span(products).first(count));
        translations->apply(std::span<const std::uint32_t>(here).first(count), i,
                            std::span(again).first(count));
        for (std::size_t k = 0; k < count; ++k) {
          ASSERT_EQ(NodeId{products[k]}, group.product(NodeId{first + k}, elements[i]));
          ASSERT_EQ(NodeId{again[k]}, group.product(NodeId{here[k]}, elements[i]));
        }
        translations->apply(NodeId{first}, i, std::span<std::uint32_t>());
      }
  }
}

TEST(AnyTopologyTest, KnowsItsGroupWhereItHasOne) {
  for (const char* const name : {"star:4", "ring:7", "hypercube:3", "complete:4"}) {
    const auto group = make_topology(name).cayley();
    ASSERT_TRUE(group.has_value()) << name;
    EXPECT_EQ(group->name(), name);
  }
  EXPECT_FALSE(make_topology("linear:4").cayley().has_value());
}

/// Against the definition: the first generator c, in their order, with dist(c^-1 g) = dist(g) - 1.
TEST(RelativeRoutesTest, TakeTheFirstPortOfAllShortestPaths) {
  for (const AnyTopology& graph : test::small_cayley_graphs()) {
    SCOPED_TRACE(graph.name());
    const AnyCayley group = *graph.cayley();
    const NodeId identity = group.identity();
    const RelativeRoutes routes(group);
    const std::vector<std::uint32_t> distances = distances_from(group, identity);
    std::uint64_t status = 0;
    ASSERT_EQ(routes.node_count(), group.node_count());
    for (std::uint64_t g = 0; g < group.node_count(); ++g) {
      status += distances[g];
      ASSERT_EQ(routes.distance(NodeId{g}), distances[g]);
      if (NodeId{g} == identity) continue;
      std::size_t p = 0;
      NodeId rest{};
      do {
        rest = group.product(group.inverse(group.neighbor(identity, port(p++))), NodeId{g});
      } while (distances[index(rest)] + 1 != distances[g]);
      ASSERT_EQ(routes.first(NodeId{g}), port(p - 1));
      ASSERT_EQ(routes.rest(NodeId{g}), rest);
    }
    EXPECT_EQ(routes.status(), status);
  }
}

TEST(RelativeRoutesTest, RefuseWhatIsTooLargeToTabulate) {
  EXPECT_THROW(RelativeRoutes(any_cayley(Hypercube{40})), InvalidParameter);
  EXPECT_EQ(RelativeRoutes(any_cayley(CompleteGraph{65536})).status(), 65535U);
}

}  // namespace
}  // namespace lockstep
