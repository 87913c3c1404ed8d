// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <cstdint>
#include <vector>

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "support/broadcast_class.hpp"

namespace lockstep {
namespace {

/// Who is informed when, from the plan alone: 0 for the root, else 1 + the step.
[[nodiscard]] std::vector<std::uint64_t> informed_at(const AnyTopology& network,
                                                     const BroadcastPlan& plan) {
  std::vector<std::uint64_t> at(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (const BroadcastPlan::Send& send : plan.sends_of(NodeId{u}))
      at[index(network.neighbor(NodeId{u}, send.port))] = send.step + 1U;
  return at;
}

/// The size of a maximum matching between those informed before the step and those not.
[[nodiscard]] std::size_t most_that_can_be_informed(const AnyTopology& network,
                                                    const std::vector<std::uint64_t>& at,
                                                    std::uint64_t step) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  Graph graph(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      const std::uint64_t v = index(network.neighbor(NodeId{u}, port(p)));
      if (at[u] <= step && at[v] > step) boost::add_edge(u, v, graph);
    }
  std::vector<boost::graph_traits<Graph>::vertex_descriptor> mates(network.node_count());
  boost::edmonds_maximum_cardinality_matching(graph, mates.data());
  return boost::matching_size(graph, mates.data());
}

/// Cayley graphs and others; from the first node and from one in the middle, as plans are made for
/// the root itself where nodes differ.
const std::vector<AnyTopology>& networks() {
  static const std::vector<AnyTopology> all{
      "ej:1+2",     "ej:0+3",    "ej:2+2",      "ej:2+4",
      "ej:1+5",     "ej:4+5",    "ej:6+7",      "ej:1+2^2",
      "ej:0+3^2",   "ej:2+3^2",  "ej:1+2^3",    "star:5",
      "ccc:3",      "torus:3x4", "hypercube:5", "complete:6",
      "linear:1",   "linear:2",  "linear:12",   "mesh:4x5",
      "mesh:2x3x4", "ring:7",    "butterfly:3", "product(ring:5,linear:4)"};
  return all;
}

/// check(network, root, its plan)
template <class Check>
void for_every_plan(Check check) {
  for (const AnyTopology& network : networks())
    for (const std::uint64_t root : {std::uint64_t{0}, network.node_count() / 2}) {
      SCOPED_TRACE(network.name() + " from " + std::to_string(root));
      check(network, NodeId{root}, matching_plan(network, NodeId{root}));
    }
}

/// Judged by another algorithm (Edmonds', of Boost.Graph).
TEST(Matching, InformsAsManyInEveryStepAsCanBe) {
  for_every_plan([](const AnyTopology& network, NodeId, const BroadcastPlan& plan) {
    const std::vector<std::uint64_t> at = informed_at(network, plan);
    for (std::uint64_t step = 0; step < plan.steps(); ++step) {
      const auto now = static_cast<std::size_t>(std::count(at.begin(), at.end(), step + 1));
      EXPECT_EQ(now, most_that_can_be_informed(network, at, step)) << "step " << step;
    }
  });
}

TEST(Matching, EverybodySendsOncePerStepAndOnlyWhenInformed) {
  for_every_plan([](const AnyTopology& network, NodeId root, const BroadcastPlan& plan) {
    const std::vector<std::uint64_t> at = informed_at(network, plan);
    std::uint64_t sends = 0;
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      EXPECT_EQ(at[u] == 0, NodeId{u} == root);
      std::uint64_t next = at[u];  // the first step in which u may send
      for (const BroadcastPlan::Send& send : plan.sends_of(NodeId{u})) {
        EXPECT_GE(send.step, next);
        next = send.step + std::uint64_t{1};
        ++sends;
      }
    }
    EXPECT_EQ(sends, network.node_count() - 1);
  });
}

/// In step 0 all neighbours of a node of EJ are alike for the first preference; the second and then
/// the number decide. The plan is the same each time.
TEST(Matching, IsDeterministic) {
  for_every_plan([](const AnyTopology& network, NodeId root, const BroadcastPlan& first) {
    const BroadcastPlan second = matching_plan(network, root);
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      const auto a = first.sends_of(NodeId{u});
      const auto b = second.sends_of(NodeId{u});
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto x, auto y) {
        return x.step == y.step && x.port == y.port;
      })) << u;
    }
  });
}

TEST(Matching, RefusesNetworksTooLargeForAPlan) {
  EXPECT_THROW(test::Matching(AnyTopology("linear:100000000"), {}), ResourceExhausted);
  EXPECT_THROW(test::Matching(AnyTopology("complete:60000"), {}), ResourceExhausted);
}

}  // namespace
}  // namespace lockstep
