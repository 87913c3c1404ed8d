// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018: the networks of section 2, against the figures of an independent program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/metrics.hpp"
#include "support/ej_golden.hpp"

namespace lockstep {
namespace {

using test::golden;
using test::GoldenRow;

[[nodiscard]] EisensteinJacobi network_of(const GoldenRow& row) {
  return {row.number("a"), row.number("b")};
}

[[nodiscard]] std::vector<std::uint64_t> ends(const EisensteinJacobi& network, NodeId u) {
  std::vector<std::uint64_t> list;
  for (std::size_t p = 0; p < network.degree(u); ++p)
    list.push_back(index(network.neighbor(u, port(p))));
  return list;
}

TEST(EjTopology, NumberingAndNeighbours) {
  std::size_t networks = 0;
  for (const GoldenRow& row : golden("ej/topology.csv")) {
    const EisensteinJacobi network = network_of(row);
    SCOPED_TRACE(network.name());
    ++networks;
    EXPECT_EQ(network.node_count(), row.number("nodes"));
    EXPECT_EQ(network.rows(), row.number("g"));
    EXPECT_EQ(network.columns(), row.number("m"));
    EXPECT_EQ(network.skew(), row.number("t"));
    EXPECT_EQ(ends(network, NodeId{0}), row.numbers("neighbours_of_0"));
    EXPECT_EQ(ends(network, NodeId{network.node_count() - 1}), row.numbers("neighbours_of_last"));
  }
  EXPECT_EQ(networks, 21U);
}

TEST(EjTopology, DistanceDistributionsEquation3) {
  for (const GoldenRow& row : golden("ej/topology.csv")) {
    const EisensteinJacobi network = network_of(row);
    SCOPED_TRACE(network.name());
    EXPECT_EQ(network.diameter(), row.number("diameter"));
    EXPECT_EQ(network.level_sizes(), row.numbers("distance_distribution"));
    EXPECT_EQ(level_sizes(network, NodeId{0}), row.numbers("distance_distribution"));
    const std::uint64_t sum = sum_of_distances(network, NodeId{0});
    EXPECT_EQ(sum, row.number("sum_of_distances"));
    EXPECT_EQ(Fraction(sum, network.node_count() - 1),
              Fraction(row.number("average_numerator"), row.number("average_denominator")));
  }
}

/// Every single weight, by a sum that tells positions apart; sectors; nodes on a border.
TEST(EjTopology, WeightsSectorsAndRepresentatives) {
  for (const GoldenRow& row : golden("ej/topology.csv")) {
    const EisensteinJacobi network = network_of(row);
    SCOPED_TRACE(network.name());
    std::uint64_t checksum = 0;
    std::uint64_t several = 0;
    std::vector<std::uint64_t> sectors(6, 0);
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      checksum += (u + 1) * network.weight(NodeId{u});
      if (network.representatives(NodeId{u}).size() > 1) ++several;
      const int sector = sector_of(network.representative(NodeId{u})).sector;
      if (sector > 0) ++sectors[static_cast<std::size_t>(sector - 1)];
    }
    EXPECT_EQ(checksum, row.number("weights_checksum"));
    EXPECT_EQ(several, row.number("several_minimal"));
    EXPECT_EQ(sectors, row.numbers("sector_sizes"));
  }
}

TEST(EjTopology, WeightsOfEveryNode) {
  for (const GoldenRow& row : golden("ej/trees.csv")) {
    const EisensteinJacobi network = network_of(row);
    SCOPED_TRACE(network.name());
    const std::vector<std::uint64_t> weights = row.numbers("weights");
    ASSERT_EQ(weights.size(), network.node_count());
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      EXPECT_EQ(network.weight(NodeId{u}), weights[u]) << u;
  }
}

/// Node 3 of EJ_(3+4 rho) has wrap-around links to 3 + rho, 4 and 3 - rho^2.
TEST(EjTopology, Example2_1) {
  const EisensteinJacobi network(3, 4);
  const NodeId three = *network.find("3");
  EXPECT_EQ(network.label(network.neighbor(three, Port{1})), "-3rho");
  EXPECT_EQ(network.label(network.neighbor(three, Port{0})), "3rho^2");
  EXPECT_EQ(network.find("-1+2rho^2"), network.neighbor(three, Port{5}));
  EXPECT_EQ(network.find("4"), network.neighbor(three, Port{0}));
}

/// Not planar, as the paper says: EJ_(1+2 rho) is the complete graph on seven nodes.
TEST(EjTopology, Erratum2SmallestNetworkIsComplete) {
  const EisensteinJacobi network(1, 2);
  EXPECT_EQ(network.node_count(), 7U);
  EXPECT_EQ(network.diameter(), 1U);
}

/// Equation 3 read from above gives 2 nodes at distance M where a = b; there are 3b - 1.
TEST(EjTopology, Erratum5CaseTBeforeCaseM) {
  for (std::uint64_t b = 2; b <= 25; ++b)
    EXPECT_EQ(level_sizes(EisensteinJacobi(b, b), NodeId{0}).back(), 3 * b - 1) << b;
}

/// Figure 3: node (1 - rho^2, 1 + rho) of EJ_(2+3 rho)^(2) and its neighbours.
TEST(EjTopology, Figure3) {
  const EisensteinJacobiNetwork network(2, 3, 2);
  const std::optional<NodeId> u = network.find("(1-rho^2, 1+rho)");
  ASSERT_TRUE(u.has_value());
  const std::array<const char*, 12> expected{
      "(1-rho^2, 2+rho)", "(1-rho^2, 1+2rho)", "(1-rho^2, 2rho)",  "(1-rho^2, rho)",
      "(1-rho^2, 1)",     "(1-rho^2, 2)",      "(2-rho^2, 1+rho)", "(2, 1+rho)",
      "(1, 1+rho)",       "(-rho^2, 1+rho)",   "(-2rho^2, 1+rho)", "(1-2rho^2, 1+rho)"};
  for (std::size_t p = 0; p < expected.size(); ++p)
    EXPECT_EQ(network.find(expected[p]), network.neighbor(*u, port(p))) << expected[p];
}

/// Section 2.2: degree 6n, N^n nodes; distances are the coordinates' added up.
TEST(EjTopology, CrossProducts) {
  for (const auto& [a, b, n] : {std::array<std::uint64_t, 3>{1, 2, 3},
                                {0, 3, 2},
                                {2, 2, 2},
                                {2, 3, 2},
                                {2, 4, 2},
                                {3, 4, 2}}) {
    const EisensteinJacobiNetwork network(a, b, n);
    SCOPED_TRACE(network.name());
    EXPECT_EQ(network.max_degree(), 6 * n);
    EXPECT_EQ(network.diameter(), n * network.alpha().diameter());
    EXPECT_EQ(network.level_sizes(), level_sizes(network, NodeId{0}));
    const NodeId root{network.node_count() * 2 / 3};
    const std::vector<std::uint32_t> distances = distances_from(network, root);
    for (std::uint64_t v = 0; v < network.node_count(); ++v)
      ASSERT_EQ(network.distance(root, NodeId{v}), distances[v]) << v;
  }
}

/// Specification, section 4: id = sum c_d N^(d-1); port 6 (d-1) + k adds (nb_k(c_d) - c_d) N^(d-1).
TEST(EjTopology, NumbersOfHigherDimensions) {
  const EisensteinJacobiNetwork network(2, 4, 3);
  const EisensteinJacobi& alpha = network.alpha();
  const std::uint64_t size = alpha.node_count();
  for (std::uint64_t u = 0; u < network.node_count(); u += 97) {
    std::uint64_t stride = 1;
    for (std::size_t d = 0; d < 3; ++d, stride *= size) {
      const std::uint64_t digit = u / stride % size;
      EXPECT_EQ(network.coordinate(NodeId{u}, d), NodeId{digit});
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_EQ(index(network.neighbor(NodeId{u}, port(6 * d + k))),
                  u + (index(alpha.neighbor(NodeId{digit}, port(k))) - digit) * stride);
    }
  }
}

/// 2,565,726,409 nodes and more, by arithmetic alone.
TEST(EjTopology, LargestNetworks) {
  for (const std::size_t n : {6U, 7U, 12U}) {
    const EisensteinJacobiNetwork network(3, 4, n);
    const NodeId last{network.node_count() - 1};
    for (std::size_t p = 0; p < network.max_degree(); ++p) {
      const NodeId v = network.neighbor(last, port(p));
      EXPECT_EQ(network.distance(last, v), 1U);
      EXPECT_EQ(network.neighbor(v, network.reverse_port(last, port(p))), last);
    }
    EXPECT_EQ(network.product(last, network.inverse(last)), NodeId{0});
    EXPECT_EQ(network.find(network.label(last)), last);
    std::uint64_t sum = 0;
    for (const std::uint64_t nodes : network.level_sizes()) sum += nodes;
    EXPECT_EQ(sum, network.node_count());
  }
}

}  // namespace
}  // namespace lockstep
