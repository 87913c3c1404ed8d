// SPDX-License-Identifier: Apache-2.0

/// Facts that a topology has for its lower bounds, and which of them a prepared run prints.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

/// The fewest links that leave so many nodes, over all choices of them. Up to 20 nodes.
[[nodiscard]] std::uint64_t fewest_links(const AnyTopology& network, std::uint64_t nodes) {
  std::vector<std::uint32_t> links;  // two bits each
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      if (const std::uint64_t v = index(network.neighbor(NodeId{u}, port(p))); u < v)
        links.push_back(1U << u | 1U << v);
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t side = 0; side < 1U << network.node_count(); ++side) {
    if (static_cast<std::uint64_t>(std::popcount(side)) != nodes) continue;
    std::uint64_t crossing = 0;
    for (const std::uint32_t link : links) crossing += std::popcount(side & link) == 1 ? 1U : 0U;
    fewest = std::min(fewest, crossing);
  }
  return fewest;
}

TEST(Bisections, AreTheFewestLinksBetweenTwoHalves) {
  for (const AnyTopology network : {"linear:2",
                                    "linear:9",
                                    "ring:3",
                                    "ring:9",
                                    "ring:12",
                                    "complete:2",
                                    "complete:6",
                                    "complete:9",
                                    "hypercube:1",
                                    "hypercube:4",
                                    "torus:2",
                                    "torus:2x7",
                                    "torus:3x4",
                                    "torus:4x4",
                                    "mesh:3x4",
                                    "mesh:2x3x3",
                                    "extended-ring:12,2",
                                    "extended-ring:9,3",
                                    "extended-ring:8,4",
                                    "generalized-hypercube:3x4",
                                    "product(ring:4,linear:4)",
                                    "product(ring:3,complete:4)",
                                    "product(linear:3,product(linear:2,ring:3))"}) {
    SCOPED_TRACE(network.name());
    const Cut cut = network.bisection();
    ASSERT_GT(cut.links, 0U);
    EXPECT_EQ(fewest_links(network, cut.nodes), cut.links);
  }
}

TEST(Bisections, AreNoneWhereNoneIsKnown) {
  for (const AnyTopology network : {"linear:1", "complete:1", "hypercube:0", "star:4", "ej:1+2"})
    EXPECT_EQ(network.bisection().links, 0U) << network.name();
  // That of one factor holds.
  EXPECT_EQ(AnyTopology("product(star:4,linear:6)").bisection(), (Cut{72, 24}));
  // Through the complete graph more than 2^64 links.
  EXPECT_EQ(AnyTopology("product(hypercube:37,complete:65498)").bisection(),
            (Cut{(std::uint64_t{1} << 36U) * 65'498, (std::uint64_t{1} << 36U) * 65'498}));
}

/// Over all pairs of nodes, the least number of arcs through these ports, by Floyd and Warshall.
[[nodiscard]] std::uint64_t uses_of(const AnyTopology& network,
                                    const std::set<std::size_t>& ports) {
  const std::uint64_t count = network.node_count();
  std::vector<std::vector<std::uint64_t>> uses(count, std::vector<std::uint64_t>(count, count));
  for (std::uint64_t u = 0; u < count; ++u) {
    uses[u][u] = 0;
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      std::uint64_t& own = uses[u][index(network.neighbor(NodeId{u}, port(p)))];
      own = std::min<std::uint64_t>(own, ports.count(p));
    }
  }
  for (std::uint64_t k = 0; k < count; ++k)
    for (std::uint64_t u = 0; u < count; ++u)
      for (std::uint64_t v = 0; v < count; ++v)
        uses[u][v] = std::min(uses[u][v], uses[u][k] + uses[k][v]);
  std::uint64_t sum = 0;
  for (const auto& row : uses) sum += std::accumulate(row.begin(), row.end(), std::uint64_t{0});
  return sum;
}

TEST(ArcClassesTest, OfAProductAreItsDimensions) {
  // Ports of a torus: both of dimension 1, then both of dimension 2; a class is that of one copy.
  const AnyTopology torus("torus:3x5");
  EXPECT_EQ(torus.arc_classes(), (std::vector<ArcClass>{{3, 6, uses_of(torus, {0, 1}) / 5},
                                                        {5, 10, uses_of(torus, {2, 3}) / 3}}));
  const AnyTopology cube("generalized-hypercube:2x4");
  EXPECT_EQ(cube.arc_classes(), (std::vector<ArcClass>{{2, 2, uses_of(cube, {0}) / 4},
                                                       {4, 12, uses_of(cube, {1, 2, 3}) / 2}}));
  const AnyTopology product("product(ring:4,complete:3)");
  const std::vector<ArcClass> classes = product.arc_classes();
  EXPECT_EQ(
      std::count(classes.begin(), classes.end(), (ArcClass{4, 8, uses_of(product, {0, 1}) / 3})),
      1);
  EXPECT_EQ(
      std::count(classes.begin(), classes.end(), (ArcClass{3, 6, uses_of(product, {2, 3}) / 4})),
      2);  // its own class, too
}

