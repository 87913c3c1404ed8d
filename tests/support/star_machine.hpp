// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The star paper's figures, counted by the machine: every expect_* runs the algorithm with every
/// byte verified and holds the record against the golden tables of an independent program.
///
///     expect_packing_counts(5);    // all chains of S_5 in the tables: costs and schedules

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/executors.hpp"
#include "support/golden.hpp"

namespace lockstep::test {

/// The one place that knows how an algorithm is run.
inline RunResult run_on_star(std::size_t n, Operation operation, const std::string& algorithm,
                             AlgorithmParameters parameters = {}) {
  RunRequest request;
  request.topology = "star:" + std::to_string(n);
  request.operation = operation;
  request.algorithm = algorithm;
  request.parameters = std::move(parameters);
  request.block_bytes = 8;
  request.workers = 2;
  request.executor = executor_kind();
  request.keep_series = true;
  return prepare(request)->execute();
}

/// Delivered byte for byte, legal, and at the promised cost, which is the given one.
inline void expect_counted(const RunResult& result, const Promise& cost) {
  EXPECT_TRUE(result.verdict.complete()) << result.verdict.missing << " missing";
  EXPECT_TRUE(result.record.legal());
  EXPECT_EQ((Promise{result.record.startups, result.record.message_times}), cost);
  EXPECT_EQ(result.record.series.size(), result.record.steps);
  EXPECT_TRUE(result.promises.kept());
  for (const BrokenPromise& broken : result.promises.broken) ADD_FAILURE() << broken.sentence();
}

/// Per step, the one dimension that all processors sent through, and the blocks of a message.
struct CountedSteps {
  std::vector<std::uint64_t> dimensions;
  std::vector<std::uint64_t> blocks;

