// SPDX-License-Identifier: Apache-2.0

/// Violations of nodes of a fat tree: step, node or link, and rule are named, by the machine and by
/// the reference machine.

#include <gtest/gtest.h>

#include "lockstep/topology/switch_tree.hpp"
#include "support/outcome_checks.hpp"
#include "support/rule_program.hpp"

namespace lockstep::test {
namespace {

/// Two leaves below a switch, two such switches below the root, two lanes at the top. Nodes 0..3,
/// 4 and 5, 6.
const FatTree& tree() {
  static const FatTree two_levels({2, 2}, {.list = {1, 2}});
  return two_levels;
}

/// The first violation of a program of two steps, which takes all that arrives.
template <class Rule>
Violation violation_of(const PortModel& model, Rule rule) {
  const auto program = rules(2, [rule](auto& here) {
    while (here.take_first()) {
    }
    if (!here.last_call()) rule(here);
  });
  const Job job{.model = model, .verify = VerifyKind::off, .watch_waits = false};
  const std::vector<ChannelKind> channels{ChannelKind::slot, ChannelKind::spsc};
  const Network network = build_network(tree());
  expect_reference_outcome(network, program, job, channels);
  const RunRecord record = run(network, program, job).record;
  return record.violations.empty() ? Violation{} : record.violations.front();
}

constexpr NodeId left_switch{4};  // a switch above leaves 0 and 1; ports 0, 1 down, 2, 3 up
constexpr NodeId root{6};

TEST(SwitchRules, ASecondSendOfASinglePortNodeIsAViolation) {
  const auto twice = [](auto& here) {
    if (here.step() != 1 || here.node() != left_switch) return;
    here.send(Port{0}, first_block);
    here.send(Port{2}, first_block);
  };
  EXPECT_EQ(violation_of(port_models::single_port_send, twice),
            (Violation{1, left_switch, Port{2}, Rule::sends, 2, root}));
  EXPECT_EQ(violation_of(port_models::all_port, twice), Violation{});
}

TEST(SwitchRules, ALinkOfTwoLanesCarriesTwoMessages) {
  EXPECT_EQ(violation_of(port_models::all_port,
                         [](auto& here) {
                           if (here.node() != left_switch) return;
                           here.send(Port{2}, first_block);
                           here.send(Port{3}, first_block);
                         }),
            Violation{});
  EXPECT_EQ(violation_of(port_models::all_port,
                         [](auto& here) {
                           if (here.node() != left_switch) return;
                           here.send(Port{2}, first_block);
                           here.send(Port{3}, first_block);
                           here.send(Port{3}, first_block);
                         }),
            (Violation{0, left_switch, Port{3}, Rule::arc_capacity, 2, root}));
  EXPECT_EQ(violation_of(port_models::all_port,
                         [](auto& here) {
                           if (here.node() == left_switch) here.send(Port{4}, first_block);
                         }),
            (Violation{0, left_switch, Port{4}, Rule::port, 1, left_switch}));
}

TEST(SwitchRules, ASwitchNeitherMakesNorKeepsMessages) {
  EXPECT_EQ(violation_of(port_models::all_port,
                         [](auto& here) {
                           if (here.node() == root) here.load(Region{0}, 0, NodeId{1});
                         }),
            (Violation{0, root, Port{0}, Rule::host, 1, left_switch}));
  EXPECT_EQ(violation_of(port_models::all_port,
                         [](auto& here) {
                           if (here.step() == 1 && here.node() == left_switch)
                             here.deliver(Region{0}, 0, NodeId{0});
                         }),
            (Violation{1, left_switch, Port{0}, Rule::host, 1, NodeId{0}}));
}

/// It breaks no rule, and is missed.
TEST(SwitchRules, WhatASwitchKeepsIsDeliveredByNobody) {
  const auto program = rules(2, [](auto& here) {
    const bool leaf = index(here.node()) < tree().processor_count();
    while (const auto arrival = here.take_first())
      if (!leaf) here.store(arrival, first_block);
    if (here.step() != 0 || !leaf || here.node() == NodeId{0}) return;
    here.load(Region{0}, 0, NodeId{0});
    here.send(Port{0}, first_block);
  });
  const Job job{.model = port_models::all_port, .collective = {Operation::gather}};
  const RunOutcome outcome = run(tree(), program, job);
  EXPECT_TRUE(outcome.record.legal());
  EXPECT_EQ(outcome.verdict.missing, 3U);
  EXPECT_FALSE(outcome.verdict.complete());
}

}  // namespace
}  // namespace lockstep::test
