// SPDX-License-Identifier: Apache-2.0
#include "program/schedule_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/plan/lower.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "program/schedule_pieces.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep {
namespace {

using test::Random;
using test::uniform;
using testing::HasSubstr;
using testing::StartsWith;

const std::string exchange_head =
    "lockstep-schedule 1\ntopology ring:5\noperation total-exchange\n";  // three lines
const std::string gather_head = "lockstep-schedule 1\ntopology ring:5\noperation all-gather\n";
const std::string exchange_steps = "0: 1\n0: 2\n0: 2\n1: 4\n1: 3\n1: 3\n";
const std::string gather_steps = "0: 0\n0: 4\n1: 0\n1: 1\n";

[[nodiscard]] ScheduleFile parsed(const std::string& text,
                                  const AnyCayley& group = any_cayley(Ring{5})) {
  return parse_schedule("mine", text, group);
}

[[nodiscard]] std::string refusal(const std::string& text,
                                  const AnyCayley& group = any_cayley(Ring{5})) {
  try {
    (void)parsed(text, group);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

[[nodiscard]] GroupedScheduleProgram program_of(const ScheduleFile& user, const AnyCayley& group) {
  LoweredPlan lowered = lower(*user.plan, group, user.operation);
  return {group, std::move(lowered.schedule)};
}

/// The outcome of the reference machine, and the same of the machine in every way it can be run.
[[nodiscard]] test::RunOutcome outcome_of(const ScheduleFile& user, const AnyCayley& group) {
  const GroupedScheduleProgram program = program_of(user, group);
  const Network network = build_network(group);
  const test::Job job{.model = user.model, .collective = {user.operation}};
  std::vector<ChannelKind> channels{ChannelKind::slot, ChannelKind::spsc};
  if (user.model.receptions == 1) channels.push_back(ChannelKind::mailbox);
  test::expect_reference_outcome(network, program, job, channels);
  return test::run_reference(network, program, job);
}

void expect_whole(const std::string& text, const AnyCayley& group, std::uint64_t steps) {
  SCOPED_TRACE(text);
  const ScheduleFile user = parsed(text, group);
  const test::RunOutcome outcome = outcome_of(user, group);
  EXPECT_TRUE(outcome.verdict.complete());
  EXPECT_TRUE(outcome.record.legal());
  EXPECT_EQ(outcome.record.steps, steps);
  EXPECT_EQ(outcome.record.hops, lower(*user.plan, group, user.operation).messages);
}

const std::string expected_step =
    "expected messages such as '0: 1', separated by ';', or '-' for a step without messages";

TEST(ScheduleFileTest, RunsAsWritten) {
  const AnyCayley ring = any_cayley(Ring{5});
  expect_whole(exchange_head + exchange_steps, ring, 6);
  expect_whole(gather_head + gather_steps, ring, 4);
  expect_whole(exchange_head + "port-model all-port\n0: 1 2; 1: 3 4\n0: 2; 1: 3\n", ring, 2);
  expect_whole(exchange_head + "0: 2 1\n-\n1: 3 4\n0: 2\n1: 3\n", ring, 5);
  expect_whole(gather_head + "port-model all-port\n0: 0; 1: 0\n0: 4; 1: 1\n", ring, 2);
}

/// A message that is kept in part, delivered in part; an own block that leaves twice.
TEST(ScheduleFileTest, MessagesOfSeveralBlocks) {
  const AnyCayley cube = any_cayley(Hypercube{2});
  const std::string head = "lockstep-schedule 1\ntopology hypercube:2\n";
  expect_whole(head + "operation total-exchange\n0: 01 11\n1: 10 11\n", cube, 2);
  expect_whole(head + "operation all-gather\n0: 00\n1: 00 01\n", cube, 2);
  expect_whole(
      "lockstep-schedule 1\ntopology hypercube:3\noperation all-gather\n"
      "0: 000\n1: 001 000\n2: 010 000 011 001\n",
      any_cayley(Hypercube{3}), 3);
}

TEST(ScheduleFileTest, NamesBlocksByPathsToo) {
  const AnyCayley star = any_cayley(StarGraph{3});
  const std::string head = "lockstep-schedule 1\ntopology star:3\noperation total-exchange\n";
  const std::string paths =
      "0: /0\n1: /1\n0: /0/1 /0/1/0\n1: /1/0\n1: /0/1 /0/1/0\n0: /1/0 /0/1/0\n";
  expect_whole(head + paths, star, 6);
  EXPECT_EQ(parsed(gather_head + "0: /\n0: /1\n1: /\n1: /0\n").plan->list.front().from, 0U);
}

TEST(ScheduleFileTest, RemarksBlanksAndLineEndsDoNotMatter) {
  const ScheduleFile plain = parsed(exchange_head + exchange_steps);
  const ScheduleFile loose = parsed(
      "# mine\r\n\r\n lockstep-schedule 1 \r\n\toperation   total-exchange # what\r\nsteps 6\r\n"
      "topology\tring:5\r\n0 :1\r\n\r\n  0:2;# one\r\n0: 2\r\n1: 4\r\n1:\t/1/1\r\n1: 3");
  ASSERT_EQ(loose.plan->list.size(), plain.plan->list.size());
  for (std::size_t i = 0; i < plain.plan->list.size(); ++i)
    EXPECT_EQ(loose.plan->list[i].destination, plain.plan->list[i].destination) << i;
  EXPECT_EQ(plain.place_of(0, NodeId{3}), "mine:4");
  EXPECT_EQ(loose.place_of(0, NodeId{3}), "mine:7");
  EXPECT_EQ(loose.place_of(1, NodeId{3}), "mine:9");
  EXPECT_EQ(loose.place_of(6, NodeId{3}), "mine:13");
}

TEST(ScheduleFileTest, OneProcessorHasNothingToDo) {
  const std::string head = "lockstep-schedule 1\ntopology hypercube:0\n";
  expect_whole(head + "operation total-exchange\n", any_cayley(Hypercube{0}), 0);
  expect_whole(head + "operation all-gather\n-\n-\n", any_cayley(Hypercube{0}), 2);
  EXPECT_EQ(refusal(head + "operation all-gather\n0: /\n", any_cayley(Hypercube{0})),
            "mine:4: step 0: port '0' is not valid; expected no port, because there are none");
}

TEST(ScheduleFileTest, SaysWhatIsWrongInTheHeader) {
  const auto head = [](const std::string& lines) { return "lockstep-schedule 1\n" + lines; };
  const std::string rest = "topology ring:5\noperation total-exchange\n";
  const std::string versions =
      "expected 'lockstep-schedule 1' (moves of one processor, which all others repeat) or "
      "'lockstep-schedule 2' (actions of every node) in the first line";
  EXPECT_EQ(refusal(""), "mine:1: the file is empty; " + versions);
  EXPECT_EQ(refusal("# only this\n"), "mine:1: the file is empty; " + versions);
  EXPECT_EQ(refusal("\nlockstep-schedule 3\n"),
            "mine:2: 'lockstep-schedule 3' is not valid; " + versions);
  EXPECT_EQ(refusal(head("operation total-exchange\n0: 1\n")),
            "mine:3: the line 'topology ..' is missing before the first step");
  EXPECT_EQ(refusal(head("topology ring:5\n0: 1\n")),
            "mine:3: the line 'operation ..' is missing before the first step");
  EXPECT_EQ(refusal(head("topology ring:6\n")),
            "mine:2: the schedule is for topology 'ring:6', but the run is on 'ring:5'");
  EXPECT_EQ(
      refusal(head("operation scatter\n")),
      "mine:2: unknown operation of version 1 'scatter'; allowed: total-exchange, all-gather; use "
      "version 2 for other operations");
  EXPECT_THAT(
      refusal(head("port-model all-prot\n")),
      StartsWith("mine:2: unknown port model 'all-prot'; did you mean 'all-port'? Allowed: "));
  EXPECT_EQ(refusal(head("topolgy ring:5\n")),
            "mine:2: unknown header line 'topolgy'; did you mean 'topology'? Allowed: topology, "
            "operation, port-model, steps (version 1)");
  EXPECT_EQ(refusal(head("topology\n")), "mine:2: 'topology' has no value");
  EXPECT_EQ(refusal(head(rest + "topology ring:5\n")),
            "mine:4: 'topology' occurs twice; the first is in line 2");
  EXPECT_EQ(refusal(head(rest + "steps six\n")),
            "mine:4: steps 'six' is not valid; expected 0..16777216");
  EXPECT_EQ(refusal(head(rest + "steps 5\n") + exchange_steps),
            "mine:4: 5 steps announced, but the file has 6");
  EXPECT_EQ(refusal(exchange_head + "0: 1\nsteps 6\n"),
            "mine:5: 'steps 6' after the first step is not a step; " + expected_step);
}

TEST(ScheduleFileTest, SaysWhatIsWrongInAStep) {
  const auto step = [](const std::string& line) {
    return refusal(exchange_head + "0: 1\n" + line);
  };
  const std::string place = "mine:5: step 1: ";
  EXPECT_EQ(step("0 2"), place + "'0 2' is not valid; " + expected_step);
  EXPECT_EQ(step("0: 2; ; 1: 4"), place + "'' is not valid; " + expected_step);
  EXPECT_EQ(step("2: 2"), place + "port '2' is not valid; expected 0..1");
  EXPECT_EQ(step("0x: 2"), place + "port '0x' is not valid; expected 0..1");
  EXPECT_EQ(step("99999999999999999999: 2"),
            place + "port '99999999999999999999' is not valid; expected 0..1");
  EXPECT_EQ(step("0:"), place + "no block after '0:'");
  EXPECT_EQ(step("0: 5"),
            place + "unknown node '5'; expected a label such as '4' or a path such as '/0'");
  EXPECT_EQ(step("0: /0/2"), place + "port '2' is not valid; expected 0..1");
  EXPECT_EQ(step("0: //"), place + "port '' is not valid; expected 0..1");
  EXPECT_EQ(step("0: /0/"), place + "a path ends with '/'; expected '/0/1', or '/' alone");
  EXPECT_THAT(step("0: " + std::string(99, '\1')), HasSubstr("'" + std::string(40, '?') + "...'"));
}

TEST(ScheduleFileTest, SaysWhichRuleOfTheExchangeIsBroken) {
  const auto steps = [](const std::string& lines) { return refusal(exchange_head + lines); };
  EXPECT_EQ(steps("0: 0\n"), "mine:4: step 0: block '0' is a message to self, which is not sent");
  EXPECT_EQ(steps("0: 2 2\n"), "mine:4: step 0: block '2' is sent twice in one step");
  EXPECT_EQ(steps("0: 2; 1: 2\n"), "mine:4: step 0: block '2' is sent twice in one step");
  EXPECT_EQ(steps("0: 1\n\n0: 1\n"),
            "mine:6: step 1: block '1' is sent, but it already arrived in step 0 (mine:4)");
  EXPECT_EQ(steps(""),
            "mine: the schedule ends after 0 steps, but block '1' is never sent (4 undelivered "
            "blocks in total)");
  EXPECT_EQ(
      steps("0: 1\n0: 2\n0: 2\n1: 4\n1: 3\n"),
      "mine: the schedule ends after 5 steps, but block '3' has not reached its destination, which "
      "is '4' relative to the processor that holds it; add the missing moves");
}

TEST(ScheduleFileTest, SaysWhichRuleOfTheAllGatherIsBroken) {
  const auto steps = [](const std::string& lines) { return refusal(gather_head + lines); };
  EXPECT_EQ(
      steps("0: 1\n"),
      "mine:4: step 0: block '1' is sent, but the processor does not hold it before this step");
  EXPECT_EQ(
      steps("0: 0; 0: 4\n"),
      "mine:4: step 0: block '4' is sent, but the processor does not hold it before this step");
  EXPECT_EQ(steps("0: 0\n1: 4\n"), "mine:5: step 1: block '4' returns to its source");
  EXPECT_EQ(steps("0: 0\n0: 0\n"),
            "mine:5: step 1: block '0' arrives, as '4', at a processor that already has it");
  EXPECT_EQ(steps("0: 0 0\n"),
            "mine:4: step 0: block '0' arrives, as '4', at a processor that already has it");
  EXPECT_EQ(
      steps("0: 0\n0: 4\n1: 0\n"),
      "mine: the schedule ends after 3 steps, but the block of processor '2' has not arrived");
}

/// The first violation, by the machine and by the reference machine.
void expect_violation(const std::string& text, std::uint64_t step, Rule rule) {
  SCOPED_TRACE(text);
  const AnyCayley ring = any_cayley(Ring{5});
  const ScheduleFile user = parsed(text, ring);
  const GroupedScheduleProgram program = program_of(user, ring);
  const Network network = build_network(ring);
  const test::Job job{.model = user.model, .collective = {user.operation}};
  const RunRecord expected = test::run_reference(network, program, job).record;
  const RunRecord record = test::run(network, program, job).record;
  ASSERT_FALSE(record.legal());
  EXPECT_EQ(record.violations.front().step, step);
  EXPECT_EQ(record.violations.front().rule, rule);
  EXPECT_EQ(test::described(record.violations), test::described(expected.violations));
}

TEST(ScheduleFileTest, PortModelsAreForTheMachineToJudge) {
  expect_violation(exchange_head + "0: 1; 1: 4\n0: 2\n0: 2\n1: 3\n1: 3\n", 0, Rule::sends);
  expect_violation(exchange_head + "port-model all-port\n1: 4\n0: 1; 0: 2\n0: 2\n1: 3\n1: 3\n", 1,
                   Rule::arc_capacity);
}

/// A piece cut out, bytes replaced, a line moved, or two files in one.
[[nodiscard]] std::string damaged(Random& random, std::string text) {
  const auto place = [&] { return uniform(random, 0, text.size() - 1); };
  for (std::uint64_t damages = uniform(random, 1, 4); damages > 0; --damages) {
    const std::string letters = "0123456789:;/# \n\t-atlosch\0\xff";
    switch (uniform(random, 0, 3)) {
      case 0:
        text.erase(place(), uniform(random, 1, 9));
        break;
      case 1:
        text[place()] = letters[uniform(random, 0, letters.size() - 1)];
        break;
      case 2:
        text.insert(place(), text.substr(place(), uniform(random, 1, 30)));
        break;
      default:
        text.insert(place(), 1, static_cast<char>(uniform(random, 0, 255)));
    }
    if (text.empty()) text.push_back('\n');
  }
  return text;
}

/// A refused file is refused in one printable line that begins with its name; an accepted one runs
/// to the end, delivered as promised.
TEST(ScheduleFileTest, AThousandMalformedFilesAreRefusedWithAReason) {
  const AnyCayley ring = any_cayley(Ring{5});
  std::uint64_t refused = 0;
  std::uint64_t accepted = 0;
  for (std::uint64_t seed = 0; refused < 1000; ++seed) {
    Random random{seed};
    const std::string text = damaged(
        random, seed % 2 == 0 ? exchange_head + exchange_steps : gather_head + gather_steps);
    SCOPED_TRACE(text);
    const std::string reason = refusal(text);
    if (reason == "accepted") {
      ++accepted;
      const ScheduleFile user = parsed(text);
      const GroupedScheduleProgram program = program_of(user, ring);
      const test::RunOutcome outcome = test::run_reference(
          build_network(ring), program, {.model = user.model, .collective = {user.operation}});
      EXPECT_TRUE(outcome.verdict.complete() || !outcome.record.legal());
      continue;
    }
    ++refused;
    EXPECT_THAT(reason, StartsWith("mine:"));
    EXPECT_EQ(reason.find_first_of(std::string("\n\0\xff", 3)), std::string::npos) << reason;
  }
  EXPECT_LT(accepted, 1000U);
}

TEST(ReadScheduleTest, RefusesWhatIsNoFile) {
  EXPECT_THROW((void)schedule_file_text("/nowhere/at/all"), InvalidParameter);
  EXPECT_THROW((void)schedule_file_text("/"), InvalidParameter);
  EXPECT_THROW((void)schedule_file_text("/dev/zero"), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
