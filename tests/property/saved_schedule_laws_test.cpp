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

class SavedScheduleLaws : public testing::TestWithParam<OperationInfo> {
 protected:
  SavedScheduleLaws()
      : file_(std::filesystem::path(testing::TempDir()) /
              ("saved_schedule_" + std::to_string(getpid()))) {}
  ~SavedScheduleLaws() override { std::filesystem::remove(file_); }

  [[nodiscard]] RunResult saved_and_run(const RunRequest& request, PreparedRun& run,
                                        const RunRecord& record) const {
    const std::string text = text_of(study::saved_schedule(request, run, record));
    std::ofstream(file_, std::ios::binary) << text;
    RunRequest again{.topology = request.topology,
                     .operation = request.operation,
                     .settings = {{"schedule", file_.string()}},
                     .executor = ExecutorKind::serial};
    const ScheduleFile read =
        parse_schedule_by_node(file_.string(), text, ErasedTopology(request.topology));
    EXPECT_EQ(text_of(read), text) << "reading and writing leave nothing out";
    return prepare(again)->execute();
  }

  std::filesystem::path file_;
};

TEST_P(SavedScheduleLaws, HoldForEveryAlgorithm) {
  const Operation operation = GetParam().operation;
  std::set<std::string_view> seen;
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
      const RunResult again = saved_and_run(request, *run, result.record);
      EXPECT_TRUE(again.ok()) << again.judgement.sentence;
      RunRecord record = again.record;
      EXPECT_EQ(record.envelope_bytes, 0U) << "a schedule needs no labels";
      record.envelope_bytes = result.record.envelope_bytes;
      if (!record.waits.watched) record.waits = result.record.waits;  // only some algorithms ask
      EXPECT_EQ(study::differences(record, result.record), std::vector<std::string>{});
      seen.insert(info.name);
    }
  }
  EXPECT_FALSE(seen.empty());
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
