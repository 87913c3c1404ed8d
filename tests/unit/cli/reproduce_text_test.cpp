// SPDX-License-Identifier: Apache-2.0
#include "cli/reproduce_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "cli/reproduce_star.hpp"
#include "lockstep/cost/star_costs.hpp"
#include "support/executors.hpp"

namespace lockstep::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

PaperRow row(const std::string& where, const std::string& printed, const std::string& ours) {
  PaperRow row;
  row.where = where;
  row.n = 5;
  row.quantity = "cost";
  row.printed = printed;
  row.ours = ours;
  row.agrees = printed.empty() || printed == ours;
  return row;
}

TEST(Judgement, OfEveryKindOfRow) {
  EXPECT_EQ(judgement(row("Table 2", "7", "7")), "agrees");
  EXPECT_EQ(judgement(row("Table 2", "", "7")), "");
  PaperRow differs = row("Table 2", "8", "7");
  EXPECT_EQ(judgement(differs), "differs: NOT EXPLAINED");
  EXPECT_FALSE(explained(differs));
  differs.erratum = 15;
  EXPECT_EQ(judgement(differs), "differs, erratum 15");
  EXPECT_TRUE(explained(differs));
  PaperRow read_with_care = row("Table 2", "7", "7");
  read_with_care.erratum = 4;
  EXPECT_EQ(judgement(read_with_care), "agrees, erratum 4");
  PaperRow counted = row("Counted by the machine", "", "7");
  counted.exact = "7";
  EXPECT_EQ(judgement(counted), "agrees");
  counted.agrees = false;
  EXPECT_EQ(judgement(counted), "differs: NOT EXPLAINED");
}

TEST(PaperText, HasATablePerTableAndItsErrata) {
  PaperRow wrong = row("Table 2", "8", "7");
  wrong.erratum = 3;
  const std::string text = paper_text({row("Table 1", "7", "7"), wrong, row("Table 2", "9", "9")},
                                      {{3, "a misprint"}, {4, "another"}});
  EXPECT_EQ(text,
            "Table 1\n\n"
            "n  quantity  printed  ours  judgement\n"
            "5  cost      7        7     agrees\n"
            "\n"
            "Table 2\n\n"
            "n  quantity  printed  ours  judgement\n"
            "5  cost      8        7     differs, erratum 3\n"
            "5  cost      9        9     agrees\n"
            "erratum 3: a misprint\n");
}

TEST(PaperText, HasAColumnPerCurveOfAFigure) {
  std::vector<PaperRow> points;
  for (const std::size_t k : {2U, 3U})
    for (const std::size_t n : {4U, 5U}) {
      PaperRow point = row("Figure 2", "", std::to_string(10 * n + k));
      point.n = n;
      point.k = k;
      point.ratio = "100";
      if (k + 1 < n) points.push_back(point);
    }
  const std::string text = paper_text(points, {});
  EXPECT_THAT(text, HasSubstr("Figure 2: cost against n, t_s/t_m = 100"));
  EXPECT_THAT(text, HasSubstr("n  k = 2  k = 3\n"
                              "4     42\n"
                              "5     52     53\n"));
}

/// Also rows of several places of the paper stand together, and say where they are from.
TEST(PaperText, NamesThePlaceOfAFigureInTheText) {
  const std::string text =
      paper_text({row("Section III.2", "7", "7"), row("Footnote 1", "8", "8")}, {});
  EXPECT_THAT(text, HasSubstr("Figures in the text"));
  EXPECT_THAT(text, HasSubstr("\nSection III.2  5"));
  EXPECT_THAT(text, HasSubstr("\nFootnote 1     5"));
  EXPECT_THAT(paper_text({}, {}), testing::IsEmpty());
}

// reproduce_star.hpp

RunRequest machine() {
  RunRequest request;
  request.workers = 2;
  request.executor = test::executor_kind();
  return request;
}

/// 15 runs of packing for n = 2..6, two all-gathers for n = 3..6.
TEST(CountStarCosts, CountsWhatTheClosedFormsSay) {
  const CountedRows counted =
      count_star_costs(machine(), {.stop = {}, .show = Progress::Show::never});
  EXPECT_EQ(counted.exit, Exit::ok);
  EXPECT_EQ(counted.rows.size(), 23U);
  for (const PaperRow& row : counted.rows) {
    EXPECT_TRUE(row.agrees) << row.topology << " " << row.quantity;
    EXPECT_EQ(row.ours, row.exact);
    EXPECT_EQ(row.where, counted_by_machine);
  }
  EXPECT_EQ(counted.rows.front().ours, "1 t_s + 1 t_m");  // two nodes, a block each
}

/// Half-duplex links: the runs break a rule, and no row agrees - but those of the cycle, which uses
/// every link in one direction.
TEST(CountStarCosts, ARunThatGoesWrongAgreesWithNothing) {
  RunRequest half = machine();
  half.port_model = port_models::all_port_half_duplex;
  const CountedRows counted = count_star_costs(half, {.stop = {}, .show = Progress::Show::never});
  EXPECT_EQ(counted.exit, Exit::rule_broken);
  for (const PaperRow& row : counted.rows) {
    const bool cycle = row.quantity == "all-gather by hamiltonian-ring";
    EXPECT_EQ(row.agrees, cycle) << row.topology << " " << row.quantity;
    EXPECT_EQ(explained(row), cycle);
  }
}

TEST(CountStarCosts, EndsWhenItIsStopped) {
  std::stop_source source;
  source.request_stop();
  const CountedRows counted =
      count_star_costs(machine(), {.stop = source.get_token(), .show = Progress::Show::never});
  EXPECT_EQ(counted.exit, Exit::interrupted);
  EXPECT_TRUE(counted.rows.empty());
}

}  // namespace
}  // namespace lockstep::cli
