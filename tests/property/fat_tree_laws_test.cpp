// SPDX-License-Identifier: Apache-2.0

/// What a run on a fat tree comes to, queues of its switches included, does not depend on how it is
/// run.

#include <gtest/gtest.h>

#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

RunRequest request_of(const AnyTopology& tree, const AlgorithmInfo& info) {
  RunRequest request{.topology = tree,
                     .operation = info.operation,
                     .algorithm = std::string(info.name),
                     .block_bytes = 8,
                     .processors_per_task = 64,
                     .keep_series = true};
  if (has_root(info.operation)) request.settings["root"] = std::uint64_t{17};
  return request;
}

RunRecord record_of(RunRequest request, std::size_t workers, ChannelKind channel) {
  request.workers = workers;
  request.channel = channel;
  const RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok()) << request.topology.name() << ", " << request.algorithm;
  return result.record;
}

TEST(FatTreeLaws, RecordsAreTheSameForAllWorkersAndChannels) {
  test::SomeCases some(5);
  std::size_t algorithms = 0;
  std::size_t channels = 0;  // beside slot
  for (const char* const name : {"fat-tree:2x3x2x8,exponential", "fat-tree:5x2x3x4,2.3.3.9"})
    for (const OperationInfo& operation : operation_catalog())
      for (const AlgorithmInfo& info : algorithms_for(name, operation.operation)) {
        if (!some.take()) continue;
        const RunRequest request = request_of(AnyTopology(name), info);
        const RunRecord one = record_of(request, 1, ChannelKind::slot);
        EXPECT_EQ(one.queues.size(), 4U);
        for (const ChannelKind channel : channels_for(request)) {
          EXPECT_TRUE(one.same_facts(record_of(request, 2, channel)))
              << name << ", " << info.name << ", 2 workers";
          channels += static_cast<std::size_t>(channel != ChannelKind::slot);
        }
        EXPECT_TRUE(one.same_facts(record_of(request, 8, ChannelKind::slot)))
            << name << ", " << info.name << ", 8 workers";
        ++algorithms;
      }
  EXPECT_GE(algorithms, test::cases_here(20));
  EXPECT_GE(channels, 1U);
}

}  // namespace
}  // namespace lockstep
