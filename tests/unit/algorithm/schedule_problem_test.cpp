// SPDX-License-Identifier: Apache-2.0

/// A schedule file does not change the problem that is proved, reads and writes no memory but its
/// own, and says where it goes wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "algorithm/schedule_from_file.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "study/schedule_recorder.hpp"

namespace lockstep {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class ScheduleProblem : public testing::Test {
 protected:
  ScheduleProblem()
      : file_(std::filesystem::path(testing::TempDir()) /
              ("schedule_problem_" + std::to_string(getpid()))) {}
  ~ScheduleProblem() override { std::filesystem::remove(file_); }

  /// The request for a file of version 2; `lines` are those behind the operation.
  [[nodiscard]] RunRequest request(const std::string& network, Operation operation,
                                   const std::string& lines) const {
    std::ofstream(file_) << "lockstep-schedule 2\ntopology " << network << "\noperation "
                         << name_of(operation) << "\n"
                         << lines;
    return {.topology = AnyTopology{network},
            .operation = operation,
            .algorithm = "schedule",
            .settings = {{"schedule", file_.string()}},
            .executor = ExecutorKind::serial};
  }
  /// The message behind the file's name.
  [[nodiscard]] std::string refusal(const RunRequest& request) const {
    try {
      (void)prepare(request);
    } catch (const InvalidParameter& problem) {
      std::string text = problem.what();
      for (std::size_t at = 0; (at = text.find(file_.string())) != std::string::npos;)
        text.replace(at, file_.string().size(), "FILE");
      return text;
    }
    return "accepted";
  }
  [[nodiscard]] RunResult result(const std::string& network, Operation operation,
                                 const std::string& lines) const {
    return prepare(request(network, operation, lines))->execute();
  }
  /// The saved schedule of the algorithm's run.
  [[nodiscard]] static std::string saved(const RunRequest& request) {
    const auto run = prepare(request);
    const RunResult result = run->execute();
    EXPECT_TRUE(result.ok());
    return text_of(study::saved_schedule(request, *run, result.record));
  }
  [[nodiscard]] RunRequest again(const RunRequest& request, const std::string& text) const {
    std::ofstream(file_) << text;
    RunRequest reading{.topology = request.topology,
                       .operation = request.operation,
                       .settings = {{"schedule", file_.string()}},
                       .executor = ExecutorKind::serial};
    return reading;
  }

