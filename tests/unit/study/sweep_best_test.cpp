// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "papers/star/costs.hpp"
#include "report/fields.hpp"
#include "study/best_choice.hpp"
#include "study/sweep.hpp"
#include "support/golden.hpp"
#include "support/step_list.hpp"

namespace lockstep::study {
namespace {

using report::cell_of;
using report::Fields;
using report::value_of;

/// Those of packing.
std::vector<Fields> best_rows(const std::vector<Fields>& rows) {
  static constexpr std::array parameters{
      Parameter{"k", Parameter::Kind::numbers, "", "", "", "k = {}"},
      Parameter{"batch", Parameter::Kind::count, "", "", "", "batch {}"}};
  return study::best_rows(rows, parameters);
}

using testing::ElementsAre;
using testing::IsEmpty;

/// `settings` as a sweep shows them: ", k = 3".
std::string settings(const std::string& k, std::uint64_t batch) {
  return (k.empty() ? "" : ", k = " + k) + (batch == 1 ? "" : fmt::format(", batch {}", batch));
}

Fields row(const std::string& topology, const std::string& algorithm, const std::string& k,
           std::uint64_t batch, const Cost& cost, const std::string& status = "ok",
           const std::string& port_model = "single-port") {
  return {{"topology", topology},
          {"port_model", port_model},
          {"operation", std::string("total-exchange")},
          {"algorithm", algorithm},
          {"k", k},
          {"batch", batch},
          {"settings", settings(k, batch)},
          {"status", status},
          {"needed_port_model", port_model},
          {"bytes", std::uint64_t{16}},
          {"startups", std::uint64_t{0}},
          {"charged_startups", cost.startups},
          {"control_words", cost.control_words},
          {"parts_per_block", std::uint64_t{1}},
          {"tried_port_models", std::string()},
          {"message_times", cost.message_times},
          {"charged_message_times", cost.message_times}};
}

/// A row pays for the steps that its time charges, and for control words: here half a block each.
TEST(SweepBest, CountsWhatTimeCharges) {
  const auto best = [](const std::vector<Fields>& rows) {
    return cell_of(value_of(best_rows(rows).front(), "algorithm"));
  };
  const Fields words = row("torus:5x5", "words", "", 1, {6, 90, 3});
  EXPECT_EQ(best({words, row("torus:5x5", "blocks", "", 1, {6, 91})}), "blocks");
  EXPECT_EQ(best({words, row("torus:5x5", "blocks", "", 1, {6, 92})}), "words");
}

/// Message times of blocks that are sent in parts are no whole numbers everywhere; compared
/// exactly.
TEST(SweepBest, ComparesPartsOfBlocksWithBlocks) {
  Fields thirds = row("ej:2+2^3", "thirds", "", 1, {6, 0});
  Fields halves = row("ej:2+2^3", "halves", "", 1, {6, 0});
  thirds.back().value = Fraction(289, 3);
  halves.back().value = Fraction(193, 2);
  const Fields whole = row("ej:2+2^3", "whole", "", 1, {6, 97});
  const auto best = [](const std::vector<Fields>& rows) {
    return cell_of(value_of(best_rows(rows).front(), "algorithm"));
  };
  EXPECT_EQ(best({whole, thirds, halves}), "thirds");  // 96 1/3, 96 1/2, 97
  EXPECT_EQ(best({whole, halves}), "halves");
  EXPECT_EQ(cell_of(halves.back().value), "96.5");
}

/// For every n of the reference program's table, all k as rows of a sweep.
TEST(SweepBest, IsTheReferenceProgramsForEverySize) {
  std::size_t compared = 0;
  for (const auto& golden : test::golden("star/best_k.csv")) {
    const std::size_t n = golden.number("n");
    std::vector<Fields> rows;
    for (std::size_t k = 1; k < n; ++k)
      rows.push_back(row(fmt::format("star:{}", n), "packing", fmt::format("{}", k), 1,
                         star_costs::packing(n, k)));
    for (const Fields& best : best_rows(rows)) {
      if (cell_of(value_of(best, "ratio")) != golden.text("ratio")) continue;
      EXPECT_EQ(cell_of(value_of(best, "k")), golden.text("k")) << n;
      ++compared;
    }
  }
  EXPECT_GE(compared, 15U);
}

TEST(SweepBest, IsALinePerTopology) {
  const Table table = best_by_ratio(
      {row("star:4", "packing", "2", 1, {9, 5}), row("star:5", "packing", "3", 1, {229, 474}),
       row("star:4", "packing", "3", 1, {5, 9}), row("star:5", "packing", "4", 1, {251, 442})});
  EXPECT_THAT(table.rows(), ElementsAre(ElementsAre("star:4", "k = 2", "k = 2", "k = 3"),
                                        ElementsAre("star:5", "k = 4", "k = 4", "k = 3")));
}

TEST(SweepBest, NamesWhatDiffers) {
  const Table table = best_by_ratio({row("star:4", "packing", "3,2", 1, {1, 100}),
                                     row("star:4", "packing", "3", 6, {10, 10}),
                                     row("star:4", "levelwise", "", 1, {50, 1})});
  EXPECT_THAT(table.rows(),
              ElementsAre(ElementsAre("star:4", "levelwise", "packing, k = 3, batch 6",
                                      "packing, k = 3,2")));
}

/// One way to do it, however often and with whatever blocks.
TEST(SweepBest, NeedsAChoice) {
  const Fields one = row("star:4", "levelwise", "", 1, {100, 1});
  EXPECT_THAT(best_by_ratio({one}).rows(), IsEmpty());
  EXPECT_THAT(best_by_ratio({one, one}).rows(), IsEmpty());
  EXPECT_THAT(best_rows({one, row("star:5", "packing", "3", 1, {1, 1})}), IsEmpty());
}

/// The fewest start-ups are those of another machine.
TEST(SweepBest, IsOfOnePortModelAndThoseThatItAdmits) {
  const std::vector<Fields> rows{row("star:4", "packing", "2", 1, {37, 62}),
                                 row("star:4", "levelwise", "", 1, {6, 66}),
                                 row("star:4", "packing", "3", 1, {41, 66}),
                                 row("star:4", "table", "", 1, {21, 21}, "ok", "all-port"),
                                 row("star:4", "table", "3", 1, {20, 22}, "ok", "all-port")};
  EXPECT_THAT(
      best_by_ratio(rows).rows(),
      ElementsAre(ElementsAre("star:4, single-port", "packing, k = 2", "levelwise", "levelwise"),
                  ElementsAre("star:4, all-port", "table", "table", "levelwise")));
  const std::vector<Fields> best = best_rows(rows);
  ASSERT_EQ(best.size(), 6U);
  EXPECT_EQ(cell_of(value_of(best.back(), "port_model")), "all-port");
}

/// A run that is ok under a port model is a choice there, whatever the algorithm declares. An
/// algorithm that declares the model precedes its equals.
TEST(SweepBest, IsAlsoWhatDeclaresAStrongerPortModel) {
  const auto lawful = [](const Cost& cost) {
    Fields one = row("star:4", "table", "", 1, cost);
    set(one, "needed_port_model", std::string("all-port"));
    return one;
  };
  const Fields declared = row("star:4", "packing", "2", 1, {37, 62});
  EXPECT_THAT(best_by_ratio({lawful({36, 62}), declared}).rows(),
              ElementsAre(ElementsAre("star:4", "table", "table", "table")));
  EXPECT_THAT(
      best_by_ratio({lawful({37, 62}), declared}).rows(),
      ElementsAre(ElementsAre("star:4", "packing, k = 2", "packing, k = 2", "packing, k = 2")));
  Fields broken = lawful({1, 1});
  set(broken, "status", std::string("rule-broken"));
  EXPECT_THAT(best_by_ratio({broken, declared, row("star:4", "packing", "3", 1, {41, 66})}).rows(),
              ElementsAre(ElementsAre("star:4", "k = 2", "k = 2", "k = 2")));
}

/// Padding makes the best depend on the block length: a row for each.
TEST(SweepBest, IsOfOneBlockLengthWhereBlocksArePadded) {
  const auto of_length = [](std::uint64_t bytes, const Fraction& padded) {
    Fields parts = row("hypercube:6", "halving-doubling", "", 1, {12, Fraction(63, 32)});
    Fields whole = row("hypercube:6", "recursive-doubling", "", 1, {6, 6});
    set(parts, "parts_per_block", std::uint64_t{64});
    set(parts, "charged_message_times", padded);
    set(parts, "bytes", bytes);
    set(whole, "bytes", bytes);
    return std::vector<Fields>{parts, whole};
  };
  std::vector<Fields> rows = of_length(64, Fraction(63, 32));
  for (const Fields& one : of_length(17, Fraction(126, 17))) rows.push_back(one);
  EXPECT_THAT(best_by_ratio(rows).rows(),
              ElementsAre(ElementsAre("hypercube:6, 17 bytes", "recursive-doubling",
                                      "recursive-doubling", "recursive-doubling"),
                          ElementsAre("hypercube:6, 64 bytes", "halving-doubling",
                                      "recursive-doubling", "recursive-doubling")));
}

/// At the ratio of --ts and --tm, too, where it is none of the papers'.
TEST(SweepBest, IsToldForTheHost) {
  std::vector<Fields> rows{row("star:4", "packing", "2", 1, {10, 100}),
                           row("star:4", "packing", "3", 1, {9, 130})};
  set(rows[0], "time", 600.0);
  set(rows[1], "time", 580.0);
  const Table table = best_by_ratio(rows, CostParameters{.t_s = 50});
  EXPECT_THAT(table.rows(), ElementsAre(ElementsAre("star:4", "k = 2", "k = 2", "k = 3", "k = 3")));
  const std::vector<Parameter> none;
  ASSERT_EQ(study::best_rows(rows, none, CostParameters{.t_s = 50}).size(), 4U);
  EXPECT_EQ(
      cell_of(value_of(study::best_rows(rows, none, CostParameters{.t_s = 50}).back(), "ratio")),
      "50/1");
  EXPECT_EQ(study::best_rows(rows, none, CostParameters{.t_s = 100}).size(), 3U);
}

RunRequest request(const std::string& topology, const std::string& algorithm, std::size_t k = 0) {
  RunRequest request{.topology = topology, .algorithm = algorithm, .block_bytes = 8};
  if (k != 0) request.settings["k"] = Numbers{k};
  return request;
}

/// Stops the series when its run of that number begins.
class StopAt final : public SeriesDisplay {
 public:
  explicit StopAt(std::size_t run) : left_(run) {}

