// SPDX-License-Identifier: Apache-2.0

/// V. V. Dimakopoulos, "Collective communication problems in multiprocessors", PhD thesis,
/// University of Victoria 1996: the networks of chapter 2 and the Cayley graphs of section 4.4, by
/// search.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/metrics.hpp"
#include "support/golden.hpp"
#include "support/topology_cases.hpp"

namespace lockstep {
namespace {

using test::golden;
using test::GoldenRow;
using testing::ElementsAre;

/// The tables write ';' for the comma of a name.
AnyTopology measured_topology(const GoldenRow& row) {
  std::string name = row.text("topology");
  std::replace(name.begin(), name.end(), ';', ',');
  return make_topology(name);
}

/// "190/3", or a whole number.
Fraction fraction(const std::string& text) {
  const std::vector<std::string> parts = test::split(text, '/');
  return {std::stoull(parts[0]), parts.size() > 1 ? std::stoull(parts[1]) : 1};
}

std::vector<std::uint64_t> ends(const AnyTopology& topology, NodeId u) {
  std::vector<std::uint64_t> list;
  for (std::size_t p = 0; p < topology.degree(u); ++p)
    list.push_back(index(topology.neighbor(u, port(p))));
  return list;
}

TEST(ThesisTopology, Graphs) {
  for (const GoldenRow& row : golden("thesis/graphs.csv")) {
    SCOPED_TRACE(row.text("id"));
    const AnyTopology topology = measured_topology(row);
    ASSERT_EQ(topology.node_count(), row.number("nodes"));
    std::uint64_t arcs = 0;
    std::size_t least_degree = std::numeric_limits<std::size_t>::max();
    std::size_t most_degree = 0;
    std::uint64_t diameter = 0;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t most = 0;
    std::uint64_t sum = 0;
    for (std::uint64_t u = 0; u < topology.node_count(); ++u) {
      arcs += topology.degree(NodeId{u});
      least_degree = std::min(least_degree, topology.degree(NodeId{u}));
      most_degree = std::max(most_degree, topology.degree(NodeId{u}));
      diameter = std::max(diameter, eccentricity(topology, NodeId{u}));
      const std::uint64_t status = sum_of_distances(topology, NodeId{u});
      least = std::min(least, status);
      most = std::max(most, status);
      sum += status;
    }
    EXPECT_EQ(arcs, 2 * row.number("links"));
    EXPECT_EQ(topology.link_count(), row.number("links"));
    EXPECT_EQ(least_degree, row.number("degree_min"));
    EXPECT_EQ(most_degree, row.number("degree_max"));
    EXPECT_EQ(diameter, row.number("diameter"));
    EXPECT_EQ(topology.diameter(), row.number("diameter"));
    EXPECT_EQ(least, row.number("status_min"));
    EXPECT_EQ(most, row.number("status_max"));
    EXPECT_EQ(Fraction(sum, topology.node_count()), fraction(row.text("average_status")));
  }
}

TEST(ThesisTopology, DistanceSequences) {
  for (const GoldenRow& row : golden("thesis/distance_sequences.csv")) {
    SCOPED_TRACE(row.text("topology") + ", root " + row.text("root"));
    const AnyTopology topology = measured_topology(row);
    const NodeId root{row.number("root")};
    std::vector<std::uint64_t> levels = level_sizes(topology, root);
    EXPECT_EQ(levels.size() - 1, row.number("eccentricity"));
    EXPECT_EQ(sum_of_distances(topology, root), row.number("status"));
    levels.erase(levels.begin());
    EXPECT_EQ(levels, row.numbers("distance_sequence"));
  }
}

/// Figure 2.5.
TEST(ThesisTopology, ExtendedRingOf14AndReach2) {
  EXPECT_THAT(ends(make_topology("extended-ring:14,2"), NodeId{0}), ElementsAre(1, 2, 13, 12));
  EXPECT_THAT(ends(make_topology("extended-ring:14,2"), NodeId{12}), ElementsAre(13, 0, 11, 10));
}

/// (4.13), status of the extended ring, every size.
TEST(ThesisTopology, StatusOfExtendedRings) {
  for (std::uint64_t n = 2; n <= 60; ++n)
    for (std::uint64_t reach = 1; reach <= n / 2; ++reach) {
      const ExtendedRing ring(n, reach);
      const std::uint64_t q = (n - 1) / (2 * reach);
      EXPECT_EQ(sum_of_distances(ring, NodeId{0}), (q + 1) * (n - 1 - reach * q)) << ring.name();
      EXPECT_EQ(eccentricity(ring, NodeId{0}), ring.diameter()) << ring.name();
      EXPECT_EQ(level_sizes(ring, NodeId{0}), ring.level_sizes()) << ring.name();
    }
}

/// Linear arrays list left, right.
TEST(ThesisTopology, MeshesOfOneDimensionAreLinearArrays) {
  for (const std::uint64_t n : {2U, 3U, 7U}) {
    const AnyTopology array = make_topology("linear:" + std::to_string(n));
    const AnyTopology mesh = make_topology("mesh:" + std::to_string(n));
    for (std::uint64_t u = 0; u < n; ++u) {
      EXPECT_EQ(ends(array, NodeId{u}), ends(mesh, NodeId{u}));
      for (std::size_t p = 0; p < array.degree(NodeId{u}); ++p)
        EXPECT_EQ(array.reverse_port(NodeId{u}, port(p)), mesh.reverse_port(NodeId{u}, port(p)));
    }
  }
  EXPECT_THAT(ends(make_topology("linear:3"), NodeId{1}), ElementsAre(0, 2));
}

/// Tori of one dimension are rings, of sizes 2 hypercubes but for the order of ports.
TEST(ThesisTopology, ToriOfOneDimensionAreRings) {
  for (const std::uint64_t n : {3U, 4U, 9U})
    for (std::uint64_t u = 0; u < n; ++u)
      EXPECT_EQ(ends(make_topology("torus:" + std::to_string(n)), NodeId{u}),
                ends(make_topology("ring:" + std::to_string(n)), NodeId{u}));
  EXPECT_THAT(ends(make_topology("torus:2x2x2"), NodeId{5}), ElementsAre(1, 7, 4));
  EXPECT_THAT(ends(make_topology("hypercube:3"), NodeId{5}), ElementsAre(4, 7, 1));
}

/// Products: distances add up, dimension 1 is the most significant digit.
TEST(ThesisTopology, ProductsListTheDimensionsInOrder) {
  EXPECT_THAT(ends(make_topology("torus:3x4x2"), NodeId{0}), ElementsAre(8, 16, 2, 6, 1));
  EXPECT_THAT(ends(make_topology("mesh:3x3"), NodeId{4}), ElementsAre(1, 7, 3, 5));
  EXPECT_THAT(ends(make_topology("mesh:3x3"), NodeId{8}), ElementsAre(5, 7));
  EXPECT_THAT(ends(make_topology("generalized-hypercube:3x4"), NodeId{5}),
              ElementsAre(9, 1, 6, 7, 4));
}

/// The table of Cayley graphs, from its formulas: (x, p)(y, q) = (x xor y rotated by p, p + q).
template <class T>
void check_cube_cycle_group(const T& network) {
  const std::uint64_t d = network.dimensions();
  const auto rotated = [&](std::uint64_t y, std::uint64_t by) {
    for (std::uint64_t i = 0; i < by; ++i) y = (2 * y) % (1ULL << d) + (2 * y) / (1ULL << d);
    return y;
  };
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::uint64_t v = 0; v < network.node_count(); ++v) {
      const std::uint64_t bits = (u / d) ^ rotated(v / d, u % d);
      EXPECT_EQ(index(network.product(NodeId{u}, NodeId{v})), bits * d + (u % d + v % d) % d);
    }
}

TEST(ThesisTopology, CubeConnectedCycles) {
  const CubeConnectedCycles network{4};
  check_cube_cycle_group(network);
  for (std::uint64_t x = 0; x < 16; ++x)
    for (std::uint64_t p = 0; p < 4; ++p)
      EXPECT_THAT(ends(make_topology("ccc:4"), NodeId{x * 4 + p}),
                  ElementsAre(x * 4 + (p + 1) % 4, x * 4 + (p + 3) % 4, (x ^ (1U << p)) * 4 + p));
}

TEST(ThesisTopology, WrappedButterfly) {
  const WrappedButterfly network{4};
  check_cube_cycle_group(network);
  for (std::uint64_t x = 0; x < 16; ++x)
    for (std::uint64_t p = 0; p < 4; ++p) {
      const std::uint64_t up = (p + 1) % 4;
      const std::uint64_t down = (p + 3) % 4;
      EXPECT_THAT(ends(make_topology("butterfly:4"), NodeId{x * 4 + p}),
                  ElementsAre(x * 4 + up, (x ^ (1U << p)) * 4 + up, x * 4 + down,
                              (x ^ (1U << down)) * 4 + down));
    }
}

/// S_k, (a b)(i) = a(b(i)): ports rearrange positions.
TEST(ThesisTopology, PermutationsAreRearrangedByPosition) {
  const auto labels = [](const std::string& name, const std::string& node) {
    const AnyTopology topology = make_topology(name);
    std::vector<std::string> list;
    for (const std::uint64_t v : ends(topology, topology.find(node).value()))
      list.push_back(topology.label(NodeId{v}));
    return list;
  };
  EXPECT_THAT(labels("star:5", "35142"), ElementsAre("53142", "15342", "45132", "25143"));
  EXPECT_THAT(labels("pancake:5", "35142"), ElementsAre("53142", "15342", "41532", "24153"));
  EXPECT_THAT(labels("bubble-sort:5", "35142"), ElementsAre("53142", "31542", "35412", "35124"));
}

}  // namespace
}  // namespace lockstep
