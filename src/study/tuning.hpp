// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Tuning: which algorithm, with which parameters, is the best one for a machine. All variants of
/// all algorithms compete whose runs keep the rules of the port model: every packing factor and
/// chain, every batch that can matter, every h, packet and discipline. The order is that of
/// catalog/ranking.hpp, as for `run`, `compare` and `sweep`.
///
///     const Contest contest = contest_for({.topology = "star:9"}, {});
///     contest.entries[contest.best({.t_s = 1000})].name        // "levelwise"
///
/// By t_s and t_m the ranking is exact: costs are closed forms, or counted by a run where there is
/// none. For the host, the calibrated model predicts, and the best few are measured.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalog/ranking.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/program/cost.hpp"
#include "study/calibration.hpp"
#include "study/comparison.hpp"

namespace lockstep::study {

struct ContestEntry {
  RunRequest request{};
  std::string name{};        ///< "packing, k = 4,3,2"
  Cost charged{};            ///< what the time charges, with idle steps and padding
  std::uint64_t parts = 1;   ///< that blocks are divided into, padded to the same size
  bool counted = false;      ///< by a run; else by a closed form
  bool declared = true;      ///< the algorithm needs the port model or a weaker one
  bool is_own_model = true;  ///< the port model is the one that the algorithm states
  /// With the messages as the request has them; else in parts, which the request does not ask for.
  bool as_asked = true;
  // For the host.
  std::optional<double> predicted_seconds{};  ///< of the steps, by the calibrated model
  std::optional<double> measured_seconds{};   ///< of the steps, median of the repetitions
};

struct Contest {
  std::string topology{};
  Operation operation{};
  PortModel model{};
  bool is_model_asked_for = false;
  std::size_t block_bytes = 0;
  std::vector<ContestEntry> entries{};
  std::vector<ComparedRuns::LeftOut> left_out{};

  [[nodiscard]] double time(std::size_t entry, const CostParameters& costs) const {
    return predicted(entries.at(entry).charged, costs, block_bytes);
  }
  /// The first of the ranking. Precondition: there is an entry.
  [[nodiscard]] std::size_t best(const CostParameters& costs) const;
  /// All with the messages as they are asked for, the first of the ranking first.
  [[nodiscard]] std::vector<std::size_t> ranking(const CostParameters& costs) const;
  /// The best one of those with messages in parts, if it takes less time than all others.
  [[nodiscard]] std::optional<std::size_t> better_in_parts(const CostParameters& costs) const;

  [[nodiscard]] catalog::Ranked rank(std::size_t entry) const {
    return {entries.at(entry).charged, entries.at(entry).declared};
  }
  /// Those with the messages as they are asked for, which come first.
  [[nodiscard]] std::vector<catalog::Ranked> ranks_as_asked() const;
};

struct ContestLimits {
  std::stop_token stop{};
  SeriesDisplay* display = nullptr;
};

/// Without a port model, under the first one of the catalogue that has a variant. Throws
/// InvalidParameter where no algorithm is known, all refuse the request, or none keeps the rules.
[[nodiscard]] Contest contest_for(const RunRequest& base, const ContestLimits& limits);

struct HostRanking {
  std::vector<std::size_t> predicted{};  ///< entries with a prediction, the least time first
  std::vector<std::size_t> measured{};   ///< those that were measured, the least time first
  double agreement = 1;  ///< Kendall's tau of both orders among those that were measured
  Exit exit = Exit::ok;
};
/// Predicts all entries that fit the host, and measures the best `most` of them: of those whose
/// predictions hardly differ, first those with few parameters.
[[nodiscard]] HostRanking rank_on_host(Contest& contest, const Calibration& calibration,
                                       std::size_t most, std::uint64_t repeats,
                                       const ContestLimits& limits);
/// Kendall's tau of two orders of the same things; 1 for fewer than two of them.
[[nodiscard]] double rank_agreement(const std::vector<std::size_t>& a,
                                    const std::vector<std::size_t>& b);

/// t_s/t_m for a block of Contest::block_bytes, and block lengths; t_m grows with the length.
struct MapGrid {
  std::vector<double> ratios{};
  std::vector<std::uint64_t> block_bytes{};
};
[[nodiscard]] MapGrid usual_grid();

struct MapCell {
  double ratio = 0;
  std::uint64_t block_bytes = 0;
  std::size_t entry = 0;
  double time = 0;  ///< in units of t_m for a block of Contest::block_bytes
};
/// Ratio by ratio. An algorithm divides blocks of every length into as many parts, and is charged
/// for the padding at that length.
[[nodiscard]] std::vector<MapCell> winner_map(const Contest& contest, const MapGrid& grid);

}  // namespace lockstep::study
