// SPDX-License-Identifier: Apache-2.0
/// The truth table of port_model.hpp, one case per row, on the machine (every kind of channel) and
/// on the reference machine.

#include "lockstep/program/port_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/mesh.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/scripts.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Three nodes in a line, 0 - 1 - 2; one step.
class Line {
 public:
  Line& sends(std::uint64_t from, std::uint64_t to) {
    for (std::size_t p = 0; p < network_.degree(NodeId{from}); ++p)
      if (network_.neighbor(NodeId{from}, port(p)) == NodeId{to})
        script_.turn(0, NodeId{from}).sends.push_back({port(p), 1});
    return *this;
  }
  /// Over both links.
  Line& sends_through() {
    const Route route = script_.routes().add({Port{0}, Port{1}});
    script_.turn(0, NodeId{0}).sends.push_back({.port = Port{0}, .route = route});
    return *this;
  }

  /// The same, of programs that send over routes.
  [[nodiscard]] std::vector<Rule> broken_over_routes(const PortModel& model) const {
    const Job job{.model = model};
    const ScriptedProgram<Activity::dense, Reads::words_and_routes> program(script_);
    expect_reference_outcome(network_, program, job, {ChannelKind::wormhole});
    std::vector<Rule> rules;
    for (const Violation& v : run_reference(network_, program, job).record.violations)
      rules.push_back(v.rule);
    return rules;
  }

  /// The rule that `node` breaks under `model`, if it is one and all machines agree.
  [[nodiscard]] std::vector<Rule> broken_by(std::uint64_t node, const PortModel& model) const {
    const Job job{.model = model};
    const ScriptedProgram<Activity::dense> program(script_);
    std::vector<ChannelKind> channels{ChannelKind::slot, ChannelKind::spsc};
    // One message per node is what a mailbox keeps: it fits where the model asks no more.
    if (model.receptions == 1) channels.push_back(ChannelKind::mailbox);
    expect_reference_outcome(network_, program, job, channels);
    std::vector<Rule> rules;
    for (const Violation& v : run_reference(network_, program, job).record.violations)
      if (v.node == NodeId{node}) rules.push_back(v.rule);
    return rules;
  }

 private:
  Network network_ = build_network(LinearArray(3));
  Script script_{network_, 1};
};

struct Row {
  PortModel model;
  bool two_sends;
  bool two_receptions;
  bool both_ways;
};

class TruthTable : public testing::TestWithParam<Row> {};

INSTANTIATE_TEST_SUITE_P(Rows, TruthTable,
                         testing::Values(Row{port_models::single_port, false, false, true},
                                         Row{port_models::single_port_send, false, true, true},
                                         Row{port_models::all_port, true, true, true},
                                         Row{port_models::all_port_half_duplex, true, true, false},
                                         Row{port_models::single_port_half_duplex, false, false,
                                             false},
                                         Row{port_models::single_port_wormhole, false, false, true},
                                         Row{port_models::all_port_wormhole, true, true, true}),
                         [](const testing::TestParamInfo<Row>& row) {
                           std::string name(row.param.model.name);
                           std::erase(name, '-');
                           return name;
                         });

std::vector<Rule> unless(bool allowed, Rule rule) {
  return allowed ? std::vector<Rule>{} : std::vector<Rule>{rule};
}

TEST_P(TruthTable, OneMessageIsAlwaysAllowed) {
  for (std::uint64_t node = 0; node < 3; ++node)
    EXPECT_THAT(Line().sends(0, 1).broken_by(node, GetParam().model), IsEmpty());
}

TEST_P(TruthTable, SendingAndReceivingThroughTwoPortsIsAlwaysAllowed) {
  for (std::uint64_t node = 0; node < 3; ++node)
    EXPECT_THAT(Line().sends(0, 1).sends(1, 2).broken_by(node, GetParam().model), IsEmpty());
}

TEST_P(TruthTable, TwoSends) {
  const auto line = Line().sends(1, 0).sends(1, 2);
  EXPECT_EQ(line.broken_by(1, GetParam().model), unless(GetParam().two_sends, Rule::sends));
  EXPECT_THAT(line.broken_by(0, GetParam().model), IsEmpty());
}

TEST_P(TruthTable, TwoReceptions) {
  const auto line = Line().sends(0, 1).sends(2, 1);
  EXPECT_EQ(line.broken_by(1, GetParam().model),
            unless(GetParam().two_receptions, Rule::receptions));
  EXPECT_THAT(line.broken_by(0, GetParam().model), IsEmpty());
}

TEST_P(TruthTable, BothWaysOverOneLink) {
  const auto line = Line().sends(0, 1).sends(1, 0);
  for (const std::uint64_t node : {0U, 1U})
    EXPECT_EQ(line.broken_by(node, GetParam().model),
              unless(GetParam().both_ways, Rule::half_duplex));
}

TEST_P(TruthTable, NoModelLetsAnArcCarryTwoMessages) {
  const auto rules = Line().sends(0, 1).sends(0, 1).broken_by(0, GetParam().model);
  if (GetParam().two_sends)
    EXPECT_THAT(rules, ElementsAre(Rule::arc_capacity));
  else
    EXPECT_THAT(rules, ElementsAre(Rule::sends, Rule::arc_capacity));
}

TEST_P(TruthTable, OneMessageOverTwoLinks) {
  if (GetParam().model.duplex == Duplex::half) return;  // refused: WormholeChannels
  const bool wormhole = GetParam().model.switching == Switching::wormhole;
  EXPECT_EQ(Line().sends_through().broken_over_routes(GetParam().model),
            unless(wormhole, Rule::switching));
}

TEST_P(TruthTable, TwoMessagesOverOneLink) {
  if (GetParam().model.switching != Switching::wormhole) return;
  EXPECT_THAT(Line().sends_through().sends(1, 2).broken_over_routes(GetParam().model),
              ElementsAre(Rule::link_held));
}

TEST(PortModel, HasNoRoutesOnHalfDuplexLinks) {
  for (const PortModel& model :
       {port_models::all_port_half_duplex, port_models::single_port_half_duplex})
    EXPECT_THROW((void)Line().sends_through().broken_over_routes(model), InvalidParameter);
}

TEST(PortModel, ListsEveryRow) {
  std::vector<std::string_view> names;
  for (const PortModel& model : port_models::all) names.push_back(model.name);
  EXPECT_THAT(names,
              ElementsAre("single-port", "single-port-send", "all-port", "all-port-half-duplex",
                          "single-port-half-duplex", "single-port-wormhole", "all-port-wormhole"));
}

TEST(PortModel, AdmitsWhatItAllowsAtLeast) {
  using namespace port_models;
  const PortModel rows[] = {single_port, single_port_send, all_port, all_port_half_duplex,
                            single_port_half_duplex};
  const bool admits[5][5] = {// weaker: single, send, all, half, single half
                             {true, false, false, false, true},
                             {true, true, false, false, true},
                             {true, true, true, true, true},
                             {false, false, false, true, true},
                             {false, false, false, false, true}};
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_EQ(rows[i].admits(rows[j]), admits[i][j]) << rows[i].name << " " << rows[j].name;
  EXPECT_TRUE(all_port_wormhole.admits(all_port) && all_port_wormhole.admits(single_port_wormhole));
  EXPECT_TRUE(single_port_wormhole.admits(single_port));
  EXPECT_FALSE(all_port.admits(single_port_wormhole) || single_port_wormhole.admits(all_port));
}

}  // namespace
}  // namespace lockstep::test
