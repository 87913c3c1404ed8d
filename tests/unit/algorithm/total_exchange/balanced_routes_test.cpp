// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/balanced_routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/small_cayley_graphs.hpp"

namespace lockstep {
namespace {

constexpr Duplex duplexes[] = {Duplex::full, Duplex::half};

/// Those for which there are balanced routes.
std::vector<AnyCayley> commutative_graphs(Duplex duplex, std::uint64_t most_nodes = 130) {
  std::vector<AnyCayley> groups;
  for (const AnyTopology& graph : test::small_cayley_graphs(most_nodes)) {
    const AnyCayley group = *graph.cayley();
    if (is_commutative(group) && (duplex == Duplex::full || !has_self_inverse_generator(group)))
      groups.push_back(group);
  }
  for (const auto& [a, b] : {std::pair{0, 3}, {2, 2}, {0, 4}, {1, 3}, {2, 4}})
    groups.push_back(any_cayley(
        EisensteinJacobiNetwork(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b))));
  groups.push_back(any_cayley(EisensteinJacobiNetwork(1, 2, 2)));
  return groups;
}

/// Whichever order the hops are made in.
TEST(BalancedRoutesTest, LeadWhereTheyShould) {
  for (const Duplex duplex : duplexes)
    for (const AnyCayley& group : commutative_graphs(duplex)) {
      const BalancedRoutes routes(group, duplex);
      for (std::uint64_t g = 0; g < group.node_count(); ++g) {
        NodeId forwards = group.identity();
        NodeId backwards = group.identity();
        const auto route = routes.route(NodeId{g});
        for (std::size_t i = 0; i < route.size(); ++i) {
          for (std::uint32_t k = 0; k < route[i].count; ++k)
            forwards = group.neighbor(forwards, route[i].through);
          const Hops& other = route[route.size() - 1 - i];
          for (std::uint32_t k = 0; k < other.count; ++k)
            backwards = group.neighbor(backwards, other.through);
        }
        ASSERT_EQ(forwards, NodeId{g}) << group.name();
        ASSERT_EQ(backwards, NodeId{g}) << group.name();
      }
    }
}

TEST(BalancedRoutesTest, CountWhatTheyAre) {
  for (const Duplex duplex : duplexes)
    for (const AnyCayley& group : commutative_graphs(duplex)) {
      SCOPED_TRACE(group.name());
      const BalancedRoutes routes(group, duplex);
      const std::size_t ports = group.degree(group.identity());
      std::vector<std::uint64_t> loads(ports + 1);
      std::set<std::uint32_t> machines;
      for (std::size_t p = 0; p < ports; ++p) machines.insert(routes.machine(port(p)));
      std::uint64_t hops = 0;
      std::uint64_t longest = 0;
      const std::vector<std::uint32_t> distances = distances_from(group, group.identity());
      std::uint64_t status = 0;
      for (std::uint64_t g = 0; g < group.node_count(); ++g) {
        std::uint64_t length = 0;
        for (const auto& [through, count] : routes.route(NodeId{g})) {
          loads[routes.machine(through)] += count;
          length += count;
        }
        EXPECT_GE(length, distances[g]);
        EXPECT_LE(length, distances[g] + 1);
        hops += length;
        longest = std::max(longest, length);
        status += distances[g];
      }
      EXPECT_EQ(routes.hops(), hops);
      EXPECT_EQ(routes.longest(), longest);
      EXPECT_EQ(routes.largest_load(), *std::max_element(loads.begin(), loads.end()));
      EXPECT_EQ(machines.size(), duplex == Duplex::full ? ports : ports / 2);
      EXPECT_GE(routes.least_load() * machines.size(), status);
      EXPECT_LE(routes.least_load(), routes.largest_load());
    }
}

TEST(BalancedRoutesTest, APortAndItsReverseAreOneMachineOnHalfDuplexLinks) {
  for (const AnyCayley& group : commutative_graphs(Duplex::half)) {
    const BalancedRoutes routes(group, Duplex::half);
    for (std::size_t p = 0; p < group.degree(group.identity()); ++p)
      for (std::size_t q = 0; q < group.degree(group.identity()); ++q)
        EXPECT_EQ(routes.machine(port(p)) == routes.machine(port(q)),
                  q == p || port(q) == group.reverse_port(group.identity(), port(p)));
  }
}

/// To the opposite node of a torus of five sides of 4 lead 32 shortest routes: those that are kept
/// go both ways around the last dimension.
TEST(RouteAlternativesTest, AreThinnedOutEvenly) {
  const AnyCayley torus = any_cayley(Torus({4, 4, 4, 4, 4}));
  const RouteAlternatives alternatives(torus, RelativeRoutes(torus), Detours::none);
  NodeId opposite = torus.identity();
  for (std::size_t p = 0; p < torus.degree(opposite); p += 2)
    opposite = torus.neighbor(torus.neighbor(opposite, port(p)), port(p));
  ASSERT_EQ(alternatives.count(opposite), RouteAlternatives::most_shortest);
  std::vector<std::uint32_t> routes_through(torus.degree(opposite));
  for (std::uint32_t i = 0; i < alternatives.count(opposite); ++i)
    for (const Hops& hops : alternatives.route(opposite, i)) ++routes_through[index(hops.through)];
  for (const std::uint32_t through : routes_through)
    EXPECT_GE(through, RouteAlternatives::most_shortest / 3);
  EXPECT_EQ(routes_through.back(), RouteAlternatives::most_shortest / 2);
}

/// Every choice of one shortest route per node, by trial.
class EveryChoice {
 public:
  explicit EveryChoice(const AnyCayley& group)
      : group_(group),
        distances_(distances_from(group, group.identity())),
        found_(group.node_count()),
        loads_(group.degree(group.identity())) {
    std::vector<std::uint64_t> counts(loads_.size());
    walk(group.identity(), 0, counts);
  }

