// SPDX-License-Identifier: Apache-2.0
// A user's own algorithm (support/flooding_broadcast.hpp, shown in the guide) gets what the
// built-in ones get: any topology, any port model, enforcement, proof, record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lockstep/catalog/run.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/flooding_broadcast.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep {
namespace {

using testing::Each;
using testing::Field;
using testing::SizeIs;

static_assert(Program<FloodingBroadcast> && StartingProgram<FloodingBroadcast>);

test::Job broadcast_from(NodeId root, const PortModel& model = port_models::all_port) {
  return {.model = model, .collective = {Operation::broadcast, root}};
}

const NodeId zero{0};

Network petersen_graph() {
  std::vector<Link> links;
  for (std::uint64_t i = 0; i < 5; ++i) {
    links.push_back({NodeId{i}, NodeId{(i + 1) % 5}});
    links.push_back({NodeId{i}, NodeId{i + 5}});
    links.push_back({NodeId{i + 5}, NodeId{(i + 2) % 5 + 5}});
  }
  return build_network("petersen", 10, links);
}

Network path_with_a_fork() {
  const std::vector<Link> links{{NodeId{0}, NodeId{1}},
                                {NodeId{1}, NodeId{2}},
                                {NodeId{1}, NodeId{3}},
                                {NodeId{3}, NodeId{4}}};
  return build_network("fork", 5, links);
}

/// The network's arcs, each of which carries the block once.
template <Topology Net>
std::uint64_t arcs(const Net& network) {
  std::uint64_t count = 0;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) count += network.degree(NodeId{u});
  return count;
}

/// In step t those at distance t send, and everyone at distance t + 1 has the block.
template <Topology Net>
void expect_flood(const Net& network, NodeId root, const test::Conditions& conditions = {},
                  const PortModel& model = port_models::all_port) {
  SCOPED_TRACE(network.name() + " from " + network.label(root) + ", " +
               test::described(conditions));
  const test::RunOutcome outcome =
      test::run(network, FloodingBroadcast{.root = root}, broadcast_from(root, model), conditions);
  const RunRecord& record = outcome.record;
  EXPECT_TRUE(outcome.verdict.complete());
  EXPECT_TRUE(record.legal());
  EXPECT_EQ(outcome.verdict.tally.verified, network.node_count() - 1);
  EXPECT_EQ(record.hops, arcs(network));
  const std::vector<std::uint64_t> levels = level_sizes(network, root);
  ASSERT_THAT(record.series, SizeIs(levels.size()));
  for (std::size_t step = 0; step < levels.size(); ++step)
    EXPECT_EQ(record.series[step].senders, levels[step]);
  EXPECT_EQ(record.startups, levels.size());
  EXPECT_EQ(record.message_times, levels.size());
}

template <Topology Net>
void expect_flood_from_everywhere(const Net& network) {
  for (std::uint64_t root = 0; root < network.node_count(); ++root)
    expect_flood(network, NodeId{root});
}

TEST(UserAlgorithm, RunsOnEveryTopology) {
  expect_flood_from_everywhere(Ring{3});
  expect_flood_from_everywhere(Ring{64});
  expect_flood_from_everywhere(Ring{65});
  expect_flood_from_everywhere(LinearArray{2});
  expect_flood_from_everywhere(LinearArray{9});
  expect_flood_from_everywhere(CompleteGraph{8});
  expect_flood_from_everywhere(Hypercube{6});
  expect_flood_from_everywhere(StarGraph{4});
}

TEST(UserAlgorithm, RunsOnAListOfLinks) {
  expect_flood_from_everywhere(petersen_graph());
  expect_flood_from_everywhere(path_with_a_fork());
}

TEST(UserAlgorithm, RunsOnATabulatedNetworkAsOnItsFormula) {
  const StarGraph star{5};
  const FloodingBroadcast flooding;
  test::expect_same(test::run(build_network(star), flooding, broadcast_from(zero)),
                    test::run(star, flooding, broadcast_from(zero)));
}

