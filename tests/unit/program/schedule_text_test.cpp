// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "program/schedule_file.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string header =
    "lockstep-schedule 2\ntopology ring:4\noperation broadcast\nmemory 2 4\nsteps 2\n";

ScheduleFile file_of(const std::string& text) {
  return parse_schedule("f", text, ErasedTopology(AnyTopology{std::string("ring:4")}));
}

/// The error for lines after the header.
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
  const PlannedWork work = schedule.work();
  EXPECT_EQ(work.messages, 2U);
  EXPECT_EQ(work.startups, 1U);
  EXPECT_EQ(work.message_times, 3U);
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
      "all-port-wormhole\norigins 3 3 3\nparts 3\nmemory 5 2\nmemory-of 1 4 2\ncontrol 1\nsteps "
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
  EXPECT_EQ(refusal_of_lines("steps 1\n"), "f:6: 'steps' occurs twice; the first is in line 5");
  EXPECT_EQ(refusal_of_lines("memory-of 2 3 1\nstep 0\n"),
            "f:6: expected one size per region of 'memory', none larger than its size there");
  EXPECT_EQ(refusal_of_lines("control 2\nstep 0\n"),
            "f:6: control words in region 2, but there are 2 regions");
  EXPECT_EQ(refusal_of_lines("control 1 1\n"), "f:6: region '1' occurs twice");
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
            "f:7: step 0: 1 origins for 2 blocks: 'of 1'");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 0/0 of 4 for 2\n"),
            "f:7: step 0: origin 4 is not valid; expected 0..3");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 0/0 of 1 for 9\n"),
            "f:7: step 0: processor 9 is not valid; expected 0..3");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 0/0 of 1 for 4\n"),
            "f:7: step 0: processor 4 is not valid; expected 0..3");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 0/0 of 1 for 3\n"), "");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 1/0-1 of 1-2 for 3\n"),
            "f:7: step 0: 1 destinations for 2 blocks: 'for 3' after '1/0-1'");
  EXPECT_EQ(refusal_of_lines("step 0\n1: copy 1/0,2 into 1/1-2\n"),
            "f:7: step 0: '1/0,2' is not consecutive; 'copy' expects numbers in ascending order "
            "without gaps, such as '0/2-4'; write an action for each range");
  EXPECT_EQ(refusal_of_lines("step 0\n1: take 0 deliver 1,0 of 1,2\n"),
            "f:7: step 0: '1,0' is not consecutive; 'take .. deliver' expects numbers in ascending "
            "order without gaps, such as '2-4'; write an action for each range");
  EXPECT_EQ(refusal_of_lines("step 0\n1: take 0 combine 1/3,1 into 1/0-1\n"),
            "f:7: step 0: '1/3,1' is not consecutive; 'take .. combine .. into' expects numbers in "
            "ascending order without gaps, such as '0/2-4'; write an action for each range");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 1/2,1 of 1,1 for 2,2\n"),
            "f:7: step 0: '1/2,1' is not consecutive; 'load' expects numbers in ascending order "
            "without gaps, such as '0/2-4'; write an action for each range");
  EXPECT_EQ(refusal_of_lines("step 0\n1: take 0 store 1/3,0-1\n"), "") << "any list";
  EXPECT_EQ(refusal_of_lines("step 0\n1: send 0 1/2-1\n"),
            "f:7: step 0: '2-1' is not valid; expected an ascending range such as '1-2'");
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

/// The operation decides which blocks are delivered where.
TEST(ScheduleText, AHeaderThatDoesNotApplyIsRefused) {
  const auto head = [](const std::string& operation, const std::string& more) {
    return "lockstep-schedule 2\ntopology ring:4\noperation " + operation + "\n" + more +
           "memory 2 4\nsteps 2\n";
  };
  EXPECT_EQ(refusal_of_lines("step 0\n", head("gather", "origins 0 1 1 3\n")),
            "f:4: 'origins' does not apply to gather, in which processor i is the source of origin "
            "i; it is for many-to-all only; remove this line");
  for (const char* const operation :
       {"broadcast", "scatter", "all-gather", "total-exchange", "reduce", "all-reduce", "scan"})
    EXPECT_THAT(refusal_of_lines("", head(operation, "origins 0 1 2 3\n")),
                HasSubstr("f:4: 'origins' does not apply to " + std::string(operation)));
  for (const char* const operation : {"all-gather", "total-exchange", "all-reduce", "scan"})
    EXPECT_EQ(refusal_of_lines("", head(operation, "root 1\n")),
              "f:4: 'root' does not apply to " + std::string(operation) +
                  ", which has no root; remove this line");
  EXPECT_EQ(refusal_of_lines("", head("gather", "root 1\n")), "");
  EXPECT_EQ(refusal_of_lines("", head("reduce-scatter", "control 0\n")),
            "f:4: 'control' needs a port model with wormhole switching, but the port-model of the "
            "schedule is single-port; remove this line");
  EXPECT_EQ(refusal_of_lines("", head("scan", "control 1\nport-model single-port-wormhole\n")), "");
  EXPECT_EQ(refusal_of_lines("step 0\n1: load 1/0 of 1 for 2\n",
                             head("scan", "control 1\nport-model all-port-wormhole\n")),
            "f:9: step 0: '1/0' is in region 1, which holds control words; 'load' needs blocks");
}

