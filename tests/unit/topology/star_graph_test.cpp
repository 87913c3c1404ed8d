// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/star_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

using test::for_all;
using test::Random;
using test::uniform;

struct StarCase {
  StarGraph star{2};
  NodeId u{};
  NodeId v{};
};

StarCase random_case(Random& random) {
  const StarGraph star{uniform(random, StarGraph::min_symbols, StarGraph::max_symbols)};
  const std::uint64_t last = star.node_count() - 1;
  return {star, NodeId{uniform(random, 0, last)}, NodeId{uniform(random, 0, last)}};
}

TEST(StarGraph, SizesAreClosedForms) {
  const std::vector<std::uint64_t> node_counts{
      2, 6, 24, 120, 720, 5'040, 40'320, 362'880, 3'628'800, 39'916'800, 479'001'600};
  const std::vector<std::size_t> diameters{1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16};
  for (std::size_t n = 2; n <= 12; ++n) {
    const StarGraph star{n};
    EXPECT_EQ(star.symbols(), n);
    EXPECT_EQ(star.name(), "star:" + std::to_string(n));
    EXPECT_EQ(star.node_count(), node_counts[n - 2]);
    EXPECT_EQ(star.max_degree(), n - 1);
    EXPECT_EQ(star.diameter(), diameters[n - 2]);
  }
}

TEST(StarGraph, RefusesOtherSizesByName) {
  for (const std::size_t n : {0UL, 1UL, 13UL, 40UL, ~0UL}) {
    try {
      const StarGraph star{n};
      ADD_FAILURE() << "accepted " << star.name();
    } catch (const InvalidParameter& refused) {
      EXPECT_EQ(refused.what(),
                "star:" + std::to_string(n) + ": " + counted(n, "symbol") + "; allowed: 2..12");
    }
  }
}

TEST(StarGraph, EveryNeighborIsAnExchangeUpToNineSymbols) {
  for (std::size_t n = 2; n <= 9; ++n) {
    const StarGraph star{n};
    for (std::uint64_t u = 0; u < star.node_count(); ++u)
      for (std::size_t p = 0; p + 1 < n; ++p)
        ASSERT_EQ(star.neighbor(NodeId{u}, port(p)),
                  star.node(star.permutation(NodeId{u}).with_exchanged(0, p + 1)))
            << star.name() << ", node " << u << ", port " << p;
  }
}

TEST(StarGraph, NeighborsAreExchangesAtEverySize) {
  for_all(20'000, random_case, [](const StarCase& given) {
    const auto& [star, u, v] = given;
    for (std::size_t p = 0; p < star.max_degree(); ++p)
      ASSERT_EQ(star.neighbor(u, port(p)), star.node(star.permutation(u).with_exchanged(0, p + 1)))
          << star.name() << ", node " << index(u) << ", port " << p;
  });
}

TEST(StarGraph, LowPortsStayInTheirBlock) {
  for_all(1'000, random_case, [](const StarCase& given) {
    for (std::size_t p = 0; p < given.star.max_degree(); ++p) {
      const std::uint64_t block = factorial(p + 2);
      EXPECT_EQ(index(given.star.neighbor(given.u, port(p))) / block, index(given.u) / block);
    }
  });
}

TEST(StarGraph, TranslationKeepsPorts) {
  for_all(2'000, random_case, [](const StarCase& given) {
    const auto& [star, u, v] = given;
    for (std::size_t p = 0; p < star.max_degree(); ++p) {
      EXPECT_EQ(star.neighbor(u, port(p)),
                star.product(u, star.neighbor(star.identity(), port(p))));
      EXPECT_EQ(star.product(v, star.neighbor(u, port(p))),
                star.neighbor(star.product(v, u), port(p)));
    }
    EXPECT_EQ(star.product(u, star.inverse(u)), star.identity());
  });
}

TEST(StarGraph, DistanceIsBreadthFirstSearch) {
  for (std::size_t n = 2; n <= 8; ++n) {
    const StarGraph star{n};
    const NodeId root{star.node_count() / 3};
    const std::vector<std::uint32_t> distances = distances_from(star, root);
    for (std::uint64_t u = 0; u < star.node_count(); ++u)
      ASSERT_EQ(star.distance(root, NodeId{u}), distances[u]) << star.name() << ", node " << u;
  }
}

TEST(StarGraph, DistanceIsAMetricThatChangesByOneAlongALink) {
  for_all(2'000, random_case, [](const StarCase& given) {
    const auto& [star, u, v] = given;
    const std::size_t distance = star.distance(u, v);
    EXPECT_EQ(star.distance(v, u), distance);
    EXPECT_EQ(distance == 0, u == v);
    EXPECT_LE(distance, star.diameter());
    std::size_t closer = 0;
    for (std::size_t p = 0; p < star.max_degree(); ++p) {
      const std::size_t there = star.distance(star.neighbor(u, port(p)), v);
      EXPECT_TRUE(there + 1 == distance || there == distance + 1) << "bipartite";
      closer += there < distance ? 1U : 0U;
    }
    EXPECT_EQ(closer == 0, u == v);
  });
}

TEST(StarGraph, SpeaksThePapersLanguage) {
  const StarGraph star{4};
  const NodeId u = star.node(permutation_from_label("3241"));
  EXPECT_EQ(star.label(u), "3241");
  EXPECT_EQ(star.label(star.identity()), "1234");
  EXPECT_EQ(star.label(star.neighbor(u, star.from_paper_dimension(4))), "1243");
  EXPECT_EQ(StarGraph::to_paper_dimension(Port{0}), 2U);
  for (std::size_t dimension = 2; dimension <= 4; ++dimension)
    EXPECT_EQ(StarGraph::to_paper_dimension(star.from_paper_dimension(dimension)), dimension);
  EXPECT_THROW((void)star.from_paper_dimension(1), InvalidParameter);
  EXPECT_THROW((void)star.from_paper_dimension(5), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
