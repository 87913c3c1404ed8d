// SPDX-License-Identifier: Apache-2.0

/// The law of rankings, over the whole catalogue: `run`, `compare`, `sweep` and `tune` name the
/// same winner for the same request, with the same charged start-ups, message times and time; or
/// none of them names one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "study/best_choice.hpp"
#include "study/comparison.hpp"
#include "study/run_row.hpp"
#include "study/sweep.hpp"
#include "study/tuning.hpp"

namespace lockstep {
namespace {

/// Networks of every family, symmetric or not, with and without switches.
constexpr const char* ranked_networks[] = {
    "star:3",       "star:4",         "ring:5",         "linear:4",          "hypercube:3",
    "complete:5",   "torus:3x4",      "torus:6x2",      "mesh:2x3",          "ej:1+2",
    "fat-tree:2^2", "kary-tree:2^2",  "xgft:2;2,3;1,2", "extended-ring:8,3", "petersen",
    "pancake:3",    "circulant:7,1,2"};

/// A part of these blocks is padded wherever they are divided, or none is.
constexpr std::size_t block_lengths[] = {1, 17, 60};

/// t_s/t_m that `compare` knows anyway, beside that of the host.
constexpr double startup_times[] = {1, 100};

/// Name of the algorithm, and its charged cost.
struct Named {
  std::string algorithm{};
  Cost charged{};

  friend bool operator==(const Named&, const Named&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Named& one) {
    return out << one.algorithm << ": " << one.charged.startups << " start-ups, "
               << to_string(one.charged.message_times) << " message times, "
               << one.charged.control_words << " control words";
  }
};
using Winner = std::optional<Named>;  // none: there is no algorithm

Winner selected_by_run(RunRequest request, const CostParameters& costs) {
  request.costs = costs;
  try {
    const auto run = prepare(request);
    const RunForecast& before = run->forecast();
    const RunResult after = run->execute();
    EXPECT_TRUE(after.record.legal()) << before.algorithm.name;
    return Named{std::string(before.algorithm.name),
                 before.charged(after.cost, after.record.steps)};
  } catch (const InvalidParameter&) {
    return std::nullopt;
  }
}

Winner best_of_tune(const std::optional<study::Contest>& contest, const CostParameters& costs) {
  if (!contest) return std::nullopt;
  const study::ContestEntry& best = contest->entries[contest->best(costs)];
  return Named{best.request.algorithm, best.charged};
}

Named named_in(const report::Fields& row, std::string_view model) {
  return {cell_of(value_of(row, "algorithm")), study::rank_of(row, model).charged};
}

/// `ratio`: as the comparison names it.
Winner fastest_of_compare(const std::optional<study::Comparison>& comparison,
                          std::string_view model, const std::string& ratio) {
  if (!comparison) return std::nullopt;
  for (const study::Winner& winner : comparison->winners) {
    if (winner.port_model != model || winner.ratio != ratio) continue;
    const auto row = std::ranges::find_if(comparison->rows, [&](const report::Fields& one) {
      return cell_of(value_of(one, "variant")) == winner.variant &&
             study::may_run_under(one, model);
    });
    EXPECT_NE(row, comparison->rows.end()) << winner.variant;
    return named_in(*row, model);
  }
  return std::nullopt;
}

std::optional<study::Contest> contest_of(const RunRequest& request) {
  try {
    return study::contest_for(request, {});
  } catch (const InvalidParameter&) {
    return std::nullopt;
  }
}

class RankingLaw {
 public:
  explicit RankingLaw(const CostParameters& host) : host_(host) {}

  void check(const RunRequest& request) {
    const std::optional<study::Contest> contest = contest_of(request);
    const std::vector<RunRequest> requests = compared(request);
    std::optional<study::Comparison> comparison;
    if (!requests.empty()) {
      study::RunSeries series(requests, {});
      comparison = study::compare(series, host_);
    }
    const std::string_view model = contest              ? contest->model.name
                                   : request.port_model ? request.port_model->name
                                                        : "";
    check_winners(request, contest, comparison, model, host_, fmt::format("{:g}/1", host_.t_s));
    for (const double t_s : startup_times)
      check_winners(request, contest, comparison, model, {.t_s = t_s}, fmt::format("{:g}", t_s));
    check_sweep(requests, model, best_of_tune(contest, host_));
  }

