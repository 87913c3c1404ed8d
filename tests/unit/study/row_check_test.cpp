// SPDX-License-Identifier: Apache-2.0

/// A sweep that is continued keeps a row only if the run could have had it: every cell of real rows
/// is altered in several ways, and each is refused with its line, or is one that a run may have.

#include "study/row_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "report/fields.hpp"
#include "study/sweep.hpp"
#include "support/cases.hpp"

namespace lockstep::study {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

class RowCheckTest : public testing::Test {
 protected:
  RowCheckTest()
      : path_((fs::path(testing::TempDir()) / ("rows_" + std::to_string(getpid()) + ".csv"))
                  .string()) {
    fs::remove(path_);
  }
  ~RowCheckTest() override { fs::remove(path_); }

  /// Small runs of several kinds: parts, a baseline, queues, switches, one that is refused, one
  /// that lacks memory.
  [[nodiscard]] static std::vector<RunRequest> requests(std::uint64_t repeats) {
    std::vector<RunRequest> all{
        {.topology = "star:4", .operation = Operation::total_exchange, .algorithm = "packing"},
        {.topology = "hypercube:3", .operation = Operation::all_reduce, .block_bytes = 24},
        {.topology = "ring:6", .operation = Operation::total_exchange},
        {.topology = "fat-tree:2^2", .operation = Operation::all_gather},
        {.topology = "torus:3x4", .operation = Operation::scatter, .verify = VerifyKind::off},
        {.topology = "ring:5", .operation = Operation::total_exchange, .algorithm = "packing"},
        {.topology = "ej:1+2^2",
         .operation = Operation::all_gather,
         .algorithm = "three-phase",
         .verify = VerifyKind::off},  // known to leave messages out
        {.topology = "ring:4", .operation = Operation::broadcast}};
    all[0].settings["k"] = Numbers{2};
    all.back().memory_limit = 1;
    if (repeats > 1) all.erase(all.begin() + 2, all.end());
    return all;
  }

  [[nodiscard]] std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// The refusal of this file, which a sweep continues.
  [[nodiscard]] std::string refusal(const std::string& text, Sweep& sweep) {
    std::ofstream(path_) << text;
    try {
      (void)sweep.csv({.path = path_, .resume = true});
    } catch (const InvalidParameter& refused) {
      EXPECT_EQ(content(), text) << "the file was changed";
      return refused.what();
    }
    return "accepted";
  }

  std::string path_;
};

[[nodiscard]] std::string text_of_rows(const std::vector<CsvRow>& rows) {
  std::string text;
  for (const CsvRow& row : rows) text += report::csv_line(row);
  return text;
}

/// Cells that differ from run to run: another number, of the same kind, may be that of a run.
[[nodiscard]] bool is_free(const std::string& column, const std::string& status,
                           std::uint64_t repeats) {
  const std::set<std::string> of_wrong_runs{"messages_per_second"};
  if (status == "not-delivered" && of_wrong_runs.count(column) != 0) return true;
  const std::set<std::string> of_any{"wall_seconds", "step_seconds", "memory_peak_bytes", "note"};
  return of_any.count(column) != 0 || column.starts_with("largest_queue") ||
         (repeats > 1 && column.starts_with("wall_"));
}

TEST_F(RowCheckTest, NoAlteredCellIsKept) {
  for (const std::uint64_t repeats : {1U, 3U}) {
    fs::remove(path_);
    RunSeries series(requests(repeats), {.repeats = repeats});
    Sweep sweep(series, {.repeats = repeats, .costs = {.t_s = 100}, .version = "1.2.3"});
    (void)sweep.csv({.path = path_});
    const std::string good = content();
    const std::vector<CsvRow> rows = read_csv(good).rows;
    ASSERT_EQ(rows.size(), requests(repeats).size() + 1);
    ASSERT_EQ(refusal(good, sweep), "accepted");
    EXPECT_EQ(content(), good);
    test::SomeCases some(5);
    std::size_t altered = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < rows[r].size(); ++c) {
        const std::string& cell = rows[r][c];
        const std::string& column = rows.front()[c];
        std::vector<std::string> others{"nan", "-1", "x"};
        if (!cell.empty()) others.insert(others.end(), {"", "0", "99", cell + "1"});
        if (cell == "true") others.push_back("false");
        for (const std::string& other : others) {
          const std::string& status = rows[r][16];
          if (other == cell || (column == "note" && status != "ok")) continue;
          if (other.empty() && status == "no-resources") continue;  // not known where memory lacked
          const bool number = other == "0" || other == "99" || other == cell + "1";
          if (is_free(column, status, repeats) && (number || other.empty())) continue;
          if (!some.take()) continue;
          std::vector<CsvRow> changed = rows;
          changed[r][c] = other;
          SCOPED_TRACE(column + " of " + rows[r][0] + ": '" + cell + "' -> '" + other + "'");
          EXPECT_THAT(refusal(text_of_rows(changed), sweep),
                      AnyOf(HasSubstr("line " + std::to_string(r + 1) + ": "),
                            HasSubstr("is not a file of this sweep")));
          ++altered;
        }
      }
    }
    EXPECT_GT(altered, test::cases_here(repeats == 1 ? 1000 : 300));
  }
}

