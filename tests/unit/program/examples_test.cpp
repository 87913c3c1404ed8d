// SPDX-License-Identifier: Apache-2.0
// Programs that read, queue, compute and send over routes (support/): what every one of them shows
// of the machine, on every channel, against the reference machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/flooding_broadcast.hpp"
#include "support/jobs.hpp"
#include "support/many_flooding.hpp"
#include "support/outcome_checks.hpp"
#include "support/prefix_sum.hpp"
#include "support/queueing_tree.hpp"
#include "support/ring_halving.hpp"
#include "support/ring_ports.hpp"
#include "support/rule_program.hpp"

namespace lockstep::test {
namespace {

const std::vector<ChannelKind> channels_per_arc{ChannelKind::slot, ChannelKind::spsc};

static_assert(LabelledProgram<ManyFlooding> && !ControlProgram<ManyFlooding>);
static_assert(ControlProgram<PrefixSum> && !LabelledProgram<PrefixSum>);
static_assert(RoutingProgram<RingHalving> && UnevenProgram<QueueingTree>);

TEST(ManyFlooding, BringsEveryBlockToAllFromWhereverItIs) {
  for (const Network& network :
       {build_network(StarGraph(4)), build_network(Mesh({3, 4})), build_network(Ring(7))})
    for (const std::uint64_t blocks : {0U, 1U, 3U, 20U}) {
      SCOPED_TRACE(network.name() + " " + std::to_string(blocks));
      ManyFlooding program{};
      for (std::uint64_t block = 0; block < blocks; ++block)
        program.homes.push_back(NodeId{block * block % network.node_count()});
      for (const VerifyKind verify : {VerifyKind::exact, VerifyKind::digest}) {
        const Job job{.model = port_models::all_port,
                      .collective = {Operation::many_to_all, {}, Pattern::many(program.homes)},
                      .verify = verify};
        ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(network, program, job, channels_per_arc));
        const RunOutcome outcome = run(network, program, job);
        EXPECT_TRUE(outcome.verdict.complete());
        EXPECT_EQ(outcome.verdict.expected, blocks * (network.node_count() - 1));
        EXPECT_EQ(outcome.record.envelope_bytes, 8 * outcome.record.blocks_moved);
      }
    }
}

/// Wrong labels, right bytes: the proof goes by the bytes.
TEST(ManyFlooding, IsFoundOutWhereLabelsLie) {
  const Network network = build_network(Ring(5));
  const ManyFlooding program{.homes = {NodeId{0}, NodeId{2}}, .lies = true};
  const Job job{.model = port_models::all_port,
                .collective = {Operation::many_to_all, {}, Pattern::many(program.homes)}};
  const RunOutcome outcome = run(network, program, job);
  EXPECT_FALSE(outcome.verdict.complete());
  EXPECT_NE(outcome.record.deliveries.corrupted, 0U);
}

TEST(PrefixSum, IsComputedFromControlWords) {
  for (const std::uint64_t dimensions : {1U, 3U, 6U}) {
    const Network network = build_network(Hypercube(dimensions));
    std::vector<std::uint64_t> values(network.node_count());
    for (std::size_t u = 0; u < values.size(); ++u) values[u] = u * u + 1;
    std::vector<std::uint64_t> sums(values.size());
    std::partial_sum(values.begin(), values.end(), sums.begin());
    std::vector<std::uint64_t> found(values.size());
    const PrefixSum program{dimensions, values.data(), found.data()};
    const Job job{.collective = {Operation::many_to_all, {}, Pattern::many({})}};
    ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(network, program, job, every_channel));
    found.assign(found.size(), 0);
    const RunRecord record = run(network, program, job).record;
    EXPECT_EQ(found, sums);
    EXPECT_EQ(record.startups, dimensions);
    EXPECT_EQ(record.control_words, dimensions);
    EXPECT_EQ(record.control_words_moved, dimensions * network.node_count());
    EXPECT_EQ(record.message_times, 0U);  // no blocks
    EXPECT_EQ(record.blocks_moved, 0U);
    EXPECT_EQ(record.envelope_bytes, 0U);
  }
}

TEST(RingHalving, TakesLogarithmicTime) {
  for (const std::uint64_t nodes : {3U, 4U, 7U, 8U, 9U, 64U, 100U}) {
    SCOPED_TRACE(nodes);
    const Network network = build_network(Ring(nodes));
    const NodeId root{nodes / 3};
    const RingHalving program(nodes, root);
    const Job job{.model = port_models::single_port_wormhole,
                  .collective = {Operation::broadcast, root}};
    ASSERT_NO_FATAL_FAILURE(
        expect_reference_outcome(network, program, job, {ChannelKind::wormhole}));
    const RunOutcome outcome = run(network, program, job);
    EXPECT_TRUE(outcome.verdict.complete());
    EXPECT_TRUE(outcome.record.legal());
    EXPECT_EQ(outcome.record.startups, std::bit_width(nodes - 1));
    EXPECT_EQ(outcome.record.messages_sent, nodes - 1);
    EXPECT_GT(outcome.record.hops, nodes - 1);
  }
}

