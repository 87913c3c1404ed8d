// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Many runs, one after the other: what a table of runs is made of. A run that is refused, or that
/// goes wrong, is a result like any other; the series goes on.
///
///     RunSeries series(requests, {.stop = session.stop});
///     for (std::size_t i = 0; i < requests.size(); ++i) {
///       const Measured run = series.measure(i);
///       if (run.interrupted()) break;
///       print(run.forecast->topology, run.status(), run.note);
///     }
///
/// Several processes may share the runs. The first one measures, the others follow it.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "study/exit.hpp"
#include "study/timed_run.hpp"

namespace lockstep::study {

struct Calibration;

struct Measured {
  std::optional<RunForecast> forecast{};      ///< empty where the parameters do not fit together
  std::optional<RunResult> result{};          ///< empty where nothing was run; of repeats the worst
  double wall_seconds = 0;                    ///< set-up and steps, median of the repeats
  std::vector<double> walls{};                ///< of all repeats
  double step_seconds = 0;                    ///< median of the repeats
  std::vector<double> steps{};                ///< seconds of the steps of all repeats
  std::optional<double> predicted_seconds{};  ///< of the steps, where the host is calibrated
  Exit exit = Exit::ok;                       ///< as `lockstep run` would exit
  std::string note{};                         ///< why it was refused, or what went wrong

  /// One more repeat: the worst is kept.
  void take(RunResult next);
  [[nodiscard]] bool interrupted() const noexcept { return exit == Exit::interrupted; }
  /// "ok", "not-delivered", "rule-broken", "refused", "no-resources", "interrupted"
  [[nodiscard]] std::string_view status() const noexcept;
};

/// The worse of two exit codes, which a series exits with: a broken rule before an undelivered
/// block before a lack of resources before a bad request.
[[nodiscard]] Exit worse(Exit a, Exit b) noexcept;
/// The exit code that a status stands for; nothing else is a status.
[[nodiscard]] std::optional<Exit> exit_of_status(std::string_view status) noexcept;
/// Those that a row of a sweep may have: all but "interrupted".
[[nodiscard]] std::vector<std::string_view> statuses_of_rows();

/// "star:6 total-exchange by packing, k = 4,3,2, batch 6", as far as the request says it.
[[nodiscard]] std::string describe(const RunRequest& request);

/// How a series shows where it is. Experiments print nothing themselves: the command line, which
/// knows the terminal, hands them one of these.
class SeriesDisplay {
 public:
  SeriesDisplay() = default;
  SeriesDisplay(const SeriesDisplay&) = delete;
  SeriesDisplay& operator=(const SeriesDisplay&) = delete;
  virtual ~SeriesDisplay() = default;

  /// The next run begins.
  virtual void announce(const std::string& run) = 0;
  /// A bar for so many steps, shown until it is let go.
  [[nodiscard]] virtual std::shared_ptr<StepObserver> bar(const std::string& run,
                                                          std::uint64_t steps) = 0;
  /// The run is over: its line goes away.
  virtual void clear() = 0;
};

class RunSeries {
 public:
  struct Options {
    std::uint64_t repeats = 1;
    /// Unmeasured runs before the repetitions of every run; empty: one, before the first run that
    /// is short.
    std::optional<std::uint64_t> warm_ups{};
    std::stop_token stop{};
    SeriesDisplay* display = nullptr;          ///< outlives the series; null: nothing is shown
    const Calibration* calibration = nullptr;  ///< of this host; null: there is none
    Processes* processes = nullptr;            ///< that share every run; null: this one is alone
    /// Memory for the plans of runs that wait. A run beyond that is prepared again when its turn
    /// comes.
    std::uint64_t most_plan_bytes = std::uint64_t{256} << 20U;
  };

  /// Prepares every run.
  RunSeries(std::vector<RunRequest> requests, Options options);
  RunSeries(const RunSeries&) = delete;
  RunSeries& operator=(const RunSeries&) = delete;
  /// Ends the series in all other processes.
  ~RunSeries();

  [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
  [[nodiscard]] const RunRequest& request(std::size_t i) const { return requests_.at(i); }
  /// Whether a stop was requested: runs may be left that were not prepared.
  [[nodiscard]] bool interrupted() const { return options_.stop.stop_requested(); }
  /// Whether runs are predicted by a calibration.
  [[nodiscard]] bool predicts() const noexcept { return options_.calibration != nullptr; }
  /// The run before it is made: no more than its forecast is known.
  [[nodiscard]] Measured before(std::size_t i) const;
  /// Precondition: i < size(), and this process does not follow another.
  [[nodiscard]] Measured measure(std::size_t i);
  /// Whether another process says which runs are measured.
  [[nodiscard]] bool follows() const noexcept;
  /// Takes part in the runs that the first process measures, until its series ends.
  void follow();
  /// Not run, and not counted in the time that is left.
  void pass_over(std::size_t i) { rough_seconds_.at(i) = 0; }

 private:
  /// The next run, which the first process selects.
  struct Turn {
    bool ends = false;
    std::size_t run = 0;
    std::uint64_t warm_ups = 0;
  };

  [[nodiscard]] bool leads() const noexcept;
  /// The turn of the first process; those of the others are ignored.
  [[nodiscard]] Turn agreed(const Turn& turn) const;
  [[nodiscard]] Measured take(const Turn& turn, const std::string& label);
  /// Whether the run can begin. Else `measured` says why.
  [[nodiscard]] bool is_ready(std::size_t i, const TimeLimit& limit, Measured& measured);
  [[nodiscard]] std::string label(std::size_t i) const;
  /// Null where it was interrupted; so are the results below.
  [[nodiscard]] std::shared_ptr<PreparedRun> prepared(const RunRequest& request) const;
  [[nodiscard]] std::optional<RunResult> executed(const std::shared_ptr<PreparedRun>& run,
                                                  const TimeLimit& limit,
                                                  std::shared_ptr<StepObserver> bar = {}) const;
  [[nodiscard]] std::uint64_t warm_ups_before(std::size_t i);
  /// Whether it was not interrupted.
  [[nodiscard]] bool warm_up(const std::shared_ptr<PreparedRun>& run, const TimeLimit& limit,
                             std::uint64_t count) const;
  void repeat(const std::shared_ptr<PreparedRun>& run, const TimeLimit& limit,
              const std::string& label, Measured& measured) const;

  std::vector<RunRequest> requests_;
  std::vector<std::shared_ptr<PreparedRun>> runs_;     // null: refused, not kept, or over
  std::vector<std::optional<RunForecast>> forecasts_;  // none: refused
  std::vector<double> rough_seconds_;
  Options options_;
  double rough_done_ = 0;
  double spent_ = 0;
  bool warm_ = false;
  bool must_not_exchange_ = false;  // the others are in a run, or ended the series themselves
};

}  // namespace lockstep::study
