// SPDX-License-Identifier: Apache-2.0
#include "study/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "report/fields.hpp"

namespace lockstep::study {
namespace {

Comparison compared(const std::string& placement, const CostParameters& host) {
  RunRequest base{.topology = "torus:6x6", .operation = Operation::many_to_all, .block_bytes = 8};
  base.settings["placement"] = placement;
  RunSeries series(compare_variants(base, host).requests, {});
  return compare(series, host);
}

/// An aggregation sends control words, too.
TEST(Comparison, TimesAtRatiosAreThoseOfTheHostWithThatRatio) {
  const Comparison comparison = compared("perm", {.t_s = 100});
  ASSERT_GT(comparison.rows.size(), 2U);
  for (const report::Fields& row : comparison.rows) {
    EXPECT_EQ(cell_of(value_of(row, "time_ratio_100")), cell_of(value_of(row, "time")));
    EXPECT_NE(cell_of(value_of(row, "time")), "");
  }
}

/// The column, the ratios and the winners charge a word of 8 bytes as 8 bytes.
TEST(Comparison, SaysWhatAWordCosts) {
  const std::string text = text_of(compared("perm", {.t_s = 100}));
  EXPECT_NE(text.find("\nt_w: 1 per control word of 8 bytes\n"), std::string::npos) << text;
  const std::string given = text_of(compared("perm", {.t_s = 100, .t_w = 3}));
  EXPECT_NE(given.find("\nt_w: 3 per control word of 8 bytes, at the other ratios 8 / bytes\n"),
            std::string::npos)
      << given;
}

/// Algorithms that need a weaker port model compete. Aggregation needs wormholes and does not
/// compete under all-port.
TEST(Comparison, PortModelsNest) {
  const std::string text = text_of(compared("onenode", {.t_s = 1000}));
  EXPECT_NE(
      text.find("\nfastest all-port algorithm by t_s/t_m: 0.1 to 1 edst, packet 1, trees: table; "
                ">= 10 rotated-dimensions\n"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find("\nfastest all-port-wormhole algorithm by t_s/t_m: 0.1 edst, packet 1, trees: "
                "table; 1 aggregation-plus, h = 6, scatter: yes; >= 10 rotated-dimensions"),
      std::string::npos)
      << text;
}

/// The program chose aggregation, which the machine refuses: that says nothing of the others.
TEST(Comparison, AnAlgorithmThatIsRefusedIsNoFailureBesideOthers) {
  const RunRequest base{.topology = "torus:4x5",
                        .operation = Operation::many_to_all,
                        .port_model = port_models::all_port_half_duplex};
  const auto exit_of_all = [&](const std::vector<RunRequest>& requests) {
    RunSeries series(requests, {});
    const Comparison comparison = compare(series, {.t_s = 100});
    EXPECT_TRUE(std::ranges::any_of(comparison.rows, [](const report::Fields& row) {
      return cell_of(value_of(row, "status")) == "refused";
    }));
    return comparison.exit;
  };
  std::vector<RunRequest> requests = compare_variants(base, {.t_s = 100}).requests;
  EXPECT_EQ(exit_of_all(requests), Exit::ok);
  std::erase_if(requests, [](const RunRequest& request) {
    return request.algorithm.find("aggregation") == std::string::npos;
  });
  EXPECT_EQ(exit_of_all(requests), Exit::bad_request);  // nothing to compare
}

/// A trial that the machine refuses does not take too long.
TEST(Comparison, ARefusedTrialIsNotCalledLong) {
  const RunRequest base{
      .topology = "torus:4x5", .operation = Operation::many_to_all, .block_bytes = 24};
  RunSeries series(compare_variants(base, {.t_s = 100}).requests, {});
  const Comparison comparison = compare(series, {.t_s = 100});
  EXPECT_TRUE(comparison.not_tried.empty());
  EXPECT_EQ(text_of(comparison).find("not tried"), std::string::npos);
}

/// All outputs name what was not tried.
TEST(Comparison, NamesWhatWasNotTried) {
  const RunRequest base{.topology = "torus:4x5", .operation = Operation::many_to_all};
  RunSeries series(compare_variants(base, {.t_s = 100}).requests, {});
  Comparison comparison = compare(series, {.t_s = 100});
  for (report::Fields& row : comparison.rows) set(row, "wall_seconds", 3.0);  // too long to repeat
  RunSeries sorted(
      [&] {
        std::vector<RunRequest> requests;
        for (const report::Fields& row : comparison.rows)
          for (std::size_t i = 0; i < series.size(); ++i)
            if (series.request(i).algorithm == cell_of(value_of(row, "algorithm")))
              requests.push_back(series.request(i));
        return requests;
      }(),
      {});
  ASSERT_EQ(sorted.size(), comparison.rows.size());
  for (report::Fields& row : comparison.rows) set(row, "tried_port_models", "");
  comparison.not_tried = try_other_port_models(comparison.rows, sorted);
  ASSERT_FALSE(comparison.not_tried.empty());
  const NotTried& one = comparison.not_tried.front();
  EXPECT_EQ(one.reason, "a trial takes too long");
  EXPECT_NE(text_of(comparison)
                .find("not tried: " + one.algorithm + " under " + one.port_model +
                      "; a trial takes too long\n"),
            std::string::npos);
  const auto json = nlohmann::json::parse(json_of(comparison, {}));
  EXPECT_EQ(json["not_tried"].size(), comparison.not_tried.size());
  EXPECT_EQ(json["not_tried"][0]["algorithm"], one.algorithm);
}

/// A narrow terminal shows a table with fewer columns, not a record per algorithm.
TEST(Comparison, ANarrowPageHasFewerColumns) {
  const Comparison comparison = compared("perm", {.t_s = 1000});
  const std::string wide = text_of(comparison);
  const std::string heading = wide.substr(0, wide.find('\n'));
  EXPECT_NE(heading.find("wall"), std::string::npos) << wide;
  const std::string narrow = text_of(comparison, 80);
  const std::string table = narrow.substr(0, narrow.find("some columns do not fit"));
  EXPECT_LT(table.size(), narrow.size()) << narrow;
  EXPECT_EQ(table.find("\n\n"), std::string::npos) << narrow;
  EXPECT_NE(table.find("bound"), std::string::npos) << narrow;
  EXPECT_EQ(table.find("wall"), std::string::npos) << narrow;
}

/// An algorithm that nobody asked for is left out where it cannot run.
TEST(Comparison, LeavesOutWhatDoesNotFit) {
  const ComparedRuns runs = compare_variants({.topology = "star:2"}, {.t_s = 100});
  // packing, levelwise, four disciplines, colouring, shortest paths of both port models, hop
  // levels, balanced paths of both; exchanges of complete graphs and linear arrays; sequences,
  // rounds; queues of both port models with four disciplines each
  EXPECT_EQ(runs.requests.size(), 32U);
  ASSERT_EQ(runs.left_out.size(), 4U);
  EXPECT_EQ(runs.left_out.front().algorithm, "table");
  EXPECT_NE(runs.left_out.front().reason.find("no built-in table"), std::string::npos);
}

/// A schedule stands beside all others; it has to be right, as a table, which takes the place of
/// the built-in one.
TEST(Comparison, TakesTheUsersFiles) {
  const std::string name = testing::TempDir() + "compared_schedule.txt";
  std::ofstream(name) << "lockstep-schedule 1\ntopology ring:3\noperation total-exchange\n"
                         "0: 1\n1: 2\n";
  RunRequest base{.topology = "ring:3", .executor = ExecutorKind::serial};
  const std::size_t without = compare_variants(base, {}).requests.size();
  base.settings["schedule"] = name;
  RunSeries series(compare_variants(base, {}).requests, {});
  ASSERT_EQ(series.size(), without + 1);
  EXPECT_EQ(series.request(without).algorithm, "schedule");
  EXPECT_EQ(series.measure(without).status(), "ok");
  base.settings["schedule"] = std::string("/nonexistent");
  EXPECT_THROW((void)compare_variants(base, {}), InvalidParameter);
  RunRequest table{.topology = "star:3"};
  table.settings["table"] = std::string("/nonexistent");
  EXPECT_THROW((void)compare_variants(table, {}), InvalidParameter);
  RunRequest all_gather{.topology = "star:4", .operation = Operation::all_gather};
  all_gather.settings["table"] = std::string("/nonexistent");
  EXPECT_THROW((void)compare_variants(all_gather, {}), InvalidParameter);  // none takes a table
}

/// Its root is that of all; messages of other processors have to be asked for.
TEST(Comparison, AllCarryOutTheTaskOfTheSchedule) {
  const std::string name = testing::TempDir() + "compared_task.txt";
  std::ofstream(name)
      << "lockstep-schedule 2\ntopology ring:3\noperation broadcast\nroot 1\n"
         "memory 1\nsteps 1\nstep 0\n1: load 0/0 of 1 for 1; send 0 0/0; send 1 0/0\n"
         "step 1\n0: take 0 store 0/0; deliver 0/0 of 1\n"
         "2: take 1 store 0/0; deliver 0/0 of 1\n";
  RunRequest base{.topology = "ring:3", .operation = Operation::broadcast};
  base.settings["schedule"] = name;
  for (const RunRequest& request : compare_variants(base, {}).requests)
    EXPECT_EQ(request.settings.number("root"), 1U) << request.algorithm;
  std::ofstream(name)
      << "lockstep-schedule 2\ntopology ring:3\noperation many-to-all\norigins 1\n"
         "memory 1\nsteps 1\nstep 0\n1: load 0/0 of 0 for 1; send 0 0/0; send 1 0/0\n"
         "step 1\n0: take 0 store 0/0; deliver 0/0 of 0\n"
         "2: take 1 store 0/0; deliver 0/0 of 0\n";
  base.operation = Operation::many_to_all;
  EXPECT_THROW((void)compare_variants(base, {}), InvalidParameter);
  base.settings["messages"] = std::uint64_t{1};
  base.settings["placement"] = testing::TempDir() + "compared_placement.txt";
  std::ofstream(base.settings.text("placement")) << "1\n";
  EXPECT_GT(compare_variants(base, {}).requests.size(), 1U);
}

}  // namespace
}  // namespace lockstep::study
