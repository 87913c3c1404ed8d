// SPDX-License-Identifier: Apache-2.0

/// The lower bound of a broadcast from the numbers of nodes at each distance.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/verify/lower_bounds.hpp"
#include "support/fewest_broadcast_steps.hpp"

namespace lockstep {
namespace {

std::uint64_t startups_of(const BoundInputs& figures,
                          const PortModel& model = port_models::single_port) {
  return lower_bound({Operation::broadcast}, figures, model).value().least.startups;
}

/// Theorem 3.3 of Dimakopoulos as it is written, in numbers that may have any size.
std::uint64_t theorem_3_3(const std::vector<std::uint64_t>& levels) {
  std::uint64_t bound = 0;
  for (std::size_t d = 0; d < levels.size(); ++d) {
    const double beyond =
        std::accumulate(levels.begin() + static_cast<std::ptrdiff_t>(d), levels.end(), 0.0);
    std::uint64_t t = d;
    for (;; ++t) {
      double sum = 0;
      double choose = 1;  // (t over l)
      for (std::uint64_t l = 0; l <= t; ++l) {
        if (l >= d) sum += choose;
        choose = choose * static_cast<double>(t - l) / static_cast<double>(l + 1);
      }
      if (sum >= beyond) break;
    }
    bound = std::max(bound, t);
  }
  return bound;
}

TEST(LowerBoundsOfBroadcasts, ByAllDistances) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint64_t> levels{1};
    const std::uint64_t most = std::uint64_t{1} << random() % 30;
    for (std::uint64_t rest = random() % 12; rest > 0; --rest)
      levels.push_back(1 + random() % most);
    const auto nodes = std::accumulate(levels.begin(), levels.end(), std::uint64_t{0});
    const BoundInputs figures{
        .processors = nodes, .degree = 2, .diameter = levels.size() - 1, .levels = levels};
    EXPECT_EQ(startups_of(figures), theorem_3_3(levels));
    // It speaks of sends alone; nobody else is bound by it.
    EXPECT_EQ(startups_of(figures, port_models::single_port_send), theorem_3_3(levels));
  }
}

/// The largest numbers there are do not run over, and do not take long.
TEST(LowerBoundsOfBroadcasts, ByAllDistancesOfHugeNetworks) {
  const auto steps = [](std::vector<std::uint64_t> levels) {
    const auto nodes = std::accumulate(levels.begin(), levels.end(), std::uint64_t{0});
    const BoundInputs figures{
        .processors = nodes, .degree = 2, .diameter = levels.size() - 1, .levels = levels};
    return startups_of(figures);
  };
  EXPECT_EQ(steps({1, ~std::uint64_t{0} - 1}), 64U);
  std::vector<std::uint64_t> path(2'000'001, 1);
  EXPECT_EQ(steps(path), 2'000'000U);
  path.back() = 2;
  EXPECT_EQ(steps(path), 2'000'001U);
}

/// Node u + 1 hangs on parents[u].
Network tree(const std::string& name, const std::vector<std::uint64_t>& parents) {
  std::vector<Link> links;
  for (std::uint64_t u = 0; u < parents.size(); ++u)
    links.push_back({NodeId{parents[u]}, NodeId{u + 1}});
  return build_network(name, parents.size() + 1, links);
}

template <Topology T>
void expect_not_above_the_fewest(const T& network) {
  for (std::uint32_t root = 0; root < network.node_count(); ++root) {
    const std::vector<std::uint64_t> levels = level_sizes(network, NodeId{root});
    const BoundInputs figures{.processors = network.node_count(),
                              .degree = network.max_degree(),
                              .diameter = levels.size() - 1,
                              .levels = levels};
    EXPECT_LE(startups_of(figures), test::FewestSteps<T>(network, 1).from(root)) << network.name();
  }
}

TEST(LowerBoundsOfBroadcasts, ByAllDistancesAgainstEveryWayToSend) {
  for (std::uint64_t n = 1; n <= 8; ++n) expect_not_above_the_fewest(LinearArray(n));
  expect_not_above_the_fewest(Mesh({2, 4}));
  expect_not_above_the_fewest(Torus({2, 4}));
  expect_not_above_the_fewest(tree("star", {0, 0, 0, 0, 0, 0, 0}));
  expect_not_above_the_fewest(tree("tree", {0, 0, 1, 1, 2, 2, 6}));
}

}  // namespace
}  // namespace lockstep
