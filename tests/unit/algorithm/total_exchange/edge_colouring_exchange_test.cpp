// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/verify/legality.hpp"
#include "program/largest_queue.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/planned_class.hpp"
#include "support/small_cayley_graphs.hpp"

namespace lockstep {
namespace {

using FullDuplex = test::PlannedClass<edge_colouring_exchange, AnyCayley>;
using HalfDuplex = test::PlannedClass<edge_colouring_half_duplex, AnyCayley>;

template <class A>
class EdgeColouringExchangeTest : public testing::Test {
 protected:
  static std::vector<AnyCayley> graphs() {
    std::vector<AnyCayley> groups;
    for (const AnyTopology& graph : test::small_cayley_graphs())
      if (A::networks().admits(graph)) groups.push_back(*graph.cayley());
    groups.push_back(any_cayley(EisensteinJacobiNetwork(0, 3)));
    groups.push_back(any_cayley(EisensteinJacobiNetwork(1, 2, 2)));
    groups.push_back(any_cayley(EisensteinJacobiNetwork(2, 2, 2)));
    return groups;
  }
  static test::Job job() { return {.model = A::info.model}; }
};

using Both = testing::Types<FullDuplex, HalfDuplex>;
TYPED_TEST_SUITE(EdgeColouringExchangeTest, Both);

TYPED_TEST(EdgeColouringExchangeTest, RunsTheSameInEveryWay) {
  for (const AnyCayley& group : {any_cayley(Ring{7}), any_cayley(Torus({3, 4})),
                                 any_cayley(EisensteinJacobiNetwork(1, 3))}) {
    SCOPED_TRACE(group.name());
    const Network network = build_network(group);
    const auto program = TypeParam(group, {}).program();
    const test::RunOutcome expected = test::run_reference(network, program, this->job());
    EXPECT_TRUE(expected.verdict.complete() && expected.record.legal());
    test::expect_outcome(network, program, this->job(), expected,
                         test::some_conditions({ChannelKind::slot, ChannelKind::spsc}));
  }
}

TYPED_TEST(EdgeColouringExchangeTest, PromisesAndEstimatesWhatThePlanIs) {
  for (const AnyCayley& group : this->graphs()) {
    SCOPED_TRACE(group.name());
    const TypeParam algorithm(group, {});
    const auto program = algorithm.program();
    const test::RunOutcome outcome =
        test::run_reference(build_network(group), program, this->job());
    EXPECT_TRUE(outcome.verdict.complete() && outcome.record.legal());
    EXPECT_EQ(algorithm.promise()->startups, outcome.record.startups);
    EXPECT_EQ(algorithm.promise()->message_times, outcome.record.message_times);
    const Footprint footprint = algorithm.footprint();
    EXPECT_EQ(footprint.steps, outcome.record.steps);
    EXPECT_EQ(footprint.hops, outcome.record.messages_sent);
    EXPECT_EQ(footprint.blocks_per_processor, program.regions().front());
    EXPECT_EQ(
        footprint.plan_bytes,
        program.schedule().bytes() + group.translation_bytes(program.schedule().elements().size()));
  }
}

/// A slot per block that waits, one per message that is still being read, one per message that
/// leaves.
TYPED_TEST(EdgeColouringExchangeTest, KeepsOnlyWhatItMust) {
  for (const AnyCayley& group : this->graphs()) {
    const auto program = TypeParam(group, {}).program();
    const QueueFigures queue = largest_queue(program.schedule(), group.node_count() - 1);
    EXPECT_EQ(queue.blocks, group.node_count() - 1);
    EXPECT_LE(program.regions().front(), queue.foreign + 2 * group.max_degree()) << group.name();
  }
}

TYPED_TEST(EdgeColouringExchangeTest, RefusesWhatFitsNoRegion) {
  EXPECT_THROW((void)TypeParam(any_cayley(Torus({1024, 1024})), {}), InvalidParameter);
}

/// Steps and links, as its lower end names them, that carry both directions.
std::size_t links_used_both_ways(const SendTrace& trace) {
  std::set<std::tuple<std::uint64_t, NodeId, NodeId>> sends;
  for (const SendEvent& event : trace) sends.emplace(event.step, event.sender, event.receiver);
  return static_cast<std::size_t>(std::count_if(sends.begin(), sends.end(), [&](const auto& send) {
    const auto& [step, from, to] = send;
    return sends.contains({step, to, from});
  }));
}

TEST(EdgeColouringHalfDuplexTest, NoLinkIsUsedBothWays) {
  std::size_t tried = 0;
  for (const AnyCayley& group :
       {any_cayley(Ring{5}), any_cayley(Torus({3, 4})), any_cayley(EisensteinJacobiNetwork(2, 3)),
        any_cayley(EisensteinJacobiNetwork(2, 4)), any_cayley(EisensteinJacobiNetwork(1, 2, 2))}) {
    SCOPED_TRACE(group.name());
    const Network network = build_network(group);
    SendTrace trace;
    const test::RunOutcome outcome = test::run_reference(
        network, HalfDuplex(group, {}).program(), {.model = port_models::all_port_half_duplex},
        ChannelKind::slot, &trace);
    EXPECT_TRUE(outcome.verdict.complete());
    EXPECT_EQ(links_used_both_ways(trace), 0U);
    EXPECT_TRUE(impossible_sends(trace, network).empty());
    EXPECT_EQ(
        disagreements(recount_trace(trace, port_models::all_port_half_duplex), outcome.record),
        std::vector<std::string>{});
    ++tried;
  }
  EXPECT_EQ(tried, 5U);
}

/// The other one does, and is found out by all three.
TEST(EdgeColouringHalfDuplexTest, TheFullDuplexScheduleIsRefused) {
  const AnyCayley group = any_cayley(EisensteinJacobiNetwork(2, 3));
  SendTrace trace;
  const test::RunOutcome outcome =
      test::run_reference(build_network(group), FullDuplex(group, {}).program(),
                          {.model = port_models::all_port_half_duplex, .stop_at_violation = false},
                          ChannelKind::slot, &trace);
  EXPECT_FALSE(outcome.record.legal());
  EXPECT_EQ(outcome.record.violations.front().rule, Rule::half_duplex);
  EXPECT_GT(links_used_both_ways(trace), 0U);
  EXPECT_FALSE(recount_trace(trace, port_models::all_port_half_duplex).violations.empty());
}

TEST(EdgeColouringAdmitsTest, CommutativeGraphsAndPairsOfPorts) {
  EXPECT_TRUE(FullDuplex::networks().admits(any_cayley(Hypercube{3})));
  EXPECT_FALSE(HalfDuplex::networks().admits(any_cayley(Hypercube{3})));
  EXPECT_TRUE(FullDuplex::networks().admits(any_cayley(Torus({2, 5}))));
  EXPECT_FALSE(HalfDuplex::networks().admits(any_cayley(Torus({2, 5}))));
  EXPECT_TRUE(HalfDuplex::networks().admits(any_cayley(Torus({3, 5}))));
  EXPECT_TRUE(HalfDuplex::networks().admits(any_cayley(EisensteinJacobiNetwork(0, 4, 2))));
  EXPECT_TRUE(FullDuplex::networks().admits(any_cayley(CompleteGraph{1025})));
  EXPECT_FALSE(FullDuplex::networks().admits(any_cayley(CompleteGraph{65536})));
  EXPECT_FALSE(FullDuplex::networks().admits(any_cayley(StarGraph{3})));
  EXPECT_FALSE(HalfDuplex::networks().admits(any_cayley(StarGraph{4})));
}

}  // namespace
}  // namespace lockstep
