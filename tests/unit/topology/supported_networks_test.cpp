// SPDX-License-Identifier: Apache-2.0

/// Conditions of algorithms as data: what they admit, how they read, and why a network is refused.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string reason(const SupportedNetworks& networks, const char* name) {
  const AnyTopology network(name);
  EXPECT_FALSE(networks.admits(network)) << name;
  return networks.reason_against(network);
}

TEST(SupportedNetworksTest, TextNamesShapeAndLimits) {
  EXPECT_EQ(SupportedNetworks(shapes::any_network).text(), "any network");
  EXPECT_EQ(shapes::complete.up_to_nodes(512).text(), "complete of up to 512 nodes");
  EXPECT_EQ(shapes::any_network.up_to_nodes(1).text(), "any network of up to 1 node");
  const SupportedNetworks groups =
      shapes::cayley_graph.up_to_nodes(1'024).with(at_most(quantities::ports, 64));
  EXPECT_EQ(groups.text(), "any Cayley graph of up to 1,024 nodes with up to 64 ports");
  EXPECT_EQ(groups.families(), std::vector<std::string_view>{"Cayley graphs"});
  EXPECT_EQ(shapes::cayley_graph.up_to_nodes(512).with(even(quantities::nodes)).text(),
            "any Cayley graph of an even number of up to 512 nodes");
  EXPECT_EQ(shapes::linear.with(odd(quantities::nodes)).text(), "linear of an odd number of nodes");
  EXPECT_EQ(shapes::chain.up_to_nodes(9).with(at_least(quantities::nodes, 2)).text(),
            "any network of 2 to 9 nodes whose node i is linked to node i + 1");
  EXPECT_EQ(shapes::any_network.with(at_most(quantities::pairs, 5'000))
                .with(at_most(quantities::ports, 4))
                .with(at_most(quantities::hops, 1'048'576))
                .text(),
            "any network with processors x nodes <= 5,000, up to 4 ports and up to 1,048,576 hops "
            "in the plan");
}

TEST(SupportedNetworksTest, AlternativesOfOneShapeNameItOnce) {
  EXPECT_EQ(shapes::cycle.up_to_nodes(8)
                .or_else(shapes::cycle.up_to_nodes(11).with(odd(quantities::nodes)))
                .text(),
            "ring of up to 8 nodes, or of an odd number of up to 11 nodes");
  EXPECT_EQ(shapes::linear.up_to_nodes(8).or_else(shapes::complete.up_to_nodes(6)).text(),
            "linear of up to 8 nodes, or complete of up to 6 nodes");
}

TEST(SupportedNetworksTest, AdmitsWithinShapesAndLimits) {
  const SupportedNetworks groups =
      shapes::cayley_graph.up_to_nodes(24).with(at_most(quantities::ports, 3));
  EXPECT_TRUE(groups.admits(AnyTopology("star:4")));
  EXPECT_FALSE(groups.admits(AnyTopology("ring:25")));
  EXPECT_FALSE(groups.admits(AnyTopology("complete:5")));
  EXPECT_FALSE(groups.admits(AnyTopology("petersen")));
  const SupportedNetworks either = shapes::linear.up_to_nodes(8).or_else(shapes::complete);
  EXPECT_TRUE(either.admits(AnyTopology("linear:8")));
  EXPECT_FALSE(either.admits(AnyTopology("linear:9")));
  EXPECT_TRUE(either.admits(AnyTopology("complete:9")));
  EXPECT_EQ(reason(SupportedNetworks(), "ring:3"), "supports no network");
}

/// Limits that only a plan shows are left to the planner.
TEST(SupportedNetworksTest, AdmitsWhereOnlyThePlanShowsTheQuantity) {
  EXPECT_TRUE(shapes::any_network.with(at_most(quantities::hops, 0)).admits(AnyTopology("ring:5")));
}

TEST(SupportedNetworksTest, TheReasonNamesTheLimitAndTheFigureOfTheNetwork) {
  EXPECT_EQ(reason(shapes::any_network.up_to_nodes(1'024).with(at_most(quantities::ports, 2)),
                   "torus:64x64"),
            "supports networks of up to 1,024 nodes; torus:64x64 has 4,096 nodes");
  EXPECT_EQ(reason(shapes::cayley_graph.with(at_most(quantities::ports, 64)), "complete:100"),
            "supports Cayley graphs with up to 64 ports; complete:100 has 99 ports");
  EXPECT_EQ(reason(shapes::any_network.with(at_most(quantities::pairs, 100)), "fat-tree:2^4"),
            "supports networks with processors x nodes <= 100; fat-tree:2^4 has processors x nodes "
            "= 496");
  EXPECT_EQ(reason(shapes::any_network.with(at_least(quantities::nodes, 2)), "linear:1"),
            "supports networks of at least 2 nodes; linear:1 has 1 node");
  EXPECT_EQ(reason(shapes::any_network.with(even(quantities::nodes)), "ring:5"),
            "supports networks of an even number of nodes; ring:5 has 5 nodes");
}

TEST(SupportedNetworksTest, TheReasonNamesTheShapesOfNetworksThatHaveNone) {
  EXPECT_EQ(reason(shapes::complete.up_to_nodes(8), "ring:99"),
            "supports only complete graphs of up to 8 nodes");
  EXPECT_EQ(reason(shapes::linear.up_to_nodes(4).or_else(shapes::hypercube), "petersen"),
            "supports only linear arrays of up to 4 nodes, or hypercubes");
  // The limit of the alternative whose shape the network has.
  EXPECT_EQ(reason(shapes::complete.or_else(shapes::linear.up_to_nodes(4)), "linear:5"),
            "supports linear arrays of up to 4 nodes; linear:5 has 5 nodes");
}

TEST(SupportedNetworksTest, SearchedShapesAreLookedForWithinTheLimitsOnly) {
  static std::uint64_t searches = 0;
  static constexpr NetworkShape searched{.text = "any searched network",
                                         .plural = "searched networks",
                                         .is =
                                             [](const ErasedTopology&) {
                                               ++searches;
                                               return false;
                                             },
                                         .searched = true,
                                         .wider = &shapes::switchless};
  const SupportedNetworks networks = searched.up_to_nodes(8);
  EXPECT_EQ(reason(networks, "ring:9"),
            "supports searched networks of up to 8 nodes; ring:9 has 9 nodes");
  // The wider shape is known without a search.
  EXPECT_EQ(reason(networks, "fat-tree:2^4"), "supports only searched networks of up to 8 nodes");
  EXPECT_EQ(searches, 0U);
  EXPECT_EQ(reason(networks, "ring:8"), "supports only searched networks of up to 8 nodes");
  EXPECT_EQ(searches, 1U);
}

TEST(SupportedNetworksTest, BothKeepsTheNarrowerShapeAndTheTighterLimits) {
  const SupportedNetworks small = shapes::any_network.up_to_nodes(128);
  const SupportedNetworks groups =
      shapes::cayley_graph.up_to_nodes(1'024).with(at_most(quantities::ports, 64));
  EXPECT_EQ(small.both(groups).text(), "any Cayley graph of up to 128 nodes with up to 64 ports");
  EXPECT_EQ(groups.both(small).text(), small.both(groups).text());
  EXPECT_EQ(groups.both(shapes::bipartite).text(),
            "any bipartite Cayley graph of up to 1,024 nodes with up to 64 ports");
  const SupportedNetworks even_rings =
      SupportedNetworks(shapes::cycle).both(shapes::switchless.with(even(quantities::nodes)));
  EXPECT_EQ(even_rings.text(), "ring of an even number of nodes");
  EXPECT_TRUE(even_rings.admits(AnyTopology("ring:8")));
  EXPECT_FALSE(even_rings.admits(AnyTopology("ring:9")));
  EXPECT_FALSE(even_rings.admits(AnyTopology("hypercube:3")));
  // Neither is the wider one.
  const SupportedNetworks chains = SupportedNetworks(shapes::chain).both(shapes::cayley_graph);
  EXPECT_EQ(chains.text(), "any network whose node i is linked to node i + 1 among Cayley graphs");
  EXPECT_TRUE(chains.admits(AnyTopology("ring:8")));
  EXPECT_FALSE(chains.admits(AnyTopology("linear:8")));
}

TEST(SupportedNetworksTest, ATestOfTheUsersIsAsked) {
  const SupportedNetworks mine(
      "mine", [](const ErasedTopology& network) { return network.node_count() == 7; });
  EXPECT_EQ(mine.text(), "mine");
  EXPECT_TRUE(mine.admits(AnyTopology("ring:7")));
  EXPECT_FALSE(mine.both(shapes::complete).admits(AnyTopology("ring:7")));
  EXPECT_EQ(reason(mine, "ring:8"), "supports only mine");
  EXPECT_FALSE(mine.is_general());
  EXPECT_TRUE(shapes::any_network.up_to_nodes(2).is_general());
}

/// Shapes are found by the links, whatever the name.
TEST(NetworkShapesTest, AreThoseOfTheLinks) {
  const auto has = [](const NetworkShape& shape, const char* name) {
    return shape.holds(AnyTopology(name));
  };
  EXPECT_TRUE(has(shapes::complete, "circulant:5,1,2"));
  EXPECT_FALSE(has(shapes::complete, "circulant:6,1,2"));
  EXPECT_TRUE(has(shapes::hypercube, "torus:2x2"));
  EXPECT_TRUE(has(shapes::hypercube, "hypercube:30"));
  EXPECT_TRUE(has(shapes::linear, "mesh:7"));
  EXPECT_TRUE(has(shapes::linear, "linear:5000000"));
  EXPECT_FALSE(has(shapes::linear, "ring:7"));
  EXPECT_TRUE(has(shapes::chain, "ring:7"));
  EXPECT_TRUE(has(shapes::cycle, "circulant:7,1"));
  EXPECT_FALSE(has(shapes::cycle, "complete:4"));
  EXPECT_TRUE(has(shapes::bipartite, "mesh:3x3"));
  EXPECT_FALSE(has(shapes::bipartite, "ring:9"));
  EXPECT_FALSE(has(shapes::hamiltonian, "petersen"));
  EXPECT_TRUE(has(shapes::switchless_product, "torus:3x4"));
  EXPECT_FALSE(has(shapes::switchless, "fat-tree:2^3"));
}

}  // namespace
}  // namespace lockstep
