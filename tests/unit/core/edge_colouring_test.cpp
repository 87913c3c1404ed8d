// SPDX-License-Identifier: Apache-2.0
#include "core/edge_colouring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/cases.hpp"

namespace lockstep {
namespace {

using Edges = std::vector<BipartiteEdge>;
using Colours = std::vector<std::uint32_t>;

/// The first thing wrong with a colouring; empty: nothing.
std::string fault(const Edges& edges, const Colours& colours) {
  if (colours.size() != edges.size()) return "an edge without a colour";
  std::map<std::uint32_t, std::uint32_t> left;
  std::map<std::uint32_t, std::uint32_t> right;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_left;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_right;
  std::uint32_t largest = 0;
  for (const auto& [u, v] : edges) largest = std::max({largest, ++left[u], ++right[v]});
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::string edge = "edge " + std::to_string(i);
    if (colours[i] >= largest) return edge + ": too many colours";
    if (!seen_left.emplace(edges[i].left, colours[i]).second) return edge + ": twice on the left";
    if (!seen_right.emplace(edges[i].right, colours[i]).second) return edge + ": twice right";
  }
  return {};
}

Edges random_edges(test::Random& random) {
  const std::uint64_t left = test::uniform(random, 1, 40);
  const std::uint64_t right = test::uniform(random, 1, 40);
  const std::uint64_t kinds = test::uniform(random, 1, 8);  // few: the degrees differ much
  Edges edges(test::uniform(random, 0, 400));
  for (auto& [u, v] : edges) {
    u = static_cast<std::uint32_t>(test::uniform(random, 0, left - 1) % kinds * left / kinds);
    v = static_cast<std::uint32_t>(test::uniform(random, 0, right - 1));
  }
  return edges;
}

/// As many edges at every vertex, in any order: no colour is to spare.
Edges random_regular(test::Random& random, std::uint32_t vertices, std::uint32_t degree) {
  Edges edges;
  std::vector<std::uint32_t> partners(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) partners[v] = v;
  for (std::uint32_t d = 0; d < degree; ++d) {
    std::shuffle(partners.begin(), partners.end(), random);
    for (std::uint32_t u = 0; u < vertices; ++u) edges.push_back({u, partners[u]});
  }
  std::shuffle(edges.begin(), edges.end(), random);
  return edges;
}

void expect_proper(const Edges& edges) { EXPECT_EQ(fault(edges, edge_colouring(edges)), ""); }

TEST(EdgeColouringTest, Smallest) {
  EXPECT_EQ(colours_needed({}), 0U);
  EXPECT_EQ(edge_colouring({}), Colours{});
  EXPECT_EQ(edge_colouring(Edges{{0, 0}}), Colours{0});
  EXPECT_EQ(edge_colouring(Edges{{7, 3}}), Colours{0});
  const Edges parallel{{0, 0}, {0, 0}, {0, 0}};
  EXPECT_EQ(colours_needed(parallel), 3U);
  EXPECT_EQ(edge_colouring(parallel), (Colours{0, 1, 2}));
}

TEST(EdgeColouringTest, ExampleOfTheHeader) {
  const Edges edges{{0, 0}, {0, 1}, {0, 1}, {1, 0}};
  EXPECT_EQ(colours_needed(edges), 3U);
  EXPECT_EQ(edge_colouring(edges), (Colours{0, 1, 2, 1}));
}

/// First fit alone would take a third colour for the last edge.
TEST(EdgeColouringTest, ColoursChangePlacesAlongAPath) {
  const Edges edges{{0, 0}, {1, 0}, {2, 1}, {2, 2}, {0, 2}, {1, 1}};
  EXPECT_EQ(colours_needed(edges), 2U);
  expect_proper(edges);
}

TEST(EdgeColouringTest, RandomMultigraphs) { test::for_all(500, random_edges, expect_proper); }

TEST(EdgeColouringTest, RegularMultigraphsNeedEveryColourEverywhere) {
  test::for_all(
      60,
      [](test::Random& random) {
        const auto vertices = static_cast<std::uint32_t>(test::uniform(random, 1, 30));
        return random_regular(random, vertices,
                              static_cast<std::uint32_t>(test::uniform(random, 1, 130)));
      },
      expect_proper);
}

/// More colours than a machine word has bits, more vertices on either side.
TEST(EdgeColouringTest, ManyJobsOnFewMachinesEitherWay) {
  test::Random random{test::base_seed()};
  for (const std::uint32_t per_machine : {63U, 64U, 65U, 1000U}) {
    Edges edges;
    for (std::uint32_t i = 0; i < 6 * per_machine; ++i) edges.push_back({i / 3, i % 6});
    std::shuffle(edges.begin(), edges.end(), random);
    expect_proper(edges);
    for (auto& [u, v] : edges) std::swap(u, v);
    expect_proper(edges);
  }
}

TEST(EdgeColouringTest, TheSameEveryTime) {
  test::Random random{test::base_seed()};
  const Edges edges = random_regular(random, 20, 50);
  EXPECT_EQ(edge_colouring(edges), edge_colouring(edges));
}

/// The checker above objects to whatever is wrong.
TEST(EdgeColouringTest, TheCheckerObjects) {
  test::Random random{test::base_seed()};
  const Edges edges = random_regular(random, 10, 7);
  const Colours right = edge_colouring(edges);
  ASSERT_EQ(fault(edges, right), "");
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Colours wrong = right;
    wrong[i] = (wrong[i] + 1) % 7;
    EXPECT_NE(fault(edges, wrong), "") << i;
    wrong[i] = 7;
    EXPECT_NE(fault(edges, wrong), "") << i;
  }
  EXPECT_NE(fault(edges, Colours(right.begin() + 1, right.end())), "");
}

}  // namespace
}  // namespace lockstep
