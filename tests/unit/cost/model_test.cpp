// SPDX-License-Identifier: Apache-2.0
#include "lockstep/cost/model.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

constexpr Promise with_packing{.startups = 229, .message_times = 474};
constexpr Promise without{.startups = 442, .message_times = 442};

TEST(CostModel, TimeIsLinearInTheCoefficients) {
  const CostParameters host{.t_s = 100, .t_m = 0.5};
  RunRecord record;
  record.startups = 229;
  record.message_times = 474;
  EXPECT_DOUBLE_EQ(modelled(record, host), 22'900 + 237);
  EXPECT_DOUBLE_EQ(predicted(with_packing, host), modelled(record, host));
  EXPECT_DOUBLE_EQ(least_time({.startups = 7, .message_times = 442}, host), 700 + 221);
  EXPECT_DOUBLE_EQ(modelled(RunRecord{}, host), 0);
}

TEST(CostModel, APartTakesItsShareOfABlock) {
  const CostParameters host{.t_s = 100, .t_m = 3};
  RunRecord record;
  record.startups = 12;
  record.message_times = 457;
  EXPECT_DOUBLE_EQ(modelled(record, host, 2), 1'200 + 228.5 * 3);
  EXPECT_DOUBLE_EQ(predicted({.startups = 12, .message_times = 457}, host, 2),
                   modelled(record, host, 2));
  EXPECT_DOUBLE_EQ(least_time({.startups = 6, .message_times = 456}, host, 2), 600 + 228 * 3);
}

TEST(CostModel, TimeImprovedIsThePartSaved) {
  EXPECT_DOUBLE_EQ(execution_time_improved(with_packing, without, {.t_s = 1, .t_m = 1}),
                   1 - 703.0 / 884.0);
  EXPECT_LT(execution_time_improved(with_packing, without, {.t_s = 0.1, .t_m = 1}), 0);
  EXPECT_DOUBLE_EQ(execution_time_improved(without, without, {}), 0);
  EXPECT_DOUBLE_EQ(execution_time_improved(with_packing, Promise{}, {}), 0);
}

TEST(CostModel, BreakEvenIsWhereTheTimesMeet) {
  EXPECT_EQ(break_even(with_packing, without), Fraction(474 - 442, 442 - 229));
  const double ratio = break_even(with_packing, without).value().value();
  const CostParameters host{.t_s = ratio, .t_m = 1};
  EXPECT_DOUBLE_EQ(predicted(with_packing, host), predicted(without, host));
}

TEST(CostModel, BreakEvenIsZeroWhereItAlwaysPays) {
  EXPECT_EQ(break_even({.startups = 1, .message_times = 2}, {.startups = 2, .message_times = 2}),
            Fraction{});
  EXPECT_EQ(break_even({.startups = 2, .message_times = 1}, {.startups = 2, .message_times = 2}),
            Fraction{});
}

TEST(CostModel, NoBreakEvenWhereItNeverPays) {
  EXPECT_FALSE(break_even(without, with_packing).has_value());  // only below a ratio
  EXPECT_FALSE(break_even(without, without).has_value());
  EXPECT_FALSE(
      break_even({.startups = 2, .message_times = 3}, {.startups = 2, .message_times = 2}));
}

}  // namespace
}  // namespace lockstep
