// SPDX-License-Identifier: Apache-2.0
/// The largest all-gathers that a machine of some gigabytes can be asked for: 13.8 and 47 million
/// blocks, each delivered and checked.

#include <gtest/gtest.h>

#include "support/ej_gathers.hpp"

namespace lockstep::test {
namespace {

struct Figures {
  std::uint64_t steps;
  std::uint64_t message_times;
  std::uint64_t received;  ///< by each processor
};

void expect_figures(const std::string& topology, const std::string& algorithm,
                    const Figures& expected) {
  SCOPED_TRACE(topology + " " + algorithm);
  RunRequest request = ej_request(topology, algorithm);
  request.block_bytes = 1;
  const RunResult result = prepare(request)->execute();
  const std::uint64_t nodes = result.record.nodes;
  EXPECT_TRUE(result.record.legal() && result.judgement.promises.kept());
  EXPECT_EQ(result.record.steps, expected.steps);
  EXPECT_EQ(result.cost.message_times, expected.message_times);
  EXPECT_EQ(result.judgement.deliveries.tally.verified, nodes * expected.received);
  EXPECT_EQ(result.ok(), expected.received == nodes - 1);
}

/// D = 4, N = 61.
TEST(EjAllGatherLarge, HasTheFiguresOfTheFormulasIn3721Processors) {
  expect_figures("ej:4+5^2", "three-phase", {24, 630, 1320});
  expect_figures("ej:4+5^2", "three-phase-complete", {24, 1230, 3720});
  expect_figures("ej:4+5^2", "two-substep", {16, 1220, 3720});
  expect_figures("ej:4+5^2", "rotated", {16, 620, 3720});
  expect_figures("ej:4+5^2", "greedy-half-duplex", {620, 620, 3720});
  expect_figures("ej:4+5^2", "greedy", {310, 310, 3720});
}

/// D = 2, N = 19, three dimensions.
TEST(EjAllGatherLarge, HasTheFiguresOfTheFormulasIn6859Processors) {
  expect_figures("ej:2+3^3", "three-phase", {18, 441, 1026});
  expect_figures("ej:2+3^3", "three-phase-complete", {18, 1737, 6858});
  expect_figures("ej:2+3^3", "two-substep", {12, 2166, 6858});
  expect_figures("ej:2+3^3", "rotated", {12, 762, 6858});
  expect_figures("ej:2+3^3", "greedy", {381, 381, 6858});
}

}  // namespace
}  // namespace lockstep::test
