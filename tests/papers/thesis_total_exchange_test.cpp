// SPDX-License-Identifier: Apache-2.0

/// V. V. Dimakopoulos, "Collective communication problems in multiprocessors", section 4.4:
/// single-port total exchange in Cayley graphs, counted by the machine while it moves and verifies
/// every byte.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithm/total_exchange/queue_discipline.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/golden.hpp"
#include "support/small_cayley_graphs.hpp"
#include "topology/relative_routes.hpp"

namespace lockstep {
namespace {

[[nodiscard]] RunResult run_on(const std::string& topology, QueueDiscipline discipline) {
  RunRequest request;
  request.topology = topology;
  request.operation = Operation::total_exchange;
  request.algorithm = "node-invariant";
  request.settings["discipline"] = std::string(name_of(discipline));
  request.block_bytes = 8;
  request.executor = ExecutorKind::serial;
  request.keep_series = true;
  return prepare(request)->execute();
}

/// Messages of each step: 16 64 is 16 in each of 64 steps.
[[nodiscard]] std::vector<std::uint64_t> exchange_run_lengths(const RunRecord& record) {
  std::vector<std::uint64_t> lengths;
  for (const StepRecord& step : record.series)
    if (!lengths.empty() && lengths[lengths.size() - 2] == step.messages)
      ++lengths.back();
    else
      lengths.insert(lengths.end(), {step.messages, 1});
  return lengths;
}

/// Fig. 4.5, and Fig. 4.6 for hypercubes: every network that the catalogue has.
TEST(ThesisTotalExchange, FifoOfFigure45) {
  std::size_t compared = 0;
  for (const test::GoldenRow& row : test::golden("thesis/total_exchange_fifo.csv")) {
    std::string topology = row.text("topology");
    std::replace(topology.begin(), topology.end(), ' ', ',');
    if (!test::catalogued(topology)) continue;
    SCOPED_TRACE(topology);
    ++compared;
    const RunResult result = run_on(topology, QueueDiscipline::fifo);
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(result.judgement.promises.kept());
    EXPECT_EQ(result.record.steps, row.number("steps"));
    EXPECT_EQ(result.record.startups, row.number("status"));
    EXPECT_EQ(result.record.message_times, row.number("status"));
    EXPECT_EQ(result.record.hops, row.number("hops"));
    EXPECT_EQ(exchange_run_lengths(result.record), row.numbers("sends"));
    ASSERT_TRUE(result.largest_queue.has_value());
    EXPECT_EQ(result.largest_queue->blocks, row.number("resident_max"));
    if (!row.text("queue_max").empty()) {
      EXPECT_EQ(result.largest_queue->blocks, row.number("queue_max"));
    }
  }
  EXPECT_EQ(compared, 47U);
}

/// Theorem 4.11: any discipline, any Cayley graph; (4.14), (4.15): every processor sends in every
/// step and every hop shortens the way.
TEST(ThesisTotalExchange, Theorem411EveryDisciplineTakesTheStatus) {
  std::size_t runs = 0;
  for (const AnyTopology& graph : test::small_cayley_graphs()) {
    std::uint64_t status = 0;
    for (const std::uint32_t distance : distances_from(graph, NodeId{0})) status += distance;
    for (const QueueDiscipline discipline : all_queue_disciplines) {
      SCOPED_TRACE(graph.name() + " " + std::string(name_of(discipline)));
      const RunResult result = run_on(graph.name(), discipline);
      EXPECT_TRUE(result.ok());
      EXPECT_TRUE(result.judgement.promises.kept());
      EXPECT_EQ(result.judgement.deliveries.tally.verified,
                graph.node_count() * (graph.node_count() - 1));
      EXPECT_EQ(result.record.steps, status);
      EXPECT_EQ(result.record.hops, status * graph.node_count());
      EXPECT_TRUE(std::all_of(
          result.record.series.begin(), result.record.series.end(), [&](const StepRecord& step) {
            return step.senders == graph.node_count() && step.receivers == graph.node_count();
          }));
      ASSERT_TRUE(result.largest_queue.has_value());
      EXPECT_EQ(result.largest_queue->blocks, graph.node_count() - 1);
      ++runs;
    }
  }
  EXPECT_GE(runs, 4 * 18U);
}

/// Blocks of other processors that wait in one, by discipline in the order of the enumeration. All
/// begin with N - 1 blocks, which is the largest queue, and take the status: closest-first, which
/// needs no queue for others (section 4.3.1), has the smallest one of every family and is the
/// default.
struct WaitingBlocks {
  const char* topology;
  std::uint64_t others[4];
};
constexpr WaitingBlocks waiting_blocks[] = {
    {"ring:9", {6, 6, 1, 6}},
    {"extended-ring:14,2", {9, 9, 1, 9}},
    {"circulant:14,1,3", {9, 9, 1, 9}},
    {"complete:8", {0, 0, 0, 0}},
    {"torus:4x4", {11, 11, 1, 11}},
    {"torus:5x5", {20, 20, 1, 20}},
    {"hypercube:4", {11, 11, 1, 11}},
    {"hypercube:6", {57, 57, 1, 57}},
    {"generalized-hypercube:3x4", {6, 6, 1, 6}},
    {"ccc:3", {20, 20, 1, 20}},
    {"ccc:4", {60, 60, 1, 60}},
    {"butterfly:3", {19, 19, 1, 19}},
    {"star:4", {20, 20, 1, 20}},
    {"star:5", {115, 115, 1, 115}},
    {"pancake:5", {115, 115, 1, 115}},
    {"bubble-sort:5", {115, 115, 1, 115}},
    {"ej:3+4", {30, 30, 1, 30}},
};

TEST(ThesisTotalExchange, LargestQueueOfEveryFamilyAndDiscipline) {
  for (const WaitingBlocks& row : waiting_blocks) {
    for (const QueueDiscipline discipline : all_queue_disciplines) {
      SCOPED_TRACE(std::string(row.topology) + " " + std::string(name_of(discipline)));
      const RunResult result = run_on(row.topology, discipline);
      EXPECT_EQ(result.largest_queue->blocks, result.forecast.processors - 1);
      EXPECT_EQ(result.largest_queue->foreign, row.others[static_cast<std::size_t>(discipline)]);
    }
    RunRequest request{.topology = row.topology, .algorithm = "node-invariant"};
    request.executor = ExecutorKind::serial;
    EXPECT_LE(prepare(request)->execute().largest_queue->foreign, 1U) << row.topology;
  }
}

/// Section 4.4.4: W on a ring is forwards for y <= n/2.
TEST(ThesisTotalExchange, RoutesOnRings) {
  for (const std::uint64_t n : {3U, 4U, 9U, 10U}) {
    const RelativeRoutes routes(any_cayley(Ring{n}));
    for (std::uint64_t y = 1; y < n; ++y)
      EXPECT_EQ(routes.first(NodeId{y}), y <= n / 2 ? Port{0} : Port{1}) << n << " " << y;
  }
}

/// Section 4.4.5 sends through the highest dimension that differs; ports in ascending order make it
/// the lowest. d 2^(d-1) steps either way.
TEST(ThesisTotalExchange, RoutesOnHypercubes) {
  const RelativeRoutes routes(any_cayley(Hypercube{4}));
  for (std::uint64_t g = 1; g < 16; ++g) {
    EXPECT_EQ(std::uint64_t{1} << index(routes.first(NodeId{g})), g & ~(g - 1));
    EXPECT_EQ(routes.rest(NodeId{g}), NodeId{g & (g - 1)});
  }
  EXPECT_EQ(routes.status(), 32U);
}

}  // namespace
}  // namespace lockstep