TEST(ScheduleText, OriginsOfAManyToAllAreWholeBlocks) {
  const auto head = [](const std::string& more) {
    return "lockstep-schedule 2\ntopology ring:4\noperation many-to-all\n" + more +
           "memory 2 4\nsteps 2\n";
  };
  EXPECT_EQ(refusal_of_lines("", head("")),
            "f:5: a many-to-all needs the line 'origins NODE ..' before the first step");
  EXPECT_EQ(refusal_of_lines("", head("origins\n")), "");
  EXPECT_EQ(refusal_of_lines("step 0\n0: load 0/0 of 0 for 0\n", head("origins\n")),
            "f:8: step 0: origin 0 is not valid; the schedule has no origins");
  EXPECT_EQ(refusal_of_lines("", head("parts 2\norigins 1 1 3\n")),
            "f:5: 3 origins for blocks in 2 parts; expected a multiple of 2");
  EXPECT_EQ(
      refusal_of_lines("", head("parts 2\norigins 1 1 3 2\n")),
      "f:5: origins 2 and 3 are parts of one block, but their nodes are 3 and 2; expected one "
      "node for each 2 origins");
  EXPECT_EQ(refusal_of_lines("", head("parts 2\norigins 1 1 3 3\n")), "");
}

/// A load writes as many slots as a block has parts, and a delivery reads as many.
TEST(ScheduleText, AllPartsOfABlockAreInItsRegion) {
  const std::string head =
      "lockstep-schedule 2\ntopology ring:4\noperation broadcast\nparts 3\nmemory 4 64\n"
      "memory-of 2 2 64\nsteps 2\nstep 0\n";
  EXPECT_EQ(refusal_of_lines("1: load 0/2 of 1 for 2\n", head),
            "f:9: step 0: '0/2' takes slots 2..4 of region 0, because blocks have 3 parts; node 1 "
            "has 4 slots there");
  EXPECT_EQ(
      refusal_of_lines("1: load 0/0-2 of 1,1,1 for 2,2,2\n", head),
      "f:9: step 0: '0/0-2' takes slots 2..4 of region 0, because blocks have 3 parts; node 1 "
      "has 4 slots there");
  EXPECT_EQ(refusal_of_lines("2: deliver 0/0 of 0\n", head),
            "f:9: step 0: '0/0' takes slots 0..2 of region 0, because blocks have 3 parts; node 2 "
            "has 2 slots there");
  EXPECT_EQ(refusal_of_lines("1: load 0/1 of 1 for 2; deliver 1/61 of 0\n", head), "");
  EXPECT_EQ(refusal_of_lines("2: take 0 store 0/0-1; send 1 0/0-1\n", head), "") << "single parts";
  EXPECT_THAT(refusal_of_lines("0: load 0/0 of 0 for 0\n",
                               "lockstep-schedule 2\ntopology ring:4\noperation broadcast\nparts "
                               "64\nmemory 1\nsteps 0\nstep 0\n"),
              HasSubstr("f:8: step 0: '0/0' takes slots 0..63 of region 0"));
}

TEST(ScheduleText, PhasesAndSizesOfNodesAreChecked) {
  EXPECT_EQ(refusal_of_lines("phase 1 x\nstep 0\n"),
            "f:6: phase 'x' begins at step 1; expected 0..0");
  EXPECT_EQ(refusal_of_lines("phase 0 x\nphase 2 y\nphase 1 z\nstep 0\n"),
            "f:8: phase 'z' begins at step 1; expected 2..2");
  EXPECT_EQ(refusal_of_lines("phase 0\n"),
            "f:6: 'phase 0' has no name; expected 'phase STEP NAME'");
  EXPECT_EQ(refusal_of_lines("phase 0 a#b # remark\n"), "");
  EXPECT_EQ(refusal_of_lines("memory-of 2 2 1\nmemory-of 2 2 1\n"),
            "f:7: 'memory-of 2' occurs twice; the first is in line 6");
  std::string many = "lockstep-schedule 2\nmemory";
  for (int i = 0; i < 65; ++i) many += " 1";
  EXPECT_EQ(refusal_of_lines("", many + "\n"), "f:2: more than 64 regions; '1' is one too many");
}

