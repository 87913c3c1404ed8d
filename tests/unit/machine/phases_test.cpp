// SPDX-License-Identifier: Apache-2.0
/// Phases that a program names: what each of them cost, in every machine; and which are refused.

#include "lockstep/program/phases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/verify/legality.hpp"
#include "program/in_turns.hpp"
#include "support/cases.hpp"
#include "support/outcome_checks.hpp"
#include "support/receive_once_jobs.hpp"
#include "support/ring_ports.hpp"
#include "support/scripts.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// On a ring of six, in steps 0..5: one message of two blocks; two of one and three blocks;
/// nothing; one block; nothing; two blocks and one.
Script uneven_script(const Network& ring) {
  Script script(ring, 6);
  script.turn(0, NodeId{0}).sends = {{right, 2}};
  script.turn(1, NodeId{1}).sends = {{right, 1}};
  script.turn(1, NodeId{3}).sends = {{left, 3}};
  script.turn(3, NodeId{5}).sends = {{right, 1}};
  script.turn(5, NodeId{2}).sends = {{left, 2}};
  script.turn(5, NodeId{4}).sends = {{right, 1}};
  return script;
}
const std::vector<Phase> four_phases{{"out", 0}, {"none", 2}, {"back", 2}, {"last", 5}};
const std::vector<PhaseRecord> cost_of_four{{"out", 0, 2, 2, 5, 0, 3, 3, 3, 6},
                                            {"none", 2, 0, 0, 0, 0, 0, 0, 0, 0},
                                            {"back", 2, 3, 1, 1, 0, 1, 1, 1, 1},
                                            {"last", 5, 1, 1, 2, 0, 2, 2, 2, 3}};

Network ring_of_six() { return build_network(Ring{6}); }

TEST(Phases, EveryMachineSaysWhatEachOfThemCost) {
  const Network ring = ring_of_six();
  const Job job{.model = port_models::all_port};
  const ScriptedProgram<Activity::dense> dense(uneven_script(ring), four_phases);
  expect_reference_outcome(ring, dense, job, every_channel);
  EXPECT_EQ(run_reference(ring, dense, job).record.phases, cost_of_four);
  EXPECT_EQ(run(ring, dense, job).record.phases, cost_of_four);
  Script awake = uneven_script(ring);
  for (std::uint64_t step = 0; step < 6; ++step)
    for (std::uint64_t u = 0; u < 6; ++u) awake.turn(step, NodeId{u}).stays_active = true;
  const ScriptedProgram<Activity::sparse> sparse(awake, four_phases);
  expect_reference_outcome(ring, sparse, job, every_channel);
  EXPECT_EQ(run(ring, sparse, job).record.phases, cost_of_four);
}

/// Random lawful and unlawful programs, some of which end in a phase, some before it.
TEST(Phases, AreThoseOfTheReferenceMachine) {
  const Network cube = build_network(Hypercube{3});
  for_all(
      20,
      [&](Random& random) {
        Script script(cube, 7);
        for (int i = 0; i < 12; ++i)
          script.turn(uniform(random, 0, 6), NodeId{uniform(random, 0, 7)}).sends = {
              {port(uniform(random, 0, 2)),
               static_cast<std::uint32_t>(uniform(random, 1, Script::widest))}};
        std::vector<Phase> phases{{"1", 0}};
        while (phases.back().first_step < 7)
          phases.push_back(
              {std::to_string(phases.size() + 1), uniform(random, phases.back().first_step, 7)});
        return ScriptedProgram<Activity::dense>(script, phases);
      },
      [&](const ScriptedProgram<Activity::dense>& program) {
        const Job job;
        SendTrace trace;
        const RunOutcome expected = run_reference(cube, program, job, ChannelKind::slot, &trace);
        expect_outcome(cube, program, job, expected, some_conditions({ChannelKind::slot}));
        if (!expected.record.legal()) return;
        EXPECT_THAT(disagreements(recount_trace(trace, job.model), expected.record), IsEmpty());
        std::uint64_t steps = 0;
        std::uint64_t blocks = 0;
        for (const PhaseRecord& phase : expected.record.phases) {
          steps += phase.steps;
          blocks += phase.blocks_moved;
        }
        EXPECT_EQ(steps, 7U);
        EXPECT_EQ(blocks, expected.record.blocks_moved);
      });
}

