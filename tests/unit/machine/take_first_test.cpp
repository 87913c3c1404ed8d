// SPDX-License-Identifier: Apache-2.0
/// take_first(): messages by port order, without knowing the ports.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

/// Some nodes send their block through all ports in step 0; everybody takes up to `takes` messages
/// and delivers each as the block of the neighbour it must be from.
struct Gossip {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  std::vector<NodeId> from;
  std::size_t takes = 0;
  std::vector<std::vector<NodeId>> told_by{};  // per node, by port

  [[nodiscard]] std::vector<NodeId> starts() const { return from; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    if (here.step() == 0) {
      here.load(Region{0}, 0, here.node());
      for (std::size_t p = 0; p < here.degree(); ++p) here.send(port(p), Blocks{});
      return;
    }
    const std::vector<NodeId>& tellers = told_by[index(here.node())];
    for (std::size_t i = 0; i < takes; ++i)
      if (const auto arrival = here.take_first()) here.deliver(arrival, 0, tellers.at(i));
  }
};

template <Topology Net>
Gossip gossip(const Net& network, std::vector<NodeId> from, std::size_t takes) {
  Gossip program{.from = std::move(from), .takes = takes};
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    std::vector<NodeId>& tellers = program.told_by.emplace_back();
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      const NodeId neighbor = network.neighbor(NodeId{u}, port(p));
      for (const NodeId starter : program.from)
        if (starter == neighbor) tellers.push_back(neighbor);
    }
  }
  return program;
}

const Job all_port_gather{.model = port_models::all_port, .collective = {Operation::all_gather}};

template <Topology Net>
void expect_in_port_order(const Net& network, std::vector<NodeId> from) {
  SCOPED_TRACE(network.name());
  const Gossip program = gossip(network, from, network.max_degree() + 1);
  const RunOutcome expected = run_reference(network, program, all_port_gather);
  std::uint64_t sent = 0;
  for (const NodeId starter : from) sent += network.degree(starter);
  EXPECT_EQ(expected.record.deliveries.verified, sent);  // each as from the right neighbour
  EXPECT_TRUE(expected.record.legal());
  expect_outcome(network, program, all_port_gather, expected,
                 some_conditions({ChannelKind::slot, ChannelKind::spsc}));
}

TEST(TakeFirst, HandsOutMessagesInTheOrderOfTheirPorts) {
  expect_in_port_order(Hypercube{3}, {NodeId{0}, NodeId{3}, NodeId{5}, NodeId{6}});
  expect_in_port_order(Hypercube{3}, {NodeId{1}, NodeId{7}});
  expect_in_port_order(LinearArray{2}, {NodeId{0}, NodeId{1}});
  expect_in_port_order(CompleteGraph{5}, {NodeId{4}, NodeId{0}, NodeId{2}});
}

TEST(TakeFirst, FindsTheOneMessageOfAMailbox) {
  // Nodes 0 and 7 of the 3-cube: every other node is told by exactly one of them.
  const Gossip program = gossip(Hypercube{3}, {NodeId{0}, NodeId{7}}, 2);
  const RunOutcome expected = run_reference(Hypercube{3}, program, all_port_gather);
  EXPECT_EQ(expected.record.deliveries.verified, 6U);
  expect_outcome(Hypercube{3}, program, all_port_gather, expected, some_conditions(every_channel));
}

/// Messages that are left behind are unread, whatever the channel.
TEST(TakeFirst, LeavesTheOthersUnread) {
  const Gossip one = gossip(Hypercube{3}, {NodeId{0}, NodeId{3}}, 1);
  const RunOutcome outcome = run_reference(Hypercube{3}, one, all_port_gather);
  ASSERT_EQ(outcome.record.violation_count, 2U);  // 1 and 2 were told twice
  EXPECT_EQ(outcome.record.violations.front().rule, Rule::unread);
  expect_reference_outcome(Hypercube{3}, one, all_port_gather, every_channel);
  const Gossip none = gossip(Hypercube{3}, {NodeId{0}}, 0);
  EXPECT_EQ(run_reference(Hypercube{3}, none, all_port_gather).record.violation_count, 3U);
  expect_reference_outcome(Hypercube{3}, none, all_port_gather, every_channel);
}

}  // namespace
}  // namespace lockstep::test
