// SPDX-License-Identifier: Apache-2.0
#include "study/tuning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/star_promises.hpp"
#include "catalog/check_setting.hpp"
#include "core/instrumented.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "papers/star/costs.hpp"
#include "study/tuning_report.hpp"

namespace lockstep::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Every chain of packing factors, every batch of every single factor, and the algorithms without
/// packing, by their formulas alone: nothing of the catalogue is asked.
std::vector<Cost> exhaustive(std::size_t n, std::uint64_t most_blocks_of_a_region) {
  std::vector<Cost> costs{star_costs::by_formulas(star_total_exchange.info, n)};
  for (std::size_t subset = 0; subset < std::size_t{1} << (n - 2); ++subset) {
    std::vector<std::size_t> chain{n};
    for (std::size_t k = n - 1; k >= 2; --k)
      if (((subset >> (k - 2)) & 1U) != 0) chain.push_back(k);
    chain.push_back(1);
    costs.push_back(star_promises::packing(chain));
  }
  for (std::size_t k = 2; k < n; ++k) {
    const std::uint64_t packets = factorial(n) / factorial(k);
    const std::uint64_t most = std::min(packets, most_blocks_of_a_region / factorial(k));
    for (std::uint64_t batch = 2; batch <= most; ++batch)
      costs.push_back(star_promises::packing_in_batches(n, k, batch));
  }
  return costs;
}

void expect_exhaustive_winners(std::size_t n) {
  const Contest contest = contest_for({.topology = "star:" + std::to_string(n)}, {});
  const std::vector<Cost> all = exhaustive(n, max_region_blocks);
  for (int power = -3; power <= 6; ++power) {
    const CostParameters costs{.t_s = std::pow(10, power)};
    double least = predicted(all.front(), costs, 64);
    for (const Cost& cost : all) least = std::min(least, predicted(cost, costs, 64));
    const std::size_t best = contest.best(costs);
    // Algorithms that are not of this paper may be better, never worse.
    const bool packs = contest.entries[best].request.algorithm == "packing" ||
                       contest.entries[best].request.algorithm == "levelwise";
    if (packs)
      EXPECT_DOUBLE_EQ(contest.time(best, costs), least) << contest.entries[best].name;
    else
      EXPECT_LE(contest.time(best, costs), least) << contest.entries[best].name;
    double least_of_packing = 1e300;
    for (std::size_t i = 0; i < contest.entries.size(); ++i)
      if (contest.entries[i].request.algorithm == "packing" ||
          contest.entries[i].request.algorithm == "levelwise")
        least_of_packing = std::min(least_of_packing, contest.time(i, costs));
    EXPECT_DOUBLE_EQ(least_of_packing, least) << power;
  }
}

TEST(Tuning, EqualsTheExhaustiveSearchOnSmallStars) {
  for (const std::size_t n : {4U, 5U, 6U}) expect_exhaustive_winners(n);
}

TEST(Tuning, EqualsTheExhaustiveSearchOnALargeStar) {
  expect_exhaustive_winners(slowness == 1 ? 9 : 7);
}

/// Halving-doubling makes 16 parts, of a byte or more each.
TEST(Tuning, ChargesThePaddingOfParts) {
  const auto contest_of = [](std::size_t bytes) {
    return contest_for(
        {.topology = "hypercube:4", .operation = Operation::all_reduce, .block_bytes = bytes}, {});
  };
  const auto name_of_best = [](const Contest& contest, double t_s) {
    return contest.entries[contest.best({.t_s = t_s})].name;
  };
  EXPECT_EQ(name_of_best(contest_of(64), 0.1), "halving-doubling");
  EXPECT_EQ(name_of_best(contest_of(1), 0.1), "recursive-doubling");
  const Contest bytewise = contest_of(1);
  const auto halving = std::ranges::find(bytewise.entries, "halving-doubling", &ContestEntry::name);
  ASSERT_NE(halving, bytewise.entries.end());
  EXPECT_EQ(halving->charged.message_times, Fraction(30));  // 30 parts of one byte
  // The map charges it for the padding of each block length, not of the contest's own.
  for (const std::size_t own : {1U, 64U}) {
    const Contest contest = contest_of(own);
    const std::vector<MapCell> cells =
        winner_map(contest, {.ratios = {0.1 / 64}, .block_bytes = {1, 64}});
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_EQ(contest.entries[cells[0].entry].name, "recursive-doubling") << own;
    EXPECT_EQ(contest.entries[cells[1].entry].name, "halving-doubling") << own;
  }
}

