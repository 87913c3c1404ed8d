// SPDX-License-Identifier: Apache-2.0
/// What a run comes to does not depend on how it is run: record, violations and deliveries are
/// those of the reference machine for every number of workers, block size, channel kind and
/// executor; and the port model, recounted from the trace of sends, agrees.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "algorithm/total_exchange/star_packing.hpp"
#include "core/instrumented.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/verify/legality.hpp"
#include "reference/random_networks.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/script_cases.hpp"

namespace lockstep::test {
namespace {

void expect_recount_agrees(const SendTrace& trace, const Network& network, const PortModel& model,
                           const RunRecord& record) {
  EXPECT_TRUE(impossible_sends(trace, network).empty());
  EXPECT_EQ(disagreements(recount_trace(trace, model, network.processor_count()), record),
            std::vector<std::string>{});
}

struct PackingCase {
  std::size_t symbols;
  Numbers k;
  std::uint64_t batch = 1;
  std::size_t block_bytes = 8;
  VerifyKind verify = VerifyKind::exact;
};

std::string name_of(const PackingCase& c) {
  return fmt::format("star:{} k {} batch {} bytes {}", c.symbols, fmt::join(c.k, ","), c.batch,
                     c.block_bytes);
}

void expect_packing_law(const PackingCase& c, const std::vector<Conditions>& all) {
  SCOPED_TRACE(name_of(c));
  const StarGraph star(c.symbols);
  const Network network = build_network(star);
  const auto program = StarPacking(star, {{"k", c.k}, {"batch", c.batch}}).program();
  const Job job{.block_bytes = c.block_bytes, .verify = c.verify};
  SendTrace trace;
  const RunOutcome expected = run_reference(network, program, job, ChannelKind::slot, &trace);
  EXPECT_TRUE(expected.verdict.complete());
  EXPECT_TRUE(expected.record.legal());
  expect_recount_agrees(trace, network, job.model, expected.record);
  expect_outcome(network, program, job, expected, all);
}

TEST(MachineLaws, PackingIsTheSameHoweverItIsRun) {
  expect_packing_law({4, {3}}, all_conditions(every_channel));
}

TEST(MachineLaws, EveryChainOfSmallStars) {
  const std::vector<PackingCase> cases{
      {2, {1}, 1, 8},     {3, {1}, 1, 2},  {3, {2}, 1, 1},        {4, {1}, 1, 3}, {4, {2}, 1, 65},
      {4, {3, 2}, 1, 64}, {4, {2}, 2, 8},  {4, {3}, 4, 9},        {5, {3}, 1, 8}, {5, {2}, 7, 8},
      {5, {3}, 6, 1},     {5, {2}, 1, 17}, {5, {4, 3, 2}, 1, 16}, {5, {4}, 5, 8}};
  SomeCases some(3);
  for (const PackingCase& c : cases)
    if (some.take()) expect_packing_law(c, some_conditions(every_channel));
}

TEST(MachineLaws, DigestLedgerIsTheSameHoweverItIsRun) {
  expect_packing_law({4, {2}, 1, 8, VerifyKind::digest}, some_conditions(every_channel));
}

/// A full group and more. The reference machine takes a minute for it where a sanitizer watches:
/// there the serial run, which the other builds hold against it, stands for it.
TEST(MachineLaws, SevenHundredAndTwentyProcessors) {
  const StarGraph star(6);
  const Network network = build_network(star);
  const auto program = StarPacking(star, {{"k", Numbers{5, 4, 3, 2}}}).program();
  const Conditions serial{ChannelKind::slot, ExecutorKind::serial, 1, 0, {}};
  const RunOutcome expected =
      slowness == 1 ? run_reference(network, program, {}) : run(network, program, {}, serial);
  EXPECT_TRUE(expected.verdict.complete());
  EXPECT_TRUE(expected.record.legal());
  expect_outcome(network, program, {}, expected,
                 {serial,
                  {ChannelKind::slot, default_executor, 2, 0, {}},
                  {ChannelKind::spsc, default_executor, 3, 100, {}},
                  {ChannelKind::mailbox, default_executor, 2, 0, {}}});
}

void expect_script_law(const ScriptCase& c) {
  SCOPED_TRACE(c.network.name() + ", " + described(c.job));
  const ScriptedProgram<Activity::dense> dense(c.script);
  ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(c.network, dense, c.job, every_channel));
  const ScriptedProgram<Activity::sparse> sparse(c.script);
  ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(c.network, sparse, c.job, every_channel));
}

TEST(MachineLaws, RandomScriptsThatTakeEverything) {
  const auto make = [](Random& random) {
    return script_case(random, {.send = uniform(random, 0, 1) == 0 ? std::uint64_t{5} : 50});
  };
  for_all(cases_here(30), make, expect_script_law);
}

TEST(MachineLaws, RandomScriptsThatBreakEveryRule) {
  std::set<Rule> broken;
  const auto make = [](Random& random) {
    return script_case(random, {.send = 50,
                                .skipped_take = 20,
                                .no_such_port = 5,
                                .after_end = 10,
                                .switch_asks_host = 10,
                                .access = 10});
  };
  for_all(30, make, [&broken](const ScriptCase& c) {
    expect_script_law(c);
    const ScriptedProgram<Activity::dense> program(c.script);
    for (const Violation& v : run_reference(c.network, program, c.job).record.violations)
      broken.insert(v.rule);
  });
  EXPECT_EQ(broken, (std::set<Rule>{Rule::sends, Rule::receptions, Rule::half_duplex,
                                    Rule::arc_capacity, Rule::port, Rule::unread, Rule::after_end,
                                    Rule::host, Rule::memory, Rule::in_flight}));
}

