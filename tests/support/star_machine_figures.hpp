// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The star paper's figures, counted by the machine: every expect_* runs the algorithm with every
/// byte verified and holds the record against the golden tables of an independent program. Each
/// returns how many rows of the tables it found for S_n, so that an empty table is noticed.
///
///     EXPECT_EQ(expect_packing_counts(5), 6U);    // all chains of S_5 in the tables

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/permutation.hpp"
#include "support/golden.hpp"
#include "support/star_runs.hpp"

namespace lockstep::test {

/// The figures of one chain in the tables.
struct ChainFigures {
  std::optional<Cost> cost{};
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

/// The chains of the tables with so many levels: T(n, k) has one (k = 1) or two. Costs, and the
/// digest of the schedule where one is known.
inline std::size_t expect_packing_counts(std::size_t n, std::size_t least_levels = 1,
                                         std::size_t most_levels = 12) {
  std::size_t rows = 0;
  for (const auto& [chain, figures] : chains_of(n)) {
    const std::size_t levels = chain.size() - 1;
    if (levels < least_levels || levels > most_levels) continue;
    SCOPED_TRACE("chain " + testing::PrintToString(chain));
    const RunResult result =
        run_on_star(n, Operation::total_exchange, "packing", settings_of(chain));
    expect_counted(result, figures.cost.value());
    const CountedSteps steps = steps_of(result.record);
    if (figures.digest.has_value()) {
      EXPECT_EQ(steps.digest(), *figures.digest);
    }
    ++rows;
  }
  return rows;
}

/// Batches of k! packets, or of all where there are fewer; for every k of the tables but 1, where a
/// batch of one is no batch.
inline std::size_t expect_batched_counts(std::size_t n) {
  std::size_t rows = 0;
  for (const GoldenRow& row : golden("star/batched_costs.csv")) {
    const std::size_t k = row.number("k");
    if (row.number("n") != n || k == 1) continue;
    SCOPED_TRACE("k = " + std::to_string(k));
    const std::uint64_t packets = factorial(n) / factorial(k);
    const RunResult result =
        run_on_star(n, Operation::total_exchange, "packing",
                    {{"k", Numbers{k}}, {"batch", std::min(factorial(k), packets)}});
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
    // That of start-ups may be stronger than ceil(log2 n!): a broadcast needs more.
    EXPECT_GE(exchange.forecast.lower_bound->undivided.startups, row.number("least_startups"));
    EXPECT_EQ(exchange.forecast.lower_bound->undivided.message_times,
              Fraction(row.number("least_message_times")));
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