/// A row of a failed run whose cells are altered together, so that no cell differs from those that
/// follow from it.
TEST_F(RowCheckTest, NoContradictoryFailureIsKept) {
  const std::vector<RunRequest> requests{
      {.topology = "hypercube:3",
       .operation = Operation::total_exchange,
       .algorithm = "node-invariant",
       .port_model = port_models::single_port_half_duplex},
      {.topology = "ej:1+2^2", .operation = Operation::all_gather, .algorithm = "three-phase"}};
  RunSeries series(requests, {});
  Sweep sweep(series, {.costs = {.t_s = 100}, .version = "1.2.3"});
  EXPECT_EQ(sweep.csv({.path = path_}), Exit::rule_broken);
  const std::string good = content();
  const std::vector<CsvRow> rows = read_csv(good).rows;
  ASSERT_EQ(refusal(good, sweep), "accepted");
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(rows.front(), name) - rows.front().begin());
  };
  using Cells = std::vector<std::pair<std::string, std::string>>;
  const auto refused = [&](std::size_t row, const Cells& cells) {
    std::vector<CsvRow> changed = rows;
    for (const auto& [name, cell] : cells) changed[row].at(column(name)) = cell;
    return refusal(text_of_rows(changed), sweep);
  };
  ASSERT_EQ(rows[1][column("status")], "rule-broken");
  ASSERT_EQ(rows[2][column("status")], "not-delivered");
  EXPECT_THAT(refused(1, {{"status", "not-delivered"}}),
              HasSubstr("line 2: note 'step 0, node 0, "));
  EXPECT_THAT(refused(2, {{"status", "rule-broken"}}),
              HasSubstr("expected a violated rule, because status is rule-broken"));
  EXPECT_THAT(refused(1, {{"note", "56 of 56 messages verified"}, {"status", "not-delivered"}}),
              HasSubstr("line 2: note "));
  EXPECT_THAT(refused(2, {{"messages_verified", rows[2][column("messages_expected")]}}),
              HasSubstr("line 3: messages_verified "));
  EXPECT_THAT(refused(2, {{"note", ""}}), HasSubstr("line 3: "));
  for (const std::size_t row : {1U, 2U}) {
    EXPECT_THAT(refused(row, {{"steps", "1000000"}}),
                HasSubstr("steps '1000000'; expected at most"));
    EXPECT_THAT(refused(row, {{"messages_sent", "1000000000"}, {"hops", "1000000000"}}),
                HasSubstr("messages_sent '1000000000'; expected at most"));
    EXPECT_THAT(refused(row, {{"hops", "1000000000"}}), HasSubstr("hops '1000000000'; expected"));
  }
}

}  // namespace
}  // namespace lockstep::study
