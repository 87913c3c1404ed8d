// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The calibration of a host: designed runs, the host model that is fitted to them
/// (cost/host_model.hpp), and the file that keeps both in the user's configuration directory.
///
///     Calibration made = calibrate({.seconds = 60, .workers = {1}});
///     print(json_of(made));                                    // into calibration_path()
///     const auto model = loaded(calibration_path()).model;      // InvalidParameter: damaged
///     made.seconds(result)                                      // of the steps of any run

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cost/host_model.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/report/run_report.hpp"
#include "study/run_series.hpp"

namespace lockstep::study {

[[nodiscard]] HostRegime regime_of(const RunForecast& run, const HostCaches& caches);
/// As counted by the machine.
[[nodiscard]] HostWork work_of(const RunRecord& record) noexcept;
/// Before the run: from its footprint and its promise; counts that are not known are estimated, as
/// if every node sent in every step. A line of the report says so.
[[nodiscard]] HostWork expected_work(const RunForecast& run) noexcept;

struct Calibration {
  Provenance made{};  ///< the host and the build that it is of
  HostCaches caches{};
  std::string date{};  ///< UTC, "2026-11-23T21:05:00Z"
  HostModel model{};

  /// Time of the steps; empty if such runs were not calibrated.
  [[nodiscard]] std::optional<double> seconds(const RunForecast& run, const HostWork& work) const;
  [[nodiscard]] std::optional<double> seconds(const RunResult& result) const {
    return seconds(result.forecast, work_of(result.record));
  }
  /// Why it does not hold here: another host, another build; empty where it does.
  [[nodiscard]] std::string refusal(const Provenance& here, const HostCaches& here_caches) const;
};

/// A run whose work identifies some of the times: data, in calibration_runs.cpp.
struct DesignedRun {
  std::string_view topology;
  Operation operation;
  std::string_view algorithm;
  std::string_view setting{};  ///< of a parameter: "k=3"
  bool every_channel = false;  ///< also on the channels that are not the default
  double share = 1;            ///< of the time, relative to other runs: more for long steps
  bool judged = false;         ///< judges predictions, in blocks of up to 4 KiB
};
[[nodiscard]] RunRequest request_of(const DesignedRun& run, std::size_t block_bytes);
[[nodiscard]] std::span<const DesignedRun> calibration_runs();
/// The runs by which predictions are judged: other networks.
[[nodiscard]] std::vector<DesignedRun> check_runs();

struct CalibrationPlan {
  double seconds = 85;        ///< wall time of all runs, about
  std::uint64_t repeats = 5;  ///< of all runs, at least, as time allows; medians are kept
  std::vector<std::size_t> workers{};
  std::vector<std::size_t> block_bytes{8, 64, 512, 4096, 65536};
  std::vector<bool> verified{true, false};
  /// Larger runs are left out: their set-up takes longer than their steps.
  std::uint64_t most_bytes = std::uint64_t{48} << 20U;
  /// The same for verified runs of the last number of workers, as most runs are: they tell the
  /// times of memory beyond the caches.
  std::uint64_t most_bytes_of_usual = std::uint64_t{48} << 20U;
  std::stop_token stop{};
  SeriesDisplay* display = nullptr;
};

/// Runs each of them with every block size, or as many of its steps as its share of the time
/// allows; then all of them again. Runs that this host refuses are left out.
[[nodiscard]] std::vector<HostSample> measured(std::span<const DesignedRun> runs,
                                               const CalibrationPlan& plan);
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
