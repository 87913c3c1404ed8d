// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Operations on fat trees held against figures of an independent simulation
/// (golden/fattree/operations.csv).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "support/golden.hpp"

namespace lockstep::test {

/// The test fat_tree_operations_large_test takes care of longer ones.
inline constexpr std::uint64_t hops_of_a_short_run = 10'000;

inline RunRequest request_of_fat_tree(const GoldenRow& row) {
  const std::string& capacities = row.text("capacities");
  RunRequest request{.topology = fmt::format("fat-tree:{}{}{}", row.text("arities"),
                                             capacities.empty() ? "" : ",", capacities),
                     .operation = parse_operation(row.text("operation")),
                     .algorithm = row.text("algorithm"),
                     .block_bytes = 8,
                     .executor = ExecutorKind::serial};
  if (!row.text("root").empty()) request.settings["root"] = row.number("root");
  if (!row.text("pipelined").empty()) request.settings["pipelined"] = row.text("pipelined");
  return request;
}

/// One figure of every level, where the simulation has it.
inline void expect_queues(const GoldenRow& row, const std::string& column,
                          const std::vector<LevelQueues>& queues,
                          std::uint64_t LevelQueues::*figure) {
  const std::vector<std::uint64_t> expected = row.numbers(column);
  if (expected.empty()) return;
  std::vector<std::uint64_t> measured;
  for (const LevelQueues& level : queues) measured.push_back(level.*figure);
  EXPECT_EQ(measured, expected) << column;
}

/// By level of branches the most messages of one in a step and direction.
inline std::vector<std::uint64_t> peaks_of(const SendTrace& trace, const FatTree& tree) {
  std::map<std::tuple<std::uint64_t, NodeId, NodeId>, std::uint64_t> carried;
  std::vector<std::uint64_t> peaks(tree.height());
  for (const SendEvent& event : trace) {
    std::uint64_t& peak =
        peaks[std::max(tree.place(event.sender).level, tree.place(event.receiver).level) - 1];
    peak = std::max(peak, ++carried[{event.step, event.sender, event.receiver}]);
  }
  return peaks;
}

/// By leaf the step, from 1, in which it last received; 0: never.
inline std::vector<std::uint64_t> arrivals_of(const SendTrace& trace, const FatTree& tree) {
  std::vector<std::uint64_t> steps(tree.processor_count());
  for (const SendEvent& event : trace)
    if (index(event.receiver) < steps.size()) steps[index(event.receiver)] = event.step + 1;
  return steps;
}

/// Runs the row, and holds all that the machine counts against it.
inline void expect_fat_tree_row(const GoldenRow& row) {
  const RunRequest request = request_of_fat_tree(row);
  SCOPED_TRACE(fmt::format("{} {} {}", request.topology.name(), row.text("operation"),
                           row.text("algorithm") + row.text("pipelined")));
  const bool traced = !row.text("peak").empty() || !row.text("arrivals").empty();
  SendTrace trace;
  const auto run = prepare(request);
  const RunResult result = run->execute({.trace = traced ? &trace : nullptr});
  EXPECT_TRUE(result.ok()) << result.judgement.sentence;
  EXPECT_EQ(result.record.steps, row.number("steps"));
  EXPECT_EQ(result.cost, (Cost{row.number("steps"), row.number("steps")}));
  EXPECT_EQ(result.record.hops, row.number("hops"));
  ASSERT_TRUE(run->forecast().lower_bound);
  EXPECT_EQ(run->forecast().lower_bound->undivided.message_times,
            Fraction(row.number("lower_bound")));
  const std::vector<LevelQueues>& queues = result.record.queues;
  expect_queues(row, "held", queues, &LevelQueues::held);
  expect_queues(row, "wait_up", queues, &LevelQueues::wait_up);
  expect_queues(row, "wait_down", queues, &LevelQueues::wait_down);
  if (!row.text("per_branch").empty()) {
    std::uint64_t most = 0;
    for (const LevelQueues& level : queues) most = std::max(most, level.per_branch);
    EXPECT_EQ(most, row.number("per_branch"));
  }
  const FatTree& tree = *request.topology.as<FatTree>();
  if (!row.text("peak").empty()) {
    EXPECT_EQ(peaks_of(trace, tree), row.numbers("peak"));
  }
  if (!row.text("arrivals").empty()) {
    EXPECT_EQ(arrivals_of(trace, tree), row.numbers("arrivals"));
  }
}

}  // namespace lockstep::test