/// What a mailbox loses are deliveries, never violations.
TEST(MachineLaws, ViolationsAreTheSameForAllChannels) {
  const auto make = [](Random& random) {
    ScriptCase c = script_case(random, {.send = 30, .skipped_take = 10});
    c.job.model = port_models::single_port;
    c.job.stop_at_violation = true;
    return c;
  };
  for_all(cases_here(30), make, [](const ScriptCase& c) {
    const ScriptedProgram<Activity::dense> program(c.script);
    const RunOutcome slot = run(c.network, program, c.job, {.channel = ChannelKind::slot});
    for (const Conditions& conditions : some_conditions(every_channel)) {
      SCOPED_TRACE(described(conditions));
      const RunOutcome other = run(c.network, program, c.job, conditions);
      EXPECT_EQ(described(other.record.violations), described(slot.record.violations));
      EXPECT_EQ(other.record.violation_count, slot.record.violation_count);
      EXPECT_EQ(other.record.steps, slot.record.steps);
      EXPECT_EQ(other.record.hops, slot.record.hops);
    }
  });
}

TEST(MachineLaws, RecountAgreesWithTheRecord) {
  const auto make = [](Random& random) { return script_case(random, {.send = 20}); };
  for_all(cases_here(60), make, [](ScriptCase c) {
    c.job.stop_at_violation = false;
    SendTrace trace;
    const ScriptedProgram<Activity::dense> program(c.script);
    const RunOutcome outcome = run_reference(c.network, program, c.job, ChannelKind::slot, &trace);
    ASSERT_LE(outcome.record.violation_count, 64U);
    expect_recount_agrees(trace, c.network, c.job.model, outcome.record);
  });
}

/// The same list of moves at every node, in usual steps by many nodes together; and one by one.
template <CayleyTopology Group>
void expect_schedule_law(Random& random, const Group& group, const ScheduleChances& chances) {
  const Network network = build_network(group);
  const Job job = random_job(random);
  SCOPED_TRACE(network.name() + ", " + described(job));
  const GroupedScheduleProgram program(group, random_schedule(random, group, chances));
  ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(network, program, job, every_channel));
  expect_reference_outcome(network, OneByOne(program), job, every_channel);
}

/// Nodes number their ports each in its own way: what arrives through a port differs from node to
/// node of a group, or is missing.
template <CayleyTopology Group>
void expect_schedule_law_of_any_ports(Random& random, const Group& group,
                                      const ScheduleChances& chances) {
  const Network network = reference::renumbered(random, build_network(group), group.node_count());
  const Job job = random_job(random);
  SCOPED_TRACE(network.name() + ", " + described(job));
  const GroupedScheduleProgram program(group, random_schedule(random, group, chances));
  expect_reference_outcome(network, program, job, every_channel);
}

TEST(MachineLaws, RandomSchedulesWhoseMessagesDifferInAGroup) {
  for_all(
      cases_here(15), [](Random& random) { return random; },
      [](Random random) {
        const ScheduleChances chances{.most_sends = 3, .unread = 15, .wrong_size = 20};
        ASSERT_NO_FATAL_FAILURE(expect_schedule_law_of_any_ports(random, StarGraph(4), chances));
        ASSERT_NO_FATAL_FAILURE(expect_schedule_law_of_any_ports(random, Ring(5), chances));
      });
}

/// 720 nodes in one task: a group of 512, which is as many as run together, and the rest.
TEST(MachineLaws, RandomSchedulesOfAFullGroup) {
  const StarGraph star(6);
  const Network network = build_network(star);
  for_all(
      cases_here(12), [](Random& random) { return random; },
      [&](Random random) {
        const Job job = random_job(random);
        SCOPED_TRACE(described(job));
        const GroupedScheduleProgram program(star,
                                             random_schedule(random, star, {.most_sends = 2}));
        const RunOutcome expected = run_reference(network, program, job);
        const Conditions conditions{.workers = 1, .processors_per_task = 1024};
        EXPECT_EQ(differences(run(network, program, job, conditions), expected),
                  std::vector<std::string>{});
      });
}

void expect_schedule_laws(const ScheduleChances& chances) {
  for_all(
      cases_here(40), [](Random& random) { return random; },
      [&](Random random) {
        ASSERT_NO_FATAL_FAILURE(expect_schedule_law(random, StarGraph(3), chances));
        ASSERT_NO_FATAL_FAILURE(expect_schedule_law(random, StarGraph(4), chances));
        ASSERT_NO_FATAL_FAILURE(expect_schedule_law(random, Ring(5), chances));
      });
}

TEST(MachineLaws, RandomLawfulSchedules) { expect_schedule_laws({}); }

TEST(MachineLaws, RandomSchedulesThroughSeveralPorts) { expect_schedule_laws({.most_sends = 3}); }

TEST(MachineLaws, RandomSchedulesThatBreakEveryRule) {
  expect_schedule_laws({.most_sends = 3,
                        .same_port = 20,
                        .no_such_port = 5,
                        .unread = 15,
                        .wrong_size = 20,
                        .any_slot = 10});
}

}  // namespace
}  // namespace lockstep::test
