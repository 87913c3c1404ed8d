// SPDX-License-Identifier: Apache-2.0

/// Time is what the columns say: of every row of every table it is
///
///     charged_startups ts + charged_message_times tm + control_words tw
///
/// by the cells of that row alone, in any unit of time. Every operation, every algorithm.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/report/run_report.hpp"
#include "report/fields.hpp"
#include "study/comparison.hpp"
#include "study/sweep.hpp"
#include "study/sweep_file.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

constexpr const char* timed_networks[] = {"star:4",      "ring:5",           "mesh:2x3",
                                          "hypercube:3", "complete:5",       "torus:6x6",
                                          "ej:1+2",      "fat-tree:2x3,2.3", "xgft:2;3,2;2,1"};

constexpr CostParameters all_units[] = {
    {.t_s = 50, .t_m = 1, .t_w = 0.75}, {.t_s = 1, .t_m = 1}, {.t_s = 1e-5, .t_m = 1e-7}};
constexpr std::span units(all_units, test::cases_here(std::size(all_units)));

using Row = std::map<std::string, std::string>;

/// By column. The first line has their names.
std::vector<Row> rows_of(const std::string& csv) {
  const std::vector<study::CsvRow> lines = study::read_csv(csv).rows;
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].size(), lines[0].size());
    for (std::size_t c = 0; c < lines[i].size(); ++c) {
      if (c == 0) rows.emplace_back();
      rows.back()[lines[0][c]] = lines[i][c];
    }
  }
  return rows;
}

double number(const Row& row, const std::string& column) { return std::stod(row.at(column)); }

/// Observations in the rows of one table.
struct Seen {
  std::set<std::string> operations{};
  bool words = false;
  bool idle = false;
  bool parts = false;
  bool padding = false;
};

void expect_time(const Row& row, Seen& seen) {
  if (row.at("status") != "ok") {
    EXPECT_EQ(row.at("time") == "", row.at("charged_startups") == "");
    return;
  }
  SCOPED_TRACE(row.at("topology") + " " + row.at("operation") + " by " + row.at("algorithm"));
  const double steps = number(row, "charged_startups");
  const double blocks = number(row, "charged_message_times");
  const double words = number(row, "control_words");
  EXPECT_DOUBLE_EQ(number(row, "time"), steps * number(row, "ts") + blocks * number(row, "tm") +
                                            words * number(row, "tw"));
  if (row.at("time_predicted") != "") {
    EXPECT_DOUBLE_EQ(number(row, "time_predicted"), number(row, "time"));
  }
  for (const std::string ratio : {"0.1", "1", "10", "100", "1000"}) {
    if (row.count("time_ratio_" + ratio) == 0) continue;  // compare has it
    const double word = 8 / number(row, "bytes");
    EXPECT_DOUBLE_EQ(number(row, "time_ratio_" + ratio),
                     steps * std::stod(ratio) + blocks + words * word);
  }
  seen.operations.insert(row.at("operation"));
  seen.words = seen.words || words > 0;
  seen.padding = seen.padding || blocks > number(row, "message_times");
  seen.idle = seen.idle || steps != number(row, "startups");
  seen.parts = seen.parts || row.at("message_times").find('.') != std::string::npos;
}

void expect_times(const std::string& csv, Seen& seen) {
  for (const Row& row : rows_of(csv)) expect_time(row, seen);
}

void expect_all(const Seen& seen, std::size_t operations) {
  EXPECT_EQ(seen.operations.size(), operations);
  EXPECT_TRUE(seen.words);
  EXPECT_TRUE(seen.idle);
  EXPECT_TRUE(seen.parts);
  EXPECT_TRUE(seen.padding);
}

/// Every algorithm, with what it chooses itself.
std::vector<RunRequest> requests_of(const AnyTopology& topology, const CostParameters& costs) {
  std::vector<RunRequest> all;
  for (const OperationInfo& operation : operation_catalog()) {
    test::SomeCases some(4);
    for (const AlgorithmInfo& info : algorithms_for(topology, operation.operation)) {
      if (!some.take()) continue;
      all.push_back({.topology = topology,
                     .operation = operation.operation,
                     .algorithm = std::string(info.name),
                     .costs = costs,
                     .block_bytes = info.whole_parts ? 2 * topology.node_count() + 1 : 24,
                     .workers = 1});
    }
  }
  const std::vector<RunRequest> usual = all;
  for (RunRequest request : usual) {
    if (request.operation != Operation::many_to_all) continue;
    request.settings["messages"] = std::uint64_t{1};  // of which some steps know nothing
    request.settings["placement"] = std::string("onenode");
    all.push_back(std::move(request));
  }
  return all;
}

TEST(TimeColumns, OfASweepAndOfSingleRuns) {
  for (const CostParameters& costs : units) {
    Seen of_sweep;
    Seen of_runs;
    for (const char* const name : timed_networks) {
      study::RunSeries series(requests_of(AnyTopology(name), costs), {});
      study::Sweep sweep(series, {.costs = costs});
      std::string csv = csv_heading(study::Sweep::columns(sweep.row({}, {})));
      for (std::size_t i = 0; i < series.size(); ++i)
        csv += csv_row(study::Sweep::columns(sweep.row(series.request(i), series.measure(i))));
      expect_times(csv, of_sweep);
      for (std::size_t i = 0; i < series.size(); ++i)
        if (series.before(i).forecast)
          expect_times(to_csv({.result = prepare(series.request(i))->execute(),
                               .costs = costs,
                               .provenance = {},
                               .parameters = parameter_catalog()}),
                       of_runs);
    }
    expect_all(of_sweep, operation_catalog().size());
    expect_all(of_runs, operation_catalog().size());
  }
}

/// Every variant; times at ratios, too.
TEST(TimeColumns, OfComparisons) {
  for (const CostParameters& costs : units) {
    Seen seen;
    for (const Operation operation : {Operation::many_to_all, Operation::all_reduce}) {
      RunRequest base{
          .topology = "torus:5x5", .operation = operation, .costs = costs, .block_bytes = 51};
      study::RunSeries series(study::compare_variants(base, costs).requests, {});
      expect_times(csv_of(study::compare(series, costs)), seen);
    }
    expect_all(seen, 2);
  }
}

/// One hundred thousandth of a second is as good a unit as any: the same algorithms, 1e-7 times the
/// time.
TEST(TimeColumns, TheUnitOfTimeDecidesNothing) {
  RunRequest base{.topology = "torus:5x5", .operation = Operation::many_to_all, .block_bytes = 64};
  const auto compared = [&](const CostParameters& costs) {
    study::RunSeries series(study::compare_variants(base, costs).requests, {});
    return rows_of(csv_of(study::compare(series, costs)));
  };
  const std::vector<Row> blocks = compared({.t_s = 100, .t_m = 1});
  const std::vector<Row> seconds = compared({.t_s = 1e-5, .t_m = 1e-7});
  ASSERT_EQ(blocks.size(), seconds.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].at("algorithm"), seconds[i].at("algorithm"));
    if (blocks[i].at("time") == "") continue;
    EXPECT_NEAR(number(seconds[i], "time") * 1e7 / number(blocks[i], "time"), 1, 1e-12);
  }
}

}  // namespace
}  // namespace lockstep
