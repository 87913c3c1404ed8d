// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, one-to-all broadcasting in Eisenstein-Jacobi networks: every printed table, the
/// series of the figures, and what the text claims, ours beside printed.

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
using test::whole;

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

PaperRow claim(const std::string& quantity, std::size_t n) {
  return found(part("ej", "claims"), quantity, 0, n);
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

TEST(EjPaperTables, TotalsOfOneAndTwo) {
  expect_printed_and_same(found(part("ej", "Table 1"), "senders in all", 0, 3), 26733);
  expect_printed_and_same(found(part("ej", "Table 1"), "receivers in all", 0, 3), 50652);
  expect_printed_and_same(found(part("ej", "Table 2"), "senders in all", 0, 3), 26011);
  expect_printed_and_same(found(part("ej", "Table 2"), "receivers in all", 0, 3), 50652);
  const PaperRow steps = found(part("ej", "Table 1"), "steps in all", 0, 3);
  EXPECT_EQ(steps.printed, "12");
  EXPECT_EQ(steps.ours, "9");
  EXPECT_EQ(steps.erratum, 23U);
}

TEST(EjPaperTables, Three) {
  const std::vector<PaperRow> rows = part("ej", "Table 3");
  for (const GoldenRow& row : golden("papers/ej/senders.csv")) {
    const std::size_t n = row.number("n");
    expect_printed_and_same(found(rows, "iterative: senders in all", 0, n), row.number("previous"));
    expect_printed_and_same(found(rows, "improved: senders in all", 0, n), row.number("proposed"));
    expect_printed_and_same(found(rows, "difference", 0, n), row.number("difference"));
    const PaperRow ratio = found(rows, "iterative / improved", 0, n);
    EXPECT_EQ(ratio.printed, row.text("ratio"));
    EXPECT_TRUE(ratio.agrees()) << ratio.ours;
  }
  EXPECT_EQ(rows.size(), 4U * 6U);
}

/// The figures of an independent program for the pictures that show averages.
TEST(EjPaperFigures, NineteenToTwentyOne) {
  const std::vector<const char*> columns{"senders", "receivers", "active"};
  for (unsigned i = 0; i < columns.size(); ++i) {
    const std::vector<PaperRow> rows = part("ej", "Figure", 19 + i);
    EXPECT_EQ(rows.size(), 2U * 12U);
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

TEST(EjPaperClaims, TheNetwork) {
  EXPECT_EQ(claim("diameter M = (a+2b)/3", 1).ours, "3");
  EXPECT_EQ(claim("six neighbours", 0).ours, "not 0+1rho, 1+1rho, 0+2rho");
  EXPECT_EQ(claim("nodes at distance 2, alpha = 2+2rho, cases in their order", 1).ours, "5");
  EXPECT_TRUE(claim("3+rho, 4, 3-rho^2", 1).agrees());
  EXPECT_EQ(claim("node 1-rho^2 forwards to", 1).ours, "1-2rho^2");
  EXPECT_EQ(claim("major of the packet through -rho", 0).ours, "-rho");
}

TEST(EjPaperClaims, Equations) {
  EXPECT_EQ(claim("receivers of step 2, alpha = 1+3rho: 6d", 1).ours, "6");
  EXPECT_EQ(claim("senders of round 2, d = 1: 6(d-1) 37^(r-1)", 3).ours, "37");
  EXPECT_EQ(claim("senders of step 4 = receivers of step 3", 3).printed, "18");
  EXPECT_EQ(claim("senders of step 4 = receivers of step 3", 3).ours, "37");
  const PaperRow expanded = claim("receivers, expanding S terms step by step; table 2", 3);
  EXPECT_EQ(expanded.ours, "18 144 702 2,376 5,832 10,476 13,608 11,664 5,832");
  EXPECT_TRUE(expanded.agrees());
  EXPECT_TRUE(claim("example, 2+3rho, n = 2: receivers", 0).agrees());
  EXPECT_TRUE(claim("example, 2+3rho, n = 2: senders", 0).agrees());
}

TEST(EjPaperClaims, Comparison) {
  const std::vector<std::string> saved{"0.0000%", "2.6316%", "2.7008%",
                                       "2.7027%", "2.7027%", "2.7027%"};
  const std::vector<std::string> against{"2.3333 = 2.3333", "4.5439 < 5.2544", "6.8109 < 8.2502",
                                         "9.0811 < 11.2500"};
  for (std::size_t n = 1; n <= saved.size(); ++n) {
    const PaperRow row = claim("senders saved", n);
    EXPECT_EQ(row.ours, saved[n - 1]);
    EXPECT_EQ(row.agrees(), n >= 3);
    EXPECT_EQ(row.erratum, 26U);
  }
  for (std::size_t n = 1; n <= against.size(); ++n) {
    const PaperRow row = claim("average receive step: improved, iterative", n);
    EXPECT_EQ(row.ours, against[n - 1]);
    EXPECT_EQ(row.agrees(), n > 1);
    EXPECT_EQ(row.erratum, n > 1 ? 0U : 31U);
  }
  EXPECT_EQ(claim("average receive step: improved, iterative", 3).exact, "1369/201 < 11608/1407");
}

TEST(EjPaperClaims, AllToAll) {
  for (std::size_t phase = 1; phase <= 3; ++phase)
    EXPECT_TRUE(claim("sending ports of phase " + std::to_string(phase), 1).agrees());
  const std::vector<std::string> printed{"36", "1,368", "50,652"};
  const std::vector<std::string> ours{"36", "504", "6,588"};
  for (std::size_t n = 1; n <= 3; ++n) {
    const PaperRow row = claim("messages that a node receives in three phases", n);
    EXPECT_EQ(row.printed, printed[n - 1]);
    EXPECT_EQ(row.ours, ours[n - 1]);
    EXPECT_EQ(row.erratum, n == 1 ? 0U : 35U);
  }
  EXPECT_EQ(claim("messages on links of phase 1: -rho^2, +1, +rho", 1).ours, "3, 6, 3");
  EXPECT_EQ(claim("three phases: steps / message times", 1).ours, "9 / 18");
}

TEST(EjPaperBeyond, AllGathersAndExchanges) {
  const auto ours = [](const std::string& quantity, std::size_t n) {
    return found(part("ej", "beyond"), quantity, 0, n).ours;
  };
  const auto gather = [&](const std::string& name, std::size_t n) {
    return ours("all-gather by " + name + ": steps / message times", n);
  };
  EXPECT_EQ(gather("three-phase", 1), "9 / 18");
  EXPECT_EQ(gather("three-phase", 2), "18 / 234, 504 of 1,368 messages received");
  EXPECT_EQ(gather("three-phase", 3), "27 / 3,042, 6,588 of 50,652 messages received");
  EXPECT_EQ(gather("three-phase-complete", 2), "18 / 450");
  EXPECT_EQ(gather("three-phase-complete", 3), "27 / 12,978");
  EXPECT_EQ(gather("two-substep", 1), "6 / 12");
  EXPECT_EQ(gather("two-substep", 2), "12 / 444");
  EXPECT_EQ(gather("two-substep", 3), "18 / 16,428");
  EXPECT_EQ(gather("rotated", 1), "6 / 12");
  EXPECT_EQ(gather("rotated", 2), "12 / 228");
  EXPECT_EQ(gather("rotated", 3), "18 / 5,628");
  EXPECT_EQ(ours("all-gather: least message times, half-duplex", 2), "228");
  EXPECT_EQ(ours("total exchange: least steps, single-port / all-port / all-port half-duplex", 1),
            "84 / 14 / 28");
  EXPECT_EQ(ours("total exchange: least steps, single-port / all-port / all-port half-duplex", 2),
            "6,216 / 518 / 1,036");
}

TEST(EjPaper, NothingDiffersWithoutAnErratum) {
  for (const PaperRow& row : whole("ej"))
    EXPECT_TRUE(row.agrees() || row.erratum != 0) << row.where << ": " << row.quantity;
}

}  // namespace
}  // namespace lockstep
