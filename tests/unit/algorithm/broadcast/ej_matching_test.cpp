// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/broadcast/ej_matching.hpp"

#include <gtest/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

/// Who is informed when, from the plan alone: 0 for node 0, else 1 + the step.
[[nodiscard]] std::vector<std::uint64_t> informed_at(const EisensteinJacobiNetwork& network,
                                                     const EjMatching::Plan& plan) {
  std::vector<std::uint64_t> at(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (const EjMatching::Plan::Send& send : plan.sends_of(NodeId{u}))
      at[index(network.neighbor(NodeId{u}, send.port))] = send.step + 1U;
  return at;
}

/// The size of a maximum matching between those informed before the step and those not.
[[nodiscard]] std::size_t most_that_can_be_informed(const EisensteinJacobiNetwork& network,
                                                    const std::vector<std::uint64_t>& at,
                                                    std::uint64_t step) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  Graph graph(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.max_degree(); ++p) {
      const std::uint64_t v = index(network.neighbor(NodeId{u}, port(p)));
      if (at[u] <= step && at[v] > step) boost::add_edge(u, v, graph);
    }
  std::vector<boost::graph_traits<Graph>::vertex_descriptor> mates(network.node_count());
  boost::edmonds_maximum_cardinality_matching(graph, mates.data());
  return boost::matching_size(graph, mates.data());
}

const std::vector<EisensteinJacobiNetwork>& networks() {
  static const std::vector<EisensteinJacobiNetwork> all{{1, 2, 1}, {0, 3, 1}, {2, 2, 1}, {2, 4, 1},
                                                        {1, 5, 1}, {4, 5, 1}, {6, 7, 1}, {1, 2, 2},
                                                        {0, 3, 2}, {2, 3, 2}, {1, 2, 3}};
  return all;
}

/// Judged by another algorithm (Edmonds', of Boost.Graph).
TEST(EjMatching, InformsAsManyInEveryStepAsCanBe) {
  for (const EisensteinJacobiNetwork& network : networks()) {
    const EjMatching::Plan plan(network);
    const std::vector<std::uint64_t> at = informed_at(network, plan);
    for (std::uint64_t step = 0; step < plan.steps(); ++step) {
      const auto now = static_cast<std::size_t>(std::count(at.begin(), at.end(), step + 1));
      EXPECT_EQ(now, most_that_can_be_informed(network, at, step))
          << network.name() << ", step " << step;
    }
  }
}

TEST(EjMatching, EverybodySendsOncePerStepAndOnlyWhenInformed) {
  for (const EisensteinJacobiNetwork& network : networks()) {
    SCOPED_TRACE(network.name());
    const EjMatching::Plan plan(network);
    const std::vector<std::uint64_t> at = informed_at(network, plan);
    std::uint64_t sends = 0;
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      EXPECT_TRUE(u == 0 || at[u] > 0);
      std::uint64_t next = at[u];  // the first step in which u may send
      for (const EjMatching::Plan::Send& send : plan.sends_of(NodeId{u})) {
        EXPECT_GE(send.step, next);
        next = send.step + 1U;
        ++sends;
      }
    }
    EXPECT_EQ(sends, network.node_count() - 1);
  }
}

/// In step 0 all neighbours of node 0 are alike for the first preference; the second and then the
/// number decide. The plan is the same each time.
TEST(EjMatching, IsDeterministic) {
  for (const EisensteinJacobiNetwork& network : networks()) {
    const EjMatching::Plan first(network);
    const EjMatching::Plan second(network);
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      const auto a = first.sends_of(NodeId{u});
      const auto b = second.sends_of(NodeId{u});
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end(),
                             [](auto x, auto y) { return x.step == y.step && x.port == y.port; }))
          << network.name() << " " << u;
    }
  }
}

TEST(EjMatching, RefusesNetworksTooLargeForAPlan) {
  EXPECT_THROW(EjMatching(EisensteinJacobiNetwork(3, 4, 4), {}), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
