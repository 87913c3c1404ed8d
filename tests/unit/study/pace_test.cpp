// SPDX-License-Identifier: Apache-2.0
/// Paced runs. The host may be late at any time, never early: only that is tested of the clock.

#include "study/pace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lockstep/core/errors.hpp"

namespace lockstep::study {
namespace {

using testing::HasSubstr;

TEST(PaceTest, IsReadWithUnits) {
  const Pace pace = parse_pace("ts=50us,tm=1us");
  EXPECT_DOUBLE_EQ(pace.t_s, 50e-6);
  EXPECT_DOUBLE_EQ(pace.t_m, 1e-6);
  EXPECT_FALSE(pace.t_w);
  EXPECT_EQ(pace.scale, 1);
  const Pace all = parse_pace("tm=20ns,ts=0.5ms,tw=2s,scale=10");
  EXPECT_DOUBLE_EQ(all.t_s, 0.5e-3);
  EXPECT_DOUBLE_EQ(all.t_m, 20e-9);
  EXPECT_DOUBLE_EQ(*all.t_w, 2);
  EXPECT_EQ(all.scale, 10);
  EXPECT_FALSE(parse_pace("ts=1us,tm=1us,scale=auto").scale);
}

TEST(PaceTest, RefusesWhatIsNoPace) {
  for (const char* const text :
       {"", "ts=50us", "tm=1us", "ts=50,tm=1us", "ts=50us,tm=1h", "ts=-1us,tm=1us", "ts=0us,tm=0us",
        "ts=1us,tm=1us,scale=0", "ts=1us,tm=1us,scale=2x", "ts=1us,tm=1us,x=1", "50us,1us"})
    EXPECT_THROW((void)parse_pace(text), InvalidParameter) << text;
}

TEST(PaceTest, AScaleThatTheHostDoesNotHoldIsRefusedWithTheOneThatItHolds) {
  Pace pace = parse_pace("ts=50us,tm=1us");
  EXPECT_EQ(held_pace(pace, 0.3).scale, 1);
  try {
    (void)held_pace(pace, 3.141);
    FAIL() << "accepted";
  } catch (const InvalidParameter& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("use scale=3.2 or more"));
  }
  pace.scale = 4;
  EXPECT_EQ(held_pace(pace, 3.141).scale, 4);
  pace.scale.reset();
  EXPECT_EQ(held_pace(pace, 0.3).scale, 1);
  EXPECT_DOUBLE_EQ(*held_pace(pace, 3.141).scale, 3.2);
}

TEST(PaceTest, NoStepEndsBeforeItsTime) {
  RunRequest request{.topology = "star:5", .algorithm = "packing", .keep_series = true};
  request.settings["k"] = Numbers{3};
  const auto run = prepare(request);
  const Pace pace = parse_pace("ts=50us,tm=1us");
  Pacer pacer(pace, run->forecast());
  const RunResult result = run->execute({.observers = {&pacer}});
  ASSERT_TRUE(result.ok());
  const double modelled = 229 * 50e-6 + 474 * 1e-6;
  const PaceReport report = pacer.report();
  EXPECT_NEAR(report.modelled_seconds, modelled, 1e-9);
  EXPECT_GE(report.seconds, modelled - 1e-9);
  EXPECT_GE(result.record.wall.step_seconds, modelled);
  EXPECT_EQ(report.steps, 229U);
  EXPECT_LE(report.median, report.p95);
  EXPECT_LE(report.p95, report.p99);
  double waited = 0;
  for (const StepRecord& step : result.record.series) waited += step.seconds;
  EXPECT_NEAR(waited, result.record.wall.step_seconds, 1e-6);
  EXPECT_THAT(text_of(report), HasSubstr("229 paced steps"));
  EXPECT_EQ(pace_fields(report).size(), 7U);
}

TEST(PaceTest, ATrialSaysWhatTheHostHolds) {
  const auto run = prepare({.topology = "star:4"});
  const double slow = least_scale(*run, parse_pace("ts=1s,tm=1s"), 1, {});
  const double fast = least_scale(*run, parse_pace("ts=1ns,tm=1ns"), 1, {});
  EXPECT_GT(slow, 0);
  EXPECT_GT(fast, 1);  // no host sends a message in a nanosecond
}

}  // namespace
}  // namespace lockstep::study
