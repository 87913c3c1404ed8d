// SPDX-License-Identifier: Apache-2.0
#include "algorithm/origin_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "algorithm/plan_tree.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

[[nodiscard]] OriginTrees trees_of(const AnyTopology& network) {
  OriginTrees::Demand demand;
  for (std::uint64_t u = 0; u < network.processor_count(); ++u) demand.sources.push_back(NodeId{u});
  demand.wanted = [processors = network.processor_count()](NodeId, NodeId node) {
    return index(node) < processors;
  };
  return {network, std::move(demand)};
}

/// A tree of shortest paths per source, to all processors; below a node its destinations are one
/// after the other, itself first.
TEST(OriginTrees, LeadToEveryDestinationAlongShortestPaths) {
  for (const char* const name : {"linear:6", "star:4", "torus:3x4", "erdos-renyi:20,35,2",
                                 "fat-tree:2^3,2.4.8", "xgft:2;3,2;2,1"}) {
    SCOPED_TRACE(name);
    const AnyTopology network(name);
    const OriginTrees trees = trees_of(network);
    std::map<std::uint32_t, std::set<std::uint32_t>> reached;
    for (const OriginTrees::Hop& hop : trees.hops()) {
      const NodeId source = trees.source(hop.source);
      const std::vector<std::uint32_t> distances = distances_from(network, source);
      EXPECT_EQ(distances[index(trees.tail(hop))], hop.level);
      EXPECT_EQ(distances[hop.node], hop.level + 1);
      EXPECT_EQ(network.neighbor(trees.tail(hop), trees.port_of(hop)), NodeId{hop.node});
      EXPECT_TRUE(reached[hop.source].insert(hop.node).second) << "two ways to one node";
      const auto below = trees.destinations(hop.source).subspan(hop.first, hop.count);
      ASSERT_FALSE(below.empty());
      if (hop.node < network.processor_count()) {
        EXPECT_EQ(below.front(), NodeId{hop.node});
      }
    }
    for (std::uint32_t s = 0; s < trees.source_count(); ++s) {
      const auto all = trees.destinations(s);
      EXPECT_EQ(std::set<NodeId>(all.begin(), all.end()).size(), network.processor_count() - 1);
      for (const NodeId destination : all)
        EXPECT_TRUE(reached[s].contains(static_cast<std::uint32_t>(index(destination))));
    }
  }
}

/// In symmetric networks the busiest link has little more to carry than the mean.
TEST(OriginTrees, LinksShareTheWork) {
  for (const char* const name : {"hypercube:5", "torus:5x5", "star:4", "ccc:3"}) {
    SCOPED_TRACE(name);
    const AnyTopology network(name);
    const OriginTrees trees = trees_of(network);
    std::map<std::uint32_t, std::uint64_t> loads;
    std::uint64_t sum = 0;
    for (const OriginTrees::Hop& hop : trees.hops()) {
      loads[hop.arc] += hop.count;
      sum += hop.count;
    }
    std::uint64_t most = 0;
    for (const auto& [arc, load] : loads) most = std::max(most, load);
    const std::uint64_t arcs = 2 * network.link_count().value();
    EXPECT_GE(most * arcs, sum);
    EXPECT_LE(most * arcs, 2 * sum);
  }
}

TEST(CentralRoot, IsAsNearAsPossibleToTheFarthestProcessor) {
  for (const char* const name : {"linear:1", "linear:8", "linear:9", "mesh:3x5", "mesh:4x4x3",
                                 "erdos-renyi:40,60,3", "fat-tree:3^3", "kary-tree:2^3"}) {
    SCOPED_TRACE(name);
    const AnyTopology network(name);
    const auto farthest = [&](NodeId u) {
      const std::vector<std::uint32_t> distances = distances_from(network, u);
      return *std::max_element(
          distances.begin(),
          distances.begin() + static_cast<std::ptrdiff_t>(network.processor_count()));
    };
    std::uint32_t least = farthest(NodeId{0});
    for (std::uint64_t u = 1; u < network.node_count(); ++u)
      least = std::min(least, farthest(NodeId{u}));
    EXPECT_EQ(farthest(central_root(network)), least);
  }
}

}  // namespace
}  // namespace lockstep