  std::filesystem::path file_;
};

/// Processor 2 sends nothing; by the header, its block begins at processor 1.
TEST_F(ScheduleProblem, HomesOfBlocksAreThoseOfTheOperation) {
  const std::string steps =
      "memory 2\nsteps 3\nstep 0\n"
      "1: load 0/0-1 of 1-2 for 0,0; send 1 0/0\n"
      "3: load 0/0 of 3 for 0\nstep 1\n"
      "0: take 0 deliver 0 of 1\n"
      "1: send 1 0/1\nstep 2\n"
      "0: take 0 deliver 0 of 2\n"
      "3: send 0 0/0\nstep 3\n"
      "0: take 1 deliver 0 of 3\n";
  EXPECT_THAT(refusal(request("ring:4", Operation::gather, "origins 0 1 1 3\n" + steps)),
              HasSubstr("FILE:4: 'origins' does not apply to gather"));
  EXPECT_FALSE(result("ring:4", Operation::gather, steps).ok()) << "the block of 2 is at 2";
  EXPECT_THAT(refusal(request("linear:4", Operation::reduce,
                              "origins 0 0 0 0\nmemory 1\nsteps 0\nstep 0\n"
                              "0: load 0/0 of 0 for 0; deliver 0/0 of 0\n")),
              HasSubstr("FILE:4: 'origins' does not apply to reduce"));
  EXPECT_THAT(
      refusal(request("ring:3", Operation::total_exchange, "origins 1 1 1\nmemory 1\nsteps 0\n")),
      HasSubstr("FILE:4: 'origins' does not apply to total-exchange"));
}

TEST_F(ScheduleProblem, PlacementOfTheCommandLineIsThatOfTheFile) {
  const std::string steps =
      "memory 1\nsteps 2\nstep 0\n1: load 0/0 of 0 for 0; send 0 0/0\nstep 1\n"
      "2: take 1 store 0/0; take 1 deliver 0 of 0; send 0 0/0\nstep 2\n0: take 1 deliver 0 of 0\n";
  RunRequest run = request("ring:3", Operation::many_to_all, "origins 1\n" + steps);
  EXPECT_TRUE(prepare(run)->execute().ok());
  EXPECT_EQ(prepare(run)->forecast().settings.number("messages"), 1U);
  run.settings["messages"] = std::uint64_t{2};
  EXPECT_EQ(refusal(run),
            "messages: 2 are asked for, but the schedule in FILE has 1 (line 'origins')");
  run.settings["messages"] = std::uint64_t{1};
  run.settings["placement"] = std::string("diag");
  EXPECT_EQ(refusal(run),
            "placement: origin 0 is at node 0, but at node 1 in the schedule in FILE (line "
            "'origins')");
  run.settings["placement"] = std::string("row");
  EXPECT_THAT(refusal(run), HasSubstr("placement: origin 0 is at node 0"));
}

TEST_F(ScheduleProblem, APortModelThatTheFileStatesIsKept) {
  const std::string steps =
      "memory 1\nsteps 1\nstep 0\n0: load 0/0 of 0 for 0; send 0 0/0; send 1 0/0\nstep 1\n"
      "1: take 1 deliver 0 of 0\n2: take 0 deliver 0 of 0\n";
  RunRequest stated = request("ring:3", Operation::broadcast, "port-model all-port\n" + steps);
  EXPECT_TRUE(prepare(stated)->execute().ok());
  stated.port_model = port_models::all_port;
  EXPECT_TRUE(prepare(stated)->execute().ok());
  stated.port_model = port_models::single_port;
  EXPECT_THAT(refusal(stated), HasSubstr("--port-model single-port is not possible"));
  RunRequest open = request("ring:3", Operation::broadcast, steps);
  EXPECT_EQ(prepare(open)->execute().judgement.outcome, Outcome::rule_broken);
  open.port_model = port_models::all_port;
  EXPECT_TRUE(prepare(open)->execute().ok());
}

TEST_F(ScheduleProblem, PartsBeyondARegionAreRefused) {
  const std::string steps = "memory 1\nsteps 0\nstep 0\n0: load 0/0 of 0 for 0\n";
  RunRequest run = request("linear:2", Operation::broadcast, "parts 64\n" + steps);
  run.block_bytes = std::size_t{1} << 20U;
  EXPECT_EQ(refusal(run),
            "FILE:8: step 0: '0/0' takes slots 0..63 of region 0, because blocks have 64 parts; "
            "node 0 has 1 slot there");
  EXPECT_EQ(refusal(request("linear:2", Operation::broadcast, steps)), "accepted");
  for (const Operation operation :
       {Operation::total_exchange, Operation::reduce, Operation::all_reduce,
        Operation::reduce_scatter, Operation::scan, Operation::all_gather})
    for (const char* const network : {"linear:2", "linear:4", "ring:5"})
      for (const char* const parts : {"2", "3", "100"}) {
        SCOPED_TRACE(std::string(network) + " " + std::string(name_of(operation)) + " " + parts);
        const RunRequest original{.topology = AnyTopology{std::string(network)},
                                  .operation = operation,
                                  .executor = ExecutorKind::serial};
        std::string text = saved(original);
        text.insert(text.find("memory"), "parts " + std::string(parts) + "\n");
        const RunRequest altered = again(original, text);
        const std::string reason = refusal(altered);
        if (reason == "accepted")
          EXPECT_FALSE(prepare(altered)->execute().ok());
        else
          EXPECT_THAT(reason, testing::AnyOf(
                                  HasSubstr("because blocks have " + std::string(parts) + " parts"),
                                  HasSubstr("'parts' occurs twice")));
      }
}

TEST_F(ScheduleProblem, PartsOfAMessageHaveToArrive) {
  const RunResult cut = result("linear:2", Operation::broadcast,
                               "parts 4\nmemory 4\nsteps 1\nstep 0\n"
                               "0: load 0/0 of 0 for 0; send 0 0/1-3\nstep 1\n"
                               "1: take 0 deliver 0 of 0\n");
  EXPECT_EQ(cut.judgement.outcome, Outcome::rule_broken);
  EXPECT_EQ(cut.record.violations.front().rule, Rule::arrival);
  EXPECT_THAT(cut.plan_places.front(), EndsWith(":10"));
  EXPECT_TRUE(result("linear:2", Operation::broadcast,
                     "parts 4\nmemory 4\nsteps 1\nstep 0\n"
                     "0: load 0/0 of 0 for 0; send 0 0/0-3\nstep 1\n1: take 0 deliver 0 of 0\n")
                  .ok());
}

TEST_F(ScheduleProblem, ControlWordsNeedWormholeSwitching) {
  const RunRequest original{.topology = AnyTopology{std::string("ring:5")},
                            .operation = Operation::reduce_scatter,
                            .executor = ExecutorKind::serial};
  std::string text = saved(original);
  text.insert(text.find("steps"), "control 0\n");
  EXPECT_THAT(refusal(again(original, text)),
              HasSubstr("'control' needs a port model with wormhole switching"));
}

TEST_F(ScheduleProblem, WithoutMessagesItIsReadBack) {
  for (const char* const network : {"butterfly:4", "ring:4", "star:3"}) {
    SCOPED_TRACE(network);
    RunRequest none{.topology = AnyTopology{std::string(network)},
                    .operation = Operation::many_to_all,
                    .algorithm = "shortest-paths",
                    .settings = {{"messages", std::uint64_t{0}}},
                    .port_model = port_models::all_port,
                    .executor = ExecutorKind::serial};
    const std::string text = saved(none);
    EXPECT_THAT(text, HasSubstr("\norigins\n"));
    const RunResult result = prepare(again(none, text))->execute();
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.judgement.deliveries.expected, 0U);
  }
}

