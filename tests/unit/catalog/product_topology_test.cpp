// SPDX-License-Identifier: Apache-2.0

/// product(A,B,..): how it is written, and that it is the cartesian product.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/metrics.hpp"
#include "support/expanded_topologies.hpp"

namespace lockstep {
namespace {

using test::expanded;
using test::expansion_refusal;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ProductTopology, ReadTheirFactors) {
  const auto name = [](const char* text) { return make_topology(text).name(); };
  EXPECT_EQ(name("product(ring:5, linear:4)"), "product(ring:5,linear:4)");
  EXPECT_EQ(name("product(circulant:14,1,2,ej:1+2^2)"), "product(circulant:14,1,2,ej:1+2^2)");
  EXPECT_EQ(name("product(product(ring:3,ring:4),cayley:(1 2)(3 4);(1 2 3))"),
            "product(product(ring:3,ring:4),cayley:(1 2)(3 4);(1 2 3))");
  EXPECT_THAT(expansion_refusal("product"), HasSubstr("the closing parenthesis is missing"));
  EXPECT_THAT(expansion_refusal("product("), HasSubstr("the closing parenthesis is missing"));
  EXPECT_THAT(expansion_refusal("product(ring:3,ring:4"),
              HasSubstr("the closing parenthesis is missing"));
  EXPECT_THAT(expansion_refusal("product(ring:3))"),
              HasSubstr("unexpected ')' after the closing parenthesis"));
  EXPECT_THAT(expansion_refusal("product(ring:3),ring:4"), HasSubstr("unexpected ',ring:4' after"));
  EXPECT_THAT(expansion_refusal("product:3,4"),
              HasSubstr("unexpected ':3,4' after the name; expected 'product(A,B,..)'"));
  EXPECT_THAT(expansion_refusal("ring(3)"),
              HasSubstr("unexpected '(3)' after the name; expected 'ring:N'"));
  EXPECT_THAT(expansion_refusal("product()"), HasSubstr("unknown topology ''"));
  EXPECT_THAT(expansion_refusal("product(ring:3,)"), HasSubstr("'3,' is not a whole number"));
  EXPECT_EQ(expansion_refusal("product(ring:3,ring:2)"),
            "product(ring:3,ring:2): ring:2: 2 nodes; allowed: 3..1,099,511,627,776");
  EXPECT_THAT(expansion_refusal("product(ring:3,rng:4)"), HasSubstr("did you mean 'ring'?"));
  EXPECT_THAT(expansion_refusal("product(hypercube:40,hypercube:24)"), HasSubstr("more than 2^63"));
  EXPECT_THAT(expansion_refusal("product(complete:65536,complete:65536,ring:3)"),
              HasSubstr("131,072 ports per node; allowed: up to 131,071"));
  std::string deep = "ring:3";
  for (int i = 0; i < 5'000; ++i) deep = "product(" + deep + ")";
  EXPECT_THAT(expansion_refusal(deep), HasSubstr("open parentheses"));
}

/// Specification of the thesis, section 1: dimension 1 most significant, its ports first.
TEST(ProductTopology, AreWhatTheirFamiliesAre) {
  for (const auto& [product, known] :
       {std::pair{"product(ring:3,ring:4)", "torus:3x4"},
        std::pair{"product(linear:3,linear:2,linear:4)", "mesh:3x2x4"},
        std::pair{"product(complete:3,complete:5)", "generalized-hypercube:3x5"},
        std::pair{"product(product(ring:5,ring:3),torus:4x3)", "torus:5x3x4x3"},
        std::pair{"product(mesh:2x3,product(linear:4,linear:2))", "mesh:2x3x4x2"}}) {
    SCOPED_TRACE(product);
    const Network one = make_topology(product).network();
    const Network other = make_topology(known).network();
    ASSERT_EQ(one.node_count(), other.node_count());
    for (std::uint64_t i = 0; i < one.node_count(); ++i) {
      const NodeId u{i};
      ASSERT_EQ(one.degree(u), other.degree(u));
      for (std::size_t p = 0; p < one.degree(u); ++p) {
        ASSERT_EQ(one.neighbor(u, port(p)), other.neighbor(u, port(p)));
        ASSERT_EQ(one.reverse_port(u, port(p)), other.reverse_port(u, port(p)));
      }
    }
    EXPECT_EQ(make_topology(product).symmetric(), make_topology(known).symmetric());
    EXPECT_EQ(make_topology(product).link_count(), make_topology(known).link_count());
  }
}

/// Distances in a product are the sums of those of the coordinates, from every node.
TEST(ProductTopology, DistancesAddUp) {
  const AnyTopology one = make_topology("star:4");
  const AnyTopology other = make_topology("mesh:3x2");
  const AnyTopology product = make_topology("product(star:4,mesh:3x2)");
  for (std::uint64_t u = 0; u < product.node_count(); ++u) {
    const std::vector<std::uint32_t> sum = distances_from(product, NodeId{u});
    const std::vector<std::uint32_t> first = distances_from(one, NodeId{u / 6});
    const std::vector<std::uint32_t> second = distances_from(other, NodeId{u % 6});
    for (std::uint64_t v = 0; v < product.node_count(); ++v)
      ASSERT_EQ(sum[v], first[v / 6] + second[v % 6]) << u << " to " << v;
    const auto* const closed = product.as<CartesianProduct<AnyTopology>>();
    ASSERT_NE(closed, nullptr);
    EXPECT_EQ(closed->level_sizes(NodeId{u}), level_sizes(product, NodeId{u})) << u;
  }
  EXPECT_EQ(product.diameter(), diameter(product));
}

/// 10^12 nodes: not searched.
TEST(ProductTopology, LargeProductsSayWhatTheirFactorsKnow) {
  const AnyTopology product =
      make_topology("product(linear:1000,ring:1000,product(ej:3+4^4,star:7))");
  EXPECT_EQ(product.node_count(), std::uint64_t{1'000'000} * 1'874'161 * 5'040);
  EXPECT_EQ(product.diameter(), 999U + 500 + 12 + 9);
  EXPECT_FALSE(product.symmetric());
  const std::vector<std::uint64_t> levels = product.level_sizes(NodeId{0});
  EXPECT_EQ(levels.size(), 1'521U);
  EXPECT_EQ(std::accumulate(levels.begin(), levels.end(), std::uint64_t{0}), product.node_count());
  const NodeId last{product.node_count() - 1};
  EXPECT_EQ(product.find(product.label(last)), last);
  EXPECT_EQ(product.port_label(last, Port{1}), "dimension 2, port 0");
  const AnyTopology largest = make_topology("product(hypercube:40,hypercube:23)");
  EXPECT_EQ(largest.node_count(), std::uint64_t{1} << 63U);
  EXPECT_EQ(largest.link_count(), std::nullopt);
  EXPECT_EQ(largest.diameter(), 63U);
  const NodeId end{(std::uint64_t{1} << 63U) - 1};
  EXPECT_EQ(largest.find(largest.label(end)), end);
  for (std::size_t p = 0; p < 63; ++p)  // bit p of dimension 2 is above those of dimension 1
    EXPECT_EQ(index(largest.neighbor(end, port(p))),
              index(end) ^ (std::uint64_t{1} << (p < 40 ? p + 23 : p - 40)));
}

TEST(ProductTopology, RangesStandInEveryFactor) {
  EXPECT_THAT(expanded("product(ring:3..4,linear:4)"),
              ElementsAre("product(ring:3,linear:4)", "product(ring:4,linear:4)"));
  EXPECT_THAT(expanded("product(ring:3..4,ej:1..2+3)"),
              ElementsAre("product(ring:3,ej:1+3)", "product(ring:3,ej:2+3)",
                          "product(ring:4,ej:1+3)", "product(ring:4,ej:2+3)"));
}

TEST(ProductTopology, FindsEveryNodeByItsLabelAndNothingElse) {
  for (const char* name :
       {"product(ring:3,torus:3x4,ring:4)", "product(cayley:(1 2)(3 4);(1 2 3),linear:3)",
        "product(product(hypercube:2,ring:3),ej:1+2)", "product(mesh:2x2)", "ej:2+2^2"}) {
    SCOPED_TRACE(name);
    const AnyTopology topology = make_topology(name);
    for (std::uint64_t u = 0; u < topology.node_count(); ++u)
      EXPECT_EQ(topology.find(topology.label(NodeId{u})), NodeId{u});
    for (const char* wrong : {"", "x", "()", "(", "(0", "0)", "(0,0,0,0,0)", "((0,0),0", "(0)(0)"})
      EXPECT_EQ(topology.find(wrong), std::nullopt) << wrong;
  }
  const AnyTopology product = make_topology("product(ring:3,torus:3x4,ring:4)");
  EXPECT_EQ(product.label(NodeId{107}), "(2, 0,2, 3)");
  EXPECT_EQ(product.find(" (2, 0,2, 3) "), NodeId{107});
  EXPECT_EQ(product.find("(2,0,2,3)"), std::nullopt);  // whose comma is whose
  EXPECT_EQ(make_topology("product(ring:3,ring:4)").find("(2,3)"), NodeId{11});
  EXPECT_EQ(make_topology("product(ring:3,ring:4)").find("(3,3)"), std::nullopt);
}

/// Awkward sizes.
TEST(ProductTopology, AFactorOfOneNodeChangesNothing) {
  const AnyTopology product = make_topology("product(linear:1,ring:5,complete:1)");
  const AnyTopology ring = make_topology("ring:5");
  ASSERT_EQ(product.node_count(), 5U);
  for (std::uint64_t u = 0; u < 5; ++u)
    for (std::size_t p = 0; p < 2; ++p)
      EXPECT_EQ(product.neighbor(NodeId{u}, port(p)), ring.neighbor(NodeId{u}, port(p)));
  EXPECT_EQ(make_topology("product(linear:1)").degree(NodeId{0}), 0U);
}

}  // namespace
}  // namespace lockstep
