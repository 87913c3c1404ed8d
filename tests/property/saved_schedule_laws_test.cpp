// SPDX-License-Identifier: Apache-2.0

/// Every algorithm of the catalogue, on a small network of every family, is saved as a schedule,
/// written to a file, read again and run: the record is the same.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/plan/lower.hpp"
#include "lockstep/program/plan/raise.hpp"
#include "program/schedule_file.hpp"
#include "study/schedule_recorder.hpp"
#include "study/stress_jobs.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t most_messages = 6'000;

constexpr const char* saved_networks[] = {
    "star:3",        "star:4",     "ring:6",        "linear:5",         "mesh:2x3x2",
    "torus:3x4",     "torus:5x5",  "complete:5",    "hypercube:3",      "ej:1+2",
    "ej:1+2^2",      "fat-tree:2", "fat-tree:2^3",  "fat-tree:2x3,2.3", "kary-tree:3^2",
    "bubble-sort:4", "pancake:4",  "xgft:2;3,2;2,1"};

class SavedSchedule : public testing::Test {
 protected:
  SavedSchedule()
      : file_(std::filesystem::path(testing::TempDir()) /
              ("saved_schedule_" + std::to_string(getpid()))) {}
  ~SavedSchedule() override { std::filesystem::remove(file_); }

  [[nodiscard]] RunResult saved_and_run(const RunRequest& request,
                                        const ScheduleFile& saved) const {
    const std::string text = text_of(saved);
    std::ofstream(file_, std::ios::binary) << text;
    RunRequest again{.topology = request.topology,
                     .operation = request.operation,
                     .settings = {{"schedule", file_.string()}},
                     .executor = ExecutorKind::serial};
    const ScheduleFile read =
        parse_schedule(file_.string(), text, ErasedTopology(request.topology));
    EXPECT_EQ(text_of(read), text) << "reading and writing leave nothing out";
    return prepare(again)->execute();
  }

  std::filesystem::path file_;
};

class SavedScheduleLaws : public SavedSchedule,
                          public testing::WithParamInterface<OperationInfo> {};

/// Why a schedule is no plan of transfers.
[[nodiscard]] bool is_no_plan(const std::string& reason) {
  for (const std::string_view known :
       {"routes and control words", "the receiver has had the block before",
        "blocks of a many-to-all", "the sender does not have the block in this step"})
    if (reason.find(known) != std::string::npos) return true;
  return false;
}

/// Whether the schedule is a plan; raised and lowered again, it has the same messages and cost.
[[nodiscard]] bool is_raised(const ScheduleFile& saved, const AnyTopology& network,
                             const RunRecord& record) {
  try {
    const Transfers plan = raised(*saved.schedule, network, saved.operation,
                                  static_cast<std::uint32_t>(saved.parts_per_block));
    const LoweredPlan lowered = lower(plan, network, saved.operation);
    EXPECT_EQ(lowered.messages, record.hops);
    EXPECT_EQ(lowered.cost.startups, record.startups);
    EXPECT_EQ(lowered.cost.message_times, Fraction(record.message_times, saved.parts_per_block));
    return true;
  } catch (const InvalidParameter& reason) {
    EXPECT_TRUE(is_no_plan(reason.what())) << reason.what();
    return false;
  }
}

TEST_P(SavedScheduleLaws, HoldForEveryAlgorithm) {
  const Operation operation = GetParam().operation;
  std::set<std::string_view> seen;
  std::uint64_t plans = 0;
  std::uint64_t runs = 0;
  for (const char* const name : saved_networks) {
    const AnyTopology network{std::string(name)};
    for (const AlgorithmInfo& info : algorithms_for(network, operation)) {
      const RunRequest request{.topology = network,
                               .operation = operation,
                               .algorithm = std::string(info.name),
                               .executor = ExecutorKind::serial};
      SCOPED_TRACE(std::string(name) + " " + std::string(info.name));
      const auto run = prepare(request);
      if (run->forecast().footprint.hops > most_messages) continue;
      const RunResult result = run->execute();
      if (result.forecast.footprint.deliveries != 0) continue;  // known to leave blocks out
      const ScheduleFile saved = study::saved_schedule(request, *run, result.record);
      const RunResult again = saved_and_run(request, saved);
      plans += is_raised(saved, network, result.record) ? 1U : 0U;
      ++runs;
      EXPECT_TRUE(again.ok()) << again.judgement.sentence;
      RunRecord record = again.record;
      EXPECT_EQ(record.envelope_bytes, 0U) << "a schedule needs no labels";
      record.envelope_bytes = result.record.envelope_bytes;
      if (operation == Operation::many_to_all) {  // in its file parts are origins
        const std::uint64_t parts = result.forecast.footprint.parts_per_block;
        record.blocks_loaded /= parts;
        record.deliveries.delivered /= parts;
        record.deliveries.verified /= parts;
      }
      if (!record.waits.watched) record.waits = result.record.waits;  // only some algorithms ask
      EXPECT_EQ(study::differences(record, result.record), std::vector<std::string>{});
      seen.insert(info.name);
    }
  }
  EXPECT_FALSE(seen.empty());
  if (operation != Operation::many_to_all) {
    EXPECT_GE(10 * plans, 8 * runs) << "most runs are plans";
  }
}

/// By the plan, or by the user, who asks for parts.
TEST_F(SavedSchedule, MayDivideMessages) {
  for (const std::uint64_t parts : {0U, 2U, 4U}) {
    RunRequest request{.topology = "torus:4x4",
                       .operation = Operation::many_to_all,
                       .algorithm = "rotated-dimensions",
                       .executor = ExecutorKind::serial};
    request.settings["messages"] = std::uint64_t{3};
    if (parts != 0) request.settings["parts"] = parts;
    const auto run = prepare(request);
    const RunResult result = run->execute();
    const RunResult again =
        saved_and_run(request, study::saved_schedule(request, *run, result.record));
    EXPECT_TRUE(again.ok()) << again.judgement.sentence;
    EXPECT_EQ(again.record.hops, result.record.hops) << parts;
    EXPECT_EQ(again.cost.message_times, result.cost.message_times) << parts;
    EXPECT_EQ(again.forecast.parts_per_block(), result.forecast.parts_per_block()) << parts;
  }
}

/// Operations of the catalogue's algorithms; those by pairs are users' own.
std::vector<OperationInfo> operations() {
  std::vector<OperationInfo> all = operation_catalog();
  std::erase_if(all, [](const OperationInfo& operation) {
    return operation.operation == Operation::multicast ||
           operation.operation == Operation::partial_exchange;
  });
  return all;
}

std::string saved_case(const testing::TestParamInfo<OperationInfo>& tested) {
  std::string name(name_of(tested.param.operation));
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, SavedScheduleLaws, testing::ValuesIn(operations()), saved_case);

}  // namespace
}  // namespace lockstep
