// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchanges in Eisenstein-Jacobi networks, run through the catalogue and held against known
/// figures.
///
///     for_each_ej_row("ej/total_exchange.csv", {1, 2'000'000}, [](const GoldenRow& row) {
///       expect_steps(ej_topology(row), "node-invariant", row.number("single_port_steps"));
///     });

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "support/ej_golden.hpp"

namespace lockstep::test {

[[nodiscard]] inline std::unique_ptr<PreparedRun> prepared(const std::string& topology,
                                                           const std::string& algorithm) {
  RunRequest request{.topology = topology, .algorithm = algorithm};
  request.block_bytes = 8;
  request.executor = ExecutorKind::serial;
  return prepare(request);
}

/// All delivered, as promised, one block in every message.
inline RunResult expect_steps(const std::string& topology, const std::string& algorithm,
                              std::uint64_t steps) {
  SCOPED_TRACE(topology + " " + algorithm);
  RunResult result = prepared(topology, algorithm)->execute();
  const std::uint64_t nodes = result.forecast.nodes;
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.judgement.promises.kept());
  EXPECT_EQ(result.judgement.deliveries.tally.verified, nodes * (nodes - 1));
  EXPECT_EQ(result.record.steps, steps);
  EXPECT_EQ(result.record.startups, steps);
  EXPECT_EQ(result.record.message_times, steps);
  EXPECT_EQ(result.record.largest_message_blocks, 1U);
  return result;
}

/// From `least` to `most` messages of an exchange, a processor's own counted.
struct MessageRange {
  std::uint64_t least;
  std::uint64_t most;
};

/// The rows of networks of that size; how many there are.
template <class Expect>
std::size_t for_each_ej_row(const std::string& file, MessageRange range, Expect expect) {
  std::size_t rows = 0;
  for (const GoldenRow& row : golden(file)) {
    const std::uint64_t nodes = make_topology(ej_topology(row)).node_count();
    if (nodes > range.most / nodes || nodes * nodes < range.least) continue;
    expect(row);
    ++rows;
  }
  return rows;
}

[[nodiscard]] inline std::uint64_t bound_of(const RunResult& result) {
  return result.forecast.lower_bound->undivided.message_times.rounded_up();
}

}  // namespace lockstep::test
