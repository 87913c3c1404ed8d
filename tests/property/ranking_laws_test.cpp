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

/// Of every family, symmetric or not, with and without switches.
constexpr const char* ranked_networks[] = {
    "star:3",       "star:4",         "ring:5",         "linear:4",          "hypercube:3",
    "complete:5",   "torus:3x4",      "torus:6x2",      "mesh:2x3",          "ej:1+2",
    "fat-tree:2^2", "kary-tree:2^2",  "xgft:2;2,3;1,2", "extended-ring:8,3", "petersen",
    "pancake:3",    "circulant:7,1,2"};

/// A part of these blocks is padded wherever they are divided, or none is.
constexpr std::size_t block_lengths[] = {1, 17, 60};

/// t_s/t_m. The first one is that of the host; `compare` knows the others anyway.
constexpr double startup_times[] = {0.01, 1, 100};

/// Name of the algorithm, and what it is charged: words as parts of blocks.
struct Named {
  std::string algorithm{};
  Cost charged{};

  friend bool operator==(const Named&, const Named&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Named& one) {
    return out << one.algorithm << ": " << one.charged.startups << " start-ups, "
               << to_string(one.charged.message_times) << " message times";
  }
};
using Winner = std::optional<Named>;  // none: there is no algorithm

Winner selected_by_run(RunRequest request, double t_s) {
  request.costs = {.t_s = t_s};
  try {
    const auto run = prepare(request);
    const RunForecast& before = run->forecast();
    const RunResult after = run->execute();
    EXPECT_TRUE(after.record.legal()) << before.algorithm.name;
    return Named{
        std::string(before.algorithm.name),
        words_as_blocks(before.charged(after.cost, after.record.steps), before.block_bytes)};
  } catch (const InvalidParameter&) {
    return std::nullopt;
  }
}

Winner best_of_tune(const std::optional<study::Contest>& contest, double t_s) {
  if (!contest) return std::nullopt;
  const study::ContestEntry& best = contest->entries[contest->best({.t_s = t_s})];
  return Named{best.request.algorithm, words_as_blocks(best.charged, contest->block_bytes)};
}

Named named_in(const report::Fields& row, std::string_view model) {
  return {cell_of(value_of(row, "algorithm")),
          words_as_blocks(study::rank_of(row, model).charged,
                          std::get<std::uint64_t>(value_of(row, "bytes")))};
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

constexpr CostParameters ranking_host{.t_s = startup_times[0]};

std::vector<RunRequest> compared(const RunRequest& request) {
  try {
    return study::compare_variants(request, ranking_host).requests;
  } catch (const InvalidParameter&) {
    return {};
  }
}

/// The best rows of a sweep over the same runs, where it has a choice.
std::vector<report::Fields> best_of_sweep(const std::vector<RunRequest>& requests) {
  study::RunSeries series(requests, {});
  study::Sweep sweep(series, {.costs = ranking_host});
  (void)sweep.text([](const std::string&) {}, any_width);
  return study::best_rows(sweep.complete().rows, {}, ranking_host);
}

class RankingLaw {
 public:
  void check(const RunRequest& request) {
    const std::optional<study::Contest> contest = contest_of(request);
    const std::vector<RunRequest> requests = compared(request);
    std::optional<study::Comparison> comparison;
    if (!requests.empty()) {
      study::RunSeries series(requests, {});
      comparison = study::compare(series, ranking_host);
    }
    const std::string_view model = contest              ? contest->model.name
                                   : request.port_model ? request.port_model->name
                                                        : "";
    for (const double t_s : startup_times) {
      SCOPED_TRACE(fmt::format("--ts {}", t_s));
      const Winner best = best_of_tune(contest, t_s);
      const std::string ratio =
          t_s == ranking_host.t_s ? fmt::format("{:g}/1", t_s) : fmt::format("{:g}", t_s);
      EXPECT_EQ(selected_by_run(request, t_s), best);
      EXPECT_EQ(fastest_of_compare(comparison, model, ratio), best);
      ++(best ? ranked_ : refused_);
      if (best && contest && !contest->entries[contest->best({.t_s = t_s})].declared) ++tried_;
    }
    if (!swept_.insert({request.topology.name(), name_of(request.operation)}).second) return;
    for (const report::Fields& row : best_of_sweep(requests))
      if (cell_of(value_of(row, "port_model")) == model &&
          cell_of(value_of(row, "ratio")) == fmt::format("{:g}/1", ranking_host.t_s)) {
        EXPECT_EQ(cell_of(value_of(row, "algorithm")),
                  best_of_tune(contest, ranking_host.t_s)->algorithm);
        ++best_rows_;
      }
  }

  void expect_many() const {
    EXPECT_GT(ranked_, 2'000U);
    EXPECT_GT(refused_, 50U);
    EXPECT_GT(tried_, 50U);  // won by algorithms that declare a stronger port model
    EXPECT_GT(best_rows_, 50U);
  }

 private:
  std::set<std::pair<std::string, std::string_view>> swept_{};
  std::size_t ranked_ = 0;
  std::size_t refused_ = 0;
  std::size_t tried_ = 0;
  std::size_t best_rows_ = 0;
};

TEST(RankingLaws, AllCommandsNameTheSameWinner) {
  RankingLaw law;
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
