// SPDX-License-Identifier: Apache-2.0

/// What a run on a fat tree comes to, queues of its switches included, does not depend on how it is
/// run.

#include <gtest/gtest.h>

#include <string>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep {
namespace {

RunRecord record_of(const AnyTopology& tree, const AlgorithmInfo& info, std::size_t workers,
                    ChannelKind channel) {
  RunRequest request{.topology = tree,
                     .operation = info.operation,
                     .algorithm = std::string(info.name),
                     .block_bytes = 8,
                     .workers = workers,
                     .processors_per_task = 64,
                     .channel = channel,
                     .keep_series = true};
  if (has_root(info.operation)) request.settings["root"] = std::uint64_t{17};
  const RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok()) << tree.name() << ", " << info.name;
  return result.record;
}

TEST(FatTreeLaws, RecordsAreTheSameForAllWorkersAndChannels) {
  std::size_t algorithms = 0;
  for (const char* const name : {"fat-tree:2x3x2x8,exponential", "fat-tree:5x2x3x4,2.3.3.9"})
    for (const OperationInfo& operation : operation_catalog())
      for (const AlgorithmInfo& info : algorithms_for(name, operation.operation)) {
        const AnyTopology tree(name);
        const RunRecord one = record_of(tree, info, 1, ChannelKind::slot);
        EXPECT_EQ(one.queues.size(), 4U);
        EXPECT_TRUE(one.same_facts(record_of(tree, info, 2, ChannelKind::spsc)))
            << name << ", " << info.name << ", 2 workers";
        EXPECT_TRUE(one.same_facts(record_of(tree, info, 8, ChannelKind::slot)))
            << name << ", " << info.name << ", 8 workers";
        ++algorithms;
      }
  EXPECT_GE(algorithms, 20U);
}

}  // namespace
}  // namespace lockstep