/// As a store of it is: not ok, with its line.
TEST_F(ScheduleProblem, AMessageThatNeverComesIsReported) {
  const RunRequest original{.topology = AnyTopology{std::string("ring:5")},
                            .operation = Operation::total_exchange,
                            .executor = ExecutorKind::serial};
  const std::string text = saved(original);
  for (const char* const use : {"; take 0 deliver 0 of 3", "; take 0 deliver 0-1 of 3-4",
                                "; take 0 store 0/0", "; take 1 deliver 0 of 1"}) {
    SCOPED_TRACE(use);
    std::string altered = text;
    const std::size_t turn = altered.find("\n0: ", altered.find("step 0\n"));
    altered.insert(altered.find('\n', turn + 1), use);
    const RunResult result = prepare(again(original, altered))->execute();
    EXPECT_FALSE(result.ok());
    if (!result.record.legal()) continue;  // the store meets a block in flight
    EXPECT_EQ(result.judgement.outcome, Outcome::stores_without_message);
    ASSERT_TRUE(result.record.first_unmet.has_value());
    EXPECT_EQ(text_of(*result.record.first_unmet),
              "step 0, node 0 uses a message that did not arrive");
    EXPECT_THAT(result.unmet_place, HasSubstr(file_.string() + ":"));
  }
}

/// A message of two blocks, stored by two actions of one block each.
TEST_F(ScheduleProblem, AMessageOfAnotherLengthIsReportedWithItsLine) {
  const std::string head =
      "root 0\nmemory 2\nsteps 1\nstep 0\n"
      "1: load 0/0 of 1 for 0; copy 0/0 into 0/1; send 0 0/0-1\nstep 1\n";
  const RunResult two = result("linear:2", Operation::gather,
                               head + "0: take 0 store 0/0; take 0 store 0/1; deliver 0/0 of 1\n");
  EXPECT_EQ(two.judgement.outcome, Outcome::not_delivered);
  ASSERT_TRUE(two.record.first_unmet.has_value());
  EXPECT_THAT(text_of(*two.record.first_unmet), HasSubstr("1 block of a message of 2 blocks"));
  EXPECT_THAT(two.unmet_place, EndsWith(":10"));
  EXPECT_TRUE(
      result("linear:2", Operation::gather, head + "0: take 0 store 0/0-1; deliver 0/0 of 1\n")
          .ok());
}

}  // namespace
}  // namespace lockstep
