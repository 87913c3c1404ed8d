// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "program/schedule_file.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;

const std::string header =
    "lockstep-schedule 2\ntopology ring:4\noperation broadcast\nmemory 2 4\nsteps 2\n";

ScheduleFile file_of(const std::string& text) {
  return parse_schedule_by_node("f", text, ErasedTopology(AnyTopology{std::string("ring:4")}));
}

/// What is said of lines after the header.
std::string refusal_of_lines(const std::string& lines, const std::string& head = header) {
  try {
    (void)file_of(head + lines);
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "";
}

TEST(ScheduleText, ANodeHasTheTurnsOfItsLines) {
  const ScheduleFile file = file_of(header +
                                    "# a remark\n"
                                    "step 0\n2: load 0/0-1 of 2,2 for 0,1; send 1 0/0\n"
                                    "0: send 0 1/3,0-1\n"
                                    "step 2   # the second step sends nothing\n"
                                    "3: take 0 store 0/1; take 0 deliver 0 of 2; take 1\n");
  const Schedule& schedule = *file.schedule;
  EXPECT_EQ(schedule.step_count(), 2U);
  EXPECT_EQ(schedule.turn_count(), 3U);
  EXPECT_THAT(schedule.nodes_in(0), ElementsAre(2, 0));
  EXPECT_THAT(schedule.nodes_in(1), ElementsAre());
  EXPECT_THAT(schedule.nodes_in(2), ElementsAre(3));
  EXPECT_EQ(schedule.turns_of(NodeId{1}).size(), 0U);
  ASSERT_EQ(schedule.turns_of(NodeId{3}).size(), 1U);
  EXPECT_EQ(schedule.turns_of(NodeId{3}).front().step, 2U);
  EXPECT_EQ(schedule.actions(2, NodeId{3}).size(), 3U);
  const Action& listed = schedule.actions(0, NodeId{0}).front();
  EXPECT_EQ(listed.kind, Action::Kind::send_list);
  EXPECT_THAT(schedule.list(static_cast<GatherList>(listed.element_or_list)), ElementsAre(3, 0, 1));
  const Schedule::Traffic traffic = schedule.traffic();
  EXPECT_EQ(traffic.messages, 2U);
  EXPECT_EQ(traffic.startups, 1U);
  EXPECT_EQ(traffic.message_times, 3U);
  EXPECT_EQ(file.place_of(2, NodeId{1}), "f:10");
  EXPECT_EQ(file.place_of(2, NodeId{3}), "f:11");
  EXPECT_EQ(file.place_of(1, NodeId{3}), "f");
}

/// "1: .. of 1" and "2: .. of 2" are the same: a node's own block.
TEST(ScheduleText, TurnsThatDoTheSameAreKeptOnce) {
  const ScheduleFile file = file_of(header +
                                    "step 0\n1: load 0/0 of 1 for 1; send 0 0/0\n"
                                    "2: load 0/0 of 2 for 2; send 0 0/0\n"
                                    "3: load 0/0 of 3 for 0; send 0 0/0\n"
                                    "step 1\n3: load 0/0 of 3 for 3; send 0 0/0\n");
  const Schedule& schedule = *file.schedule;
  const auto what = [&](std::uint64_t node, std::size_t i) {
    return schedule.turns_of(NodeId{node})[i].actions;
  };
  EXPECT_EQ(what(1, 0), what(2, 0));
  EXPECT_EQ(what(1, 0), what(3, 1));
  EXPECT_NE(what(1, 0), what(3, 0));
}

TEST(ScheduleText, WhatIsReadIsWrittenAgain) {
  const std::string text =
      "lockstep-schedule 2\ntopology ring:4\noperation many-to-all\nport-model "
      "all-port-wormhole\norigins 3 3 0\nparts 3\nmemory 5 2\nmemory-of 1 4 2\ncontrol 1\nsteps "
      "3\nphase 0 first\nphase 2 the rest\n"
      "step 0\n"
      "0: take 1; load 0/0 of 2 for 1; copy 0/0 into 0/3; combine 0/0 with 0/1 into 0/2\n"
      "3: send 1>1>0 0/4,0-1; send 0 1/0-1; deliver 0/1-2 of 0,2\n"
      "step 3\n"
      "2: take 0 combine 0/0-1 arrived-first; take 0 combine 0/1 into 0/3; take 0 combine 0/3,1\n";
  EXPECT_EQ(text_of(file_of(text)), text);
}

TEST(ScheduleText, WhatDoesNotFitIsNamedWithItsLine) {
  EXPECT_EQ(refusal_of_lines("", "lockstep-schedule 3\n"),
            "f:1: 'lockstep-schedule 3' is not valid; expected 'lockstep-schedule 1' (moves of one "
            "processor, which all others repeat) or 'lockstep-schedule 2' (actions of every node) "
            "in the first "
            "line");
  EXPECT_EQ(refusal_of_lines("", "lockstep-schedule 2\ntopology ring:5\n"),
            "f:2: the schedule is for topology 'ring:5', but the run is on 'ring:4'");
  EXPECT_EQ(refusal_of_lines("step 0\n", "lockstep-schedule 2\ntopology ring:4\n"),
            "f:3: the line 'operation ..' is missing before the first step");
  EXPECT_EQ(refusal_of_lines("", "lockstep-schedule 2\nsteps 16777217\n"),
            "f:2: steps '16777217' is not valid; expected 0..16777216");
  EXPECT_EQ(refusal_of_lines("steps 1\n"), "f:6: 'steps' occurs twice");
  EXPECT_EQ(refusal_of_lines("memory-of 2 3 1\n"),
            "f:6: expected one size per region of 'memory', none larger than its size there");
  EXPECT_EQ(refusal_of_lines("control 2\nstep 0\n"),
            "f:7: control words in region 2, but there are 2 regions");
  EXPECT_EQ(refusal_of_lines("step 0\nparts 2\n"),
            "f:7: step 0: header line 'parts' after the first step; move it before the first step");
  EXPECT_EQ(refusal_of_lines("step 0\nstpe 1\n"),
            "f:7: step 0: 'stpe' is not valid; expected 'step N' or a line that begins with a node "
            "number");
  EXPECT_EQ(refusal_of_lines("0: take 0\n"), "f:6: '0: take 0' before the first line 'step N'");
  EXPECT_EQ(refusal_of_lines("step 3\n"), "f:6: step '3' is not valid; expected 0..2");
  EXPECT_EQ(refusal_of_lines("step 1\nstep 1\n"),
            "f:7: step 1 occurs twice; step numbers must increase");
  EXPECT_EQ(refusal_of_lines("step 0\n4: take 0\n"),
            "f:7: step 0: node '4' is not valid; expected 0..3");
  EXPECT_EQ(refusal_of_lines("step 0\n1: take 0\n1: take 1\n"), "f:8: step 0: node 1 occurs twice");
  EXPECT_EQ(refusal_of_lines("step 0\n1: take 2\n"),
            "f:7: step 0: port '2' is not valid; expected 0..1");
  EXPECT_EQ(refusal_of_lines("step 0\n1: send 0 2/0\n"),
            "f:7: step 0: region '2' is not valid; expected 0..1");
  EXPECT_EQ(refusal_of_lines("step 0\n1: send 0 0/1-2\n"),
            "f:7: step 0: slot 2 of region 0 does not exist; node 1 has 2 slots there");
  EXPECT_EQ(refusal_of_lines("step 0\n1: send 0 0\n"),
            "f:7: step 0: '0' is not valid; expected REGION/SLOTS with a region below 2");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 0/0-1 of 1 for 2\n"),
            "f:7: step 0: 1 origins for 2 blocks");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 0/0 of 4 for 2\n"),
            "f:7: step 0: origin 4 is not valid; expected 0..3");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 0/0 of 1 for 9\n"),
            "f:7: step 0: processor 9 is not valid; expected 0..3");
  EXPECT_EQ(refusal_of_lines("step 0\n1: copy 1/0,2 into 1/1-2\n"),
            "f:7: step 0: expected consecutive slots");
  EXPECT_EQ(refusal_of_lines("step 0\n1: copy 0/0 over 0/1\n"),
            "f:7: step 0: unexpected 'over'; expected 'into'");
  EXPECT_EQ(refusal_of_lines("step 0\n1: send\n"),
            "f:7: step 0: a port, or a route is missing at the end of an action");
  EXPECT_EQ(refusal_of_lines("step 0\n1: send 0 0/0 0/1\n"),
            "f:7: step 0: unexpected '0/1' after the action in 'send 0 0/0 0/1'");
  EXPECT_EQ(refusal_of_lines("step 0\n1: sent 0 0/0\n"),
            "f:7: step 0: unknown action 'sent'; did you mean 'send'? Allowed: take, copy, "
            "combine, load, "
            "deliver, send");
}

TEST(ScheduleText, TheVersionIsInTheFirstLine) {
  EXPECT_EQ(schedule_version("\n# mine\r\nlockstep-schedule 2  # by node\nx"),
            "lockstep-schedule 2");
  EXPECT_EQ(schedule_version("lockstep-schedule 1\n"), "lockstep-schedule 1");
  EXPECT_EQ(schedule_version(""), "");
}

}  // namespace
}  // namespace lockstep