TEST(RingHalving, IsAgainstThePacketSwitching) {
  const Network network = build_network(Ring(8));
  const Job job{.model = port_models::single_port, .collective = {Operation::broadcast, NodeId{0}}};
  const RunRecord record = run(network, RingHalving(8), job).record;
  ASSERT_EQ(record.violation_count, 1U);
  EXPECT_EQ(record.violations.front().rule, Rule::switching);
  EXPECT_EQ(record.violations.front().count, 4U);  // links
  EXPECT_EQ(record.messages_sent, 0U);
}

TEST(QueueingTree, ExchangesThroughQueuesAndLanes) {
  for (const std::uint64_t lanes : {1U, 2U, 3U}) {
    SCOPED_TRACE(lanes);
    std::vector<std::size_t> longest;
    const QueueingTree program(3, 4, lanes, longest);
    const Network network = program.network();
    const Job job{.model = port_models::all_port};
    ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(network, program, job, channels_per_arc));
    const RunOutcome outcome = run(network, program, job);
    EXPECT_TRUE(outcome.verdict.complete());
    EXPECT_TRUE(outcome.record.legal());
    EXPECT_EQ(outcome.record.processors, 12U);
    EXPECT_EQ(outcome.record.nodes, 16U);
    // Three messages of every processor go over the own switch, eight over the root.
    EXPECT_EQ(outcome.record.messages_sent, 12U * 3 * 2 + 12U * 8 * 4);
    // The messages that leave the four processors below a switch go through its lanes.
    EXPECT_GE(outcome.record.startups, 4U * 8 / lanes);
    if (lanes == 1) {
      EXPECT_GT(longest[0], 1U);
    }
  }
}

/// One switch hands a block to its host: it has none.
struct Greedy : QueueingTree {
  using QueueingTree::QueueingTree;
  void operator()(auto& here) const {
    QueueingTree::operator()(here);
    if (here.step() == 2 && here.node() == NodeId{4}) here.deliver(Region{0}, 0, NodeId{0});
  }
};

TEST(QueueingTree, HasNoHostAtItsSwitches) {
  std::vector<std::size_t> longest;
  const Greedy program(2, 2, 1, longest);
  const Job job{.model = port_models::all_port};
  ASSERT_NO_FATAL_FAILURE(
      expect_reference_outcome(program.network(), program, job, channels_per_arc));
  const RunRecord record = run(program.network(), program, job).record;
  ASSERT_EQ(record.violation_count, 1U);
  EXPECT_EQ(record.violations.front(), (Violation{2, NodeId{4}, Port{0}, Rule::host, 1}));
}

/// Two routes of three links on a ring of nine, which have link 2 -> 3 in common.
struct Crossing {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::routes;
  Routes table;
  std::vector<std::uint32_t> regions() const { return {1}; }
  std::uint64_t step_count() const { return 1; }
  const Routes& routes() const { return table; }
  void operator()(auto& here) const {
    while (const auto arrival = here.take_first()) here.deliver(arrival, 0, NodeId{0});
    if (here.last_call() || (here.node() != NodeId{0} && here.node() != NodeId{2})) return;
    here.load(Region{0}, 0, NodeId{3});
    here.send(Route{0}, first_block);
  }
};

TEST(Routes, ThatShareALinkAreNamedBoth) {
  Crossing program;
  program.table.add({right, right, right});
  const Network network = build_network(Ring(9));
  const Job job{.model = port_models::all_port_wormhole};
  ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(network, program, job, {ChannelKind::wormhole}));
  const RunOutcome outcome = run(network, program, job);
  ASSERT_EQ(outcome.record.violation_count, 1U);
  const Violation& violation = outcome.record.violations.front();
  EXPECT_EQ(violation.rule, Rule::link_held);
  EXPECT_EQ(violation.node, NodeId{2});
  EXPECT_EQ(violation.port, right);
  EXPECT_EQ(violation.count, 2U);
  EXPECT_EQ(violation.other_end, NodeId{3});
  EXPECT_EQ(violation.one, (MessageName{NodeId{0}, right, true}));
  EXPECT_EQ(violation.other, (MessageName{NodeId{2}, right, false}));
}

TEST(Routes, HaveALinkAtLeast) {
  Routes routes;
  EXPECT_THROW(routes.add({}), InvalidParameter);
  EXPECT_EQ(routes.size(), 0U);
}

/// Memory as the links, not as nodes times the most ports: a rectangle would take 160 GB.
TEST(AStarOf100000Leaves, RunsABroadcastInMemoryOfItsLinks) {
  constexpr std::uint64_t leaves = 100'000;
  std::vector<Link> links;
  for (std::uint64_t leaf = 1; leaf <= leaves; ++leaf) links.push_back({NodeId{0}, NodeId{leaf}});
  const Network network = build_network("star of leaves", leaves + 1, links);
  for (const NodeId root : {NodeId{0}, NodeId{77}}) {
    const FloodingBroadcast program{.root = root};
    const Job job{.model = port_models::all_port, .collective = {Operation::broadcast, root}};
    using TheMachine = Machine<Network, FloodingBroadcast, SlotChannels>;
    EXPECT_LT(TheMachine::bytes(network, program, {.model = job.model}), 100 * leaves);
    const RunOutcome outcome = run(network, program, job);
    EXPECT_TRUE(outcome.verdict.complete());
    EXPECT_EQ(outcome.record.steps, root == NodeId{0} ? 2U : 3U);
  }
}

}  // namespace
}  // namespace lockstep::test
