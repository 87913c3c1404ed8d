// SPDX-License-Identifier: Apache-2.0
#include "lockstep/cost/model.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

constexpr Cost with_packing{.startups = 229, .message_times = 474};
constexpr Cost without{.startups = 442, .message_times = 442};

TEST(Cost, IsThreeCountsThatAddUp) {
  EXPECT_EQ((Cost{229, 474}), (Cost{.startups = 229, .message_times = 474, .control_words = 0}));
  EXPECT_NE((Cost{229, 474}), (Cost{229, 474, 1}));
  EXPECT_NE((Cost{229, 474}), (Cost{229, Fraction(949, 2)}));
  EXPECT_EQ((Cost{1, Fraction(1, 3), 5} + Cost{2, Fraction(1, 6), 7}),
            (Cost{3, Fraction(1, 2), 12}));
}

TEST(Cost, OfARecordIsInBlocksOfTheUser) {
  RunRecord record;
  record.startups = 12;
  record.message_times = 457;
  record.control_words = 9;
  EXPECT_EQ(cost_of(record, 1), (Cost{12, 457, 9}));
  EXPECT_EQ(cost_of(record, 2), (Cost{12, Fraction(457, 2), 9})) << "words are not cut";
  EXPECT_EQ(cost_of(RunRecord{}, 3), Cost{});
}

TEST(CostModel, TimeIsLinearInTheCoefficients) {
  const CostParameters host{.t_s = 100, .t_m = 0.5};
  EXPECT_DOUBLE_EQ(modelled(with_packing, host, 64), 22'900 + 237);
  EXPECT_DOUBLE_EQ(predicted(with_packing, host, 64), modelled(with_packing, host, 64));
  EXPECT_DOUBLE_EQ(least_time({.least = {7, 442}}, host), 700 + 221);
  EXPECT_DOUBLE_EQ(modelled(Cost{}, host, 64), 0);
}

TEST(CostModel, APartTakesItsShareOfABlock) {
  const CostParameters host{.t_s = 100, .t_m = 3};
  EXPECT_DOUBLE_EQ(modelled({12, Fraction(457, 2)}, host, 64), 1'200 + 228.5 * 3);
  EXPECT_DOUBLE_EQ(least_time({.least = {6, Fraction(456, 2)}}, host), 600 + 228 * 3);
}

TEST(CostModel, ControlWordsHaveATimeOfTheirOwn) {
  const CostParameters host{.t_s = 100, .t_m = 3, .t_w = 0.25};
  EXPECT_DOUBLE_EQ(modelled({2, 5, 8}, host, 64), 200 + 15 + 2);
  EXPECT_DOUBLE_EQ(execution_time_improved({1, 0, 4}, {2, 0, 8}, host, 64), 0.5);
}

/// In any unit of time: what t_m charges for as many bytes.
TEST(CostModel, AControlWordTakesTheTimeOfItsEightBytes) {
  for (const double unit : {1.0, 50.0, 1e-7}) {
    const CostParameters host{.t_s = 0, .t_m = unit};
    EXPECT_DOUBLE_EQ(host.word_time(8), unit);
    EXPECT_DOUBLE_EQ(host.word_time(64), unit / 8);
    EXPECT_DOUBLE_EQ(host.word_time(1), 8 * unit);
    EXPECT_DOUBLE_EQ(host.word_time(0), host.word_time(1));
    EXPECT_DOUBLE_EQ(predicted({2, 5, 8}, host, 64), 6 * unit);
    EXPECT_DOUBLE_EQ(modelled({2, 5, 8}, host, 16), 9 * unit);
  }
  EXPECT_DOUBLE_EQ((CostParameters{.t_m = 3, .t_w = 0.25}).word_time(64), 0.25);
}

TEST(CostModel, WordsAreTheirPartOfABlock) {
  EXPECT_EQ(words_as_blocks({7, Fraction(1, 2), 3}, 64), (Cost{7, Fraction(7, 8)}));
  EXPECT_EQ(words_as_blocks({7, 5, 3}, 8), (Cost{7, 8}));
  EXPECT_EQ(words_as_blocks({7, 5, 3}, 0), (Cost{7, 29}));
  EXPECT_EQ(words_as_blocks({7, 5}, 0), (Cost{7, 5}));
}

TEST(CostModel, TimeImprovedIsThePartSaved) {
  EXPECT_DOUBLE_EQ(execution_time_improved(with_packing, without, {.t_s = 1, .t_m = 1}, 64),
                   1 - 703.0 / 884.0);
  EXPECT_LT(execution_time_improved(with_packing, without, {.t_s = 0.1, .t_m = 1}, 64), 0);
  EXPECT_DOUBLE_EQ(execution_time_improved(without, without, {}, 64), 0);
  EXPECT_DOUBLE_EQ(execution_time_improved(with_packing, Cost{}, {}, 64), 0);
}

TEST(CostModel, BreakEvenIsWhereTheTimesMeet) {
  EXPECT_EQ(break_even(with_packing, without, 64), Fraction(474 - 442, 442 - 229));
  const double ratio = break_even(with_packing, without, 64).value().value();
  const CostParameters host{.t_s = ratio, .t_m = 1};
  EXPECT_DOUBLE_EQ(predicted(with_packing, host, 64), predicted(without, host, 64));
  EXPECT_EQ(break_even({1, Fraction(7, 2)}, {4, 3}, 64), Fraction(1, 6));
  EXPECT_EQ(break_even({1, 3, 2}, {4, 3, 1}, 8), Fraction(1, 3)) << "a word is a block";
  EXPECT_EQ(break_even({1, 3, 2}, {4, 3, 1}, 64), Fraction(1, 24)) << "an eighth of a block";
}

TEST(CostModel, BreakEvenIsZeroWhereItAlwaysPays) {
  EXPECT_EQ(
      break_even({.startups = 1, .message_times = 2}, {.startups = 2, .message_times = 2}, 64),
      Fraction{});
  EXPECT_EQ(
      break_even({.startups = 2, .message_times = 1}, {.startups = 2, .message_times = 2}, 64),
      Fraction{});
}

TEST(CostModel, NoBreakEvenWhereItNeverPays) {
  EXPECT_FALSE(break_even(without, with_packing, 64).has_value());  // only below a ratio
  EXPECT_FALSE(break_even(without, without, 64).has_value());
  EXPECT_FALSE(
      break_even({.startups = 2, .message_times = 3}, {.startups = 2, .message_times = 2}, 64));
}

}  // namespace
}  // namespace lockstep
