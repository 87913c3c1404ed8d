// SPDX-License-Identifier: Apache-2.0
#include "verify/tree_load.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/topology_model.hpp"

namespace lockstep {
namespace {

/// Node i of n sends i (n - i) messages up and (i - 1) (n - i + 1) down.
TEST(TreeLoad, OfLinearArrays) {
  for (std::uint64_t n = 2; n <= 20; ++n) {
    std::uint64_t most = 0;
    for (std::uint64_t i = 1; i <= n; ++i)
      most = std::max(most, i * (n - i) + (i - 1) * (n - i + 1));
    EXPECT_EQ(tree_load(AnyTopology("linear:" + std::to_string(n))), most) << n;
  }
}

/// The centre of a star passes on all messages between its leaves.
TEST(TreeLoad, OfAStarOfLinks) {
  std::vector<Link> links;
  for (std::uint64_t leaf = 1; leaf <= 5; ++leaf) links.push_back({NodeId{leaf}, NodeId{0}});
  const ErasedTopology star(
      std::make_shared<TopologyModel<Network>>(build_network("star", 6, links)));
  EXPECT_EQ(tree_load(star), 5U + 5U * 4U);
}

TEST(TreeLoad, OfNoOtherNetwork) {
  EXPECT_EQ(tree_load(AnyTopology("ring:5")), std::nullopt);
  EXPECT_EQ(tree_load(AnyTopology("mesh:2x3")), std::nullopt);
  EXPECT_EQ(tree_load(AnyTopology("linear:1")), std::nullopt);
}

/// Stronger than the sum of the distances, and only where a node has one port.
TEST(TreeLoad, BoundsTotalExchange) {
  const auto bound = [](const char* port_model_algorithm) {
    return prepare({.topology = "linear:9",
                    .operation = Operation::total_exchange,
                    .algorithm = port_model_algorithm})
        ->forecast()
        .lower_bound->undivided.message_times;
  };
  EXPECT_EQ(bound("alternating"), Fraction(40));
  EXPECT_EQ(bound("furthest-first"), Fraction(20));
}

}  // namespace
}  // namespace lockstep