TEST(ArcClassesTest, OfNodesThatDifferAreSums) {
  // From 0, 1, 2, 3: 6 + 4 + 4 + 6 = 20 in linear:4, 1 + 1 in linear:2.
  EXPECT_EQ(AnyTopology("mesh:2x4").arc_classes(),
            (std::vector<ArcClass>{{2, 2, 2 * 4}, {4, 6, 20 * 2}}));
  EXPECT_EQ(AnyTopology("product(linear:4,ring:3)").arc_classes().front(),
            (ArcClass{4, 6, 20 * 3}));
}

TEST(ArcClassesTest, OfAGroupAreItsGenerators) {
  for (const char* const name : {"circulant:24,1,6", "ccc:3", "butterfly:3"}) {
    const AnyTopology network(name);
    SCOPED_TRACE(name);
    std::vector<ArcClass> expected;
    const std::size_t degree = network.max_degree();
    for (std::size_t mask = 1; mask + 1 < std::size_t{1} << degree; ++mask) {
      std::set<std::size_t> ports;
      for (std::size_t p = 0; p < degree; ++p)
        if ((mask >> p & 1U) != 0) ports.insert(p);
      const bool closed = std::all_of(ports.begin(), ports.end(), [&](std::size_t p) {
        return ports.count(index(network.reverse_port(NodeId{0}, port(p)))) != 0;
      });
      const std::uint64_t uses = uses_of(network, ports);
      if (closed && uses != 0)
        expected.push_back({network.node_count(), network.node_count() * ports.size(), uses});
    }
    EXPECT_THAT(network.arc_classes(), testing::UnorderedElementsAreArray(expected));
    EXPECT_FALSE(expected.empty());
  }
}

struct Bound {
  const char* topology;
  std::uint64_t message_times;
  const char* by;
};

/// One factor alone takes that long, and the algorithm takes no longer. Where a cut through the
/// middle says the same, it is named.
TEST(PreparedBounds, OfTotalExchangesGoByTheBusiestFactor) {
  for (const Bound& expected :
       {Bound{"torus:3x15", 84, "cut"}, Bound{"torus:4x5", 12, "cut"},
        Bound{"torus:4x40", 800, "cut"}, Bound{"product(hypercube:3,ring:21)", 440, "cut"},
        Bound{"product(ej:3+4,ring:3)", 42, "distances through one class of ports"}}) {
    SCOPED_TRACE(expected.topology);
    const auto run = prepare({.topology = expected.topology,
                              .operation = Operation::total_exchange,
                              .algorithm = "edge-colouring",
                              .block_bytes = 1});
    const std::optional<LowerBound> bound = run->forecast().lower_bound;
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->undivided.message_times, expected.message_times);
    EXPECT_EQ(bound->undivided_by, expected.by);
    EXPECT_EQ(run->execute().cost.message_times, expected.message_times);
  }
}

/// Whatever parts an algorithm cuts blocks in, and by whatever name a network goes.
TEST(PreparedBounds, AreThoseOfTheNetworkNotOfTheAlgorithm) {
  const auto bound = [](const char* topology, const char* algorithm, const PortModel& model) {
    return prepare({.topology = topology,
                    .operation = Operation::all_reduce,
                    .algorithm = algorithm,
                    .port_model = model,
                    .block_bytes = 64})
        ->forecast()
        .lower_bound.value();
  };
  const PortModel& half = port_models::all_port_half_duplex;
  const LowerBound ring = bound("ring:64", "tree", half);
  EXPECT_EQ(ring.least, (Cost{32, Fraction(126, 64)}));
  EXPECT_EQ(ring.undivided, (Cost{32, 32}));
  EXPECT_EQ(bound("torus:64", "ring-by-ring", half), ring);
  EXPECT_EQ(bound("torus:64", "tree", half), ring);
  const LowerBound cube = bound("hypercube:6", "recursive-doubling", port_models::single_port);
  EXPECT_EQ(cube.least, (Cost{6, Fraction(126, 64)}));
  EXPECT_EQ(bound("hypercube:6", "halving-doubling", port_models::single_port), cube);
}

TEST(PreparedBounds, OfOnePortIsThatOfAllDistances) {
  const auto run = prepare({.topology = "torus:3x15",
                            .operation = Operation::total_exchange,
                            .algorithm = "node-invariant"});
  EXPECT_EQ(run->forecast().lower_bound->message_times_by, "distances");
}