/// As asked for, as `run` and `compare` have them: what parts would save is said apart.
TEST(Tuning, RanksMessagesInPartsApart) {
  RunRequest request{.topology = "torus:5x5", .operation = Operation::many_to_all};
  request.settings["messages"] = std::uint64_t{2};
  const Contest contest = contest_for(request, {});
  const CostParameters costs{.t_s = 0.01};
  EXPECT_THAT(contest.entries[contest.best(costs)].name, testing::Not(HasSubstr(" parts")));
  for (const std::size_t i : contest.ranking(costs)) EXPECT_TRUE(contest.entries[i].as_asked);
  const auto better = contest.better_in_parts(costs);
  ASSERT_TRUE(better.has_value());
  EXPECT_LT(contest.time(*better, costs), contest.time(contest.best(costs), costs));
  EXPECT_THAT(ranking_text(contest, costs, 3, any_width),
              HasSubstr("faster with messages in parts: " + contest.entries[*better].name));
}

/// 17 bytes in 16 parts are 32.
TEST(Tuning, ChargesThePaddingOfMessagesInParts) {
  const auto times = [](std::size_t bytes) {
    RunRequest request{
        .topology = "ring:5", .operation = Operation::many_to_all, .block_bytes = bytes};
    request.settings["messages"] = std::uint64_t{3};
    request.settings["parts"] = std::uint64_t{16};
    const Contest contest = contest_for(request, {});
    return contest.entries[contest.best({.t_s = 100})].charged.message_times;
  };
  EXPECT_EQ(times(17), times(16) * Fraction(32, 17));
}

/// As by `compare`: the user's schedule is ranked, and has to be right.
TEST(Tuning, RanksTheUsersSchedule) {
  const std::string name = testing::TempDir() + "tuned_schedule.txt";
  std::ofstream(name) << "lockstep-schedule 1\ntopology ring:3\noperation total-exchange\n"
                         "0: 1\n1: 2\n";
  RunRequest request{.topology = "ring:3"};
  request.settings["schedule"] = name;
  const Contest contest = contest_for(request, {});
  EXPECT_TRUE(std::ranges::any_of(contest.entries, [](const ContestEntry& entry) {
    return entry.request.algorithm == "schedule" && entry.charged.startups == 2;
  }));
  EXPECT_THAT(ranking_text(contest, {.t_s = 10}, 1, any_width), HasSubstr("  schedule "));
  request.settings["schedule"] = std::string("/nonexistent");
  EXPECT_THROW((void)contest_for(request, {}), InvalidParameter);
}

/// Nothing that was asked for is passed over: either no algorithm takes it, or only those that do
/// are ranked.
TEST(Tuning, DropsNoSetting) {
  RunRequest all_gather{.topology = "ring:4", .operation = Operation::all_gather};
  all_gather.settings["root"] = std::uint64_t{2};
  EXPECT_THROW((void)contest_for(all_gather, {}), InvalidParameter);
  RunRequest broadcast{.topology = "ring:5",
                       .operation = Operation::broadcast,
                       .port_model = port_models::single_port};
  broadcast.settings["parts"] = std::uint64_t{7};
  const Contest contest = contest_for(broadcast, {});
  EXPECT_FALSE(contest.entries.empty());
  for (const ContestEntry& entry : contest.entries)
    EXPECT_NE(entry.request.settings.find("parts"), nullptr) << entry.name;
  EXPECT_NE(std::ranges::find(contest.left_out, "matching", &ComparedRuns::LeftOut::algorithm),
            contest.left_out.end());
}

