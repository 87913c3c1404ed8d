// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A trial that takes longer than anybody waits for it: the time of the run, from what the trial
/// has done so far.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "catalog/extrapolation.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/step_observer.hpp"

namespace lockstep::catalog {

/// The work of a step, as TriedStep counts it: blocks, or messages of words. Messages of one step
/// may be a thousand times as long as those of another.
[[nodiscard]] constexpr std::uint64_t work_of(const StepRecord& step) noexcept {
  return std::max(step.messages, step.blocks);
}
/// That of all steps, about: messages of mean length. 0: not known.
[[nodiscard]] std::uint64_t work_of(const RunForecast& run);

/// The state of a trial at one moment.
struct TrialState {
  double seconds = 0;                     ///< since it began
  std::optional<double> plan_seconds{};   ///< empty: the plan is being made
  std::optional<double> setup_seconds{};  ///< with the plan; empty: memory is being set up
  std::vector<TriedStep> steps{};         ///< those that have ended
};

/// Facts of the run that are known beforehand.
struct TypicalRun {
  double setup_seconds = 0;
  double step_seconds = 0;  ///< of all steps
  double touched_part = 0;  ///< of the memory, so far: between 0 and 1
};

/// The time of a run none of whose steps has ended. Set-up takes as long as it takes to touch the
/// memory; where the host is slower at that than usual, steps are slower as well. Empty where
/// nothing but the time so far is known.
[[nodiscard]] std::optional<double> estimated_without_steps(const TrialState& trial,
                                                            const TypicalRun& typical);

[[nodiscard]] double seconds_of(const std::vector<TriedStep>& steps);

/// Notes of a trial, by the thread that carries it out, for the one that waits for it.
class TrialNotes final : public StepObserver {
 public:
  /// Forgets the last trial.
  void begin();
  void on_plan() { note(plan_seconds_); }
  void on_start() override { note(setup_seconds_); }
  void on_step(const StepRecord& step) override;
  [[nodiscard]] bool only_watches() const noexcept override { return true; }

  [[nodiscard]] TrialState state() const;

 private:
  using Clock = std::chrono::steady_clock;

  void note(std::optional<double>& seconds);
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  mutable std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  std::optional<double> plan_seconds_;
  std::optional<double> setup_seconds_;
  std::vector<TriedStep> steps_;
};

/// The probe so far of a trial of a run of the catalogue, while PreparedRun::probe() lasts in
/// another thread. Empty where nothing but the time is known.
[[nodiscard]] std::optional<Probe> probe_so_far(const PreparedRun& run);

}  // namespace lockstep::catalog
