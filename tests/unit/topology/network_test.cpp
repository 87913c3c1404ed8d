// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

/// A path 0 - 1 - 2 in which each test breaks one entry.
NetworkTables path_of_three() {
  constexpr std::uint32_t none = NetworkTables::no_node;
  return {.name = "path",
          .node_count = 3,
          .max_degree = 2,
          .neighbors = {1, 0, 1, none, 2, none},
          .reverse_ports = {0, 0, 1, 0, 0, 0},
          .degrees = {1, 2, 1},
          .label = {}};
}

void expect_refused(NetworkTables tables, const std::string& because) {
  try {
    const Network network{std::move(tables)};
    ADD_FAILURE() << "accepted, though: " << because;
  } catch (const InvalidParameter& refused) {
    EXPECT_THAT(refused.what(), HasSubstr(because));
  }
}

TEST(Network, AcceptsALawfulTable) {
  const Network path{path_of_three()};
  EXPECT_EQ(path.degree(NodeId{0}), 1U);
  EXPECT_EQ(path.degree(NodeId{1}), 2U);
  EXPECT_EQ(path.neighbor(NodeId{1}, Port{1}), NodeId{2});
  EXPECT_EQ(path.reverse_port(NodeId{2}, Port{0}), Port{1});
  EXPECT_EQ(path.processor_count(), 3U);
  EXPECT_EQ(path.label(NodeId{2}), "2");
}

TEST(Network, RefusesEachBrokenLawByNodeAndPort) {
  NetworkTables tables = path_of_three();
  tables.neighbors[4] = 7;
  expect_refused(tables, "path: node 1, port 1: leads outside 0..2");

  tables = path_of_three();
  tables.neighbors[4] = 1;
  expect_refused(tables, "path: node 1, port 1: leads back to its own node");

  tables = path_of_three();
  tables.reverse_ports[4] = 1;
  expect_refused(tables,
                 "path: node 1, port 1: reverse port 1 is out of range; node 2 has degree 1");

  tables = path_of_three();
  tables.reverse_ports[0] = 1;
  expect_refused(tables, "path: node 0, port 0: port 1 of node 1 does not lead back");

  tables = path_of_three();
  tables.degrees[1] = 3;
  expect_refused(tables, "path: node 1: 3 ports; allowed: 0..2");

  tables = path_of_three();
  tables.node_count = 0;
  expect_refused(tables, "0 nodes");
}

TEST(Network, TakesLinksBetweenTheSameNodesForLanes) {
  const std::vector<Link> links{
      {NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}, {NodeId{1}, NodeId{0}}};
  const Network network = build_network("lanes", 3, links);
  EXPECT_EQ(network.degree(NodeId{0}), 2U);
  EXPECT_EQ(network.neighbor(NodeId{0}, Port{0}), NodeId{1});
  EXPECT_EQ(network.neighbor(NodeId{0}, Port{1}), NodeId{1});
  EXPECT_EQ(network.reverse_port(NodeId{0}, Port{0}), Port{0});
  EXPECT_EQ(network.reverse_port(NodeId{0}, Port{1}), Port{2});
}

/// More ports than 16 bits count.
TEST(Network, TakesMemoryForTheArcsThereAre) {
  constexpr std::uint64_t leaves = 100'000;
  std::vector<Link> links;
  for (std::uint64_t leaf = 1; leaf <= leaves; ++leaf) links.push_back({NodeId{leaf}, NodeId{0}});
  const Network network = build_network("hub", leaves + 1, links, leaves);
  EXPECT_EQ(network.arc_layout().size(), 2 * leaves);
  EXPECT_EQ(network.max_degree(), leaves);
  EXPECT_EQ(network.neighbor(NodeId{0}, port(leaves - 1)), NodeId{leaves});
  EXPECT_EQ(network.reverse_port(NodeId{leaves}, Port{0}), port(leaves - 1));
  EXPECT_EQ(network.processor_count(), leaves);
}