/// The command that is copied asks the same question.
TEST(Tuning, TheCommandHasTheConditions) {
  RunRequest request{.topology = "torus:6x2",
                     .operation = Operation::gather,
                     .port_model = port_models::single_port_send,
                     .block_bytes = 1000};
  request.settings["root"] = std::uint64_t{7};
  const Contest contest = contest_for(request, {});
  EXPECT_THAT(ranking_text(contest, {.t_s = 2, .t_m = 41.94, .t_w = 0.5}, 3, any_width),
              HasSubstr("\nlockstep run torus:6x2 gather --algorithm balanced-tree --root 7 "
                        "--bytes 1000 --port-model single-port-send --ts 2 --tm 41.94 --tw 0.5\n"));
  EXPECT_THAT(ranking_text(contest_for({.topology = "cayley:(1 2);(1 2 3 4)",
                                        .operation = Operation::broadcast},
                                       {}),
                           {.assumed = true}, 3, any_width),
              HasSubstr("\nlockstep run 'cayley:(1 2);(1 2 3 4)' broadcast --algorithm "));
  // The winner states a weaker port model than that of the ranking.
  EXPECT_THAT(
      ranking_text(contest_for({.topology = "torus:4x4", .operation = Operation::gather}, {}),
                   {.assumed = true}, 3, any_width),
      HasSubstr(" --algorithm bundled-matching --port-model single-port\n"));
}

/// The word behind an option of the command that is printed.
[[nodiscard]] std::string option_in(const std::string& text, const std::string& option) {
  const std::size_t line = text.find("\nlockstep run ");
  const std::size_t begin = text.find(option, line) + option.size() + 1;
  return text.substr(begin, text.find_first_of(" \n", begin) - begin);
}

/// Numbers of nodes may be names of others; the command gives each node by a word that is read as
/// this node.
TEST(Tuning, TheCommandNamesTheSameRoot) {
  const std::string path = testing::TempDir() + "tuned_names.txt";
  std::ofstream(path) << "1 2\n2 10\n10 20\n20 0\n0 -x\n-x 1\n";
  RunRequest request{.topology = "file:" + path, .operation = Operation::broadcast};
  const Parameter& root = *parameter_of(parameter_catalog(), "root");
  for (std::uint64_t node = 0; node < request.topology.node_count(); ++node) {
    request.settings["root"] = node;
    const std::string word = option_in(
        ranking_text(contest_for(request, {}), {.assumed = true}, 3, any_width), " --root");
    EXPECT_EQ(parse_setting(root, word, request.topology), Setting(node)) << word;
  }
}

/// Each time follows from its row.
TEST(Tuning, TimesFollowFromTheColumns) {
  RunRequest request{
      .topology = "torus:6x6", .operation = Operation::many_to_all, .block_bytes = 24};
  request.settings["placement"] = std::string("onenode");
  const Contest contest = contest_for(request, {});
  for (const std::optional<double> t_w : {std::optional<double>(), std::optional(0.3)}) {
    const CostParameters costs{.t_s = 7, .t_m = 5, .t_w = t_w};
    bool any_words = false;
    for (const report::Fields& row : ranking_rows(contest, costs, 100)) {
      const auto figure = [&](const char* name) { return *number_of(value_of(row, name)); };
      any_words = any_words || figure("control_words") > 0;
      EXPECT_NEAR(figure("time"),
                  figure("charged_startups") * 7 + figure("charged_message_times") * 5 +
                      figure("control_words") * t_w.value_or(5 * 8.0 / 24),
                  1e-9);
    }
    EXPECT_TRUE(any_words);
    EXPECT_THAT(ranking_text(contest, costs, 3, any_width), HasSubstr("control words"));
  }
}

/// An algorithm also competes under weaker port models than it declares.
TEST(Tuning, TriesAlgorithmsThatDeclareAStrongerPortModel) {
  RunRequest request{.topology = "torus:6x2",
                     .operation = Operation::gather,
                     .port_model = port_models::single_port_send};
  request.settings["root"] = std::uint64_t{7};
  const Contest contest = contest_for(request, {});
  const ContestEntry& best = contest.entries[contest.best({.t_s = 100})];
  EXPECT_EQ(best.request.algorithm, "balanced-tree");
  EXPECT_FALSE(best.declared);
  EXPECT_EQ(best.charged, (Cost{4, 4}));
  EXPECT_THROW((void)contest_for({.topology = "hypercube:3",
                                  .operation = Operation::total_exchange,
                                  .port_model = port_models::single_port_half_duplex},
                                 {}),
               InvalidParameter);
}

