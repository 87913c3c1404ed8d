// SPDX-License-Identifier: Apache-2.0

/// The gap between the best time and its lower bound, against golden/textbook/gaps.csv: no cell may
/// grow. `tools/golden gaps` writes the file again where cells have become smaller.

#include "study/gap.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/golden.hpp"

namespace lockstep {
namespace {

using study::GapCell;

/// A line of the file and its column: "ring:12 scatter single-port 0.01".
[[nodiscard]] std::string place_of(const std::string& network, const std::string& operation,
                                   const std::string& port_model, const std::string& ratio) {
  return fmt::format("{} {} {} {}", network, operation, port_model, ratio);
}

/// Infinite where there is no algorithm, or no bound.
using Gaps = std::map<std::string, double>;
constexpr double no_algorithm_known = std::numeric_limits<double>::infinity();

struct GoldenGaps {
  std::vector<AnyTopology> networks{};
  Gaps gaps{};
};

[[nodiscard]] GoldenGaps golden_gaps() {
  GoldenGaps golden;
  std::set<std::string> known;
  for (const test::GoldenRow& row : test::golden("textbook/gaps.csv")) {
    std::string network = row.text("topology");
    std::ranges::replace(network, ';', ',');
    if (known.insert(network).second) golden.networks.emplace_back(network);
    for (const study::NamedRatio& ratio : study::gap_ratios) {
      const std::string& text = row.text(std::string(ratio.text));
      golden.gaps[place_of(network, row.text("operation"), row.text("port_model"),
                           std::string(ratio.text))] =
          text == "none" ? no_algorithm_known : std::stod(text);
    }
  }
  return golden;
}

[[nodiscard]] Gaps gaps_in(const std::vector<GapCell>& cells) {
  Gaps gaps;
  for (const GapCell& cell : cells)
    gaps[place_of(cell.topology, std::string(name_of(cell.operation)), cell.port_model,
                  std::string(cell.ratio.text))] = cell.over_bound().value_or(no_algorithm_known);
  return gaps;
}

struct Changes {
  std::vector<std::string> errors{};   ///< larger cells, and cells that only one side has
  std::vector<std::string> smaller{};  ///< places
};

/// The file has four decimals, rounded up.
[[nodiscard]] Changes changes_of(const Gaps& now, const Gaps& golden) {
  constexpr double last_decimal = 1e-4;
  constexpr double rounding = 1e-9;
  Changes changes;
  for (const auto& [place, gap] : now) {
    const auto before = golden.find(place);
    if (before == golden.end())
      changes.errors.push_back(fmt::format("{}: not in the file", place));
    else if (gap > before->second * (1 + rounding))
      changes.errors.push_back(fmt::format("{}: {:.6g} > {:g}", place, gap, before->second));
    else if (gap < before->second - last_decimal)
      changes.smaller.push_back(place);
  }
  for (const auto& [place, gap] : golden)
    if (!now.contains(place)) changes.errors.push_back(fmt::format("{}: not in the matrix", place));
  return changes;
}

TEST(Gap, DoesNotGrow) {
  const GoldenGaps golden = golden_gaps();
  const std::vector<GapCell> cells = study::gap_matrix(golden.networks, std::nullopt, {});
  const Changes changes = changes_of(gaps_in(cells), golden.gaps);
  for (const std::string& error : changes.errors) ADD_FAILURE() << error;
  for (const GapCell& cell : cells)
    EXPECT_EQ(cell.reason.empty(), cell.over_bound() <= study::large_gap)
        << cell.topology << ' ' << name_of(cell.operation) << ' ' << cell.reason;
  if (!changes.smaller.empty())
    fmt::print("{} cells are smaller, such as {}: run `tools/golden gaps`\n",
               changes.smaller.size(), changes.smaller.front());
}

TEST(Gap, GrowthIsFound) {
  const Gaps golden = gaps_in(study::gap_matrix({"ring:5"}, Operation::scatter, {}));
  ASSERT_EQ(golden.size(), study::gap_models.size() * study::gap_ratios.size());
  EXPECT_TRUE(changes_of(golden, golden).errors.empty());
  Gaps now = golden;
  now.begin()->second *= 1.001;
  EXPECT_EQ(changes_of(now, golden).errors.size(), 1U);
  now.begin()->second = no_algorithm_known;
  EXPECT_EQ(changes_of(now, golden).errors.size(), 1U);
  now.begin()->second = golden.begin()->second * 0.9;
  EXPECT_TRUE(changes_of(now, golden).errors.empty());
  EXPECT_EQ(changes_of(now, golden).smaller.size(), 1U);
  now.erase(now.begin());
  EXPECT_EQ(changes_of(now, golden).errors.size(), 1U);
  EXPECT_EQ(changes_of(golden, now).errors.size(), 1U);
}

TEST(Gap, IsThatOfTheFastestAlgorithm) {
  for (const GapCell& cell : study::gap_matrix({"hypercube:3"}, Operation::total_exchange, {})) {
    SCOPED_TRACE(fmt::format("{} {}", cell.port_model, cell.ratio.text));
    RunRequest request{.topology = cell.topology,
                       .operation = cell.operation,
                       .costs = {.t_s = cell.ratio.value(), .t_m = 1},
                       .block_bytes = study::gap_block_bytes};
    for (const PortModel& model : study::gap_models)
      if (model.name == cell.port_model) request.port_model = model;
    const auto run = prepare(request);
    const RunForecast& forecast = run->forecast();
    EXPECT_EQ(*forecast.predicted_charge(), cell.charged);
    const double bound = least_time(*forecast.lower_bound, request.costs);
    EXPECT_DOUBLE_EQ(*cell.over_bound(), cell.time / bound);
    EXPECT_EQ(cell.optimal, std::abs(cell.time - bound) < 1e-9 * bound);
  }
}

}  // namespace
}  // namespace lockstep