TEST(Phases, OfTheMachineWithOneBoxPerNode) {
  const Network ring = ring_of_six();
  ReceiveOnceScript script(4, {NodeId{0}}, {{"there", 0}, {"on", 1}});
  script.turn(0, NodeId{0}).sends = {right, left};
  script.turn(1, NodeId{1}).sends = {right};
  script.turn(2, NodeId{2}).sends = {right};
  const Job job = broadcast_job(NodeId{0}, port_models::all_port);
  const std::vector<PhaseRecord> expected{{"there", 0, 1, 1, 1, 0, 1, 2, 2, 2},
                                          {"on", 1, 3, 2, 2, 0, 1, 2, 2, 2}};
  EXPECT_EQ(run_reference(ring, script, job).record.phases, expected);
  for (const Conditions& conditions : some_boxed_conditions())
    EXPECT_EQ(run_boxed(ring, script, job, conditions).outcome.record.phases, expected);
}

/// The run stops in a phase; the later ones have no steps.
TEST(Phases, ThatARunDoesNotReachHaveNoSteps) {
  const Network ring = ring_of_six();
  Script script = uneven_script(ring);
  script.turn(3, NodeId{5}).sends = {{right, 1}, {Port{2}, 1}};  // there is no such port
  const ScriptedProgram<Activity::dense> program(script, four_phases);
  const Job job{.model = port_models::all_port};
  expect_reference_outcome(ring, program, job, {ChannelKind::slot});
  const RunRecord record = run(ring, program, job).record;
  EXPECT_FALSE(record.legal());
  EXPECT_EQ(record.phases[2], (PhaseRecord{"back", 2, 2, 1, 1, 0, 1, 1, 1, 1}));
  EXPECT_EQ(record.phases[3], (PhaseRecord{"last", 5}));

  std::stop_source stop;
  stop.request_stop();
  RecordingHost host = host_for(ring, job);
  Machine<Network, ScriptedProgram<Activity::dense>, SlotChannels> machine(
      ring, program, host, {.stop = stop.get_token()});
  const RunRecord none = machine.run(*make_executor(ExecutorKind::serial, 1));
  ASSERT_EQ(none.phases.size(), 4U);
  EXPECT_EQ(none.phases[0], (PhaseRecord{"out", 0}));
}

TEST(Phases, AProgramThatNamesNoneHasNone) {
  const Network ring = ring_of_six();
  const ScriptedProgram<Activity::dense> program(uneven_script(ring));
  EXPECT_THAT(run(ring, program, Job{}).record.phases, IsEmpty());
  EXPECT_THAT(run_reference(ring, program, Job{}).record.phases, IsEmpty());
}

/// An alteration of a phase is no fact of the run.
TEST(Phases, ArePartOfTheFactsAndOfTheRecount) {
  const Network ring = ring_of_six();
  const Job job{.model = port_models::all_port};
  const ScriptedProgram<Activity::dense> program(uneven_script(ring), four_phases);
  SendTrace trace;
  const RunRecord record = run_reference(ring, program, job, ChannelKind::slot, &trace).record;
  const Recount recount = recount_trace(trace, job.model);
  EXPECT_THAT(disagreements(recount, record), IsEmpty());
  for (std::uint64_t PhaseRecord::*figure :
       {&PhaseRecord::steps, &PhaseRecord::startups, &PhaseRecord::message_times,
        &PhaseRecord::control_words, &PhaseRecord::largest_message_blocks, &PhaseRecord::hops,
        &PhaseRecord::blocks_moved}) {
    RunRecord altered = record;
    ++(altered.phases[2].*figure);
    EXPECT_FALSE(altered.same_facts(record));
    EXPECT_THAT(disagreements(recount, altered),
                ElementsAre(HasSubstr("phase 'back' from step 2")));
  }
  RunRecord slower = record;
  slower.phases[2].seconds += 1;
  EXPECT_TRUE(slower.same_facts(record));
}

