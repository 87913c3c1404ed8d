// SPDX-License-Identifier: Apache-2.0

/// `reproduce torus`: its rows against figures of an independent simulation, typed.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/golden.hpp"
#include "support/papers.hpp"

namespace lockstep::test {
namespace {

using papers::PaperRow;
using papers::PaperRows;

/// The row of that network and column, of the table of `aggregation`.
const PaperRow& entry_of(const PaperRows& rows, const GoldenRow& expected) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const PaperRow& row) {
    return row.n == expected.number("n") && row.curve == expected.text("load") &&
           row.where.find("aggregation-plus") == std::string::npos;
  });
  EXPECT_NE(found, rows.end()) << expected.text("n") << ", " << expected.text("load");
  return *found;
}

/// The simulation charges a whole packet for the last one too, which the machine counts as long as
/// it is: up to 5 percent between the two; its figures have two digits.
TEST(TorusPaper, CrossoversAreThoseOfTheSimulation) {
  constexpr double least = 0.95;
  constexpr double most = 1.06;
  const PaperRows rows = part("torus", "crossovers");
  for (const GoldenRow& row : golden("torus/choices.csv")) {
    const double ours = std::stod(entry_of(rows, row).ours);
    const double theirs = std::stod(row.text("crossover"));
    EXPECT_GE(ours, least * theirs) << row.text("n") << ", " << row.text("load");
    EXPECT_LE(ours, most * theirs) << row.text("n") << ", " << row.text("load");
  }
}

TEST(TorusPaper, BestSubtoriAreThoseOfTheSimulation) {
  const PaperRows rows = part("torus", "best h");
  for (const GoldenRow& row : golden("torus/choices.csv"))
    if (!row.text("best_h").empty()) {
      EXPECT_EQ(entry_of(rows, row).ours, row.text("best_h"))
          << row.text("n") << ", " << row.text("load");
    }
}

}  // namespace
}  // namespace lockstep::test
