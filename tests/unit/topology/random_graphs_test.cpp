// SPDX-License-Identifier: Apache-2.0
#include "topology/random_graphs.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::vector<std::uint64_t> arcs(const Network& network) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    std::set<std::uint64_t> ends;
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      ends.insert(index(network.neighbor(NodeId{u}, port(p))));
      all.push_back(index(network.neighbor(NodeId{u}, port(p))));
    }
    EXPECT_EQ(ends.size(), network.degree(NodeId{u})) << "repeated links of node " << u;
  }
  return all;
}

TEST(RandomGraphs, HaveTheLinksThatWereAskedForAndTheSameForTheSameSeed) {
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const auto& [nodes, degree] :
         {std::pair{1U, 0U}, {2U, 1U}, {3U, 2U}, {4U, 3U}, {10U, 3U}, {101U, 4U}, {20U, 19U}}) {
      const Network network = random_regular_graph(nodes, degree, seed);
      EXPECT_EQ(network.node_count(), nodes);
      EXPECT_EQ(arcs(network).size(), std::size_t{nodes} * degree);
      EXPECT_EQ(network.max_degree(), degree);
      EXPECT_EQ(arcs(network), arcs(random_regular_graph(nodes, degree, seed)));
    }
    for (const auto& [nodes, links] :
         {std::pair{1U, 0U}, {2U, 1U}, {12U, 20U}, {7U, 21U}, {7U, 20U}, {200U, 900U}}) {
      const Network network = erdos_renyi_graph(nodes, links, seed);
      EXPECT_EQ(network.node_count(), nodes);
      EXPECT_EQ(link_count(network), links);
      EXPECT_EQ(arcs(network).size(), std::size_t{2} * links);
      EXPECT_EQ(arcs(network), arcs(erdos_renyi_graph(nodes, links, seed)));
    }
  }
  EXPECT_NE(arcs(random_regular_graph(100, 3, 1)), arcs(random_regular_graph(100, 3, 2)));
}

TEST(RandomGraphs, ImpossibleOnesAreRefused) {
  EXPECT_THROW((void)random_regular_graph(5, 3, 1), InvalidParameter);
  EXPECT_THROW((void)random_regular_graph(4, 4, 1), InvalidParameter);
  EXPECT_THROW((void)random_regular_graph(4, 1, 1), InvalidParameter);
  EXPECT_THROW((void)random_regular_graph(0, 0, 1), InvalidParameter);
  EXPECT_THROW((void)random_regular_graph(std::uint64_t{1} << 60U, 16, 1), InvalidParameter);
  EXPECT_THROW((void)erdos_renyi_graph(4, 7, 1), InvalidParameter);
  EXPECT_THROW((void)erdos_renyi_graph(4, 2, 1), InvalidParameter);
  EXPECT_THROW((void)erdos_renyi_graph(500, 499, 1), InvalidParameter) << "none is connected";
}

}  // namespace
}  // namespace lockstep
