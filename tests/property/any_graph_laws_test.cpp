// SPDX-License-Identifier: Apache-2.0

/// Every operation on every network: graphs without any symmetry, with hubs, lanes and switches, as
/// files give them; every algorithm, and the same record for any number of workers.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "study/operation_matrix.hpp"
#include "study/stress_jobs.hpp"
#include "support/cases.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

[[nodiscard]] AnyTopology graph(const std::string& name, const std::string& text,
                                GraphFormat format = GraphFormat::edges) {
  return AnyTopology(std::make_shared<TopologyModel<Network>>(
      read_graph_text("file:" + name, name, text, format)));
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
  test::SomeCases some(5);
  std::size_t runs = 0;
  for (const AnyTopology& network : networks())
    for (const OperationInfo& info : operation_catalog())
      for (const AlgorithmInfo& algorithm : algorithms_for(network, info.operation)) {
        if (!some.take()) continue;
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
  EXPECT_GT(runs, test::cases_here(250));
}

/// The network from its file is run as the network itself, algorithm by algorithm.
TEST(AnyGraphLaws, FilesOfANetworkAreRunAsTheNetwork) {
  struct Run {
    Operation operation;
    const char* algorithm;
  };
  constexpr std::array<Run, 9> runs{{{Operation::broadcast, "tree"},
                                     {Operation::broadcast, "matching"},
                                     {Operation::scatter, "tree"},
                                     {Operation::gather, "balanced-tree"},
                                     {Operation::all_gather, "tree"},
                                     {Operation::total_exchange, "shortest-paths"},
                                     {Operation::total_exchange, "shortest-paths-in-turn"},
                                     {Operation::reduce, "tree"},
                                     {Operation::scan, "tree"}}};
  for (const char* const name :
       {"star:5", "ccc:3", "ej:3+4", "mesh:3x4", "fat-tree:2^3", "erdos-renyi:30,60,1"}) {
    const AnyTopology network{std::string(name)};
    const auto record_of = [](const AnyTopology& of, const Run& run) {
      return prepare({.topology = of,
                      .operation = run.operation,
                      .algorithm = run.algorithm,
                      .workers = 1,
                      .executor = ExecutorKind::serial,
                      .keep_series = true})
          ->execute();
    };
    std::vector<RunRecord> expected;
    for (const Run& run : runs) {
      const RunResult result = record_of(network, run);
      EXPECT_TRUE(result.ok()) << name << " " << result.judgement.sentence;
      expected.push_back(result.record);
      expected.back().queues = {};  // by levels of switches, which a file does not have
    }
    for (const GraphFormat format :
         {GraphFormat::edges, GraphFormat::graphml, GraphFormat::node_link}) {
      const AnyTopology again = graph(name, graph_text(network, format), format);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        SCOPED_TRACE(std::string(name) + " " + runs[i].algorithm + " " +
                     std::string(name_of(runs[i].operation)) + " from format " +
                     std::to_string(static_cast<int>(format)));
        EXPECT_EQ(study::differences(record_of(again, runs[i]).record, expected[i]),
                  std::vector<std::string>{});
      }
    }
  }
}

/// Blocks made by some processors only, several by one.
TEST(AnyGraphLaws, ManyToAllFromAnywhere) {
  test::SomeCases some(5);
  for (const AnyTopology& network : networks())
    for (const char* const placement : {"onenode", "quad", "random:3"})
      for (const std::uint64_t messages : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{9}})
        for (const AlgorithmInfo& algorithm : algorithms_for(network, Operation::many_to_all)) {
          if (!some.take()) continue;
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

/// Every discipline, with one port and all: along shortest paths, and not below the bounds.
TEST(AnyGraphLaws, QueuesOfEveryDiscipline) {
  test::SomeCases some(3);
  for (const AnyTopology& network : networks())
    for (const char* const algorithm : {"queues", "queues-in-turn"})
      for (const char* const discipline :
           {"fifo", "furthest-first", "closest-first", "message-shift"}) {
        if (!some.take()) continue;
        if (network.symmetric() || network.processor_count() != network.node_count()) continue;
        SCOPED_TRACE(network.name() + " " + algorithm + " " + discipline);
        RunRequest request{.topology = network,
                           .operation = Operation::total_exchange,
                           .algorithm = algorithm,
                           .executor = ExecutorKind::serial};
        request.settings["discipline"] = std::string(discipline);
        const RunResult result = prepare(request)->execute();
        EXPECT_TRUE(result.ok()) << result.judgement.sentence;
        std::uint64_t apart = 0;
        for (const NodeDistances& node : network.distance_figures().nodes) apart += node.status;
        EXPECT_EQ(result.record.hops, apart);
        EXPECT_EQ(result.record.message_times, result.record.steps);
        // All ports: the bound.
        if (network.name() == "mesh:3x5" && discipline == std::string("furthest-first")) {
          EXPECT_EQ(result.record.steps, algorithm == std::string("queues") ? 18U : 46U);
        }
      }
}

/// The exception: exchanges between pairs at odd distance, on networks that are not bipartite.
TEST(AnyGraphLaws, TheMatrixHasNoEmptyCell) {
  std::vector<AnyTopology> examples = study::example_networks();
  test::SomeCases some(5);
  std::erase_if(examples, [&some](const AnyTopology&) { return !some.take(); });
  const Table matrix = study::operation_matrix(examples);
  const std::vector<OperationInfo>& operations = operation_catalog();
  std::size_t odd = 0;
  for (const std::vector<std::string>& row : matrix.rows()) {
    ASSERT_EQ(row.size(), operations.size() + 1);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (operations[i].operation == Operation::odd_distance_exchange)
        odd += row[i + 1] == "none" ? 0U : 1U;
      else
        EXPECT_NE(row[i + 1], "none") << row[0] << " " << name_of(operations[i].operation);
    }
  }
  EXPECT_GE(odd, test::cases_here(4));
  for (const AnyTopology& network : networks())
    for (const OperationInfo& info : operations) {
      if (info.operation == Operation::odd_distance_exchange) continue;
      EXPECT_NE(study::default_algorithm(network, info.operation), "")
          << network.name() << " " << name_of(info.operation);
    }
}

}  // namespace
}  // namespace lockstep