TEST(ArcLayout, GivesEveryArcAPlaceOfItsOwn) {
  const std::vector<std::uint64_t> first{0, 3, 4, 4, 9};
  for (const ArcLayout& arcs : {ArcLayout(4, 5), ArcLayout(4, 5, first.data())}) {
    std::set<std::uint64_t> places;
    const std::vector<std::size_t> degrees{3, 1, 0, 5};
    for (std::uint64_t u = 0; u < degrees.size(); ++u)
      for (std::size_t p = 0; p < degrees[u]; ++p) places.insert(arcs.index(NodeId{u}, port(p)));
    EXPECT_EQ(places.size(), 9U);
    EXPECT_LT(*places.rbegin(), arcs.size());
  }
  EXPECT_EQ(ArcLayout(4, 5).size(), 20U);
  EXPECT_EQ(ArcLayout(4, 5, first.data()).size(), 9U);
}

// Both lead back, but not to each other: only possible with a second lane.
TEST(Network, RefusesReversePortsThatDoNotPair) {
  const NetworkTables tables{.name = "crossed",
                             .node_count = 2,
                             .max_degree = 2,
                             .neighbors = {1, 0, 1, 0},
                             .reverse_ports = {0, 1, 0, 1},
                             .degrees = {},
                             .label = {}};
  expect_refused(tables, "crossed: node 0, port 0: reverse port of port 0 of node 1 is another");
}

TEST(Network, RefusesANetworkInTwoParts) {
  const std::vector<Link> links{{NodeId{0}, NodeId{1}}, {NodeId{2}, NodeId{3}}};
  try {
    (void)build_network("parts", 4, links);
    ADD_FAILURE() << "accepted two parts";
  } catch (const InvalidParameter& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("is not connected: no path from node 0 to node 2"));
  }
}

TEST(Network, KeepsWhatTheTopologySays) {
  const StarGraph star{5};
  const Network network = build_network(star);
  EXPECT_EQ(network.name(), "star:5");
  EXPECT_EQ(network.label(NodeId{77}), star.label(NodeId{77}));
  EXPECT_EQ(network.max_degree(), 4U);
}

TEST(Network, CopiesShareTheirArraysAndOutliveTheOriginal) {
  const auto copy = [] {
    const Network original = build_network(StarGraph{4});
    Network copied = original;
    return copied;
  }();
  EXPECT_EQ(copy.neighbor(NodeId{0}, Port{2}), StarGraph{4}.neighbor(NodeId{0}, Port{2}));
  EXPECT_EQ(copy.label(NodeId{0}), "1234");
}

TEST(Network, FromLinksNumbersPortsInOrderOfTheList) {
  const std::vector<Link> links{
      {NodeId{0}, NodeId{2}}, {NodeId{1}, NodeId{0}}, {NodeId{0}, NodeId{3}}};
  const Network network = build_network("claw", 4, links);
  EXPECT_EQ(network.name(), "claw");
  EXPECT_EQ(network.max_degree(), 3U);
  EXPECT_EQ(network.degree(NodeId{0}), 3U);
  EXPECT_EQ(network.degree(NodeId{3}), 1U);
  EXPECT_EQ(network.neighbor(NodeId{0}, Port{0}), NodeId{2});
  EXPECT_EQ(network.neighbor(NodeId{0}, Port{1}), NodeId{1});
  EXPECT_EQ(network.neighbor(NodeId{0}, Port{2}), NodeId{3});
  EXPECT_EQ(network.reverse_port(NodeId{3}, Port{0}), Port{2});
}

TEST(Network, FromLinksRefusesLoopsAndStrangers) {
  const std::vector<Link> loop{{NodeId{0}, NodeId{0}}};
  const std::vector<Link> stranger{{NodeId{0}, NodeId{2}}};
  EXPECT_THROW((void)build_network("loop", 1, loop), InvalidParameter);
  EXPECT_THROW((void)build_network("stranger", 2, stranger), InvalidParameter);
  EXPECT_THROW((void)build_network("nothing", 0, {}), InvalidParameter);
}

TEST(Network, SingleNodeNeedsNoLinks) {
  const Network single = build_network("single", 1, {});
  EXPECT_EQ(single.node_count(), 1U);
  EXPECT_EQ(single.max_degree(), 0U);
}

TEST(Network, RefusesMoreNodesThanItsTablesCount) {
  EXPECT_THROW((void)build_network(Ring{std::uint64_t{1} << 33}), InvalidParameter);
}

