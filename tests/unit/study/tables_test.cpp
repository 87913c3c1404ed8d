// SPDX-License-Identifier: Apache-2.0

/// Rows, columns and judgements of the tables of runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "study/comparison.hpp"
#include "study/sweep.hpp"
#include "study/term_list.hpp"

namespace lockstep::study {
namespace {

using report::cell_of;
using report::Fields;
using report::value_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunRequest request_on(const std::string& topology) { return {.topology = topology, .workers = 2}; }

/// A run that delivered everything, but stored something before it had arrived.
TEST(RunRow, SaysThatSomethingWasStoredTooEarly) {
  RunRequest star = request_on("star:4");
  star.algorithm = "packing";
  RunResult result = prepare(star)->execute();
  ASSERT_EQ(result.judgement.outcome, Outcome::complete);
  result.record.stores_without_message = 3;
  result.judgement = judge(result.record, result.cost, result.judgement.deliveries, {});
  Measured run{.forecast = result.forecast};
  run.take(std::move(result));
  EXPECT_EQ(run.exit, Exit::not_delivered);
  const Fields row = run_row(star, run, {});
  EXPECT_EQ(cell_of(value_of(row, "status")), "not-delivered");
  EXPECT_THAT(cell_of(value_of(row, "note")), HasSubstr("3 stores, combinations or deliveries"));
}

TEST(RunRow, SaysWhatARefusedRequestAskedFor) {
  RunRequest star = request_on("star:3");
  star.algorithm = "packing";
  star.settings["k"] = Numbers{3};
  star.block_bytes = 8;
  RunSeries series({star}, {});
  EXPECT_FALSE(series.before(0).forecast);
  const Fields row = run_row(star, series.measure(0), {});
  for (const auto& [name, cell] : {std::pair{"topology", "star:3"},
                                   {"k", "3"},
                                   {"bytes", "8"},
                                   {"status", "refused"},
                                   {"startups", ""},
                                   {"executor", ""}})
    EXPECT_EQ(cell_of(value_of(row, name)), cell) << name;
}

TEST(Measured, KeepsTheWorstOfItsRepeats) {
  const auto with = [](Outcome outcome, const std::string& sentence) {
    RunResult result;
    result.judgement = {.outcome = outcome, .sentence = sentence};
    return result;
  };
  Measured run;
  run.take(with(Outcome::complete, ""));
  run.take(with(Outcome::rule_broken, "a"));
  run.take(with(Outcome::not_delivered, "b"));
  EXPECT_EQ(run.exit, Exit::rule_broken);
  EXPECT_EQ(run.note, "a");
}

TEST(ExitOf, EveryOutcomeHasItsCode) {
  EXPECT_EQ(code(exit_of(Outcome::complete)), 0);
  for (const Outcome outcome :
       {Outcome::not_as_promised, Outcome::below_bound, Outcome::incomplete_as_known,
        Outcome::stores_without_message, Outcome::not_delivered})
    EXPECT_EQ(code(exit_of(outcome)), 1);
  EXPECT_EQ(code(exit_of(Outcome::rule_broken)), 3);
  EXPECT_EQ(code(exit_of(Outcome::interrupted)), 130);
}

TEST(ShownParameters, AreThoseThatAreSetAndSomeKinds) {
  using Kind = Parameter::Kind;
  const auto names = [](std::vector<RunRequest> requests, std::initializer_list<Kind> always) {
    std::vector<std::string> shown;
    for (const Parameter& parameter : shown_parameters(RunSeries(std::move(requests), {}), always))
      shown.emplace_back(parameter.name);
    return shown;
  };
  EXPECT_THAT(names({request_on("star:4")}, {}), IsEmpty());
  EXPECT_THAT(names({request_on("ring:5")}, {Kind::numbers}), ElementsAre("k"));
  EXPECT_THAT(names({request_on("ring:5")}, {Kind::numbers, Kind::count}),
              ElementsAre("k", "batch"));
  RunRequest batched = request_on("star:4");
  batched.settings["batch"] = std::uint64_t{2};
  EXPECT_THAT(names({request_on("ring:5"), batched}, {}), ElementsAre("batch"));
  RunRequest ring = request_on("ring:5");
  ring.settings["discipline"] = "fifo";
  EXPECT_THAT(names({ring}, {Kind::numbers}), ElementsAre("k", "discipline"));
}

TEST(RunRow, LaysWhatWasCountedBesideWhatWasPredicted) {
  RunRequest packing = request_on("star:4");
  packing.algorithm = "packing";
  const auto predicted = [&](const Measured& run) {
    return cell_of(value_of(run_row(packing, run, {}), "predicted"));
  };
  RunSeries series({packing}, {});
  EXPECT_EQ(predicted(series.before(0)), "41 start-ups, 66 message times");
  Measured run = series.measure(0);
  EXPECT_EQ(predicted(run), "as counted");
  ++run.result->cost.startups;
  EXPECT_EQ(predicted(run), "41 start-ups, 66 message times");
  run.forecast->predicted.reset();
  EXPECT_EQ(predicted(run), "not known");
}

/// Saved against k = 1, on every network by itself.
TEST(Sweep, TellsWhatIsSaved) {
  RunRequest packed = request_on("star:4");
  packed.settings["k"] = Numbers{2};
  RunSeries series({packed, request_on("ring:5")}, {});
  Sweep sweep(series, {.costs = {.t_s = 100, .t_m = 1}});
  const Fields star = sweep.row(series.request(0), series.measure(0));
  EXPECT_NEAR(*report::number_of(value_of(star, "eti")), 1 - (3'700.0 + 62) / (6'200 + 62), 1e-9);
  const Fields ring = sweep.row(series.request(1), series.measure(1));
  EXPECT_FALSE(report::known(value_of(ring, "eti")));
}

TEST(ColumnList, NamesEveryColumnOnceWithItsMeaning) {
  const Table list = column_list();
  std::set<std::string> columns;
  for (const auto& row : list.rows()) {
    ASSERT_EQ(row.size(), 5U);
    EXPECT_TRUE(row[1] == "series" || columns.insert(row[0]).second) << row[0];
    EXPECT_NE(row[4], "") << row[0];
  }
  RunSeries none({}, {});
  for (const Fields& table : {Sweep::columns(Sweep(none, {}).row({}, {})),
                              comparison_columns(comparison_row({}, {}, {}))})
    for (const std::string& name : report::names_of(table)) EXPECT_THAT(columns, Contains(name));
  for (const Parameter& parameter : parameter_catalog())
    EXPECT_THAT(columns, Contains(std::string(parameter.name)));
  EXPECT_THAT(
      list.rows(),
      Contains(ElementsAre("lower_bound_startups", "run sweep compare", "lower_bound.startups", "",
                           "lower bound for all algorithms, including those that divide blocks")));
}

/// A name in a list of columns is a figure, not a slip of the pen.
TEST(Columns, AreAllOfARow) {
  RunSeries none({}, {});
  for (const Fields& table : {Sweep::columns(Sweep(none, {}).row({}, {})),
                              comparison_columns(comparison_row({}, {}, {}))})
    for (const report::Field& field : table) EXPECT_NE(field.meaning, "") << field.name;
}

}  // namespace
}  // namespace lockstep::study
