// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Runs of the star graph's algorithms, every byte verified, and what their records say.
///
///     const Settings settings{{"k", Numbers{3}}};
///     const RunResult result = run_on_star(5, Operation::total_exchange, "packing", settings);
///     expect_counted(result, {.startups = 229, .message_times = 474});
///     steps_of(result.record).digest();

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/golden.hpp"

namespace lockstep::test {

/// The one place that knows how an algorithm is run.
inline RunResult run_on_star(std::size_t n, Operation operation, const std::string& algorithm,
                             Settings settings = {}) {
  RunRequest request;
  request.topology = "star:" + std::to_string(n);
  request.operation = operation;
  request.algorithm = algorithm;
  request.settings = std::move(settings);
  request.block_bytes = n <= 6 ? 8 : 1;  // short: 25 million blocks on S_7
  request.executor = ExecutorKind::serial;
  request.keep_series = true;
  return prepare(request)->execute();
}

/// Delivered byte for byte, legal, and at the promised cost, which is the given one.
inline void expect_counted(const RunResult& result, const Cost& cost) {
  EXPECT_TRUE(result.judgement.deliveries.complete())
      << result.judgement.deliveries.missing << " missing";
  EXPECT_TRUE(result.record.legal());
  EXPECT_EQ(result.cost, cost);
  EXPECT_EQ(result.record.series.size(), result.record.steps);
  EXPECT_TRUE(result.judgement.promises.kept());
  for (const BrokenPromise& broken : result.judgement.promises.broken)
    ADD_FAILURE() << broken.sentence();
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
    const bool uniform = std::has_single_bit(step.ports_used) &&
                         step.senders == record.processors && step.receivers == record.processors &&
                         step.blocks == step.messages * step.largest_message_blocks;
    EXPECT_TRUE(uniform) << "step " << step.step;
    if (!uniform) break;
    steps.dimensions.push_back(
        StarGraph::to_paper_dimension(port(std::countr_zero(step.ports_used))));
    steps.blocks.push_back(step.largest_message_blocks);
  }
  return steps;
}

/// {5, 3, 1} is --k 3, {5, 1} is --k 1.
inline Settings settings_of(const std::vector<std::uint64_t>& chain) {
  Numbers factors;
  for (std::size_t t = 1; t < chain.size(); ++t)
    if (chain[t] > 1 || chain.size() == 2) factors.push_back(chain[t]);
  return {{"k", factors}};
}

}  // namespace lockstep::test
