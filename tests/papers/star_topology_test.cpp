// SPDX-License-Identifier: Apache-2.0

/// Y.-C. Tseng, W.-L. Chang, J.-P. Sheu, all-to-all broadcast in star graphs: the network, the
/// routes of section II with table 1, and the Hamiltonian cycles that section IV takes for granted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/golden.hpp"
#include "support/lexicographic_rank.hpp"
#include "topology/star_hamiltonian.hpp"
#include "topology/star_routing.hpp"

namespace lockstep {
namespace {

using test::Fnv1a;
using test::golden;
using test::GoldenRow;
using test::lexicographic_rank;

/// Above this a search visits more nodes than a quick test should.
constexpr std::size_t searched_symbols = 9;

std::vector<std::uint64_t> dimensions_of(const StarRoute& route) {
  std::vector<std::uint64_t> dimensions;
  for (const Port p : route.ports) dimensions.push_back(StarGraph::to_paper_dimension(p));
  return dimensions;
}

/// "**12" of a node 4312 and k = 2.
std::string substar_label(Permutation member, std::size_t k) {
  return std::string(k, '*') + to_paper_label(member).substr(k);
}

/// How many permutations of n symbols lie at each distance from the identity, counted by cycle
/// lengths: for every partition of the symbols into a cycle of the first and cycles of the others.
class CountByCycles {
 public:
  /// levels[d] for n symbols: the first lies on a cycle of length c in (n-1)!/(n-c)! ways.
  [[nodiscard]] static std::vector<std::uint64_t> levels(std::size_t n) {
    std::vector<std::uint64_t> result(2 * n, 0);
    for (std::size_t c = 1; c <= n; ++c) {
      const std::uint64_t ways = factorial(n - 1) / factorial(n - c);
      const std::vector<std::uint64_t> rest = others(n - c);
      for (std::size_t d = 0; d < rest.size(); ++d) result[d + c - 1] += ways * rest[d];
    }
    while (result.back() == 0) result.pop_back();
    return result;
  }

