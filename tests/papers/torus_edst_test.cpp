// SPDX-License-Identifier: Apache-2.0

/// Many-to-all broadcast over four spanning trees, what Chen and Chen compare with: what the
/// machine counts against figures of an independent simulation.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "support/golden.hpp"
#include "support/torus_broadcasts.hpp"

namespace lockstep::test {
namespace {

RunRequest edst_request(std::uint64_t n, std::uint64_t messages, const std::string& placement,
                        const Setting& packet) {
  RunRequest request = request_of(
      {.rows = n, .columns = n, .messages = messages, .placement = placement, .algorithm = "edst"});
  request.settings["packet"] = packet;
  return request;
}

/// Steps and message times of gathering and broadcast.
using TreeFigures = std::array<std::uint64_t, 4>;

void expect_counted(RunRequest request, const std::string& trees, const TreeFigures& figures) {
  request.settings["trees"] = trees;
  const RunResult result = prepare(request)->execute();
  ASSERT_TRUE(result.ok() && result.judgement.promises.kept()) << result.judgement.sentence;
  const auto& phases = result.record.phases;
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ((TreeFigures{phases[0].steps, phases[0].message_times, phases[1].steps,
                         phases[1].message_times}),
            figures);
}

TEST(TorusEdst, CostsByPhaseWhatTheSimulationSays) {
  for (const GoldenRow& row : golden("torus/edst.csv")) {
    const std::uint64_t n = row.number("n");
    const std::uint64_t s = row.number("s");
    SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(s));
    const auto request = [&](const Setting& packet) {
      return edst_request(n, s, row.text("placement"), packet);
    };
    expect_counted(request(std::string("bulk")), row.text("trees"),
                   {row.number("bulk_gather_steps"), row.number("bulk_gather_times"),
                    row.number("bulk_broadcast_steps"), row.number("bulk_broadcast_times")});
    expect_counted(request(std::uint64_t{1}), row.text("trees"),
                   {row.number("gather_steps"), row.number("gather_steps"),
                    row.number("broadcast_steps"), row.number("broadcast_steps")});
    EXPECT_EQ(row.number("bulk_gather_steps"), row.number("height"));
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

/// By `perm`: n, s, steps and message times in bulk, steps in packets of one.
TEST(TorusEdst, IsPredictedAsTheComparisonWithAggregationHasIt) {
  constexpr std::array<std::array<std::uint64_t, 5>, 18> figures{{{5, 5, 12, 19, 12},
                                                                  {5, 6, 12, 20, 12},
                                                                  {5, 25, 12, 60, 21},
                                                                  {10, 10, 24, 51, 24},
                                                                  {10, 25, 24, 115, 31},
                                                                  {10, 100, 24, 382, 62},
                                                                  {15, 15, 32, 90, 33},
                                                                  {15, 56, 32, 313, 48},
                                                                  {15, 225, 32, 1174, 132},
                                                                  {25, 25, 52, 268, 57},
                                                                  {25, 156, 52, 1255, 109},
                                                                  {25, 625, 52, 4904, 341},
                                                                  {30, 30, 64, 344, 62},
                                                                  {30, 225, 64, 2186, 151},
                                                                  {30, 900, 64, 8218, 482},
                                                                  {50, 50, 104, 819, 102},
                                                                  {50, 625, 104, 9211, 369},
                                                                  {50, 2500, 104, 36191, 1302}}};
  for (const auto& [n, s, steps, times, packets] : figures) {
    const RunForecast bulk =
        prepare(edst_request(n, s, "perm", std::string("bulk")), false)->forecast();
    EXPECT_EQ(bulk.footprint.steps, steps) << n << ", " << s;
    EXPECT_EQ(bulk.predicted->message_times, Fraction(times)) << n << ", " << s;
    EXPECT_EQ(prepare(edst_request(n, s, "perm", std::uint64_t{1}))->forecast().predicted,
              (Cost{packets, packets}))
        << n << ", " << s;
  }
}

/// At a start-up of 100 blocks nothing in the list of sizes is cheaper.
TEST(TorusEdst, ChoosesThePacketOfLeastTime) {
  const auto time = [](const RunForecast& forecast) {
    return 100 * forecast.footprint.steps + forecast.predicted->message_times.rounded_up();
  };
  for (const auto& [n, s] : {std::array<std::uint64_t, 2>{5, 1}, {5, 25}, {8, 300}, {10, 5000}}) {
    const auto chosen = prepare(edst_request(n, s, "quad", std::string("auto")), false);
    for (Setting packet :
         {Setting(std::uint64_t{1}), Setting(std::uint64_t{2}), Setting(std::uint64_t{8}),
          Setting(std::uint64_t{64}), Setting(std::uint64_t{s}), Setting(std::string("bulk"))}) {
      const auto* const blocks = std::get_if<std::uint64_t>(&packet);
      if (blocks != nullptr && *blocks > (s + 3) / 4) continue;  // a spanning tree has fewer
      EXPECT_LE(time(chosen->forecast()),
                time(prepare(edst_request(n, s, "quad", packet), false)->forecast()))
          << n << ", " << s << ", " << text_of(packet);
    }
  }
}

/// By hand, of table 3, REE WNE WSE: P(2,1) is entered from P(0,1), up through the wrap-around, and
/// that from the root. Then all eight others are told.
TEST(TorusEdst, MovesOneBlockUpAndDownATree) {
  SendTrace trace;
  RunRequest request = edst_request(3, 1, "onenode", std::uint64_t{1});
  const RunResult result = prepare(request)->execute({.trace = &trace});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(trace.size(), 2U + 8U);
  EXPECT_EQ(trace[0].sender, NodeId{7});
  EXPECT_EQ(trace[0].receiver, NodeId{1});
  EXPECT_EQ(trace[1].sender, NodeId{1});
  EXPECT_EQ(trace[1].receiver, NodeId{0});
  for (std::size_t i = 2; i < trace.size(); ++i) EXPECT_EQ(trace[i].blocks, 1U);
}

}  // namespace
}  // namespace lockstep::test
