// SPDX-License-Identifier: Apache-2.0
/// Errors of predictions, told from made-up samples.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "study/calibration_report.hpp"

namespace lockstep::study {
namespace {

using testing::HasSubstr;

/// A microsecond per step; enough runs to fit a model to.
std::vector<HostSample> samples_to_fit() {
  std::vector<HostSample> samples;
  for (int i = 1; i <= 50; ++i) {
    samples.push_back({.run = std::to_string(i), .seconds = 1e-4 * i});
    samples.back().work.alone[HostKind::step] = 100.0 * i;
  }
  return samples;
}

TEST(PredictionCheckTest, TellsErrorsAndDrawsThem) {
  std::vector<HostSample> samples = samples_to_fit();
  HostSample sample = samples[0];
  sample.judged = true;
  for (int i = 0; i < 10; ++i) {
    sample.seconds = i == 9 ? 1e-3 : 1e-4;  // one of ten is ten times as long
    samples.insert(samples.begin(), sample);
  }
  sample.run = "unknown";
  sample.work.shared[HostKind::routed_message] = 1;
  samples.push_back(sample);
  const PredictionCheck check = checked(samples, {});
  EXPECT_EQ(check.runs.size(), 10U);
  EXPECT_EQ(check.not_predicted.size(), 1U);
  EXPECT_NEAR(check.median_error(), 0, 1e-9);
  EXPECT_NEAR(check.worst_decile_error(), 0, 1e-9);
  EXPECT_EQ(check.twice_wrong(), 1U);
  EXPECT_FALSE(check.passes()) << "one is not predicted";
  EXPECT_FALSE(check.drift());
  const std::string text = text_of(check);
  EXPECT_THAT(text, HasSubstr("not predicted: unknown: no run of the calibration had such work"));
  EXPECT_THAT(text, HasSubstr("predicted\n"));
  EXPECT_THAT(text, HasSubstr("10 predictions: median 0.0 % (at most 20 %)"));
  EXPECT_EQ(std::count(text.begin(), text.end(), 'o') >= 2, true);
}

/// The saved calibration is of a faster hour: its runs tell, and the model is of now.
TEST(PredictionCheckTest, TellsHowMuchSlowerTheHostHasBecome) {
  const std::vector<HostSample> earlier = samples_to_fit();
  std::vector<HostSample> samples = earlier;
  for (HostSample& sample : samples) sample.seconds *= 1.5;
  samples[2].work.shared[HostKind::turn] = 1;  // other work than then: tells nothing
  samples.push_back(samples[0]);
  samples.back().judged = true;
  const PredictionCheck check = checked(samples, earlier);
  ASSERT_EQ(check.runs.size(), 1U);
  EXPECT_EQ(check.drifts.size(), 49U);
  EXPECT_NEAR(check.drift().value(), 1.5, 1e-12);
  EXPECT_NEAR(check.median_error(), 0, 1e-9);
  EXPECT_THAT(text_of(check),
              HasSubstr("49 runs of the saved calibration now take 1.50 times as long"));
}

/// Ten runs that take twice as long as similar runs let a model expect.
TEST(PredictionCheckTest, FailsWherePredictionsAreWrong) {
  std::vector<HostSample> samples = samples_to_fit();
  for (int i = 0; i < 10; ++i) {
    samples.push_back(samples[static_cast<std::size_t>(i)]);
    samples.back().judged = true;
    samples.back().seconds *= 2;
  }
  const PredictionCheck check = checked(samples, {});
  EXPECT_NEAR(check.median_error(), 0.5, 1e-9);
  EXPECT_FALSE(check.passes());
  EXPECT_THAT(text_of(check), HasSubstr("median 50.0 % (at most 20 %), worst decile 50.0 % "
                                        "(at most 50 %): NOT REACHED"));
  EXPECT_FALSE(PredictionCheck{}.passes());
}

}  // namespace
}  // namespace lockstep::study
