// SPDX-License-Identifier: Apache-2.0

/// Trees for scans: they span the network, and runs hold the numbers below each node.

#include "algorithm/run_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"

namespace lockstep {
namespace {

[[nodiscard]] bool are_neighbors(const ErasedTopology& network, std::uint32_t u, std::uint32_t v) {
  for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
    if (index(network.neighbor(NodeId{u}, port(p))) == v) return true;
  return false;
}

/// Processors at and below each node.
[[nodiscard]] std::vector<std::set<std::uint32_t>> numbers_below(const ErasedTopology& network,
                                                                 const TreeLinks& links) {
  std::vector<std::set<std::uint32_t>> below(network.node_count());
  for (std::uint32_t u = 0; u < network.processor_count(); ++u) below[u] = {u};
  for (auto link = links.rbegin(); link != links.rend(); ++link)
    below[link->parent].insert(below[link->child].begin(), below[link->child].end());
  return below;
}

void expect_tree(const ErasedTopology& network, const RunTree& tree) {
  std::set<std::uint32_t> reached{tree.root()};
  for (const auto& [parent, child] : tree.links) {
    EXPECT_TRUE(are_neighbors(network, parent, child)) << parent << ' ' << child;
    EXPECT_TRUE(reached.contains(parent));
    EXPECT_TRUE(reached.insert(child).second) << child;
  }
  for (std::uint32_t u = 0; u < network.processor_count(); ++u) EXPECT_TRUE(reached.contains(u));
  const std::vector<std::set<std::uint32_t>> below = numbers_below(network, tree.links);
  for (std::size_t u = 0; u < below.size(); ++u) {
    std::set<std::uint32_t> numbers;
    for (std::size_t r = 0; r < tree.runs[u].size(); ++r) {
      const auto [first, last] = tree.runs[u][r];
      EXPECT_TRUE(r == 0 || first > tree.runs[u][r - 1].last + 1) << "runs that meet are one";
      for (std::uint32_t number = first; number <= last; ++number) numbers.insert(number);
    }
    EXPECT_EQ(numbers, below[u]) << u;
  }
}

TEST(RunTrees, SpanTheNetworkInRuns) {
  for (const char* const name :
       {"linear:1", "linear:2", "ring:9", "mesh:4x5", "star:4", "ccc:3", "hypercube:4",
        "random-regular:24,3,1", "fat-tree:2^3", "kary-tree:2^3"}) {
    SCOPED_TRACE(name);
    const AnyTopology network{std::string(name)};
    for (const Ports ports : {Ports::one, Ports::all}) {
      const std::vector<RunTree> trees = run_trees(network, ports);
      ASSERT_FALSE(trees.empty());
      for (const RunTree& tree : trees) expect_tree(network, tree);
    }
  }
}

/// The most sums that a node sends or receives for one part.
[[nodiscard]] std::size_t load_of(const ErasedTopology& network, const RunTree& tree) {
  std::vector<std::size_t> sent(network.node_count());
  std::vector<std::size_t> received(network.node_count());
  for (const auto& [parent, child] : tree.links)
    for (const NumberRun& run : tree.runs[child]) {
      const std::size_t up = run.last + 1 != network.processor_count() ? 1 : 0;
      const std::size_t down = run.first != 0 ? 1 : 0;
      sent[child] += up;
      received[parent] += up;
      sent[parent] += down;
      received[child] += down;
    }
  return std::max(*std::ranges::max_element(sent), *std::ranges::max_element(received));
}

/// The loads that the search is known to reach.
TEST(RunTrees, PassFewSumsThroughANode) {
  struct Known {
    const char* name;
    std::size_t load;
  };
  for (const auto& [name, load] : {Known{"linear:9", 1},
                                   {"mesh:4x5", 2},
                                   {"torus:5x5", 2},
                                   {"hypercube:5", 3},
                                   {"ccc:3", 3},
                                   {"star:4", 3}}) {
    const AnyTopology network{std::string(name)};
    std::size_t least = network.node_count();
    for (const RunTree& tree : run_trees(network, Ports::one))
      least = std::min(least, load_of(network, tree));
    EXPECT_LE(least, load) << name;
  }
}

}  // namespace
}  // namespace lockstep
