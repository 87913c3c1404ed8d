// SPDX-License-Identifier: Apache-2.0
/// The work that a machine counts: exact for runs whose moves are known, and the same for any
/// number of workers, channels and tasks, apart from rows.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep {
namespace {

RunRecord record_of(RunRequest request) {
  RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok());
  return std::move(result.record);
}

MachineWork without_rows(MachineWork work) {
  work.rows = 0;
  work.delivered_rows = 0;
  return work;
}

/// Every node of a path but the last sends the block on; every node but the first stores it or
/// delivers it.
TEST(MachineWork, OfABroadcastOverAPath) {
  const RunRecord record = record_of({.topology = "linear:9",
                                      .operation = Operation::broadcast,
                                      .algorithm = "tree",
                                      .workers = 1,
                                      .channel = ChannelKind::slot});
  const MachineWork& work = record.work;
  EXPECT_EQ(work.turns, 9U);
  EXPECT_EQ(work.copied, work.copies);
  EXPECT_GE(work.copies, 7U);  // the last one may deliver what arrives
  EXPECT_LE(work.copies, 8U);
  EXPECT_EQ(work.combines + work.listed + work.rows, 0U);
  EXPECT_EQ(record.wall.barriers, 0U);
  EXPECT_EQ(record.wall.longest_turns, work.turns);
}

/// Recursive doubling combines one vector per node and step.
TEST(MachineWork, OfAnAllReduceOnAHypercube) {
  const MachineWork work = record_of({.topology = "hypercube:4",
                                      .operation = Operation::all_reduce,
                                      .algorithm = "recursive-doubling",
                                      .workers = 1})
                               .work;
  EXPECT_EQ(work.combines, 16U * 4);
  EXPECT_EQ(work.combined, 16U * 4);
  EXPECT_EQ(work.turns, 16U * 5);
  EXPECT_EQ(work.copies, 0U);
}

/// The ring passes a block on in every step, which each node stores but for the last; the host
/// takes 63 rows.
TEST(MachineWork, OfGroupsOnARing) {
  const MachineWork work = record_of({.topology = "ring:64",
                                      .operation = Operation::all_gather,
                                      .algorithm = "ring-by-ring",
                                      .block_bytes = 8,
                                      .workers = 1})
                               .work;
  EXPECT_GT(work.rows, 0U);
  EXPECT_EQ(work.copied, 64U * 62);
  EXPECT_EQ(work.delivered_rows + work.delivered_runs, 64U * 63);
}

TEST(MachineWork, IsTheSameForAllWorkersChannelsAndTasks) {
  struct Case {
    std::string network;
    Operation operation;
    std::string algorithm;
  };
  for (const Case& of :
       std::vector<Case>{{"star:5", Operation::total_exchange, "packing"},
                         {"star:5", Operation::total_exchange, "table"},
                         {"star:5", Operation::all_gather, "levelwise"},
                         {"pancake:5", Operation::total_exchange, "node-invariant"},
                         {"torus:6x6", Operation::all_gather, "ring-by-ring"},
                         {"torus:6x6", Operation::all_reduce, "ring-by-ring"},
                         {"torus:6x6", Operation::all_gather, "generator-sequence"},
                         {"hypercube:6", Operation::reduce_scatter, "recursive-halving"},
                         {"mesh:5x5", Operation::all_gather, "balanced-paths"},
                         {"mesh:5x5", Operation::scan, "merging-trees"},
                         {"ej:1+2^2", Operation::broadcast, "improved"},
                         {"fat-tree:2^4", Operation::gather, "greedy"},
                         {"torus:8x8", Operation::many_to_all, "aggregation"}}) {
    RunRequest request{.topology = of.network,
                       .operation = of.operation,
                       .algorithm = of.algorithm,
                       .block_bytes = 24,
                       .workers = 1};
    const MachineWork usual = without_rows(record_of(request).work);
    EXPECT_GT(usual.turns, 0U);
    for (const ChannelKind channel : channels_for(request))
      for (const std::size_t workers : {1U, 3U})
        for (const std::uint64_t processors_per_task : {0U, 7U}) {
          SCOPED_TRACE(fmt::format("{} {} {}: channel {}, {} workers, {} per task", of.network,
                                   name_of(of.operation), of.algorithm, static_cast<int>(channel),
                                   workers, processors_per_task));
          request.channel = channel;
          request.workers = workers;
          request.processors_per_task = processors_per_task;
          const RunRecord record = record_of(request);
          const MachineWork work = without_rows(record.work);
          EXPECT_EQ(work.turns, usual.turns);
          EXPECT_EQ(work.copies, usual.copies);
          EXPECT_EQ(work.copied, usual.copied);
          EXPECT_EQ(work.combines, usual.combines);
          EXPECT_EQ(work.combined, usual.combined);
          EXPECT_EQ(work.listed, usual.listed);
          EXPECT_EQ(work.searches, usual.searches);
          EXPECT_LE(record.wall.longest_turns, work.turns);
          EXPECT_GE(record.wall.longest_turns * workers * 64, work.turns);
        }
  }
}

}  // namespace
}  // namespace lockstep