/// A topology that breaks the law of its own degree.
class TooManyPorts : public LinearArray {
 public:
  using LinearArray::LinearArray;
  [[nodiscard]] std::size_t max_degree() const noexcept { return 1; }
};

TEST(Network, RefusesATopologyThatExceedsItsDegree) {
  EXPECT_THROW((void)build_network(TooManyPorts{5}), InvalidParameter);
}

/// A ring of which one half are switches.
class SwitchedRing : public Ring {
 public:
  using Ring::Ring;
  static constexpr Knows knows = Ring::knows | Knows::processors;
  [[nodiscard]] std::uint64_t processor_count() const noexcept { return node_count() / 2; }
};

TEST(Network, KeepsSwitches) {
  const Network network = build_network(SwitchedRing{6});
  EXPECT_EQ(network.processor_count(), 3U);
  EXPECT_EQ(build_network(Ring{6}).processor_count(), 6U);
  EXPECT_THROW((void)build_network("pair", 2, std::vector{Link{NodeId{0}, NodeId{1}}}, 3),
               InvalidParameter);
}

/// A ring in which node 0 numbers its ports the other way round: regular, but not alike.
class TwistedRing : public Ring {
 public:
  using Ring::Ring;
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return Ring::neighbor(u, twisted(u, p));
  }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const noexcept {
    return twisted(neighbor(u, p), Ring::reverse_port(u, twisted(u, p)));
  }

 private:
  [[nodiscard]] Port twisted(NodeId u, Port p) const noexcept {
    return u == NodeId{0} ? Ring::reverse_port(u, p) : p;
  }
};

TEST(Network, KeepsReversePortsThatDifferFromNodeToNode) {
  const TwistedRing ring{5};
  const Network network = build_network(ring);
  for (std::uint64_t u = 0; u < 5; ++u)
    for (const Port p : {Port{0}, Port{1}}) {
      EXPECT_EQ(network.neighbor(NodeId{u}, p), ring.neighbor(NodeId{u}, p));
      EXPECT_EQ(network.reverse_port(NodeId{u}, p), ring.reverse_port(NodeId{u}, p));
    }
  EXPECT_NE(network.reverse_port(NodeId{0}, Port{0}), network.reverse_port(NodeId{2}, Port{0}));
}

/// A topology of which one arc has a wrong reverse port.
template <class T>
class Misled : public T {
 public:
  Misled(const T& topology, NodeId u, Port p) : T(topology), u_(u), p_(p) {}
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const noexcept {
    const Port right = T::reverse_port(u, p);
    return u == u_ && p == p_ ? port(1U - index(right)) : right;
  }

 private:
  NodeId u_;
  Port p_;
};

/// Whoever has it: that the other nodes agree hides nothing.
TEST(Network, RefusesATopologyWithOneWrongReversePort) {
  const Ring ring{5};
  const LinearArray line{4};
  for (std::uint64_t u = 0; u < 5; ++u)
    for (const Port p : {Port{0}, Port{1}})
      EXPECT_THROW((void)build_network(Misled(ring, NodeId{u}, p)), InvalidParameter) << u;
  for (std::uint64_t u = 0; u < 4; ++u)
    for (std::size_t p = 0; p < line.degree(NodeId{u}); ++p)
      EXPECT_THROW((void)build_network(Misled(line, NodeId{u}, port(p))), InvalidParameter) << u;
}

/// A ring in which all nodes agree on reverse ports, and all are wrong.
class ReversedRing : public Ring {
 public:
  using Ring::Ring;
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept { return p; }
};

TEST(Network, RefusesATopologyWhoseNodesAgreeOnWrongReversePorts) {
  try {
    (void)build_network(ReversedRing{5});
    ADD_FAILURE() << "accepted";
  } catch (const InvalidParameter& refused) {
    EXPECT_THAT(refused.what(),
                HasSubstr("ring:5: node 0, port 0: port 0 of node 1 does not lead back"));
  }
}

TEST(Network, PredictsAtMostTheBytesOfItsTables) {
  EXPECT_EQ(Network::bytes(362'880, 8, false), 362'880U * (8 * 8 + 4));
  EXPECT_EQ(Network::bytes(362'880, 8, true), 362'881U * 8 * 4);
  EXPECT_EQ(Network::bytes(1, 0, false), 4U);
}

}  // namespace
}  // namespace lockstep