Schedule two_moves(const Ring& ring) {
  Schedule schedule(ring);
  const Region own = schedule.add_region(1);
  const Region other = schedule.add_region(1);
  const NodeId two_away{2};
  const NodeId two_back{4};
  schedule.begin_phase("first link");
  schedule.load({own, 0, 1}, schedule.add_elements({&two_away, 1}));
  schedule.move(right, {own, 0, 1}, {other, 0, 1});
  schedule.begin_phase("second link");
  schedule.move_and_deliver(right, {other, 0, 1}, schedule.add_elements({&two_back, 1}));
  return schedule;
}

TEST(Phases, OfASchedule) {
  const Ring ring(6);
  const GroupedScheduleProgram program(ring, two_moves(ring));
  EXPECT_THAT(program.phases(), ElementsAre(Phase{"first link", 0}, Phase{"second link", 1}));
  expect_reference_outcome(ring, program, Job{}, every_channel);
  const ScheduleProgram by_turns = in_turns(ring, two_moves(ring));
  EXPECT_THAT(by_turns.phases(), ElementsAre(Phase{"first link", 0}, Phase{"second link", 2}));
  EXPECT_THAT(run(ring, by_turns, Job{}).record.phases,
              ElementsAre(PhaseRecord{"first link", 0, 2, 2, 2, 0, 1, 6, 6, 6},
                          PhaseRecord{"second link", 2, 2, 2, 2, 0, 1, 6, 6, 6}));
}

std::string refusal(const std::vector<Phase>& phases) {
  const Network ring = ring_of_six();
  const ScriptedProgram<Activity::dense> program(uneven_script(ring), phases);
  RecordingHost host = host_for(ring, Job{});
  std::string said;
  try {
    const Machine<Network, ScriptedProgram<Activity::dense>, SlotChannels> machine(ring, program,
                                                                                   host, {});
  } catch (const InvalidParameter& refused) {
    said = refused.what();
  }
  const ErasedProgramOf any(program);
  if (said.empty())
    (void)reference::ReferenceMachine(ring, any, host, {});
  else
    EXPECT_THROW(reference::ReferenceMachine(ring, any, host, {}), InvalidParameter) << said;
  return said;
}

TEST(Phases, ThatCannotBeAreRefusedWhereTheMachineIsMade) {
  EXPECT_EQ(refusal({{"late", 1}}), "phases: 'late' begins at step 1; allowed: 0..0");
  EXPECT_EQ(refusal({{"a", 0}, {"b", 3}, {"c", 2}}), "phases: 'c' begins at step 2; allowed: 3..6");
  EXPECT_EQ(refusal({{"a", 0}, {"b", 7}}), "phases: 'b' begins at step 7; allowed: 0..6");
  EXPECT_EQ(refusal({{"a", 0}, {"", 3}}), "phases: the phase at step 3 has no name");
  EXPECT_EQ(refusal({{"a", 0}, {"b", 0}, {"c", 6}}), "");
  EXPECT_EQ(refusal({}), "");
  EXPECT_THROW(check_phases({{"a", 0}, {"b", 3}, {"c", 2}}, std::nullopt), InvalidParameter);
  EXPECT_NO_THROW(check_phases({{"a", 0}, {"b", 1'000'000}}, std::nullopt));
  const ReceiveOnceScript script(4, {NodeId{0}}, {{"late", 1}});
  EXPECT_THROW((void)run_boxed(ring_of_six(), script, broadcast_job(NodeId{0}, {})),
               InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
