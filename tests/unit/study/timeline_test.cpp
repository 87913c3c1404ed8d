// SPDX-License-Identifier: Apache-2.0
#include "study/timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep {
namespace {

using nlohmann::json;
using testing::HasSubstr;

[[nodiscard]] json timeline_of(std::size_t slices, std::uint64_t& steps, std::uint64_t& messages) {
  const auto run = prepare({.topology = "star:4",
                            .operation = Operation::total_exchange,
                            .algorithm = "packing",
                            .block_bytes = 8});
  study::Timeline timeline(make_executor(default_executor, 2), 8, slices);
  const RunResult result = run->execute({.observers = {&timeline}, .run_on = &timeline.executor()});
  EXPECT_TRUE(result.ok());
  steps = result.record.steps;
  messages = result.record.messages_sent;
  return json::parse(timeline.json(provenance("a test")));
}

/// A pass per step and the last reception; counters add up to what the machine counted.
TEST(TimelineTest, HoldsEveryStepAndEveryMessage) {
  std::uint64_t steps = 0;
  std::uint64_t hops = 0;
  const json trace = timeline_of(study::Timeline::most_slices, steps, hops);
  std::map<std::string, std::uint64_t> slices;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") {
      ++slices[event["name"]];
      EXPECT_GE(event["dur"].get<double>(), 0);
      EXPECT_GE(event["ts"].get<double>(), 0);
      EXPECT_GE(event["args"]["tasks"].get<int>(), 1);
    }
    if (event["name"] == "messages") messages += event["args"]["messages"].get<std::uint64_t>();
    if (event["name"] == "bytes") bytes += event["args"]["bytes"].get<std::uint64_t>();
  }
  EXPECT_EQ(slices.size(), steps + 1);
  EXPECT_EQ(messages, hops);
  EXPECT_EQ(bytes % 8, 0U);
  EXPECT_GE(bytes, hops * 8);
  EXPECT_THAT(trace["otherData"]["sampling"], HasSubstr("all "));
}

/// Two workers make at most two slices in a pass.
TEST(TimelineTest, IsCompleteUpToItsLimit) {
  std::uint64_t steps = 0;
  std::uint64_t hops = 0;
  (void)timeline_of(study::Timeline::most_slices, steps, hops);
  const json trace = timeline_of(2 * (steps + 1), steps, hops);
  EXPECT_THAT(std::string(trace["otherData"]["sampling"]), testing::StartsWith("all"));
}

TEST(TimelineTest, SaysWhichStepsItKept) {
  std::uint64_t steps = 0;
  std::uint64_t hops = 0;
  const json trace = timeline_of(12, steps, hops);
  std::size_t slices = 0;
  for (const json& event : trace["traceEvents"]) slices += event["ph"] == "X" ? 1U : 0U;
  EXPECT_LE(slices, 12U);
  EXPECT_GE(slices, 2U);
  ASSERT_GT(steps, 12U);
  EXPECT_THAT(trace["otherData"]["sampling"], HasSubstr("whose step is a multiple of "));
}

}  // namespace
}  // namespace lockstep
