// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The calibration of a host: runs that are drawn from the catalogue, the host model that is fitted
/// to them (cost/host_model.hpp), and the file that keeps both in the user's configuration
/// directory.
///
///     Calibration made = calibrate({.seconds = 60, .workers = {1}});
///     print(json_of(made));                                    // into calibration_path()
///     const auto model = loaded(calibration_path()).model;      // InvalidParameter: damaged
///     made.seconds(result)                                      // of the steps of any run

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalog/host_work.hpp"
#include "cost/host_model.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/report/run_report.hpp"
#include "study/run_series.hpp"

namespace lockstep::study {

/// Predictions are called good up to these errors: of half of them, and of nine of ten.
inline constexpr double largest_median_error = 0.2;
inline constexpr double largest_decile_error = 0.5;

struct Calibration {
  Provenance made{};  ///< the host and the build that it is of
  HostCaches caches{};
  std::string date{};  ///< UTC, "2026-11-23T21:05:00Z"
  HostModel model{};

  /// Why the time of a run is not predicted; empty where it is.
  [[nodiscard]] std::string no_prediction(const RunForecast& run, const HostWork& work) const;
  [[nodiscard]] std::string no_prediction(const RunResult& result) const {
    return no_prediction(result.forecast, catalog::host_work(result.forecast, result.record));
  }
  /// Time of the steps; empty where it is not predicted.
  [[nodiscard]] std::optional<double> seconds(const RunForecast& run, const HostWork& work) const;
  [[nodiscard]] std::optional<double> seconds(const RunResult& result) const {
    return seconds(result.forecast, catalog::host_work(result.forecast, result.record));
  }
  /// Why it does not hold here: another host, another build; empty where it does.
  [[nodiscard]] std::string refusal(const Provenance& here, const HostCaches& here_caches) const;
};

struct CalibrationPlan {
  double seconds = 85;        ///< wall time of all runs, about
  std::uint64_t repeats = 5;  ///< of all runs, at least, as time allows; medians are kept
  std::vector<std::size_t> workers{};
  std::uint64_t most_bytes = std::uint64_t{320} << 20U;  ///< that the steps of a run use
  std::uint64_t judged = 0;                              ///< runs that no model is fitted to
  std::uint64_t judge_seed = 1;                          ///< from which they are drawn
  std::stop_token stop{};
  SeriesDisplay* display = nullptr;
};

/// Draws runs (study/drawn_runs.hpp), and runs each of them, or as many of its steps as a small
/// part of the time allows; then all of them again, pass by pass. No judged run is also fitted to.
[[nodiscard]] std::vector<HostSample> measured(const CalibrationPlan& plan);
[[nodiscard]] Calibration calibrate(const CalibrationPlan& plan);

/// $XDG_CONFIG_HOME/lockstep/calibration.json, or ~/.config/lockstep/calibration.json; empty where
/// there is no home.
[[nodiscard]] std::filesystem::path calibration_path();
[[nodiscard]] std::string json_of(const Calibration& calibration);
/// Throws InvalidParameter where it cannot be read, and where a time is negative, missing or
/// absurd.
[[nodiscard]] Calibration loaded(const std::filesystem::path& path);

/// The calibration of this host and build, if there is one; `note` says why one that is there does
/// not count.
struct KnownCalibration {
  std::optional<Calibration> calibration{};
  std::string note{};
};
[[nodiscard]] KnownCalibration known_calibration();

/// Values of --ts and --tm with which the linear model describes this host: seconds per start-up
/// and per block of a message, for runs like this one. Intervals are those of the fitted times,
/// added up.
struct HostCosts {
  HostTime t_s{};
  HostTime t_m{};
};
[[nodiscard]] std::optional<HostCosts> host_costs(const Calibration& calibration,
                                                  const RunForecast& run);

}  // namespace lockstep::study
