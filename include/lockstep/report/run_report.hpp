// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The provenance of a result: program, build and host, as printed in every report.
///
///     const Provenance here = provenance("lockstep run star:5 total-exchange");
///
/// One run, for a reader (text), for programs (JSON, schema "lockstep.run/2"), for a table (CSV).
/// JSON keys and CSV columns never change their meaning; new ones may be appended.
///
///     const RunReport report{.result = result, .costs = {100, 1}, .provenance = provenance(line)};
///     std::cout << to_text(report);

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/cost/model.hpp"
#include "lockstep/report/run_result.hpp"
#include "lockstep/report/table.hpp"

namespace lockstep {

struct Provenance {
  std::string version;
  std::string command;  ///< as typed
  std::string cpu;      ///< model name; "unknown CPU" where the kernel does not say
  std::size_t cores = 0;
  std::string compiler;
  std::string build;  ///< build type and flags
};

[[nodiscard]] Provenance provenance(std::string command);

/// Whether a text may use the colours of a terminal.
enum class Colour : bool { no, yes };

struct RunReport {
  RunResult result;
  CostParameters costs{};
  Provenance provenance{};
  /// A column each in CSV; parameter_catalog() has those of all algorithms.
  std::span<const Parameter> parameters{};
  /// Set-up and steps of all repeats of the run, of which this is one; empty where there were none.
  std::vector<double> wall_seconds{};
  /// Predicted seconds of the steps, by the calibrated model of this host (cost/host_model.hpp);
  /// empty: there is none.
  std::optional<double> predicted_seconds{};
};

/// About ten lines: network, algorithm, machine's rules, costs counted beside predicted and the
/// lower bound, times, rates, deliveries, memory, and the verdict. Tables in it fit the page.
[[nodiscard]] std::string to_text(const RunReport& report, Colour colour = Colour::no,
                                  std::size_t page = any_width);

/// One object; the per-step series is in it where the record has one.
[[nodiscard]] std::string to_json(const RunReport& report);

/// A heading and a row. With a per-step series: one row per step instead.
[[nodiscard]] std::string to_csv(const RunReport& report);

/// The report of a dry run: sizes, steps, memory, time.
struct DryRunReport {
  RunForecast forecast;
  std::optional<Probe> probe{};  ///< empty: the time is that of typical rates
  double gave_up_seconds = 0;    ///< after so many the trial was ended, unfinished; 0: it ended, or
                                 ///< none was made
  /// Of set-up and steps, by the calibrated model of this host; empty: there is none, or the trial
  /// is more accurate.
  std::optional<double> predicted_seconds{};
  /// If processes will share the run. Then the estimates above are those of one process.
  std::optional<SharedRunForecast> shared{};
  bool interrupted = false;  ///< in the trial, which tells nothing then
  CostParameters costs{};
  Provenance provenance{};

  /// The time of set-up and steps; empty where the trial gave up in set-up.
  [[nodiscard]] std::optional<double> estimated_seconds() const;
};
[[nodiscard]] std::string to_text(const DryRunReport& report);
[[nodiscard]] std::string to_json(const DryRunReport& report);

}  // namespace lockstep
