// SPDX-License-Identifier: Apache-2.0

/// A minute of random runs under hostile schedules, half of them with a message harmed.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "study/stress.hpp"
#include "support/cases.hpp"

namespace lockstep::study {
namespace {

TEST(RandomRuns, ComeToWhatTheReferenceMachineSaysForAMinute) {
  const std::uint64_t seed = test::base_seed();
  const StressSummary summary = stress({.seed = seed, .seconds = 60});
  RecordProperty("seed", std::to_string(seed));
  RecordProperty("cases", std::to_string(summary.cases));
  if (summary.failure) {
    FAIL() << "to repeat: LOCKSTEP_SEED=" << summary.failure->seed << ": " << summary.failure->run
           << ": " << summary.failure->what;
  }
  EXPECT_GE(summary.cases, 100U);
  EXPECT_EQ(summary.injected, summary.detected);
  for (std::size_t kind = 1; kind < summary.injected.size(); ++kind)
    EXPECT_GT(summary.injected[kind], 0U) << name_of(static_cast<FaultKind>(kind));
}

}  // namespace
}  // namespace lockstep::study
