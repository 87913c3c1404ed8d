// SPDX-License-Identifier: Apache-2.0

/// Many-to-all broadcast by aggregation (Chen, Chen): what the machine counts against figures of an
/// independent simulation, and one small case message by message.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "support/golden.hpp"
#include "support/torus_broadcasts.hpp"
#include "support/torus_figures.hpp"

namespace lockstep::test {
namespace {

TEST(TorusAggregation, CostsByPhaseWhatTheSimulationSays) {
  for (const SimulatedBroadcast& simulated : simulated_broadcasts()) {
    if (is_long(simulated.broadcast)) continue;
    expect_as_simulated(simulated);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

/// The compared costs, by an independent count: n, s, message times of s blocks by `perm`.
TEST(TorusAggregation, RoundTheRingsCostsWhatTheSimulationSays) {
  constexpr std::array<std::array<std::uint64_t, 3>, 18> figures{{{5, 5, 4},
                                                                  {5, 6, 6},
                                                                  {5, 25, 8},
                                                                  {10, 10, 10},
                                                                  {10, 25, 15},
                                                                  {10, 100, 30},
                                                                  {15, 15, 14},
                                                                  {15, 56, 28},
                                                                  {15, 225, 63},
                                                                  {25, 25, 36},
                                                                  {25, 156, 60},
                                                                  {25, 625, 168},
                                                                  {30, 30, 60},
                                                                  {30, 225, 90},
                                                                  {30, 900, 240},
                                                                  {50, 50, 125},
                                                                  {50, 625, 225},
                                                                  {50, 2500, 650}}};
  for (const auto& [n, s, times] : figures) {
    const auto run =
        prepare(request_of({.rows = n, .columns = n, .messages = s, .algorithm = "ring2d"}));
    EXPECT_EQ(run->forecast().predicted, (Cost{2 * (n / 2), times})) << n << ", " << s;
    if (n > 30) continue;
    const RunResult result = run->execute();
    EXPECT_TRUE(result.ok() && result.judgement.promises.kept()) << n << ", " << s;
  }
}

using Messages = std::multiset<std::string>;

/// "1,0>0,0 w": a word from P(1,0) to P(0,0); without w a block.
std::string name_of_message(const SendEvent& event) {
  const auto place = [](NodeId u) { return fmt::format("{},{}", index(u) / 5, index(u) % 5); };
  EXPECT_EQ(event.blocks + event.words, 1U);
  return place(event.sender) + ">" + place(event.receiver) + (event.words == 0 ? "" : " w");
}

/// Section 12 of the specification, worked by hand: P(1,0), P(2,2), P(3,4), P(0,1) make a block
/// each. Afterwards row r of D3a brings the block of DDN r, nothing in row 4, round the column
/// ring.
TEST(TorusAggregation, MovesTheWorkedExampleMessageByMessage) {
  SendTrace trace;
  const RunResult result =
      many_to_all({.rows = 5, .columns = 5, .messages = 4, .h = 5}, {.trace = &trace});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.record.steps, 13U);
  EXPECT_EQ(result.cost, (Cost{13, 9, 4}));
  std::map<std::uint64_t, Messages> sent;
  for (const SendEvent& event : trace) sent[event.step].insert(name_of_message(event));
  // A1.
  EXPECT_EQ(sent[0], (Messages{"1,0>0,0", "3,4>4,4", "0,1>1,1"}));
  // A2: to P(0,0) over a turn, and back.
  EXPECT_EQ(sent[1], (Messages{"1,1>1,0 w", "4,4>4,0 w", "2,2>0,2 w", "3,3>0,3 w"}));
  EXPECT_EQ(sent[2], (Messages{"1,0>0,0 w", "4,0>0,0 w", "0,2>0,0 w", "0,3>0,0 w"}));
  EXPECT_EQ(sent[3], (Messages{"0,0>1,0 w", "0,0>4,0 w", "0,0>0,2 w", "0,0>0,3 w"}));
  EXPECT_EQ(sent[4], (Messages{"1,0>1,1 w", "4,0>4,4 w", "0,2>2,2 w", "0,3>3,3 w"}));
  // A3: every block one place down the diagonal.
  EXPECT_EQ(sent[5], (Messages{"4,4>0,4", "0,0>1,0", "1,1>2,1", "2,2>3,2"}));
  EXPECT_EQ(sent[6], (Messages{"0,4>0,0", "1,0>1,1", "2,1>2,2", "3,2>3,3"}));
  // D3a.
  EXPECT_EQ(sent[7], (Messages{"0,0>0,1", "1,1>1,2", "2,2>2,3", "3,3>3,4", "0,0>0,3", "1,1>1,4",
                               "2,2>2,0", "3,3>3,1"}));
  EXPECT_EQ(sent[8], (Messages{"0,3>0,2", "1,4>1,3", "2,0>2,4", "3,1>3,0", "0,0>0,4", "1,1>1,0",
                               "2,2>2,1", "3,3>3,2"}));
  // D3b: round 0, 2, 4, 3, 1; what row 4 has not stays behind.
  constexpr std::array<std::uint64_t, 5> ring{0, 2, 4, 3, 1};
  for (std::uint64_t t = 0; t < 4; ++t) {
    Messages expected;
    for (std::uint64_t at = 0; at < 5; ++at)
      for (std::uint64_t column = 0; column < 5 && ring[(at + 5 - t) % 5] != 4; ++column)
        expected.insert(fmt::format("{},{}>{},{}", ring[at], column, ring[(at + 1) % 5], column));
    EXPECT_EQ(sent[9 + t], expected) << t;
  }
}

/// Erratum 14: kept inside the blocks, the row broadcast takes a step more for some h.
TEST(TorusAggregation, ConfinedToBlocksTakesUpToAStepMore) {
  for (const std::uint64_t h : {3U, 4U, 5U, 6U, 9U, 10U, 15U}) {
    TorusBroadcast broadcast{.rows = 2 * h, .columns = 2 * h, .messages = 7, .h = h};
    const RunResult free = many_to_all(broadcast);
    broadcast.confined = "yes";
    const RunResult confined = many_to_all(broadcast);
    EXPECT_TRUE(free.ok() && confined.ok()) << h;
    const bool longer = h == 3 || (h >= 6 && h <= 9) || h >= 15;
    EXPECT_EQ(confined.record.steps, free.record.steps + (longer ? 1 : 0)) << h;
  }
}

}  // namespace
}  // namespace lockstep::test