  void expect_many() const {
    EXPECT_GT(ranked_, 2'000U);
    EXPECT_GT(refused_, 50U);
    EXPECT_GT(tried_, 50U);  // won by algorithms that declare a stronger port model
    EXPECT_GT(best_rows_, 500U);
  }
  [[nodiscard]] std::size_t with_words() const { return with_words_; }

 private:
  [[nodiscard]] std::vector<RunRequest> compared(const RunRequest& request) const {
    try {
      return study::compare_variants(request, host_).requests;
    } catch (const InvalidParameter&) {
      return {};
    }
  }

  /// `ratio`: as the comparison names the costs.
  void check_winners(const RunRequest& request, const std::optional<study::Contest>& contest,
                     const std::optional<study::Comparison>& comparison, std::string_view model,
                     const CostParameters& costs, const std::string& ratio) {
    SCOPED_TRACE(fmt::format("--ts {}", costs.t_s));
    const Winner best = best_of_tune(contest, costs);
    EXPECT_EQ(selected_by_run(request, costs), best);
    EXPECT_EQ(fastest_of_compare(comparison, model, ratio), best);
    ++(best ? ranked_ : refused_);
    if (best && !contest->entries[contest->best(costs)].declared) ++tried_;
    if (best && best->charged.control_words != 0) ++with_words_;
  }

  /// The best row of a sweep over the same runs, and what the table says of it where there was a
  /// choice.
  void check_sweep(const std::vector<RunRequest>& requests, std::string_view model,
                   const Winner& best) {
    study::RunSeries series(requests, {});
    study::Sweep sweep(series, {.costs = host_});
    (void)sweep.text([](const std::string&) {}, any_width);
    const std::vector<report::Fields>& rows = sweep.complete().rows;
    for (const study::Rivals& rivals : study::all_rivals(rows))
      if (rivals.port_model == model) {
        EXPECT_EQ(Winner(named_in(rivals.best({"", host_}), model)), best);
        ++best_rows_;
      }
    for (const report::Fields& row : study::best_rows(rows, {}, host_)) {
      const bool of_host = cell_of(value_of(row, "ratio")) == fmt::format("{:g}/1", host_.t_s);
      if (cell_of(value_of(row, "port_model")) != model || !of_host) continue;
      EXPECT_EQ(cell_of(value_of(row, "algorithm")), best->algorithm);
    }
  }

  CostParameters host_;
  std::size_t ranked_ = 0;
  std::size_t refused_ = 0;
  std::size_t tried_ = 0;
  std::size_t best_rows_ = 0;
  std::size_t with_words_ = 0;
};

TEST(RankingLaws, AllCommandsNameTheSameWinner) {
  RankingLaw law({.t_s = 0.01});
  std::vector<std::optional<PortModel>> models{std::nullopt};
  models.insert(models.end(), port_models::all.begin(), port_models::all.end());
  for (const char* const network : ranked_networks)
    for (const OperationInfo& info : operation_catalog()) {
      const AnyTopology topology{std::string(network)};
      if (algorithms_for(topology, info.operation).empty()) continue;
      std::size_t turn = 0;
      for (const auto& model : models) {
        // Every length under some port models, every port model with some lengths.
        const std::size_t bytes = block_lengths[turn++ % std::size(block_lengths)];
        RunRequest request{.topology = topology,
                           .operation = info.operation,
                           .port_model = model,
                           .block_bytes = bytes,
                           .executor = ExecutorKind::serial};
        if (has_root(info.operation)) request.settings["root"] = topology.processor_count() - 1;
        if (info.operation == Operation::many_to_all)
          request.settings["messages"] = std::uint64_t{3};
        SCOPED_TRACE(fmt::format("{} {} --bytes {}{}", network, name_of(info.operation), bytes,
                                 model ? fmt::format(" --port-model {}", model->name) : ""));
        law.check(request);
      }
    }
  law.expect_many();
}

/// Only aggregations send control words: dear words make another algorithm the fastest.
TEST(RankingLaws, AllCommandsChargeControlWordsAlike) {
  RankingLaw free({.t_s = 2, .t_w = 0});
  RankingLaw dear({.t_s = 2, .t_w = 1000});
  for (const char* const network : {"torus:4x4", "torus:6x6"}) {
    RunRequest request{.topology = network,
                       .operation = Operation::many_to_all,
                       .block_bytes = 24,
                       .executor = ExecutorKind::serial};
    for (const char* const placement : {"onenode", "perm"}) {
      SCOPED_TRACE(fmt::format("{}, {}", network, placement));
      request.settings["placement"] = std::string(placement);
      free.check(request);
      dear.check(request);
    }
  }
  EXPECT_GT(free.with_words(), dear.with_words());
}

/// Blocks of 65 bytes in 64 parts of 2 bytes cost as much as 128 bytes.
TEST(RankingLaws, PaddingDecides) {
  struct Case {
    const char* network;
    std::size_t bytes;
    const char* algorithm;
    double time;
  };
  for (const Case& of : {Case{"hypercube:6", 65, "recursive-doubling", 9},
                         Case{"hypercube:6", 64, "halving-doubling", 7.96875},
                         Case{"hypercube:6", 128, "halving-doubling", 7.96875}}) {
    const RunRequest request{.topology = of.network,
                             .operation = Operation::all_reduce,
                             .costs = {.t_s = 0.5},
                             .block_bytes = of.bytes};
    const auto run = prepare(request);
    EXPECT_EQ(run->forecast().algorithm.name, of.algorithm) << of.network << ", " << of.bytes;
    EXPECT_DOUBLE_EQ(predicted(*run->forecast().predicted_charge(), request.costs, of.bytes),
                     of.time);
  }
}

}  // namespace
}  // namespace lockstep
