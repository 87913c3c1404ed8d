// SPDX-License-Identifier: Apache-2.0
#include "topology/star_routing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

using test::for_all;
using test::Random;
using test::random_permutation;
using test::uniform;

std::vector<std::size_t> dimensions_of(const StarRoute& route) {
  std::vector<std::size_t> dimensions;
  for (const Port p : route.ports) dimensions.push_back(StarGraph::to_paper_dimension(p));
  return dimensions;
}

Permutation walk(Permutation x, const std::vector<Port>& ports) {
  for (const Port p : ports) x = x.with_exchanged(0, std::size_t{index(p)} + 1);
  return x;
}

bool lies_in(Permutation x, Substar target) {
  for (std::size_t i = target.size; i < x.size(); ++i)
    if (x[i] != target.member[i]) return false;
  return true;
}

std::string tail(Substar target) { return to_paper_label(target.member).substr(target.size); }

TEST(StarRouting, SubstarsComeInLexicographicOrder) {
  std::vector<std::string> tails;
  for (std::uint64_t t = 0; t < substar_count(4, 2); ++t) tails.push_back(tail(substar(4, 2, t)));
  EXPECT_THAT(tails, testing::ElementsAre("12", "13", "14", "21", "23", "24", "31", "32", "34",
                                          "41", "42", "43"));
  EXPECT_EQ(to_paper_label(substar(4, 2, 4).member), "1423");
}

TEST(StarRouting, SubstarsAreAllDifferentAndSorted) {
  for (std::size_t a = 1; a <= 7; ++a)
    for (std::size_t b = 1; b <= a; ++b) {
      std::vector<std::string> tails;
      for (std::uint64_t t = 0; t < substar_count(a, b); ++t)
        tails.push_back(tail(substar(a, b, t)));
      EXPECT_TRUE(std::is_sorted(tails.begin(), tails.end()));
      EXPECT_EQ(std::adjacent_find(tails.begin(), tails.end()), tails.end());
      EXPECT_EQ(tails.size(), factorial(a) / factorial(b));
    }
}

TEST(StarRouting, RefusesSizesThatDoNotNest) {
  EXPECT_THROW((void)substar_count(4, 0), InvalidParameter);
  EXPECT_THROW((void)substar_count(4, 5), InvalidParameter);
  EXPECT_THROW((void)substar_count(17, 1), InvalidParameter);
  EXPECT_THROW((void)substar(4, 2, 12), InvalidParameter);
  EXPECT_THROW((void)star_routes(3, 4), InvalidParameter);
}

TEST(StarRouting, WholeGraphIsReachedAtOnce) {
  for (std::size_t a = 1; a <= 5; ++a) {
    const std::vector<StarRoute> routes = star_routes(a, a);
    ASSERT_EQ(routes.size(), 1U);
    EXPECT_TRUE(routes[0].ports.empty());
    EXPECT_EQ(routes[0].end, Permutation::identity(a));
  }
}

// The tie-break: always the smallest position. Taking 3 first would need four steps.
TEST(StarRouting, SmallestPositionFirst) {
  const Substar target{.size = 2, .member = permutation_from_label("1423")};
  const StarRoute route = star_route(Permutation::identity(4), target);
  EXPECT_THAT(dimensions_of(route), testing::ElementsAre(2U, 3U, 4U));
}

// The paper's two examples of the rules R3 and R4: the first exchange from 123456.
TEST(StarRouting, ExamplesOfTheRules) {
  const Permutation from = Permutation::identity(6);
  const Substar to_63{.size = 4, .member = permutation_from_label("124563")};
  const Substar to_41{.size = 4, .member = permutation_from_label("235641")};
  EXPECT_EQ(dimensions_of(star_route(from, to_63)).front(), 3U);
  EXPECT_EQ(dimensions_of(star_route(from, to_41)).front(), 6U);
}

/// Shortest distance from the identity to any node of each substar, by breadth-first search.
TEST(StarRouting, RoutesToEverySubstarAreShortest) {
  for (std::size_t n = 2; n <= 7; ++n) {
    const StarGraph star{n};
    const std::vector<std::uint32_t> distances = distances_from(star, star.identity());
    for (std::size_t k = 1; k <= n; ++k) {
      const std::vector<StarRoute> routes = star_routes(n, k);
      std::vector<std::size_t> shortest(factorial(n) / factorial(k), ~std::size_t{0});
      std::vector<std::size_t> taken = shortest;
      for (std::uint64_t u = 0; u < star.node_count(); ++u) {
        std::size_t& least = shortest[u / factorial(k)];  // a substar is a block of k! numbers
        least = std::min<std::size_t>(least, distances[u]);
      }
      for (const StarRoute& route : routes) {
        ASSERT_EQ(walk(Permutation::identity(n), route.ports), route.end);
        taken[rank(route.end) / factorial(k)] = route.ports.size();
      }
      EXPECT_EQ(taken, shortest) << "n = " << n << ", k = " << k;
    }
  }
}

TEST(StarRouting, RoutesEndWhereTheySay) {
  for (std::size_t a = 1; a <= 6; ++a)
    for (std::size_t b = 1; b <= a; ++b) {
      const std::vector<StarRoute> routes = star_routes(a, b);
      for (std::uint64_t t = 0; t < routes.size(); ++t)
        EXPECT_TRUE(lies_in(routes[t].end, substar(a, b, t))) << a << " " << b << " " << t;
    }
}

struct RouteCase {
  Permutation from;
  Substar to;
};

RouteCase random_route(Random& random) {
  const std::size_t n = uniform(random, 1, Permutation::max_size);
  return {random_permutation(random, n),
          {.size = uniform(random, 1, n), .member = random_permutation(random, n)}};
}

TEST(StarRouting, ArrivesFromAnywhereAtEverySize) {
  for_all(3'000, random_route, [](const RouteCase& given) {
    const StarRoute route = star_route(given.from, given.to);
    EXPECT_TRUE(lies_in(route.end, given.to));
    EXPECT_EQ(walk(given.from, route.ports), route.end);
    EXPECT_EQ(route.ports.empty(), lies_in(given.from, given.to));
  });
}

TEST(StarRouting, NodeToNodeTakesTheDistance) {
  for_all(3'000, random_route, [](const RouteCase& given) {
    const StarRoute route = star_route(given.from, {.size = 1, .member = given.to.member});
    EXPECT_EQ(route.end, given.to.member);
    EXPECT_EQ(route.ports.size(),
              star_detail::distance_from_identity(compose(given.from.inverse(), given.to.member)));
  });
}

}  // namespace
}  // namespace lockstep