/// The program of the guide: no helper of the tests in between.
TEST(UserAlgorithm, TakesAFewLinesToRun) {
  const RunOptions options{.model = port_models::all_port};
  const RunReport report = run(StarGraph{6}, FloodingBroadcast{}, {Operation::broadcast}, options);
  EXPECT_THAT(
      to_text(report),
      testing::EndsWith("result       ok: all messages delivered and verified, no violations\n"));
  EXPECT_TRUE(report.result.ok());
  EXPECT_EQ(report.result.record.steps, StarGraph{6}.diameter() + 1);
}

/// The same by hand, for what run() does not do.
TEST(UserAlgorithm, RunsOnAMachineOfOnesOwn) {
  const StarGraph network{6};
  const FloodingBroadcast program{.root = NodeId{17}};
  ProvingHost host({.collective = {Operation::broadcast, program.root},
                    .processors = network.node_count(),
                    .block_bytes = 64});
  Machine<StarGraph, FloodingBroadcast, SlotChannels> machine(
      network, program, host, {.model = port_models::all_port, .block_bytes = 64});
  const RunRecord record = machine.run(*make_executor(default_executor, 2));
  EXPECT_TRUE(record.legal());
  EXPECT_TRUE(host.judge(record.deliveries).complete());
}

TEST(UserAlgorithm, HasOneRecordWhateverRunsIt) {
  const Network network = build_network(StarGraph{6});
  const FloodingBroadcast flooding;
  const test::RunOutcome expected = test::run_reference(network, flooding, broadcast_from(zero));
  EXPECT_TRUE(expected.verdict.complete());
  for (const test::Conditions& conditions :
       test::some_conditions({ChannelKind::slot, ChannelKind::spsc})) {
    SCOPED_TRACE(test::described(conditions));
    test::expect_same(test::run(network, flooding, broadcast_from(zero), conditions), expected);
  }
}

const test::Conditions one_mailbox_per_node{.channel = ChannelKind::mailbox};

/// Along a path no node is reached from two sides at once.
TEST(UserAlgorithm, RunsWithAMailboxPerNodeWhereOneMessageArrivesAtATime) {
  expect_flood(LinearArray{70}, NodeId{0}, one_mailbox_per_node);
  expect_flood(LinearArray{70}, NodeId{69}, one_mailbox_per_node);
}

/// On a ring both neighbours answer the root at once; the second message is noticed, not lost.
TEST(UserAlgorithm, IsToldWhereAMailboxIsTooSmall) {
  const test::RunOutcome outcome =
      test::run(Ring{8}, FloodingBroadcast{}, broadcast_from(zero), one_mailbox_per_node);
  ASSERT_FALSE(outcome.record.legal());
  EXPECT_EQ(outcome.record.violations.front().rule, Rule::receptions);
  EXPECT_EQ(outcome.record.violations.front().node, zero);
  EXPECT_EQ(outcome.record.violations.front().step, 1U);
}

/// A single-port node may not send through all its ports: that is data in the record, and the run
/// stops at the end of the step.
TEST(UserAlgorithm, BreaksTheRulesOfASinglePortMachine) {
  const test::RunOutcome outcome =
      test::run(StarGraph{5}, FloodingBroadcast{}, broadcast_from(zero, port_models::single_port));
  ASSERT_THAT(outcome.record.violations, SizeIs(1));
  const Violation& violation = outcome.record.violations.front();
  EXPECT_EQ(violation.step, 0U);
  EXPECT_EQ(violation.node, zero);
  EXPECT_EQ(violation.rule, Rule::sends);
  EXPECT_EQ(violation.count, 4U);
  EXPECT_EQ(outcome.record.steps, 1U);
  EXPECT_EQ(outcome.verdict.tally.verified, 4U);  // the neighbours heard it before the judgement
  EXPECT_FALSE(outcome.verdict.complete());
}

/// Neighbours that hear of it at the same time tell each other at the same time.
TEST(UserAlgorithm, NeedsFullDuplexOnOddCycles) {
  const PortModel half_duplex = port_models::all_port_half_duplex;
  const test::RunOutcome outcome =
      test::run(Ring{5}, FloodingBroadcast{}, broadcast_from(zero, half_duplex));
  EXPECT_FALSE(outcome.record.legal());
  EXPECT_THAT(outcome.record.violations, Each(Field(&Violation::rule, Rule::half_duplex)));
  expect_flood(Hypercube{4}, zero, {}, half_duplex);  // bipartite: they never do
}

}  // namespace
}  // namespace lockstep
