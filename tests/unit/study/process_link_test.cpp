// SPDX-License-Identifier: Apache-2.0
#include "study/process_link.hpp"

#include <gtest/gtest.h>

#include "lockstep/core/errors.hpp"

namespace lockstep::study {
namespace {

TEST(ProcessLinkTest, ReadsLatencyAndBandwidth) {
  const ProcessLink link = parse_link("2us,10GB/s");
  EXPECT_DOUBLE_EQ(link.latency_seconds, 2e-6);
  EXPECT_DOUBLE_EQ(link.bytes_per_second, 10e9);
  EXPECT_DOUBLE_EQ(parse_link("0s,100Gbit/s").bytes_per_second, 12.5e9);
  for (const char* const text :
       {"", ",", "2us", "2us,", ",10GB/s", "2,10GB/s", "2us,10", "2us,0GB/s", "2us,10GB/s,1"})
    EXPECT_THROW((void)parse_link(text), InvalidParameter) << text;
}

/// 10 nodes, 4 processes: one of them has 3 nodes.
TEST(ProcessLinkTest, AProcessComputesForItsNodesAndSendsToEveryOther) {
  RunForecast run;
  run.nodes = 10;
  run.processes = 4;
  const CrossingForecast crossing{.exchanges = 100, .most_messages = 1'000, .most_bytes = 5'000};
  const SharedRunForecast shared = shared_forecast(run, 1, 11, crossing, {2e-6, 1e6});
  EXPECT_DOUBLE_EQ(shared.compute_seconds, 1 + 3);
  EXPECT_NEAR(shared.exchange_seconds, 100 * 3 * 2e-6 + 1'000 * 60e-9 + 5e-3, 1e-12);
  EXPECT_DOUBLE_EQ(shared.seconds(), shared.compute_seconds + shared.exchange_seconds);
}

}  // namespace
}  // namespace lockstep::study
