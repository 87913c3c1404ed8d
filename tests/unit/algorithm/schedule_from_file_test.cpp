// SPDX-License-Identifier: Apache-2.0
#include "algorithm/schedule_from_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

/// A file of its own for every test.
class ScheduleFromFileTest : public testing::Test {
 protected:
  ScheduleFromFileTest()
      : file_(std::filesystem::path(testing::TempDir()) /
              ("schedule_" + std::to_string(getpid()))) {}
  ~ScheduleFromFileTest() override { std::filesystem::remove(file_); }

  [[nodiscard]] RunRequest request(Operation operation, const std::string& lines) const {
    std::ofstream(file_) << "lockstep-schedule 1\ntopology ring:5\noperation " << name_of(operation)
                         << "\n"
                         << lines;
    return {.topology = "ring:5",
            .operation = operation,
            .algorithm = "schedule",
            .settings = {{"schedule", file_.string()}},
            .workers = 2};
  }

  std::filesystem::path file_;
};

TEST_F(ScheduleFromFileTest, IsJudgedAsBuiltInAlgorithmsAre) {
  const auto run =
      prepare(request(Operation::total_exchange, "0: 1\n-\n0: 2\n0: 2\n1: 3 4\n1: 3\n"));
  EXPECT_EQ(run->forecast().footprint.steps, 6U);
  EXPECT_EQ(run->forecast().footprint.hops, 25U);
  EXPECT_EQ(run->forecast().predicted, (Cost{.startups = 5, .message_times = 6}));
  const RunResult result = run->execute();
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.judgement.outcome, Outcome::complete);
  EXPECT_TRUE(result.judgement.promises.kept());
  EXPECT_EQ(result.judgement.deliveries.tally.verified, 20U);
  EXPECT_EQ(result.record.startups, 5U);
  EXPECT_EQ(result.record.message_times, 6U);
  EXPECT_EQ(result.record.hops, 25U);
  EXPECT_EQ(result.largest_queue, (QueueFigures{.blocks = 4, .foreign = 1}));
  EXPECT_TRUE(result.plan_places.empty());
}

TEST_F(ScheduleFromFileTest, GathersToo) {
  const RunResult result =
      prepare(request(Operation::all_gather, "0: 0\n0: 4\n1: 0\n1: 1\n"))->execute();
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.judgement.promises.kept());
  EXPECT_EQ(result.judgement.deliveries.tally.verified, 20U);
  EXPECT_FALSE(result.largest_queue.has_value());
}

TEST_F(ScheduleFromFileTest, ABrokenRuleIsExitCode3AndHasALine) {
  const RunRequest wide =
      request(Operation::total_exchange, "0: 1\n0: 2; 1: 4\n0: 2\n1: 3\n1: 3\n");
  const RunResult result = prepare(wide)->execute();
  EXPECT_EQ(result.judgement.outcome, Outcome::rule_broken);
  EXPECT_EQ(result.record.violations.front().step, 1U);
  EXPECT_EQ(result.record.violations.front().rule, Rule::sends);
  EXPECT_THAT(result.plan_places.front(), EndsWith(":5"));
  RunRequest allowed = wide;
  allowed.port_model = port_models::all_port;
  EXPECT_TRUE(prepare(allowed)->execute().ok());
}

TEST_F(ScheduleFromFileTest, RunsUnderThePortModelOfItsFile) {
  const auto run = prepare(
      request(Operation::total_exchange, "port-model all-port\n0: 1 2; 1: 3 4\n0: 2; 1: 3\n"));
  EXPECT_EQ(run->forecast().model, port_models::all_port);
  EXPECT_EQ(run->forecast().algorithm.model, port_models::all_port);
  EXPECT_TRUE(run->execute().ok());
}

TEST_F(ScheduleFromFileTest, RefusesAnotherOperationAndNoFile) {
  RunRequest other = request(Operation::all_gather, "0: 0\n0: 4\n1: 0\n1: 1\n");
  other.operation = Operation::total_exchange;
  const auto refusal = [&] {
    try {
      (void)prepare(other);
    } catch (const InvalidParameter& problem) {
      return std::string(problem.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal(),
              HasSubstr("the schedule is for all-gather, but the run is total-exchange"));
  other.settings = {};
  EXPECT_THAT(refusal(), HasSubstr("needs a file; use --schedule FILE"));
  other.settings["schedule"] = "x";
  other.algorithm = "node-invariant";
  EXPECT_EQ(refusal(), "--schedule and --algorithm node-invariant cannot be combined; omit one");
}

TEST(AlgorithmsForTest, LeaveOutWhatNeedsAPlanOfTheUser) {
  for (const AlgorithmInfo& info : algorithms_for("star:4", Operation::total_exchange))
    for (const Parameter& parameter : info.parameters)
      EXPECT_FALSE(parameter.required) << info.name;
  EXPECT_TRUE(algorithms_for("torus:3x4", Operation::odd_distance_exchange).empty());
}

}  // namespace
}  // namespace lockstep