  [[nodiscard]] std::uint64_t least_load() {
    choose(0);
    return least_;
  }

 private:
  using Counts = std::vector<std::uint64_t>;

  void walk(NodeId at, std::size_t first_port, Counts& counts) {
    found_[index(at)].insert(counts);
    for (std::size_t p = first_port; p < counts.size(); ++p) {
      const NodeId next = group_.neighbor(at, port(p));
      if (distances_[index(next)] != distances_[index(at)] + 1) continue;
      ++counts[p];
      walk(next, p, counts);
      --counts[p];
    }
  }

  void choose(std::size_t node) {
    const std::uint64_t largest = *std::max_element(loads_.begin(), loads_.end());
    if (largest >= least_) return;
    if (node == found_.size()) {
      least_ = largest;
      return;
    }
    for (const Counts& counts : found_[node]) {
      for (std::size_t p = 0; p < loads_.size(); ++p) loads_[p] += counts[p];
      choose(node + 1);
      for (std::size_t p = 0; p < loads_.size(); ++p) loads_[p] -= counts[p];
    }
  }

  AnyCayley group_;
  std::vector<std::uint32_t> distances_;
  std::vector<std::set<Counts>> found_;
  Counts loads_;
  std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max();
};

TEST(BalancedRoutesTest, NoChoiceOfShortestRoutesIsBetter) {
  std::size_t compared = 0;
  for (const AnyCayley& group : commutative_graphs(Duplex::full, 17)) {
    if (group.node_count() == 1) continue;
    const BalancedRoutes routes(group, Duplex::full);
    EXPECT_LE(routes.largest_load(), EveryChoice(group).least_load()) << group.name();
    ++compared;
  }
  EXPECT_GE(compared, 15U);
}

/// For b = a + 1 there is one shortest route to every node, and all ports carry the same.
TEST(BalancedRoutesTest, NetworksOfThePaperAreEvenByThemselves) {
  for (const std::uint64_t a : {1U, 2U, 3U, 4U, 6U})
    for (const std::size_t n : {1U, 2U}) {
      const AnyCayley group = any_cayley(EisensteinJacobiNetwork(a, a + 1, n));
      std::uint64_t nodes_before = n == 1 ? 1 : 3 * a * a + 3 * a + 1;
      const std::uint64_t load = nodes_before * a * (a + 1) * (2 * a + 1) / 6;
      EXPECT_EQ(BalancedRoutes(group, Duplex::full).largest_load(), load) << group.name();
      EXPECT_EQ(BalancedRoutes(group, Duplex::half).largest_load(), 2 * load) << group.name();
    }
}

/// All other alphas come within one of the fair share, most of them to it.
TEST(BalancedRoutesTest, OtherAlphasComeWithinOneOfTheFairShare) {
  std::size_t even = 0;
  std::size_t even_half = 0;
  std::size_t alphas = 0;
  for (std::uint64_t b = 2; b <= 12; ++b)
    for (std::uint64_t a = 0; a <= b; ++a) {
      if (a * a + a * b + b * b < 7) continue;
      const AnyCayley group = any_cayley(EisensteinJacobiNetwork(a, b));
      const BalancedRoutes full(group, Duplex::full);
      const BalancedRoutes half(group, Duplex::half);
      EXPECT_LE(full.largest_load(), full.least_load() + 1) << group.name();
      EXPECT_LE(half.largest_load(), half.least_load() + 1) << group.name();
      if (full.largest_load() == full.least_load()) ++even;
      if (half.largest_load() == half.least_load()) ++even_half;
      ++alphas;
    }
  EXPECT_EQ(alphas, 87U);
  EXPECT_GE(even, 67U);
  EXPECT_GE(even_half, 79U);
}

TEST(BalancedRoutesTest, ExampleOfTheHeader) {
  const BalancedRoutes routes(any_cayley(Ring{5}), Duplex::full);
  ASSERT_EQ(routes.route(NodeId{3}).size(), 1U);
  EXPECT_EQ(routes.route(NodeId{3}).front(), (Hops{Port{1}, 2}));
  EXPECT_EQ(routes.largest_load(), 3U);
  EXPECT_EQ(routes.least_load(), 3U);
}

TEST(BalancedRoutesTest, CommutativeIsWhatNoProductContradicts) {
  std::size_t others = 0;
  for (const AnyTopology& graph : test::small_cayley_graphs(24)) {
    const AnyCayley group = *graph.cayley();
    bool commutes = true;
    for (std::uint64_t u = 0; u < group.node_count(); ++u)
      for (std::uint64_t v = 0; v < u; ++v)
        commutes =
            commutes && group.product(NodeId{u}, NodeId{v}) == group.product(NodeId{v}, NodeId{u});
    EXPECT_EQ(is_commutative(group), commutes) << group.name();
    if (!commutes) ++others;
  }
  EXPECT_GE(others, 3U);
}

TEST(BalancedRoutesTest, TheSameEveryTime) {
  const AnyCayley group = any_cayley(EisensteinJacobiNetwork(4, 7));
  const BalancedRoutes one(group, Duplex::full);
  const BalancedRoutes other(group, Duplex::full);
  for (std::uint64_t g = 0; g < group.node_count(); ++g)
    EXPECT_TRUE(std::ranges::equal(one.route(NodeId{g}), other.route(NodeId{g})));
}

}  // namespace
}  // namespace lockstep
