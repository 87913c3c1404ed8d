// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Paced runs: every step ends when it would end on a machine with given t_s and t_m, times a
/// scale, in real time. Deadlines are counted from the start of the run: steps after a late one
/// make up for it, by at most 4.5 % each.
///
///     const Pace pace = parse_pace("ts=50us,tm=1us");
///     Pacer pacer(pace, run->forecast());
///     run->execute({.observers = {&pacer}});
///     pacer.report().p95            // step time / modelled step time

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/step_observer.hpp"
#include "report/fields.hpp"

namespace lockstep::study {

/// In seconds.
struct Pace {
  double t_s = 0;
  double t_m = 0;               ///< per block
  std::optional<double> t_w{};  ///< per control word; empty: 8 t_m / bytes of a block
  /// Real time over modelled time; empty ("scale=auto"): the least that the host holds, at least 1.
  std::optional<double> scale = 1;
};
/// "ts=50us,tm=1us", "ts=1ms,tm=20us,tw=1us,scale=10", "..,scale=auto". Throws InvalidParameter.
[[nodiscard]] Pace parse_pace(const std::string& text);

/// The modelled seconds of a step, without the scale.
[[nodiscard]] double modelled_seconds(const Pace& pace, const RunForecast& run,
                                      const StepRecord& step) noexcept;

/// The predicted time of the run at this pace; 0 if its cost is not predicted. Precondition: the
/// scale is known.
[[nodiscard]] double paced_seconds(const Pace& pace, const RunForecast& run) noexcept;

struct PaceReport {
  std::uint64_t steps = 0;
  double scale = 1;
  double modelled_seconds = 0;  ///< times the scale
  double seconds = 0;           ///< of the paced steps
  // The median of step time over its modelled time, times the scale.
  double median = 0;
  double p95 = 0;
  double p99 = 0;
};

class Pacer final : public StepObserver {
 public:
  /// Precondition: the scale is known. `run` outlives the pacer.
  Pacer(const Pace& pace, const RunForecast& run) : pace_(pace), run_(run) {}

  void on_start() override;
  /// Waits for the end of the step.
  void on_step(const StepRecord& step) override;

  [[nodiscard]] PaceReport report() const;
  [[nodiscard]] const Pace& pace() const noexcept { return pace_; }

 private:
  using Clock = std::chrono::steady_clock;

  Pace pace_;
  const RunForecast& run_;
  Clock::time_point start_{};
  Clock::time_point last_{};
  double due_ = 0;  // seconds after the start
  std::vector<double> ratios_{};
};

/// The least scale at which the host holds the pace, from the first steps of the run without pace,
/// about `seconds` of them: their time over their modelled time, with a margin of a quarter.
[[nodiscard]] double least_scale(PreparedRun& run, const Pace& pace, double seconds,
                                 const std::stop_token& stop);
/// The pace with a scale. Throws InvalidParameter where the host does not hold the scale that was
/// asked for, with the one that it holds.
[[nodiscard]] Pace held_pace(const Pace& pace, double least);

[[nodiscard]] report::Fields pace_fields(const PaceReport& report);
/// Two lines, as in the report of a run.
[[nodiscard]] std::string text_of(const PaceReport& report);

}  // namespace lockstep::study
