// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "support/papers.hpp"

namespace lockstep::papers {
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
  return row;
}

TEST(Judgement, OfEveryKindOfRow) {
  EXPECT_EQ(judgement(row("Table 2", "7", "7")), "agrees");
  EXPECT_EQ(judgement(row("Table 2", "", "7")), "");
  PaperRow differs = row("Table 2", "8", "7");
  EXPECT_EQ(judgement(differs), "differs: NOT EXPLAINED");
  EXPECT_FALSE(differs.explained());
  differs.erratum = 15;
  EXPECT_EQ(judgement(differs), "differs, erratum 15");
  EXPECT_TRUE(differs.explained());
  PaperRow read_with_care = row("Table 2", "7", "7");
  read_with_care.erratum = 4;
  EXPECT_EQ(judgement(read_with_care), "agrees (note: erratum 4)");
  PaperRow lost = row("Section 3", "8", "7");
  lost.lost = true;
  EXPECT_EQ(judgement(lost), "not checked: the figure is missing from the source");
  EXPECT_TRUE(lost.explained());
  PaperRow counted = row("Counted by the machine", "", "7");
  counted.exact = "7";
  EXPECT_EQ(judgement(counted), "agrees");
  counted.same = false;
  EXPECT_EQ(judgement(counted), "differs: NOT EXPLAINED");
}

