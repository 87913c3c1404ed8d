// SPDX-License-Identifier: Apache-2.0

/// Every operation on every network: graphs without any symmetry, with hubs, lanes and switches, as
/// files give them; every algorithm, and the same record for any number of workers.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "study/operation_matrix.hpp"
#include "study/stress_jobs.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

[[nodiscard]] AnyTopology graph(const std::string& name, const std::string& edges) {
  return AnyTopology(std::make_shared<TopologyModel<Network>>(
      read_graph_text("file:" + name, name, edges, GraphFormat::edges)));
}

const std::vector<AnyTopology>& networks() {
  static const std::vector<AnyTopology> all{
      graph("one", "# nodes 1\n"),
      graph("link", "a b\n"),
      graph("lanes", "a b\na b\nb c\nb c\nb c\nc d\n"),
      graph("lollipop", "0 1\n1 2\n2 0\n2 3\n3 4\n4 5\n"),
      graph("hub", "h a\nh b\nh c\nh d\nd e\ne f\nc f\n"),
      graph("hub of switches", "a s\nb s\nc t\nd t\ns t\ns t\nt e\n# switches s t\n"),
      graph("idle switch", "a b\nb c\nc s\nc a\n# switches s\n"),
      graph("switch between", "a b\nb s\ns c\nc d\nd e\n# switches s\n"),
      AnyTopology("erdos-renyi:17,40,5"),
      AnyTopology("random-regular:14,3,2"),
      AnyTopology("mesh:3x5"),
      AnyTopology("linear:7"),
      AnyTopology("kary-tree:3^2")};
  return all;
}

void expect_same_for_all_workers(const RunRequest& request) {
  const RunResult one = prepare(request)->execute();
  EXPECT_TRUE(one.ok()) << one.judgement.sentence;
  for (const std::size_t workers : {2U, 8U}) {
    RunRequest other = request;
    other.workers = workers;
    other.executor = default_executor;
    other.processors_per_task = 3;
    const RunResult again = prepare(other)->execute();
    EXPECT_EQ(study::differences(again.record, one.record), std::vector<std::string>{});
  }
}

TEST(AnyGraphLaws, EveryAlgorithmDeliversEverywhere) {
  std::size_t runs = 0;
  for (const AnyTopology& network : networks())
    for (const OperationInfo& info : operation_catalog())
      for (const AlgorithmInfo& algorithm : algorithms_for(network, info.operation)) {
        SCOPED_TRACE(std::string(algorithm.name) + " " + std::string(name_of(info.operation)) +
                     " on " + network.name());
        RunRequest request{.topology = network,
                           .operation = info.operation,
                           .algorithm = std::string(algorithm.name),
                           .block_bytes = 16,
                           .workers = 1,
                           .executor = ExecutorKind::serial};
        if (has_root(info.operation)) request.settings["root"] = network.processor_count() / 2;
        expect_same_for_all_workers(request);
        ++runs;
      }
  EXPECT_GT(runs, 250U);
}

/// Blocks made by some processors only, several by one.
TEST(AnyGraphLaws, ManyToAllFromAnywhere) {
  for (const AnyTopology& network : networks())
    for (const char* const placement : {"onenode", "quad", "random:3"})
      for (const std::uint64_t messages : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{9}})
        for (const AlgorithmInfo& algorithm : algorithms_for(network, Operation::many_to_all)) {
          SCOPED_TRACE(network.name() + " " + std::string(algorithm.name) + " " + placement + " " +
                       std::to_string(messages));
          RunRequest request{.topology = network,
                             .operation = Operation::many_to_all,
                             .algorithm = std::string(algorithm.name),
                             .block_bytes = 8,
                             .workers = 1,
                             .executor = ExecutorKind::serial};
          request.settings["placement"] = std::string(placement);
          request.settings["messages"] = messages;
          request.settings["parts"] = std::uint64_t{messages == 9 ? 2U : 1U};
          const RunResult result = prepare(request)->execute();
          EXPECT_TRUE(result.ok()) << result.judgement.sentence;
        }
}

/// With all ports along shortest paths: the distance start-ups of the lower bound.
TEST(AnyGraphLaws, ShortestPathsTakeTheFewestStartups) {
  for (const AnyTopology& network : networks())
    for (const Operation operation : {Operation::total_exchange, Operation::all_gather}) {
      if (network.processor_count() != network.node_count()) continue;
      SCOPED_TRACE(network.name());
      const auto run = prepare({.topology = network,
                                .operation = operation,
                                .algorithm = "shortest-paths",
                                .executor = ExecutorKind::serial});
      EXPECT_EQ(run->forecast().predicted->startups, network.diameter());
    }
}

/// The exception: exchanges between pairs at odd distance, on networks that are not bipartite.
TEST(AnyGraphLaws, TheMatrixHasNoEmptyCell) {
  const Table matrix = study::operation_matrix();
  const std::vector<OperationInfo>& operations = operation_catalog();
  std::size_t odd = 0;
  for (const std::vector<std::string>& row : matrix.rows()) {
    ASSERT_EQ(row.size(), operations.size() + 1);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (operations[i].operation == Operation::odd_distance_exchange)
        odd += row[i + 1].empty() ? 0U : 1U;
      else
        EXPECT_NE(row[i + 1], "") << row[0] << " " << name_of(operations[i].operation);
    }
  }
  EXPECT_GE(odd, 4U);
  for (const AnyTopology& network : networks())
    for (const OperationInfo& info : operations) {
      if (info.operation == Operation::odd_distance_exchange) continue;
      EXPECT_NE(study::default_algorithm(network, info.operation), "")
          << network.name() << " " << name_of(info.operation);
    }
}

}  // namespace
}  // namespace lockstep
