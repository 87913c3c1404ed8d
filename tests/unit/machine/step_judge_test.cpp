// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/step_judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "support/cases.hpp"

namespace lockstep::test {
namespace {

using detail::StepJudge;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr NodeId judged_node{1};
constexpr PassPlace seventh{.step = 7};

/// The findings of a judge of step 7.
std::vector<Violation> found(const PortModel& model,
                             const std::function<void(const StepJudge&)>& happened,
                             PassPlace place = seventh) {
  PortLedger ledger(model, {4, 3});
  std::vector<Violation> violations;
  happened(StepJudge(model, place, &ledger, violations));
  return violations;
}

/// In whatever order they are found; of another rule, and of another node, apart.
TEST(StepJudge, TheLowestOfSeveralWrongSlotsOfANodeIsNamed) {
  const auto slots_of = [](const std::vector<Violation>& violations) {
    std::vector<std::pair<std::size_t, std::uint32_t>> slots;
    for (const Violation& v : violations) slots.emplace_back(index(v.region), v.slot);
    return slots;
  };
  const auto wrong = [](const StepJudge& judge, NodeId node, Rule rule,
                        const std::vector<std::pair<unsigned, std::uint32_t>>& slots) {
    for (const auto& [region, slot] : slots)
      judge.slot(node, rule, static_cast<Region>(region), slot);
  };
  const std::vector<std::vector<std::pair<unsigned, std::uint32_t>>> orders{
      {{0, 4}, {0, 7}, {1, 2}}, {{0, 7}, {0, 4}, {1, 2}}, {{1, 2}, {0, 7}, {0, 4}}};
  for (const auto& order : orders)
    EXPECT_THAT(slots_of(found(port_models::single_port,
                               [&](const StepJudge& judge) {
                                 wrong(judge, judged_node, Rule::memory, order);
                               })),
                ElementsAre(std::pair(std::size_t{0}, 4U)));
  EXPECT_THAT(slots_of(found(port_models::single_port,
                             [&](const StepJudge& judge) {
                               wrong(judge, judged_node, Rule::memory, {{0, 4}, {0, 3}});
                               wrong(judge, judged_node, Rule::in_flight, {{0, 9}, {0, 8}});
                               wrong(judge, NodeId{2}, Rule::memory, {{1, 6}, {1, 5}});
                             })),
              ElementsAre(std::pair(std::size_t{0}, 3U), std::pair(std::size_t{0}, 8U),
                          std::pair(std::size_t{1}, 5U)));
}

TEST(StepJudge, LimitsAreThoseOfTheModel) {
  for (const PortModel& model : port_models::all) {
    SCOPED_TRACE(model.name);
    for (const std::uint32_t count : {0U, 1U, 2U, 3U}) {
      const auto sends =
          found(model, [=](const StepJudge& judge) { judge.sends(judged_node, Port{2}, count); });
      const auto receptions = found(
          model, [=](const StepJudge& judge) { judge.receptions(judged_node, Port{0}, count); });
      if (count > model.sends)
        EXPECT_THAT(sends, ElementsAre(Violation{7, judged_node, Port{2}, Rule::sends, count}));
      else
        EXPECT_THAT(sends, IsEmpty());
      if (count > model.receptions)  // of what was sent in the step before
        EXPECT_THAT(receptions,
                    ElementsAre(Violation{6, judged_node, Port{0}, Rule::receptions, count}));
      else
        EXPECT_THAT(receptions, IsEmpty());
    }
  }
}

TEST(StepJudge, NothingIsSentInTheLastPass) {
  const auto asks = [](bool expected) {
    return [=](const StepJudge& judge) {
      EXPECT_EQ(judge.is_after_end(judged_node, Port{1}), expected);
    };
  };
  EXPECT_THAT(found(port_models::all_port, asks(false)), IsEmpty());
  EXPECT_THAT(found(port_models::all_port, asks(true), {.step = 7, .last_call = true}),
              ElementsAre(Violation{7, judged_node, Port{1}, Rule::after_end, 1}));
}

TEST(StepJudge, NamesPortsAndLanes) {
  const auto violations = found(port_models::all_port, [](const StepJudge& judge) {
    judge.no_such_port(judged_node, Port{5});
    judge.lane_taken(judged_node, Port{2});
    judge.crowded(judged_node, Port{0}, 3);
    judge.met_another(judged_node, Port{1});
  });
  EXPECT_THAT(violations, ElementsAre(Violation{7, judged_node, Port{5}, Rule::port, 1},
                                      Violation{7, judged_node, Port{2}, Rule::arc_capacity, 2},
                                      Violation{7, judged_node, Port{0}, Rule::receptions, 3},
                                      Violation{7, judged_node, Port{1}, Rule::half_duplex, 2}));
}

TEST(StepJudge, WhoIsSentTooMuchIsNotBlamedForNotReadingIt) {
  for (const std::uint64_t arrived : {1U, 2U}) {
    const auto reads_nothing = [=](const StepJudge& judge) {
      judge.unread(judged_node, Port{1}, arrived);
    };
    const bool too_many = arrived > 1;
    EXPECT_THAT(found(port_models::single_port, reads_nothing),
                ElementsAre(Violation{6, judged_node, Port{1},
                                      too_many ? Rule::receptions : Rule::unread, arrived}));
    EXPECT_THAT(found(port_models::all_port, reads_nothing),
                ElementsAre(Violation{6, judged_node, Port{1}, Rule::unread, arrived}));
  }
}

/// The same port, the port beside it, another node; by one send, and by many nodes' at once.
TEST(StepJudge, AHalfDuplexLinkCarriesOneDirection) {
  const PortModel& half = port_models::all_port_half_duplex;
  for (const PortModel& model : {half, port_models::all_port})
    for (const bool together : {false, true}) {
      PortLedger ledger(model, {4, 3});
      std::vector<Violation> violations;
      const StepJudge before(model, {.step = 6}, &ledger, violations);
      if (together)
        before.sent_by_all(judged_node, 2, 0b100);
      else
        before.sent(judged_node, Port{2});
      const StepJudge judge(model, seventh, &ledger, violations);
      EXPECT_EQ(judge.used_before(NodeId{0}, 4), model == half ? 0b100U : 0U);
      EXPECT_EQ(judge.used_before(NodeId{3}, 1), 0U);
      judge.received(judged_node, Port{1});
      judge.received(NodeId{3}, Port{2});
      EXPECT_THAT(violations, IsEmpty());
      judge.received(judged_node, Port{2});
      if (model == half)
        EXPECT_THAT(violations,
                    ElementsAre(Violation{6, judged_node, Port{2}, Rule::half_duplex, 2}));
      else
        EXPECT_THAT(violations, IsEmpty());
    }
}

}  // namespace
}  // namespace lockstep::test
