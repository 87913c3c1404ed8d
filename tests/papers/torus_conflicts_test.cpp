// SPDX-License-Identifier: Apache-2.0

/// Moves of aggregations that would meet on a link: the machine refuses them, and names the link
/// and both messages. Beside each stands what the schedule does instead.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/verify/judgement.hpp"
#include "study/exit.hpp"
#include "support/jobs.hpp"
#include "support/one_step_routes.hpp"

namespace lockstep::test {
namespace {

constexpr std::uint32_t side = 25;

NodeId place(std::int64_t i, std::int64_t j) {
  const auto wrapped = [](std::int64_t x) {
    return static_cast<std::uint64_t>((x % side + side) % side);
  };
  return NodeId{wrapped(i) * side + wrapped(j)};
}

/// `down` links down the column (up where negative), then `right` along the row.
std::vector<Port> path(std::int64_t down, std::int64_t right) {
  std::vector<Port> ports(static_cast<std::size_t>(std::abs(down)), down > 0 ? Port{0} : Port{1});
  ports.insert(ports.end(), static_cast<std::size_t>(std::abs(right)),
               right > 0 ? Port{2} : Port{3});
  return ports;
}

RunOutcome outcome_of(const OneStepRoutes& program) {
  return run(Torus({side, side}), program,
             {.model = port_models::all_port_wormhole,
              .collective = {Operation::many_to_all, {}, Pattern::many({})},
              .watch_waits = false});
}

RunRecord record_of(const OneStepRoutes& program) { return outcome_of(program).record; }

/// The run ends with exit code 3, and of two messages on one link says the step, the link and both.
void expect_refused(const OneStepRoutes& program, const std::string& violation) {
  const RunOutcome outcome = outcome_of(program);
  const Judgement judgement = judge(outcome.record, {}, outcome.verdict, {});
  EXPECT_EQ(study::code(study::exit_of(judgement.outcome)), 3);
  std::vector<std::string> all;
  for (const Violation& one : outcome.record.violations) all.push_back(text_of(one));
  EXPECT_THAT(all, testing::Contains(violation));
}

void add_moves(OneStepRoutes& program, const AggregationSchedule& schedule, std::size_t step) {
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t j = 0; j < side; ++j)
      for (std::uint16_t way = 0; way < 4; ++way)
        if (const std::uint32_t links = schedule.moves(step, i, j)[way]; links != 0)
          program.add(place(i, j), std::vector<Port>(links, port(way)));
}

const AggregationSchedule& schedule() {
  static const AggregationSchedule all({side, side, 5});
  return all;
}

/// Erratum 8: a node of the diagonal takes in two messages that turn, not four.
TEST(TorusConflicts, FourTurningMessagesMeetBeforeADiagonalNode) {
  const auto turning = [](std::initializer_list<int> places) {
    OneStepRoutes program;
    for (const int a : places) program.add(place(10 + a, 10 + a), path(-a, -a));
    return program;
  };
  EXPECT_TRUE(record_of(turning({-1, 1})).legal());
  // Into P(10,10) from P(10,9), by those from P(8,8) and P(9,9), which both came down a column.
  expect_refused(
      turning({-2, -1, 1, 2}),
      "step 0, node 259, port 2, link to node 260, taken from node 208, port 0, and from "
      "node 234, port 0: several messages took this link in one direction in one step (rule "
      "link-held)");
}

TEST(TorusConflicts, AggregationNeedsRowsForTheFarHalf) {
  OneStepRoutes as_built;
  add_moves(as_built, schedule(), 0);
  EXPECT_TRUE(record_of(as_built).legal());
  OneStepRoutes by_columns;
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t own = (j + side - i) % 5;  // the class
      if (own != 0) by_columns.add(place(i, j), path(own > 2 ? std::int64_t{own} - 5 : own, 0));
    }
  // From P(0,1) down to P(1,1): its own, one link, and the one from P(24,1), two links.
  expect_refused(by_columns,
                 "step 0, node 1, port 0, link to node 26, taken from node 1, port 0, and from "
                 "node 601, port 0: several messages took this link in one direction in one step "
                 "(rule link-held)");
}

TEST(TorusConflicts, AColumnRingGoesOneWayRound) {
  const std::size_t step = schedule().begin_of(AggregationPhase::column_ring);
  OneStepRoutes one_way;
  add_moves(one_way, schedule(), step);
  EXPECT_TRUE(record_of(one_way).legal());
  OneStepRoutes both_ways;
  add_moves(both_ways, schedule(), step);
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t j = 0; j < side; ++j)
      for (std::uint16_t way = 0; way < 2; ++way)
        if (const std::uint32_t links = schedule().moves(step, i, j)[way]; links != 0) {
          const std::int64_t down = way == 0 ? links : -std::int64_t{links};
          both_ways.add(place(i + down, j), path(-down, 0));
        }
  // Rows 0 and 1 of a block send both messages the same way: their own links tell them.
  const RunRecord record = record_of(both_ways);
  ASSERT_FALSE(record.legal());
  EXPECT_EQ(record.violations.front().rule, Rule::arc_capacity);
  EXPECT_EQ(record.violations.front().node, place(0, 0));
  // From P(1,0) to P(2,0): round the ring from row 0 to row 2, and back from row 1 to row 3.
  expect_refused(both_ways,
                 "step 0, node 25, port 0, link to node 50, taken from node 0, port 0, and from "
                 "node 25, port 0: several messages took this link in one direction in one step "
                 "(rule link-held)");
}

/// The routes of D2 are the subtori's own: a message of one link on any of them is one too many.
TEST(TorusConflicts, NothingElseMayUseALinkOfASubtorus) {
  const std::size_t step = schedule().begin_of(AggregationPhase::ddn_broadcast);
  OneStepRoutes as_built;
  add_moves(as_built, schedule(), step);
  EXPECT_TRUE(record_of(as_built).legal());
  OneStepRoutes with_another = as_built;
  // P(0,0) sends two places of its subtorus to the right, over P(0,5).
  ASSERT_EQ(schedule().moves(step, 0, 0)[index(Travel::right)], 10U);
  with_another.add(place(0, 5), path(0, 1));
  expect_refused(with_another,
                 "step 0, node 5, port 2, link to node 6, taken from node 0, port 2, and from "
                 "node 5, port 2: several messages took this link in one direction in one step "
                 "(rule link-held)");
  const Violation first = record_of(with_another).violations.front();
  EXPECT_EQ(first.node, place(0, 5));
  EXPECT_EQ(first.port, Port{2});
}

}  // namespace
}  // namespace lockstep::test
