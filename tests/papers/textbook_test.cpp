// SPDX-License-Identifier: Apache-2.0

/// Published costs of textbook algorithms under one port, counted by the machine:
/// golden/textbook/costs.csv, computed by an independent simulator, and closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "support/golden.hpp"

namespace lockstep {
namespace {

/// Of a verified run, which also agrees with what the algorithm predicts.
[[nodiscard]] Cost textbook_cost(std::string network, const std::string& operation,
                                 const std::string& algorithm) {
  std::ranges::replace(network, ';', ',');
  const RunRequest request{.topology = network,
                           .operation = parse_operation(operation),
                           .algorithm = algorithm,
                           .port_model = port_models::single_port,
                           .block_bytes = 8,
                           .executor = ExecutorKind::serial};
  const RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok()) << result.judgement.sentence;
  return {result.record.startups, result.record.message_times};
}
[[nodiscard]] Cost textbook_cost(const std::string& family, std::uint64_t n,
                                 const std::string& operation, const std::string& algorithm) {
  return textbook_cost(family + ":" + std::to_string(n), operation, algorithm);
}

TEST(Textbook, CostsAreThePublishedOnes) {
  for (const test::GoldenRow& row : test::golden("textbook/costs.csv")) {
    SCOPED_TRACE(row.text("topology") + " " + row.text("operation") + ", " + row.text("where"));
    EXPECT_EQ(textbook_cost(row.text("topology"), row.text("operation"), row.text("algorithm")),
              (Cost{row.number("startups"), row.number("message_times")}));
  }
}

TEST(Textbook, CompleteGraphsOfAnyNumberOfNodes) {
  for (std::uint64_t n = 2; n <= 33; ++n) {
    SCOPED_TRACE(n);
    const Cost least{static_cast<std::uint64_t>(std::bit_width(n - 1)), n - 1};
    EXPECT_EQ(textbook_cost("complete", n, "all-gather", "bruck"), least);
    EXPECT_EQ(textbook_cost("complete", n, "scatter", "bundled-matching"), least);
    EXPECT_EQ(textbook_cost("complete", n, "gather", "bundled-matching"), least);
  }
}

TEST(Textbook, HypercubesExchangeByDimensions) {
  for (std::uint64_t d = 2; d <= 8; ++d) {
    const std::uint64_t nodes = std::uint64_t{1} << d;
    EXPECT_EQ(textbook_cost("hypercube", d, "total-exchange", "by-dimensions"),
              (Cost{d, d * nodes / 2}));
    EXPECT_EQ(textbook_cost("hypercube", d, "scatter", "bundled-matching"), (Cost{d, nodes - 1}));
  }
}

}  // namespace
}  // namespace lockstep