  void announce(const std::string&) override {
    if (--left_ == 0) source_.request_stop();
  }
  [[nodiscard]] std::shared_ptr<StepObserver> bar(const std::string&, std::uint64_t) override {
    return std::make_shared<test::StepList>();
  }
  void clear() override {}
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::size_t left_;
  std::stop_source source_;
};

/// The best rows of the other networks are not known yet.
TEST(SweepBest, OfAnInterruptedSweepIsThatOfCompleteNetworks) {
  StopAt display(4);
  RunSeries series({request("star:3", "packing", 1), request("star:3", "packing", 2),
                    request("star:4", "packing", 1), request("star:4", "packing", 2)},
                   {.stop = display.token(), .display = &display});
  std::string text;
  EXPECT_EQ(Sweep(series, {}).text([&](const std::string& line) { text += line; }, any_width),
            Exit::interrupted);
  const std::size_t best = text.find("best at");
  ASSERT_NE(best, std::string::npos);
  EXPECT_NE(text.find("star:4"), std::string::npos);
  EXPECT_NE(text.find("star:3", best), std::string::npos);
  EXPECT_EQ(text.find("star:4", best), std::string::npos);
}

TEST(SweepRow, SavesTimeOnlyAgainstTheSamePortModel) {
  RunSeries series(
      {request("star:4", "packing", 2), request("star:4", "table"), request("star:4", "levelwise")},
      {});
  Sweep sweep(series, {.costs = {100, 1}});
  std::vector<bool> known;
  for (std::size_t i = 0; i < series.size(); ++i)
    known.push_back(
        report::known(value_of(sweep.row(series.request(i), series.measure(i)), "eti")));
  EXPECT_THAT(known, ElementsAre(true, false, true));  // single-port, all-port, single-port
}

TEST(SweepBest, CountsOnlyRunsThatWentWell) {
  const Fields bad = row("star:4", "packing", "2", 1, {1, 1}, "not-delivered");
  EXPECT_THAT(best_by_ratio({bad}).rows(), IsEmpty());
  EXPECT_THAT(best_rows({bad}), IsEmpty());
  const std::vector<Fields> best = best_rows(
      {bad, row("star:4", "packing", "3", 1, {2, 2}), row("star:4", "packing", "1", 1, {3, 3})});
  ASSERT_EQ(best.size(), 3U);
  for (const Fields& one : best) EXPECT_EQ(cell_of(value_of(one, "k")), "3");
}

/// Rows whose runs took long are not run again under other port models, and the sweep says so.
TEST(SweepBest, NamesWhatWasNotTried) {
  const std::string path = testing::TempDir() + "long_rows.csv";
  std::vector<RunRequest> requests;
  for (const char* const algorithm : {"shortest-paths", "shortest-paths-in-turn", "tree"})
    requests.push_back(
        {.topology = "torus:4x5", .operation = Operation::many_to_all, .algorithm = algorithm});
  const auto not_tried = [&] {
    RunSeries series(requests, {});
    Sweep sweep(series, {.costs = {.t_s = 1}, .version = "1.2.3"});
    EXPECT_EQ(sweep.csv({.path = path, .resume = true}), Exit::ok);
    return sweep.complete().not_tried;
  };
  std::ofstream(path) << "";
  EXPECT_THAT(not_tried(), IsEmpty());
  std::ifstream file(path);
  std::vector<CsvRow> rows = read_csv({std::istreambuf_iterator<char>(file), {}}).rows;
  for (std::size_t c = 0; c < rows.front().size(); ++c)
    if (rows.front()[c] == "wall_seconds" || rows.front()[c] == "wall_least_seconds" ||
        rows.front()[c] == "wall_most_seconds")
      for (std::size_t r = 1; r < rows.size(); ++r) rows[r][c] = "3";
  std::string text;
  for (const CsvRow& one : rows) text += report::csv_line(one);
  std::ofstream(path) << text;
  const std::vector<NotTried> named = not_tried();
  ASSERT_FALSE(named.empty());
  EXPECT_EQ(named.front().reason, "a trial takes too long");
  EXPECT_EQ(text_of(named).find("not tried: " + named.front().algorithm + " under "), 0U);
}

TEST(SweepBest, JsonListsWhatWasNotTried) {
  RunSeries series({{.topology = "ring:4", .operation = Operation::all_gather}}, {});
  Sweep sweep(series, {});
  std::string text;
  EXPECT_EQ(sweep.json([&](const std::string& json) { text += json; }, {}), Exit::ok);
  EXPECT_TRUE(nlohmann::json::parse(text).at("not_tried").is_array());
}

}  // namespace
}  // namespace lockstep::study