TEST(Tuning, DividesAFewMessages) {
  RunRequest request{.topology = "torus:10x10", .operation = Operation::many_to_all};
  request.settings["messages"] = std::uint64_t{4};
  const Contest contest = contest_for(request, {});
  const auto least_time = [&](const std::string& parts) {
    double least = 1e300;
    for (const ContestEntry& entry : contest.entries)
      if (entry.request.algorithm == "aggregation" &&
          entry.name.find(", blocks in " + parts) != std::string::npos)
        least = std::min(least, predicted(entry.charged, {.t_s = 0.01}, contest.block_bytes));
    return least;
  };
  EXPECT_LT(least_time("8 parts"), least_time("2 parts"));
  std::vector<std::string> names;
  for (const auto& [algorithm, reason] : contest.left_out) names.push_back(algorithm);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(Tuning, RanksByTime) {
  const Contest contest = contest_for({.topology = "star:5", .block_bytes = 8}, {});
  const CostParameters costs{.t_s = 10};
  const std::vector<std::size_t> order = contest.ranking(costs);
  ASSERT_EQ(order.size(), contest.entries.size());
  EXPECT_EQ(order.front(), contest.best(costs));
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    EXPECT_LE(contest.time(order[i], costs), contest.time(order[i + 1], costs));
  const std::string text = ranking_text(contest, costs, 3, any_width);
  EXPECT_THAT(text, HasSubstr("best at t_s = 10, t_m = 1: " + contest.entries[order[0]].name));
  EXPECT_EQ(ranking_rows(contest, costs, 3).size(), 3U);
}

/// The best entry, run, costs what the contest says.
TEST(Tuning, TheMachineCountsWhatTheContestSays) {
  for (const char* const topology : {"star:5", "torus:4x4", "mesh:3x4"}) {
    for (const Operation operation : {Operation::total_exchange, Operation::all_gather}) {
      const Contest contest =
          contest_for({.topology = topology, .operation = operation, .block_bytes = 24}, {});
      for (const ContestEntry& entry : contest.entries) {
        const auto run = prepare(entry.request);
        const RunResult result = run->execute();
        ASSERT_TRUE(result.ok()) << topology << entry.name;
        const Cost charged = run->forecast().charged(result.cost, result.record.steps);
        EXPECT_EQ(charged, entry.charged) << topology << " " << entry.name;
      }
    }
  }
}

/// Each reason is the true one.
TEST(Tuning, SaysWhyItLeavesOut) {
  const auto reasons = [](const RunRequest& request) {
    std::string text;
    for (const auto& [algorithm, reason] : contest_for(request, {}).left_out)
      text += algorithm + ": " + reason + "\n";
    return text;
  };
  EXPECT_THAT(reasons({.topology = "torus:4x5",
                       .operation = Operation::many_to_all,
                       .port_model = port_models::all_port_half_duplex}),
              testing::AllOf(HasSubstr("aggregation: needs the port model all-port-wormhole"),
                             HasSubstr("refused under all-port-half-duplex: "),
                             testing::Not(HasSubstr("takes too long"))));
  EXPECT_THAT(
      reasons({.topology = "torus:150x130",
               .operation = Operation::gather,
               .port_model = port_models::single_port_send}),
      testing::AllOf(HasSubstr("bundled-matching: not planned because this network is too large"),
                     HasSubstr("balanced-tree: needs the port model all-port-half-duplex; not "
                               "tried under single-port-send because this network is too large")));
}

TEST(Tuning, SaysWhatItLeavesOut) {
  const Contest contest = contest_for({.topology = "star:4"}, {});
  EXPECT_EQ(contest.model, port_models::single_port);
  EXPECT_TRUE(std::ranges::any_of(contest.left_out, [](const ComparedRuns::LeftOut& left) {
    return left.algorithm == "table" && left.reason.find("port model") != std::string::npos;
  }));
  EXPECT_THROW((void)contest_for({.topology = "mesh:2x3",
                                  .operation = Operation::odd_distance_exchange,
                                  .port_model = port_models::single_port_half_duplex},
                                 {}),
               InvalidParameter);
}

TEST(Tuning, MapsWinners) {
  const Contest contest = contest_for({.topology = "star:5", .block_bytes = 64}, {});
  const std::vector<MapCell> cells = winner_map(contest, {{0.01, 1e6}, {8, 64}});
  ASSERT_EQ(cells.size(), 4U);
  for (const MapCell& cell : cells) {
    const CostParameters costs{.t_s = cell.ratio,
                               .t_m = static_cast<double>(cell.block_bytes) / 64};
    EXPECT_EQ(cell.entry, contest.best(costs));
  }
  EXPECT_EQ(contest.entries[cells.back().entry].name, "generator-sequence");
  EXPECT_EQ(map_rows(contest, cells).size(), 4U);
  const std::string text = map_text(contest, winner_map(contest, usual_grid()), any_width);
  EXPECT_THAT(text, HasSubstr("generator-sequence: 9 charged start-ups"));
}

TEST(Tuning, AgreementOfRanks) {
  EXPECT_DOUBLE_EQ(rank_agreement({1, 2, 3}, {1, 2, 3}), 1);
  EXPECT_DOUBLE_EQ(rank_agreement({1, 2, 3}, {3, 2, 1}), -1);
  EXPECT_DOUBLE_EQ(rank_agreement({1, 2, 3}, {1, 3, 2}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(rank_agreement({4}, {4}), 1);
}

/// A made-up model in which only such work costs.
[[nodiscard]] Calibration only(std::initializer_list<HostKind> kinds) {
  Calibration calibration{.caches = host_caches()};
  for (std::uint64_t& runs : calibration.model.runs.all) runs = 1;
  for (const HostKind kind : kinds) calibration.model.rates[kind].seconds = 1e-7;
  return calibration;
}

/// If only messages cost: what is measured are the first of the ranking.
TEST(Tuning, MeasuresTheBestPredictionsOnTheHost) {
  Contest contest = contest_for({.topology = "star:4", .block_bytes = 8, .workers = 1}, {});
  const Calibration calibration = only({HostKind::message, HostKind::row_block});
  const HostRanking ranking = rank_on_host(contest, calibration, 2, 1, {});
  EXPECT_EQ(ranking.predicted.size(), contest.entries.size());
  ASSERT_EQ(ranking.measured.size(), 2U);
  EXPECT_THAT(std::vector(ranking.predicted.begin(), ranking.predicted.begin() + 2),
              testing::UnorderedElementsAreArray(ranking.measured));
  EXPECT_EQ(std::abs(ranking.agreement), 1);
  EXPECT_EQ(ranking.exit, Exit::ok);
  EXPECT_THAT(host_text(contest, ranking, 10, any_width), HasSubstr("rank agreement"));
}

/// If only checks cost, a packing factor and its batches tie, and batches are not measured.
TEST(Tuning, OfEqualPredictionsMeasuresThoseWithFewParameters) {
  Contest contest = contest_for({.topology = "star:5", .block_bytes = 8, .workers = 1}, {});
  const HostRanking ranking = rank_on_host(contest, only({HostKind::checked_byte}), 4, 1, {});
  const auto name = [&](std::size_t i) { return contest.entries[i].name; };
  const auto seconds = [&](std::size_t i) { return *contest.entries[i].predicted_seconds; };
  EXPECT_TRUE(std::ranges::any_of(ranking.predicted, [&](std::size_t i) {
    return name(i).find("batch") != std::string::npos &&
           seconds(i) < 1.15 * seconds(ranking.predicted[0]);
  }));
  ASSERT_EQ(ranking.measured.size(), 4U);
  for (const std::size_t i : ranking.measured)
    EXPECT_THAT(name(i), testing::Not(HasSubstr("batch")));
}

}  // namespace
}  // namespace lockstep::study