/// Ten times the lines take ten times as long, or little more.
TEST(ScheduleText, IsReadInTimeProportionalToItsLength) {
  const auto repeated = [](std::string_view line, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += line;
    return text;
  };
  const auto seconds = [](const std::string& lines) {
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
      const std::clock_t start = std::clock();  // of the processor: the host may be busy
      EXPECT_EQ(refusal_of_lines(lines), "");
      least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
  };
  const auto expect_linear = [&](const std::string& head, std::string_view line) {
    constexpr std::size_t some = 2'000;
    constexpr double slack = 0.02;
    const double few = seconds(head + repeated(line, some));
    const double many = seconds(head + repeated(line, 10 * some));
    EXPECT_LT(many, 40 * few + slack) << line << ": " << few << " s, then " << many << " s";
  };
  expect_linear("", "phase 0 x\n");
  expect_linear("", "# remark\n");
  expect_linear("step 0\n1: ", "take 0; ");
  expect_linear("step 0\n1: ", "send 0 1/3,0-2; ");
  expect_linear("step 0\n1: ", "load 1/0-1 of 1,2 for 3,2; ");
  expect_linear("step 0\n1: take 0 store 1/0", ",1,3,2");
  const std::string long_ranges = "step 0\n1: take 0 deliver 0-1048573,1048574 of 0\n";
  EXPECT_EQ(refusal_of_lines(long_ranges), "f:7: step 0: 1 origins for 1048575 blocks: 'of 0'");
}

/// Nodes "a", "b" and "7" of a network from a file.
class NamedSchedule : public testing::Test {
 protected:
  [[nodiscard]] static ErasedTopology network(std::string name = "file:net",
                                              const std::string& links = "a b\nb 7\n") {
    return ErasedTopology(
        topology_model(read_graph_text(std::move(name), "net", links, GraphFormat::edges)));
  }
  [[nodiscard]] static std::string text(const std::string& actions,
                                        const std::string& topology = "file:net") {
    return "lockstep-schedule 2\ntopology " + topology +
           "\noperation gather\nport-model single-port\nroot a\nmemory 2\nsteps 1\nstep 0\n" +
           actions;
  }
  [[nodiscard]] static std::string refusal(const std::string& actions) {
    try {
      (void)parse_schedule("f", text(actions), network());
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(NamedSchedule, RangesOfNamesAreBounded) {
  EXPECT_EQ(refusal("b: load 0/0-1 of b,b for a,7-7\n"), "accepted");
  for (const std::string_view range : {"0-18446744073709551615", "1-18446744073709551615",
                                       "a,0-18446744073709551614", "7-1048582", "a,7-1048581"})
    EXPECT_EQ(refusal(fmt::format("b: load 0/0-1 of {} for a,a\n", range)),
              fmt::format("f:9: step 0: '{}' names more than 1048575 nodes", range));
  // The first number that is no node ends it.
  EXPECT_EQ(refusal("b: load 0/0-1 of 7-1000000 for a,a\n"),
            "f:9: step 0: processor '8' is not valid; expected a name such as '7' or a number from "
            "0 to 2");
  EXPECT_EQ(
      refusal("b: load 0/0-1 of , for a,a\n"),
      "f:9: step 0: processor '' is not valid; expected a name such as '7' or a number from 0 "
      "to 2");
}

TEST_F(NamedSchedule, ARangeThatIsANameIsRefused) {
  const ErasedTopology network = NamedSchedule::network("file:net", "a 0-2\n0-2 b\n");
  try {
    (void)parse_schedule("f", text("b: load 0/0-1 of 0-2 for a,a\n"), network);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("'0-2' is both a range and the name of a node; write '%2D'"));
  }
  EXPECT_NO_THROW(
      (void)parse_schedule("f", text("0%2D2: load 0/0-1 of 0%2D2,0%2D2 for a,a\n"), network));
}

/// Whatever the name of the file, a saved schedule is for its network.
TEST_F(NamedSchedule, TheNameOfTheNetworkIsWrittenSoThatItIsReadAgain) {
  struct Case {
    const char* name;
    const char* word;
  };
  for (const auto& [name, word] :
       std::vector<Case>{{"file:my net.txt", "file:my net.txt"},
                         {"file:net #1", "file:net %231"},
                         {"file:#net", "file:%23net"},
                         {"file:net ", "file:net%20"},
                         {"file:a%20b", "file:a%2520b"},
                         {"file:a\nb\r", "file:a%0Ab%0D"},
                         {"product(file:x;y,ring:3)", "product(file:x;y,ring:3)"}}) {
    const ErasedTopology named = network(name);
    const std::string saved =
        text_of(parse_schedule("f", text("b: load 0/0 of b for a\n", word), named));
    EXPECT_THAT(saved, HasSubstr(fmt::format("topology {}\noperation", word)));
    EXPECT_EQ(text_of(parse_schedule("f", saved, named)), saved);
  }
  // As older versions wrote it.
  EXPECT_NO_THROW((void)parse_schedule("f", text("", "file:50%"), network("file:50%")));
  EXPECT_THROW((void)parse_schedule("f", text("", "file:nit"), network()), InvalidParameter);
}

TEST(ScheduleText, TheVersionIsInTheFirstLine) {
  EXPECT_EQ(schedule_version("\n# mine\r\nlockstep-schedule 2  # by node\nx"),
            "lockstep-schedule 2");
  EXPECT_EQ(schedule_version("lockstep-schedule 1\n"), "lockstep-schedule 1");
  EXPECT_EQ(schedule_version(""), "");
}

}  // namespace
}  // namespace lockstep
