// SPDX-License-Identifier: Apache-2.0

/// `lockstep show`: what it says of distances, held against all shortest paths.

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "support/program.hpp"

namespace lockstep {
namespace {

[[nodiscard]] nlohmann::json shown(const std::string& topology, const std::string& options = "") {
  const std::string command =
      test::program_path() + " show '" + topology + "' --format json" + options;
  std::FILE* const pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c = 0; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return nlohmann::json::parse(text);
}

/// By Floyd and Warshall.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> all_distances(const AnyTopology& network) {
  const std::uint64_t nodes = network.node_count();
  constexpr std::uint64_t far = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::vector<std::uint64_t>> apart(nodes, std::vector<std::uint64_t>(nodes, far));
  for (std::uint64_t u = 0; u < nodes; ++u) {
    apart[u][u] = 0;
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      apart[u][index(network.neighbor(NodeId{u}, port(p)))] = 1;
  }
  for (std::uint64_t by = 0; by < nodes; ++by)
    for (std::uint64_t u = 0; u < nodes; ++u)
      for (std::uint64_t v = 0; v < nodes; ++v)
        apart[u][v] = std::min(apart[u][v], apart[u][by] + apart[by][v]);
  return apart;
}

/// Sum of the distances among the first `nodes` nodes.
[[nodiscard]] double sum_among(const AnyTopology& network, std::uint64_t nodes) {
  const auto apart = all_distances(network);
  double sum = 0;
  for (std::uint64_t u = 0; u < nodes; ++u)
    for (std::uint64_t v = 0; v < nodes; ++v) sum += static_cast<double>(apart[u][v]);
  return sum;
}

TEST(Show, MeanDistancesAreThoseBetweenProcessors) {
  for (const std::string name :
       {"fat-tree:4x3x2,exponential", "fat-tree:3^2", "kary-tree:2^3", "xgft:2;3,2;2,1",
        "xgft:3;2,2,2;1,2,2", "fat-tree:2", "star:4", "mesh:2x3"}) {
    SCOPED_TRACE(name);
    const AnyTopology network(name);
    const auto leaves = static_cast<double>(network.processor_count());
    const auto nodes = static_cast<double>(network.node_count());
    const double between = sum_among(network, network.processor_count());
    const nlohmann::json json = shown(name);
    EXPECT_DOUBLE_EQ(json.at("mean_distance").get<double>(), between / leaves / leaves);
    EXPECT_DOUBLE_EQ(json.at("mean_distance_to_others").get<double>(),
                     between / leaves / (leaves - 1));
    EXPECT_EQ(json.at("processors").get<double>(), leaves);
    EXPECT_EQ(json.at("switches").get<double>(), nodes - leaves);
    const nlohmann::json& with_switches = json.at("mean_distance_with_switches");
    if (nodes == leaves) {
      EXPECT_TRUE(with_switches.is_null());
      continue;
    }
    const double of_all = sum_among(network, network.node_count());
    EXPECT_DOUBLE_EQ(with_switches.get<double>(), of_all / nodes / nodes);
    EXPECT_DOUBLE_EQ(json.at("mean_distance_to_others_with_switches").get<double>(),
                     of_all / nodes / (nodes - 1));
  }
}

/// From end to end over links; no node between the ends is on two of them.
TEST(Show, DisjointPathsAsJson) {
  const std::string name = "product(ring:5,linear:4)";
  const AnyTopology network(name);
  const nlohmann::json json = shown(name, " --paths 0 13");
  EXPECT_EQ(json.at("topology"), name);
  const nlohmann::json& paths = json.at("disjoint_paths");
  ASSERT_EQ(paths.size(), 3U);
  std::set<std::uint64_t> between;
  for (const nlohmann::json& path : paths) {
    const auto nodes = path.at("nodes").get<std::vector<std::uint64_t>>();
    ASSERT_EQ(nodes.size(), path.at("links").get<std::size_t>() + 1);
    ASSERT_EQ(nodes.size(), path.at("labels").size());
    EXPECT_EQ(nodes.front(), 0U);
    EXPECT_EQ(nodes.back(), 13U);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      EXPECT_EQ(path.at("labels")[i], network.label(NodeId{nodes[i]}));
      if (i + 1 == nodes.size()) break;
      bool linked = false;
      for (std::size_t p = 0; p < network.degree(NodeId{nodes[i]}); ++p)
        linked = linked || index(network.neighbor(NodeId{nodes[i]}, port(p))) == nodes[i + 1];
      EXPECT_TRUE(linked) << nodes[i] << " " << nodes[i + 1];
      if (i != 0) {
        EXPECT_TRUE(between.insert(nodes[i]).second) << nodes[i];
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
