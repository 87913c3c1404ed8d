// SPDX-License-Identifier: Apache-2.0
/// ReceiveOnceMachine: the record of the ordinary machine and of the reference machine, where
/// the promise is kept and where other rules are broken.

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/machine/receive_once_machine.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/cases.hpp"
#include "support/cube_broadcast.hpp"
#include "support/outcome_checks.hpp"
#include "support/receive_once_jobs.hpp"
#include "support/scripts.hpp"
#include "support/step_list.hpp"

namespace lockstep::test {
namespace {

/// `like`: slot for the plain reference machine, mailbox for the one that keeps one message per
/// node.
template <Topology Net, Program Prog>
void expect_as_reference(const Net& network, const Prog& program, const Job& job,
                         ChannelKind like = ChannelKind::slot,
                         const std::vector<Conditions>& all = boxed_conditions()) {
  SendTrace trace;
  const RunOutcome expected = run_reference(network, program, job, like, &trace);
  for (const Conditions& conditions : all) {
    SCOPED_TRACE(described(conditions));
    const Traced got = run_boxed(network, program, job, conditions);
    ASSERT_NO_FATAL_FAILURE(expect_same(got.outcome, expected));
    EXPECT_EQ(got.trace, trace);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(ReceiveOnce, BroadcastsInCubesAsTheOthersDo) {
  for (const std::size_t d : {0U, 1U, 3U, 7U, 10U})
    for (const Telling telling : {Telling::at_once, Telling::one_by_one}) {
      const NodeId root{(std::uint64_t{1} << d) / 3};
      SCOPED_TRACE("cube " + std::to_string(d));
      const CubeBroadcast program{.dimensions = d, .root = root, .telling = telling};
      const Job job = broadcast_job(
          root, telling == Telling::at_once ? port_models::all_port : port_models::single_port);
      expect_as_reference(Hypercube(d), program, job);
      const RunOutcome expected = run_reference(Hypercube(d), program, job);
      EXPECT_TRUE(expected.verdict.complete() && expected.record.legal());
      expect_outcome(Hypercube(d), program, job, expected, some_conditions(every_channel));
    }
}

TEST(ReceiveOnce, MovesBlocksOfAnySize) {
  for (const std::size_t bytes : {1U, 2U, 3U, 8U, 9U, 64U, 1000U})
    for (const PortModel& model : {port_models::all_port, port_models::all_port_half_duplex})
      expect_as_reference(Hypercube(5), CubeBroadcast{.dimensions = 5, .root = NodeId{9}},
                          broadcast_job(NodeId{9}, model, bytes), ChannelKind::slot,
                          some_boxed_conditions());
}

struct ScriptCase {
  Network network;
  ReceiveOnceScript script;
  Job job;
};

ScriptCase script_case(Random& random, const ReceiveOnceChances& chances) {
  static const std::vector<Network> networks{
      build_network(StarGraph(4)), build_network(LinearArray(3)),   build_network(Ring(130)),
      build_network(Hypercube(7)), build_network(CompleteGraph(9)), build_network(LinearArray(1))};
  const Network& network = networks[uniform(random, 0, networks.size() - 1)];
  const ReceiveOnceScript script = random_receive_once(random, network, chances);
  const PortModel& model = port_models::all[uniform(random, 0, port_models::all.size() - 1)];
  return {network, script, broadcast_job(script.starts().front(), model, uniform(random, 1, 9))};
}

void expect_script_as_reference(const ScriptCase& c) {
  SCOPED_TRACE(c.network.name() + ", " + std::string(c.job.model.name));
  expect_as_reference(c.network, c.script, c.job, ChannelKind::mailbox, some_boxed_conditions());
}

TEST(ReceiveOnce, RunsLawfulScriptsAsTheReferenceDoes) {
  std::uint64_t lawful = 0;
  for_all(
      60, [](Random& random) { return script_case(random, {}); },
      [&lawful](const ScriptCase& c) {
        expect_script_as_reference(c);
        if (run_reference(c.network, c.script, c.job).record.legal()) ++lawful;
      });
  EXPECT_GE(lawful, 20U);  // others break the port model
}

/// Also what crowds of messages come to: count, lowest port, and which message stays.
TEST(ReceiveOnce, FindsTheRulesBrokenThatTheReferenceFinds) {
  std::set<Rule> broken;
  const auto make = [](Random& random) {
    return script_case(random, {.crowd = 30,
                                .twice = 5,
                                .no_such_port = 5,
                                .nothing_read = 5,
                                .after_end = 20,
                                .access = 10});
  };
  for_all(100, make, [&broken](const ScriptCase& c) {
    expect_script_as_reference(c);
    const RunOutcome outcome = run_reference(c.network, c.script, c.job, ChannelKind::mailbox);
    for (const Violation& v : outcome.record.violations) broken.insert(v.rule);
  });
  EXPECT_EQ(broken, (std::set<Rule>{Rule::sends, Rule::receptions, Rule::arc_capacity, Rule::port,
                                    Rule::unread, Rule::after_end, Rule::memory, Rule::in_flight}));
}

/// A reference machine that refuses what the promise does not allow.
TEST(ReceiveOnce, RefusesSecondMessagesThatTheReferenceRefuses) {
  std::set<Rule> broken;
  const auto make = [](Random& random) {
    ScriptCase c = script_case(random, {.again = 30, .crowd = 10, .twice = 3});
    c.job.receive_once = true;
    return c;
  };
  for_all(100, make, [&broken](const ScriptCase& c) {
    expect_script_as_reference(c);
    for (const Violation& v : run_reference(c.network, c.script, c.job).record.violations)
      broken.insert(v.rule);
  });
  EXPECT_EQ(broken,
            (std::set<Rule>{Rule::sends, Rule::receptions, Rule::half_duplex, Rule::arc_capacity}));
}

/// Every worker throws; of the lowest node the caller hears.
struct Throwing : CubeBroadcast {
  void operator()(auto& here) const {
    if (here.step() == 3) throw std::runtime_error(std::to_string(index(here.node())));
    CubeBroadcast::operator()(here);
  }
};

TEST(ReceiveOnce, HandsTheFirstExceptionToTheCaller) {
  const Job job = broadcast_job(NodeId{0}, port_models::all_port);
  for (const Conditions& conditions : boxed_conditions()) {
    SCOPED_TRACE(described(conditions));
    try {
      (void)run_boxed(Hypercube(9), Throwing{{.dimensions = 9}}, job, conditions);
      ADD_FAILURE() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");  // the lowest of three bits
    }
  }
}

TEST(ReceiveOnce, StopsBetweenSteps) {
  std::stop_source source;
  const Hypercube cube(8);
  RecordingHost host = host_for(cube, broadcast_job(NodeId{0}, port_models::all_port));
  const CubeBroadcast program{.dimensions = 8};
  StepList seen;
  ReceiveOnceMachine<Hypercube, CubeBroadcast> machine(cube, program, host,
                                                       {.model = port_models::all_port,
                                                        .disturb =
                                                            [&](std::uint64_t step, std::size_t) {
                                                              if (step == 4) source.request_stop();
                                                            },
                                                        .stop = source.get_token(),
                                                        .observers = {&seen}});
  const RunRecord record = machine.run(*make_executor(default_executor, 2));
  EXPECT_TRUE(record.interrupted);
  EXPECT_EQ(record.steps, 5U);
  EXPECT_EQ(record.hops, 8U + 28U + 56U + 70U + 56U);
  EXPECT_EQ(seen.steps.size(), 5U);
}

/// More memory than the one block, more ports than a box can name, or what it does not do.
struct TwoBlocks : CubeBroadcast {
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2}; }
};

template <Topology Net, Program Prog>
void expect_refused(const Net& network, const Prog& program, const MachineOptions& options,
                    const std::string& why) {
  RecordingHost host = host_for(network, broadcast_job(NodeId{0}, options.model));
  try {
    const ReceiveOnceMachine<Net, Prog> machine(network, program, host, options);
    ADD_FAILURE() << "not refused";
  } catch (const InvalidParameter& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(ReceiveOnce, RefusesWhatItCannotRun) {
  const CubeBroadcast program{.dimensions = 3};
  expect_refused(Hypercube(3), TwoBlocks{program}, {}, "memory for exactly one block");
  expect_refused(CompleteGraph(66), ReceiveOnceScript(1, {NodeId{0}}), {}, "65 ports");
  expect_refused(Hypercube(3), ReceiveOnceScript(1, {NodeId{8}}), {}, "allowed: 0..7");
  expect_refused(Hypercube(3), program, {.fault = {.kind = FaultKind::drop}}, "no faults");
  expect_refused(Hypercube(3), program, {.watch_waits = true}, "no waits");
  expect_refused(Hypercube(3), program, {.stop_at_violation = false}, "stops at a violation");
}

}  // namespace
}  // namespace lockstep::test
