// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How long a run will take, from its first steps. A program whose plan is known tells which of the
/// remaining steps are like those that ran (message size, port, deliveries); for others every
/// block that is sent counts the same, or every step.

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <thread>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/catalog/detail/any_program.hpp"
#include "lockstep/machine/step_observer.hpp"

namespace lockstep::catalog {

/// Requests a stop some time after start(), or when it is destroyed.
class StopAfter {
 public:
  void start(double seconds);
  void stop() noexcept { source_.request_stop(); }
  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread timer_;
};

/// A step of a trial.
struct TriedStep {
  double seconds = 0;
  std::uint64_t messages = 0;       ///< blocks in them, or words
  std::uint64_t touched_bytes = 0;  ///< of memory that nothing had used before
};

/// Facts of a whole run, or of the rest after its trial.
struct WholeRun {
  std::uint64_t messages = 0;  ///< blocks over links; 0: not known
  double typical_seconds = 0;  ///< of these messages, in memory that was used before
  std::uint64_t untouched_bytes = 0;
};

/// Keeps the steps of a trial, and ends it before the time is over where the next step would last
/// beyond that: messages of a broadcast grow from step to step.
class TrialSteps final : public StepObserver {
 public:
  /// The time begins; a part of it is left for steps, however long the run takes to be set up.
  TrialSteps(StopAfter& end, double seconds) : end_(end), seconds_(seconds) {}

  void on_start() override;
  void on_step(const StepRecord& step) override;
  [[nodiscard]] bool only_watches() const noexcept override { return true; }

  [[nodiscard]] double setup_seconds() const noexcept { return setup_seconds_; }
  [[nodiscard]] const std::vector<TriedStep>& all() const noexcept { return all_; }

 private:
  StopAfter& end_;
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double setup_seconds_ = 0;
  std::uint64_t held_bytes_ = 0;
  std::vector<TriedStep> all_;
};

/// From the times of the first steps to the time of all; `seconds`: of a whole trial that ran them.
/// Of programs whose steps are not known to differ by the blocks and the memory that are left,
/// where blocks are known.
[[nodiscard]] double extrapolated(const std::vector<StepClass>& classes,
                                  const std::vector<TriedStep>& tried, const WholeRun& run,
                                  double seconds);

}  // namespace lockstep::catalog