TEST(DistanceFiguresTest, AreSearchedOnceForAllCopies) {
  const AnyTopology mesh("mesh:3x4");
  const AnyTopology copy = mesh;  // NOLINT(performance-unnecessary-copy-initialization): the point
  EXPECT_EQ(&mesh.distance_figures(), &copy.distance_figures());
  const DistanceFigures searched = distance_figures(mesh);
  EXPECT_EQ(mesh.distance_figures().nodes, searched.nodes);
  // Through the middle of the longer side, which no ball around a node is.
  EXPECT_EQ(mesh.distance_figures().narrowest, (Cut{6, 3}));
}

[[nodiscard]] LowerBound bound_of(const std::string& topology, Operation operation,
                                  const std::string& algorithm = {}, std::uint64_t root = 0) {
  RunRequest request{.topology = topology, .operation = operation, .algorithm = algorithm};
  if (has_root(operation)) request.settings["root"] = root;
  return prepare(request, false)->forecast().lower_bound.value();
}

TEST(PreparedBounds, OfBroadcastsGoByTheRootsOwnDistances) {
  const auto startups = [](const std::string& topology, std::uint64_t root) {
    const LowerBound bound = bound_of(topology, Operation::broadcast, "matching", root);
    return std::pair(bound.least.startups, bound.startups_by);
  };
  using Expected = std::pair<std::uint64_t, std::string_view>;
  EXPECT_EQ(startups("mesh:3x3", 0), (Expected{4, "diameter"}));
  EXPECT_EQ(startups("mesh:7x7", 24), (Expected{7, "distances of all"}));
  EXPECT_EQ(startups("linear:9", 0), (Expected{8, "diameter"}));
  EXPECT_EQ(startups("linear:9", 4), (Expected{5, "distances of all"}));
  EXPECT_EQ(startups("linear:100001", 50'000), (Expected{50'001, "distances of all"}));
  // Larger than what is searched from every node.
  EXPECT_EQ(startups("mesh:60x60", 0).first, 118U);
  EXPECT_EQ(startups("mesh:61x61", 61 * 30 + 30), (Expected{61, "distances of all"}));
}

TEST(PreparedBounds, OfTotalExchangesGoByTheMiddle) {
  for (const std::uint64_t n : {9U, 2'048U, 2'049U, 5'000U}) {
    const LowerBound bound =
        bound_of("linear:" + std::to_string(n), Operation::total_exchange, "furthest-first");
    EXPECT_EQ(bound.least.message_times, n * n / 4) << n;
    EXPECT_EQ(bound.undivided, bound.least) << n;
    EXPECT_EQ(bound.message_times_by, "cut") << n;
    EXPECT_EQ(bound.least.startups, n - 1) << n;
  }
  // 16 nodes on either side, 8 links; all distances would be 24.
  const LowerBound torus = bound_of("torus:4x8", Operation::total_exchange, "edge-colouring");
  EXPECT_EQ(torus.least.message_times, 32U);
  EXPECT_EQ(torus.message_times_by, "cut");
  // No family says how it is cut: 15 and 25 nodes on the sides, 7 links; all distances say 45.05.
  const LowerBound searched =
      bound_of("random-regular:40,3,1", Operation::total_exchange, "shortest-paths");
  EXPECT_EQ(searched.least.message_times, Fraction(375, 7));
  EXPECT_EQ(searched.message_times_by, "cut");
}

/// Also of networks that are too large to be searched from every node, and over any switches.
TEST(Bounds, EveryNetworkAndOperationHasOne) {
  for (const char* const name : {"mesh:50x50", "random-regular:2500,4,1", "erdos-renyi:2500,9000,1",
                                 "kary-tree:3^2", "fat-tree:2^3", "star:5", "mesh:3x3"}) {
    const AnyTopology network = name;  // keeps its diameter
    for (const OperationInfo& info : operation_catalog()) {
      RunRequest request{
          .topology = network, .operation = info.operation, .executor = ExecutorKind::serial};
      const bool small = request.topology.node_count() <= 2'048;
      if (!small && !has_root(info.operation) && info.operation != Operation::all_reduce) continue;
      if (info.operation == Operation::odd_distance_exchange && std::string(name) != "mesh:3x3")
        continue;
      if (info.operation == Operation::many_to_all) request.settings["messages"] = std::uint64_t{5};
      if (!small) request.algorithm = "tree";
      SCOPED_TRACE(std::string(name) + " " + std::string(name_of(info.operation)));
      const auto run = prepare(request);
      ASSERT_TRUE(run->forecast().lower_bound.has_value());
      EXPECT_GT(run->forecast().lower_bound->least.startups, 0U);
      const RunResult result = run->execute();
      EXPECT_TRUE(result.ok()) << result.judgement.sentence;
    }
  }
}

}  // namespace
}  // namespace lockstep