 private:
  /// Cycles without the first symbol: length 1 costs nothing, length c >= 2 costs c + 1.
  [[nodiscard]] static std::vector<std::uint64_t> others(std::size_t n) {
    std::vector<std::uint64_t> result(2 * n + 1, 0);
    if (n == 0) result[0] = 1;
    for (std::size_t c = 1; c <= n; ++c) {
      const std::uint64_t ways = factorial(n - 1) / factorial(n - c);
      const std::vector<std::uint64_t> rest = others(n - c);
      const std::size_t cost = c == 1 ? 0 : c + 1;
      for (std::size_t d = 0; d < rest.size(); ++d)
        if (rest[d] != 0) result[d + cost] += ways * rest[d];
    }
    return result;
  }
};

std::map<std::size_t, std::vector<std::uint64_t>> golden_levels() {
  std::map<std::size_t, std::vector<std::uint64_t>> levels;
  for (const GoldenRow& row : golden("star/distance_distribution.csv")) {
    EXPECT_EQ(levels[row.number("n")].size(), row.number("distance")) << "rows in order";
    levels[row.number("n")].push_back(row.number("nodes"));
  }
  return levels;
}

TEST(StarTopology, DistanceDistributionBySearch) {
  for (const auto& [n, levels] : golden_levels()) {
    if (n > searched_symbols) continue;
    EXPECT_EQ(level_sizes(StarGraph{n}, NodeId{0}), levels) << n;
  }
}

TEST(StarTopology, DistanceDistributionByCycles) {
  for (const auto& [n, levels] : golden_levels()) EXPECT_EQ(CountByCycles::levels(n), levels) << n;
  for (std::size_t n = 2; n <= searched_symbols; ++n)
    EXPECT_EQ(CountByCycles::levels(n), level_sizes(StarGraph{n}, NodeId{0})) << n;
}

TEST(StarTopology, DiameterAndSumOfDistances) {
  for (const GoldenRow& row : golden("star/distances.csv")) {
    const std::size_t n = row.number("n");
    EXPECT_EQ(StarGraph{n}.diameter(), row.number("diameter")) << n;
    const std::vector<std::uint64_t> levels = CountByCycles::levels(n);
    EXPECT_EQ(levels.size() - 1, row.number("diameter")) << n;
    EXPECT_EQ(metrics_detail::sum(levels), row.number("sum_of_distances")) << n;
    if (n > searched_symbols) continue;
    EXPECT_EQ(diameter(StarGraph{n}), row.number("diameter")) << n;
    EXPECT_EQ(sum_of_distances(StarGraph{n}, NodeId{0}), row.number("sum_of_distances")) << n;
  }
}

TEST(StarTopology, Table1) {
  for (const GoldenRow& row : golden("star/table1.csv")) {
    const Permutation z = permutation_from_label(row.text("z"));
    const std::size_t k = row.number("k");
    const std::uint64_t t = row.number("i") - 1;
    const StarRoute route = star_routes(z.size(), k).at(t);
    EXPECT_EQ(substar_label(substar(z.size(), k, t).member, k), row.text("X"));
    EXPECT_EQ(dimensions_of(route), row.numbers("dimensions"));
    EXPECT_EQ(to_paper_label(route.end), row.text("x"));
    const Permutation y = compose(z, route.end);
    EXPECT_EQ(to_paper_label(y), row.text("y"));
    EXPECT_EQ(substar_label(y, k), row.text("Y"));
  }
}

TEST(StarTopology, RoutesToAllSubstars) {
  for (const GoldenRow& row : golden("star/routes.csv")) {
    Fnv1a digest;
    for (const StarRoute& route : star_routes(row.number("n"), row.number("k"))) {
      for (const std::uint64_t dimension : dimensions_of(route)) digest.byte(dimension);
      digest.byte(0);
    }
    EXPECT_EQ(digest.value(), row.digest("fnv1a64")) << row.text("n") << ", " << row.text("k");
  }
}

TEST(StarTopology, RepresentativesOfAllNodes) {
  for (const GoldenRow& row : golden("star/representatives.csv")) {
    const std::size_t n = row.number("n");
    const std::vector<StarRoute> routes = star_routes(n, row.number("k"));
    Fnv1a digest;
    for (std::uint64_t z = 0; z < factorial(n); ++z)
      for (const StarRoute& route : routes)
        digest.little_endian_32(lexicographic_rank(compose(lexicographic_unrank(n, z), route.end)));
    EXPECT_EQ(digest.value(), row.digest("fnv1a64")) << row.text("n") << ", " << row.text("k");
  }
}

TEST(StarTopology, HamiltonianWord) {
  for (const GoldenRow& row : golden("star/hamiltonian_word.csv")) {
    const StarGraph star{row.number("n")};
    const std::vector<std::uint8_t> word = star_hamiltonian_word(star.symbols());
    ASSERT_EQ(word.size(), row.number("length"));
    Fnv1a digest;
    std::vector<std::uint64_t> uses(star.max_degree(), 0);
    std::vector<std::uint64_t> first;
    NodeId u = star.identity();
    NodeId after_half = u;
    for (std::size_t j = 0; j < word.size(); ++j) {
      const std::uint64_t dimension = StarGraph::to_paper_dimension(port(word[j]));
      digest.byte(dimension);
      ++uses[word[j]];
      if (j < 30) first.push_back(dimension);
      if (j == word.size() / 2) after_half = u;
      u = star.neighbor(u, port(word[j]));
    }
    EXPECT_EQ(digest.value(), row.digest("fnv1a64"));
    EXPECT_EQ(uses, row.numbers("uses"));
    EXPECT_EQ(first, row.numbers("first"));
    EXPECT_EQ(star.label(after_half), row.text("node_after_half"));
    EXPECT_EQ(u, star.identity());
  }
}

}  // namespace
}  // namespace lockstep