TEST(PaperText, HasATablePerTableAndItsErrata) {
  PaperRow wrong = row("Table 2", "8", "7");
  wrong.erratum = 3;
  const std::vector<Erratum> errata{{3, "a misprint"}, {4, "another"}};
  const std::string text =
      paper_text({row("Table 1", "7", "7"), wrong, row("Table 2", "9", "9")}, errata);
  EXPECT_EQ(text,
            "Table 1\n\n"
            "n  quantity  printed  Lockstep  verdict\n"
            "5  cost      7        7         agrees\n"
            "\n"
            "Table 2\n\n"
            "n  quantity  printed  Lockstep  verdict\n"
            "5  cost      8        7         differs, erratum 3\n"
            "5  cost      9        9         agrees\n"
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

TEST(PaperText, DrawsTablesOfOursAsFigures) {
  std::vector<PaperRow> points(2, row("Ours: choices", "", "7"));
  points[0].curve = "few";
  points[1].curve = "many";
  EXPECT_EQ(paper_text(points, {}),
            "Ours: choices: cost, against n\n\n"
            "n  few  many\n"
            "5    7     7\n");
}

TEST(PaperText, NamesTheNetworkWhereTheSizeDoesNot) {
  std::vector<PaperRow> rows(2, row("Table 2", "7", "7"));
  rows[0].topology = "star:5";
  rows[1].topology = "ring:5";
  EXPECT_THAT(paper_text(rows, {}), HasSubstr("network  n  quantity"));
  EXPECT_THAT(paper_text(rows, {}), HasSubstr("\nring:5   5  cost"));
  rows[1].n = 6;
  EXPECT_THAT(paper_text(rows, {}), Not(HasSubstr("network")));
}

TEST(PaperText, HasALinePerStepOfATable) {
  std::vector<PaperRow> rows;
  for (std::size_t step = 1; step <= 2; ++step)
    for (const char* const quantity : {"free", "active"}) {
      rows.push_back(row("Table 1", std::to_string(10 * step), std::to_string(10 * step)));
      rows.back().quantity = quantity;
      rows.back().step = step;
    }
  rows.push_back(row("Table 1", "7", "7"));
  EXPECT_EQ(paper_text(rows, {}),
            "Table 1\n\n"
            "step  free  Lockstep  active  Lockstep  verdict\n"
            "   1    10        10      10        10  agrees\n"
            "   2    20        20      20        20  agrees\n"
            "\n"
            "n  quantity  printed  Lockstep  verdict\n"
            "5  cost      7        7         agrees\n");
  rows[3].ours = "21";
  rows[3].same = false;
  EXPECT_THAT(paper_text(rows, {}),
              HasSubstr("   2    20        20      20        21  differs: NOT EXPLAINED\n"));
}

TEST(PaperText, DrawsAFigureOfStepsByItsCurves) {
  std::vector<PaperRow> points;
  for (const char* const curve : {"old", "new"})
    for (std::size_t step = 1; step <= 2; ++step) {
      points.push_back(row("Figure 15", "", std::to_string(step)));
      points.back().step = step;
      points.back().curve = curve;
    }
  EXPECT_EQ(paper_text(points, {}),
            "Figure 15: cost against step (the paper prints a figure without numbers)\n\n"
            "step  old  new\n"
            "   1    1    1\n"
            "   2    2    2\n");
}

TEST(PaperText, ShowsNumbersThatThePaperPrintsElsewhere) {
  const auto points_of = [](const char* paper, const char* figure) {
    return reproduction_of(*papers_named(paper).front(), {figure}).rows;
  };
  for (const char* const figure : {"Figure 15", "Figure 16", "Figure 17", "Figure 18"})
    for (const PaperRow& point : points_of("ej", figure)) {
      EXPECT_EQ(point.beside, point.ours) << figure << ", step " << point.step;
      EXPECT_EQ(point.printed, "");
    }
  for (const PaperRow& point : points_of("star", "Figure 6"))
    EXPECT_EQ(point.beside.empty(), point.n < 6) << point.n;
  const PaperRows rows = points_of("ej", "Figure 15");
  EXPECT_THAT(paper_text(rows, {}), HasSubstr("iterative, printed"));
  const report::Plot plot = paper_sections(rows, {}).front().plots.front();
  ASSERT_EQ(plot.curves.size(), 4U);
  for (const report::Curve& curve : plot.curves) EXPECT_EQ(curve.marks.size(), 9U) << curve.name;
  EXPECT_EQ(plot.curves[1].beside, 0U);
}

TEST(PaperSections, DrawTheNumbersOfTables) {
  const auto plots_of = [](const char* paper, const char* table) {
    std::vector<report::Plot> plots =
        paper_sections(reproduction_of(*papers_named(paper).front(), {table}).rows, {})
            .front()
            .plots;
    std::erase_if(plots, [](const report::Plot& plot) { return plot.empty(); });
    return plots;
  };
  ASSERT_EQ(plots_of("star", "Table 2").size(), 1U);
  EXPECT_EQ(plots_of("star", "Table 2").front().curves.size(), 18U);
  EXPECT_EQ(plots_of("star", "Table 3").front().curves.front().marks.size(), 11U);
  EXPECT_EQ(plots_of("ej", "Table 3").size(), 2U);
  EXPECT_EQ(plots_of("fat-trees", "Table 6.1").front().x.text(), "network");
  EXPECT_TRUE(plots_of("star", "Table 1").empty());
}

/// Also rows of several places of the paper stand together, and say where they are from.
TEST(PaperText, NamesThePlaceOfAFigureInTheText) {
  const std::string text =
      paper_text({row("Section III.2", "7", "7"), row("Footnote 1", "8", "8")}, {});
  EXPECT_THAT(text, HasSubstr("Numbers in the text"));
  EXPECT_THAT(text, HasSubstr("\nSection III.2  5"));
  EXPECT_THAT(text, HasSubstr("\nFootnote 1     5"));
  EXPECT_THAT(paper_text({}, {}), testing::IsEmpty());
}

CountOptions quietly() {
  CountOptions options{.series = {.stop = {}}};
  options.machine.workers = 2;
  return options;
}

/// 15 runs of packing for n = 2..6, two all-gathers for n = 3..6.
Reproduction counted_of(const std::string& paper, const CountOptions& options) {
  Reproduction counted{&test::paper(paper)};
  count_runs(counted, options);
  return counted;
}

TEST(CountStarCosts, CountsWhatTheClosedFormsSay) {
  const Reproduction counted = counted_of("star", quietly());
  EXPECT_EQ(counted.exit, Exit::ok);
  EXPECT_EQ(counted.rows.size(), 23U);
  for (const PaperRow& row : counted.rows) {
    EXPECT_TRUE(row.agrees()) << row.topology << " " << row.quantity;
    EXPECT_EQ(row.ours, row.exact);
    EXPECT_EQ(row.where, counted_by_machine);
  }
  EXPECT_EQ(counted.rows.front().ours, "1 t_s + 1 t_m");  // two nodes, a block each
}

/// Half-duplex links: the runs break a rule, and no row agrees - but those of the cycle, which uses
/// every link in one direction.
TEST(CountStarCosts, ARunThatGoesWrongAgreesWithNothing) {
  CountOptions half = quietly();
  half.machine.port_model = port_models::all_port_half_duplex;
  const Reproduction counted = counted_of("star", half);
  EXPECT_EQ(counted.exit, Exit::rule_broken);
  for (const PaperRow& row : counted.rows) {
    const bool cycle = row.quantity == "all-gather by hamiltonian-ring";
    EXPECT_EQ(row.agrees(), cycle) << row.topology << " " << row.quantity;
    EXPECT_EQ(row.explained(), cycle);
  }
}

TEST(CountStarCosts, EndsWhenItIsStopped) {
  std::stop_source source;
  source.request_stop();
  CountOptions options = quietly();
  options.series.stop = source.get_token();
  const Reproduction counted = counted_of("star", options);
  EXPECT_EQ(counted.exit, Exit::interrupted);
  EXPECT_TRUE(counted.rows.empty());
}

/// Nine steps, the average receive step, the total senders.
TEST(CountEjCosts, CountsTheStepsOfATable) {
  CountOptions options = quietly();
  options.parts = {"Table 1"};
  const Reproduction counted = counted_of("ej", options);
  EXPECT_EQ(counted.exit, Exit::ok);
  ASSERT_EQ(counted.rows.size(), 11U);
  EXPECT_EQ(counted.rows[3].ours, "50,394 37 222 259");
  EXPECT_EQ(counted.rows[9].ours, "11608/1407");
  EXPECT_EQ(counted.rows[10].ours, "26,733");
  for (const PaperRow& row : counted.rows) {
    EXPECT_TRUE(row.agrees()) << row.quantity;
    EXPECT_EQ(row.topology, "ej:3+4^3");
  }
}

/// n = 4, 5, 6: runs that do not fit are left out and named, and those that only --full makes.
TEST(CountEjCosts, SaysWhatIsNotRun) {
  CountOptions options = quietly();
  options.parts = {"Figure 22"};
  options.machine.memory_limit = 1U << 20U;
  const Reproduction counted = counted_of("ej", options);
  EXPECT_EQ(counted.exit, Exit::no_resources);
  ASSERT_EQ(counted.rows.size(), 6U);
  for (const PaperRow& row : counted.rows) {
    EXPECT_EQ(row.where, not_run);
    EXPECT_TRUE(row.explained());
    EXPECT_EQ(judgement(row), "");
  }
  EXPECT_THAT(counted.rows.front().ours,
              testing::StartsWith("989,140 (ej:3+4^4 broadcast by iterative: needs"));
  EXPECT_THAT(counted.rows.back().ours, HasSubstr("1,317,535,183 (closed form; --full runs it: "));
}

}  // namespace
}  // namespace lockstep::papers
