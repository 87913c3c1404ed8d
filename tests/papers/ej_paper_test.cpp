// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, one-to-all broadcasting in Eisenstein-Jacobi networks: every printed table
/// and the series of the figures, ours beside printed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "report/quantities.hpp"
#include "support/ej_golden.hpp"
#include "support/papers.hpp"

namespace lockstep {
namespace {

using papers::PaperRow;
using test::golden;
using test::GoldenRow;
using test::part;

/// The one row of a table with that quantity in that step, or of that n.
PaperRow found(const std::vector<PaperRow>& rows, const std::string& quantity, std::size_t step,
               std::size_t n) {
  std::vector<PaperRow> fitting;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(fitting), [&](const PaperRow& row) {
    return row.quantity == quantity && row.step == step && row.n == n;
  });
  EXPECT_EQ(fitting.size(), 1U) << quantity << ", step " << step << ", n = " << n;
  return fitting.empty() ? PaperRow{} : fitting.front();
}

std::string without_commas(std::string count) {
  count.erase(std::remove(count.begin(), count.end(), ','), count.end());
  return count;
}

void expect_printed_and_same(const PaperRow& row, std::uint64_t printed) {
  EXPECT_EQ(row.printed, report::count_text(printed));
  EXPECT_EQ(row.ours, row.printed);
  EXPECT_TRUE(row.agrees());
}

TEST(EjPaperTables, OneAndTwo) {
  std::vector<std::size_t> compared(3);
  for (const GoldenRow& row : golden("papers/ej/steps.csv")) {
    const auto table = static_cast<unsigned>(row.number("table"));
    const std::vector<PaperRow> rows = part("ej", "Table", table);
    const std::size_t step = row.number("step");
    ++compared[table];
    expect_printed_and_same(found(rows, "free", step, 3), row.number("free"));
    expect_printed_and_same(found(rows, "senders", step, 3), row.number("sending"));
    expect_printed_and_same(found(rows, "receivers", step, 3), row.number("receiving"));
    expect_printed_and_same(found(rows, "active", step, 3), row.number("active"));
  }
  EXPECT_EQ(compared, (std::vector<std::size_t>{0, 9, 9}));
}

TEST(EjPaperTables, Three) {
  const std::vector<PaperRow> rows = part("ej", "Table 3");
  for (const GoldenRow& row : golden("papers/ej/senders.csv")) {
    const std::size_t n = row.number("n");
    expect_printed_and_same(found(rows, "iterative: total senders", 0, n), row.number("previous"));
    expect_printed_and_same(found(rows, "improved: total senders", 0, n), row.number("proposed"));
    expect_printed_and_same(found(rows, "difference", 0, n), row.number("difference"));
    const PaperRow ratio = found(rows, "iterative / improved", 0, n);
    EXPECT_EQ(ratio.printed, row.text("ratio"));
    EXPECT_TRUE(ratio.agrees()) << ratio.ours;
  }
}

/// The figures of an independent program for the pictures that show averages.
TEST(EjPaperFigures, NineteenToTwentyOne) {
  const std::vector<const char*> columns{"senders", "receivers", "active"};
  for (unsigned i = 0; i < columns.size(); ++i) {
    const std::vector<PaperRow> rows = part("ej", "Figure", 19 + i);
    for (const GoldenRow& row : golden("ej/averages.csv")) {
      const auto point = std::find_if(rows.begin(), rows.end(), [&](const PaperRow& r) {
        return r.curve == row.text("algorithm") && r.step == row.number("step");
      });
      ASSERT_NE(point, rows.end());
      EXPECT_EQ(without_commas(point->ours), row.text(columns[i]))
          << point->curve << ", step " << point->step;
    }
  }
}

TEST(EjPaperFigures, FifteenToEighteenAreTheTables) {
  const std::vector<const char*> quantities{"senders", "receivers", "free", "active"};
  for (unsigned i = 0; i < quantities.size(); ++i)
    for (const PaperRow& point : part("ej", "Figure", 15 + i)) {
      const PaperRow cell = found(part("ej", "Table", point.curve == "iterative" ? 1 : 2),
                                  quantities[i], point.step, 3);
      EXPECT_EQ(point.ours, cell.printed);
    }
}

TEST(EjPaperFigures, TwentyTwoSumsUpToTableThree) {
  const std::vector<PaperRow> rows = part("ej", "Figure 22");
  for (const GoldenRow& row : golden("papers/ej/senders.csv")) {
    const std::uint64_t n = row.number("n");
    if (n < 4) continue;
    for (const auto& [curve, column] :
         {std::pair{"iterative", "previous"}, std::pair{"improved", "proposed"}}) {
      double sum = 0;
      for (const PaperRow& point : rows)
        if (point.n == n && point.curve == curve + (", n = " + std::to_string(n)))
          sum += std::stod(without_commas(point.ours));
      EXPECT_EQ(static_cast<std::uint64_t>(sum), row.number(column));
    }
  }
}

}  // namespace
}  // namespace lockstep
