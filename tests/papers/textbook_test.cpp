// SPDX-License-Identifier: Apache-2.0

/// Published costs of textbook algorithms, counted by the machine:
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

struct TextbookCase {
  std::string network;
  std::string operation;
  std::string algorithm;
  std::string ports = "single-port";
  std::uint64_t root = 0;
  std::uint64_t parts = 0;  // 0: as the algorithm says
};

/// The cost of a verified run, which also agrees with what the algorithm predicts; in whole blocks.
[[nodiscard]] Cost textbook_cost(TextbookCase made) {
  std::ranges::replace(made.network, ';', ',');
  RunRequest request{
      .topology = made.network,
      .operation = parse_operation(made.operation),
      .algorithm = made.algorithm,
      .port_model = *std::ranges::find(port_models::all, made.ports, &PortModel::name),
      .block_bytes = 512,
      .executor = ExecutorKind::serial};
  if (has_root(request.operation)) request.settings["root"] = made.root;
  if (made.parts != 0) request.settings["parts"] = made.parts;
  const RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok()) << result.judgement.sentence;
  return result.cost;
}
[[nodiscard]] Cost textbook_cost(const std::string& family, std::uint64_t n,
                                 const std::string& operation, const std::string& algorithm) {
  return textbook_cost({family + ":" + std::to_string(n), operation, algorithm});
}

/// "7/4"
[[nodiscard]] Fraction fraction_of(const std::string& text) {
  const std::size_t bar = text.find('/');
  return {std::stoull(text), bar == text.npos ? 1 : std::stoull(text.substr(bar + 1))};
}

TEST(Textbook, CostsAreAtMostThePublishedOnes) {
  for (const test::GoldenRow& row : test::golden("textbook/costs.csv")) {
    SCOPED_TRACE(row.text("topology") + " " + row.text("operation") + ", " + row.text("where"));
    const Cost cost =
        textbook_cost({row.text("topology"), row.text("operation"), row.text("algorithm"),
                       row.text("port_model"), row.number("root"), row.number("parts")});
    EXPECT_LE(cost.startups, row.number("startups"));
    EXPECT_LE(cost.message_times, fraction_of(row.text("message_times")));
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

TEST(Textbook, ShortestPathsShareTheLoad) {
  const auto all_port = [](const char* network, const char* operation, const char* algorithm) {
    return textbook_cost({network, operation, algorithm, "all-port"});
  };
  EXPECT_EQ(all_port("star:4", "total-exchange", "balanced-paths"), (Cost{4, 22}));
  EXPECT_EQ(all_port("star:4", "all-gather", "balanced-paths"), (Cost{4, 8}));
  EXPECT_EQ(all_port("mesh:4x5", "all-gather", "balanced-paths"), (Cost{7, 11}));
  EXPECT_EQ(all_port("mesh:4x5", "reduce-scatter", "shortest-paths"), (Cost{7, 11}));
}

/// All parts of a block over k trees of height h: ceil(P/k) - 1 + h steps.
TEST(Textbook, ArcDisjointTreesAreLow) {
  const auto height = [](const std::string& network, std::uint64_t trees) {
    return textbook_cost({network, "broadcast", "arc-disjoint-trees", "all-port", 0, trees})
        .startups;
  };
  EXPECT_EQ(height("torus:5x5", 4), 6);
  EXPECT_EQ(height("torus:8x8", 4), 9);  // the diameter and one more
  EXPECT_EQ(height("torus:3x3x3", 6), 4);
}

}  // namespace
}  // namespace lockstep