  [[nodiscard]] std::uint64_t digest() const {
    Fnv1a digest;
    for (std::size_t t = 0; t < dimensions.size(); ++t) {
      digest.byte(dimensions[t]);
      digest.little_endian_32(blocks[t]);
    }
    return digest.value();
  }
};

/// Fails unless all processors used one dimension, and messages of one size, in every step.
inline CountedSteps steps_of(const RunRecord& record) {
  CountedSteps steps;
  for (const StepRecord& step : record.series) {
    EXPECT_TRUE(std::has_single_bit(step.ports_used)) << "step " << step.step;
    EXPECT_EQ(step.senders, record.processors) << "step " << step.step;
    EXPECT_EQ(step.receivers, record.processors) << "step " << step.step;
    EXPECT_EQ(step.blocks, step.messages * step.largest_message_blocks) << "step " << step.step;
    steps.dimensions.push_back(
        StarGraph::to_paper_dimension(port(std::countr_zero(step.ports_used))));
    steps.blocks.push_back(step.largest_message_blocks);
    if (testing::Test::HasFailure()) break;
  }
  return steps;
}

/// {5, 3, 1} is --k 3, {5, 1} is --k 1.
inline AlgorithmParameters parameters_of(const std::vector<std::uint64_t>& chain) {
  AlgorithmParameters parameters;
  for (std::size_t t = 1; t < chain.size(); ++t)
    if (chain[t] > 1 || chain.size() == 2) parameters.k.push_back(chain[t]);
  return parameters;
}

/// What the tables know of one chain.
struct ChainFigures {
  std::optional<Promise> cost{};
  std::optional<std::uint64_t> digest{};
};

inline std::map<std::vector<std::uint64_t>, ChainFigures> chains_of(std::size_t n) {
  std::map<std::vector<std::uint64_t>, ChainFigures> chains;
  for (const GoldenRow& row : golden("star/packing_costs.csv"))
    if (row.numbers("chain").front() == n)
      chains[row.numbers("chain")].cost = {row.number("startups"), row.number("message_times")};
  for (const GoldenRow& row : golden("star/packing_schedules.csv"))
    if (row.numbers("chain").front() == n) {
      chains[row.numbers("chain")].cost = {row.number("steps"), row.number("units")};
      chains[row.numbers("chain")].digest = row.digest("fnv1a64");
    }
  return chains;
}

/// Every chain of the tables: T(n, k), longer chains, and the digest of the schedule where one is
/// known. Returns how many.
inline std::size_t expect_packing_counts(std::size_t n) {
  const auto chains = chains_of(n);
  for (const auto& [chain, figures] : chains) {
    SCOPED_TRACE("chain " + testing::PrintToString(chain));
    const RunResult result =
        run_on_star(n, Operation::total_exchange, "packing", parameters_of(chain));
    expect_counted(result, figures.cost.value());
    const CountedSteps steps = steps_of(result.record);
    if (figures.digest.has_value()) {
      EXPECT_EQ(steps.digest(), *figures.digest);
    }
  }
  return chains.size();
}

/// Batches of k! packets, for every k of the tables but 1: a batch of one is no batch.
inline std::size_t expect_batched_counts(std::size_t n) {
  std::size_t rows = 0;
  for (const GoldenRow& row : golden("star/batched_costs.csv")) {
    const std::size_t k = row.number("k");
    if (row.number("n") != n || k == 1) continue;
    SCOPED_TRACE("k = " + std::to_string(k));
    const RunResult result =
        run_on_star(n, Operation::total_exchange, "packing", {.k = {k}, .batch = factorial(k)});
    expect_counted(result, {row.number("startups"), row.number("message_times")});
    std::uint64_t largest = 0;
    for (const StepRecord& step : result.record.series)
      largest = std::max(largest, step.largest_message_blocks);
    EXPECT_EQ(largest, factorial(k)) << "no packet larger than without batches";
    ++rows;
  }
  return rows;
}

inline std::size_t expect_levelwise_counts(std::size_t n) {
  std::size_t rows = 0;
  for (const GoldenRow& row : golden("star/bounds_and_levelwise.csv")) {
    if (row.number("n") != n) continue;
    const RunResult exchange = run_on_star(n, Operation::total_exchange, "levelwise");
    expect_counted(exchange,
                   {row.number("exchange_startups"), row.number("exchange_message_times")});
    EXPECT_EQ(exchange.estimate.lower_bound,
              (LowerBound{row.number("least_startups"), row.number("least_message_times")}));
    expect_counted(run_on_star(n, Operation::all_gather, "levelwise"),
                   {row.number("all_gather_startups"), row.number("all_gather_message_times")});
    ++rows;
  }
  return rows;
}

/// The mesh and the ring.
inline std::size_t expect_all_gather_counts(std::size_t n) {
  std::size_t rows = 0;
  for (const GoldenRow& row : golden("star/all_gather_costs.csv")) {
    if (row.number("n") != n) continue;
    expect_counted(run_on_star(n, Operation::all_gather, "mesh"),
                   {row.number("mesh_startups"), row.number("mesh_message_times")});
    expect_counted(run_on_star(n, Operation::all_gather, "hamiltonian-ring"),
                   {row.number("ring_startups"), row.number("ring_message_times")});
    ++rows;
  }
  return rows;
}

/// The senders in the traversals of the mesh's column exchange: 3 per propagation, n - 1
/// propagations in the positive direction, then as many in the negative one.
inline std::size_t expect_column_exchange_senders(std::size_t n) {
  std::vector<std::uint64_t> expected;
  for (const GoldenRow& row : golden("star/mesh_column_exchange.csv")) {
    if (row.number("n") != n) continue;
    for (const char* traversal : {"first", "second", "third"})
      expected.push_back(row.number(traversal));
  }
  if (expected.empty()) return 0;
  const RunResult result = run_on_star(n, Operation::all_gather, "mesh");
  EXPECT_EQ(expected.size(), 6 * (n - 1));
  for (std::size_t t = 0; t < expected.size(); ++t) {
    EXPECT_EQ(result.record.series.at(t).senders, expected[t]) << "traversal " << t;
    EXPECT_EQ(result.record.series.at(t).messages, expected[t]) << "traversal " << t;
    EXPECT_EQ(result.record.series.at(t).largest_message_blocks, 1U) << "traversal " << t;
  }
  return expected.size();
}

}  // namespace lockstep::test
