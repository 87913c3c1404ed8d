// SPDX-License-Identifier: Apache-2.0

/// Holds the cuts that the search finds against all cuts of small networks.

#include "topology/searched_cut.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "lockstep/catalog/any_topology.hpp"

namespace lockstep {
namespace {

/// Nodes and links of every cut; the set of nodes is a number of bits.
[[nodiscard]] std::set<std::pair<std::uint64_t, std::uint64_t>> all_cuts(
    const AnyTopology& network) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> cuts;
  const std::uint64_t nodes = network.node_count();
  for (std::uint64_t inside = 1; inside + 1 < std::uint64_t{1} << nodes; ++inside) {
    std::uint64_t links = 0;
    for (std::uint64_t u = 0; u < nodes; ++u)
      for (std::size_t p = 0; (inside >> u) % 2 != 0 && p < network.degree(NodeId{u}); ++p)
        links += 1 - (inside >> index(network.neighbor(NodeId{u}, port(p)))) % 2;
    cuts.emplace(std::popcount(inside), links);
  }
  return cuts;
}

TEST(SearchedCut, IsACutAndNoneOfTheseNetworksHasANarrowerOne) {
  for (const std::string name :
       {"linear:2", "linear:9", "ring:10", "complete:6", "mesh:3x4", "torus:3x4", "hypercube:3",
        "petersen", "generalized-petersen:5,1", "circulant:12,1,3", "random-regular:10,3,1",
        "random-regular:12,3,2", "random-regular:12,4,3", "product(linear:3,ring:4)"}) {
    SCOPED_TRACE(name);
    const AnyTopology network = name;
    const auto cuts = all_cuts(network);
    const Cut found = searched_cut(network);
    EXPECT_TRUE(cuts.contains({found.nodes, found.links}));
    for (const auto& [nodes, links] : cuts)
      EXPECT_EQ(narrower(found, {nodes, links}, network.node_count()), found)
          << nodes << " nodes, " << links << " links";
  }
}

/// Widths of bisections that are known.
TEST(SearchedCut, FindsKnownBisections) {
  const std::pair<std::string, Cut> known[] = {{"ccc:4", {32, 8}},
                                               {"hypercube:6", {32, 32}},
                                               {"torus:8x8", {32, 16}},
                                               {"mesh:4x16", {32, 4}},
                                               {"dodecahedron", {10, 6}}};
  for (const auto& [name, cut] : known) {
    const AnyTopology network = name;
    const Cut found = searched_cut(network);
    EXPECT_EQ(found.nodes * (network.node_count() - found.nodes) * cut.links,
              cut.nodes * (network.node_count() - cut.nodes) * found.links)
        << name << ": " << found.nodes << " nodes, " << found.links << " links";
  }
}

TEST(SearchedCut, LargeNetworksAndSingleNodesHaveNone) {
  for (const std::string name : {"ring:257", "complete:100", "linear:1"})
    EXPECT_EQ(searched_cut(AnyTopology(name)), Cut{}) << name;
}

}  // namespace
}  // namespace lockstep
