// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

using test::for_all;
using test::Random;
using test::uniform;
using testing::ElementsAre;

struct Graph {
  std::uint64_t node_count = 0;
  std::vector<Link> links;
};

/// A random tree with random further links.
Graph random_graph(Random& random) {
  Graph graph{.node_count = uniform(random, 1, 25), .links = {}};
  std::set<std::pair<std::uint64_t, std::uint64_t>> present;
  for (std::uint64_t v = 1; v < graph.node_count; ++v)
    present.emplace(uniform(random, 0, v - 1), v);
  for (std::uint64_t extra = uniform(random, 0, 20); extra > 0 && graph.node_count > 1; --extra) {
    const std::uint64_t v = uniform(random, 1, graph.node_count - 1);
    present.emplace(uniform(random, 0, v - 1), v);
  }
  for (const auto& [u, v] : present) graph.links.push_back({NodeId{u}, NodeId{v}});
  return graph;
}

/// All distances by repeated relaxation over the list of links: slow and obvious.
std::vector<std::vector<std::uint64_t>> slow_distances(const Graph& graph) {
  const std::uint64_t far = graph.node_count;
  std::vector<std::vector<std::uint64_t>> d(graph.node_count,
                                            std::vector<std::uint64_t>(graph.node_count, far));
  for (std::uint64_t u = 0; u < graph.node_count; ++u) d[u][u] = 0;
  for (std::uint64_t round = 0; round < graph.node_count; ++round)
    for (auto& row : d)
      for (const auto& [one, other] : graph.links) {
        row[index(one)] = std::min(row[index(one)], row[index(other)] + 1);
        row[index(other)] = std::min(row[index(other)], row[index(one)] + 1);
      }
  return d;
}

TEST(Metrics, AgreeWithAllPairsOnRandomGraphs) {
  for_all(200, random_graph, [](const Graph& graph) {
    const Network network = build_network("random", graph.node_count, graph.links);
    const auto expected = slow_distances(graph);
    std::uint64_t largest = 0;
    double sum = 0;
    for (std::uint64_t u = 0; u < graph.node_count; ++u) {
      const std::vector<std::uint32_t> distances = distances_from(network, NodeId{u});
      ASSERT_TRUE(std::equal(distances.begin(), distances.end(), expected[u].begin()));
      const std::uint64_t farthest = *std::max_element(expected[u].begin(), expected[u].end());
      EXPECT_EQ(eccentricity(network, NodeId{u}), farthest);
      largest = std::max(largest, farthest);
      sum += static_cast<double>(sum_of_distances(network, NodeId{u}));
    }
    EXPECT_EQ(diameter(network), largest);
    const auto nodes = static_cast<double>(graph.node_count);
    EXPECT_DOUBLE_EQ(mean_distance(network), sum / nodes / nodes);
    EXPECT_EQ(link_count(network), graph.links.size());
  });
}

TEST(Metrics, LevelSizesOfKnownNetworks) {
  EXPECT_THAT(level_sizes(StarGraph{4}, NodeId{0}), ElementsAre(1, 3, 6, 9, 5));
  EXPECT_THAT(level_sizes(Hypercube{5}, NodeId{9}), ElementsAre(1, 5, 10, 10, 5, 1));
  EXPECT_THAT(level_sizes(Ring{7}, NodeId{3}), ElementsAre(1, 2, 2, 2));
  EXPECT_THAT(level_sizes(Ring{8}, NodeId{3}), ElementsAre(1, 2, 2, 2, 1));
  EXPECT_THAT(level_sizes(LinearArray{5}, NodeId{1}), ElementsAre(1, 2, 1, 1));
  EXPECT_THAT(level_sizes(CompleteGraph{6}, NodeId{5}), ElementsAre(1, 5));
  EXPECT_THAT(level_sizes(LinearArray{1}, NodeId{0}), ElementsAre(1));
}

TEST(Metrics, LinearArraysKnowTheirLevels) {
  for (std::uint64_t n = 1; n <= 12; ++n)
    for (std::uint64_t u = 0; u < n; ++u)
      EXPECT_EQ(LinearArray{n}.level_sizes(NodeId{u}), level_sizes(LinearArray{n}, NodeId{u}));
  EXPECT_EQ(LinearArray{max_levels}.level_sizes(NodeId{0}).size(), max_levels);
  EXPECT_TRUE(LinearArray{max_levels + 1}.level_sizes(NodeId{0}).empty());
  EXPECT_FALSE(LinearArray{max_levels + 1}.level_sizes(NodeId{1}).empty());
}

TEST(Metrics, OneSearchAnswersForACayleyGraphAsManyDo) {
  const StarGraph star{5};
  const Network network = build_network(star);  // forgets the group
  EXPECT_EQ(diameter(star), diameter(network));
  EXPECT_DOUBLE_EQ(mean_distance(star), mean_distance(network));
}

TEST(Metrics, MeanCountsTheNodeItself) {
  EXPECT_DOUBLE_EQ(mean_distance(CompleteGraph{4}), 0.75);
  EXPECT_DOUBLE_EQ(mean_distance(StarGraph{3}), 1.5);
  EXPECT_DOUBLE_EQ(mean_distance(LinearArray{1}), 0.0);
}

TEST(Metrics, LinksAreCountedOnce) {
  EXPECT_EQ(link_count(StarGraph{9}), 362'880U * 8 / 2);
  EXPECT_EQ(link_count(LinearArray{10}), 9U);
  EXPECT_EQ(link_count(CompleteGraph{7}), 21U);
  EXPECT_EQ(link_count(Hypercube{0}), 0U);
}

/// A network of ten nodes: 3 x 7 pairs over 2 links are more than 5 x 5 over 3.
TEST(Metrics, TheNarrowerCutHasMorePairsPerLink) {
  constexpr Cut small{3, 2};
  constexpr Cut middle{5, 3};
  EXPECT_EQ(narrower(small, middle, 10), small);
  EXPECT_EQ(narrower(middle, small, 10), small);
  EXPECT_EQ(narrower({}, middle, 10), middle);
  EXPECT_EQ(narrower(middle, {}, 10), middle);
  EXPECT_EQ(narrower({2, 4}, {8, 4}, 10), (Cut{2, 4})) << "the first of equal ones";
}

TEST(Metrics, RefusesSearchesThatDoNotFitTheirNumbers) {
  EXPECT_THROW((void)diameter(Hypercube{32}), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
