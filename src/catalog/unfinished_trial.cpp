// SPDX-License-Identifier: Apache-2.0
#include "catalog/unfinished_trial.hpp"

namespace lockstep::catalog {

std::uint64_t work_of(const RunForecast& run) {
  const auto hops = static_cast<double>(run.footprint.hops);
  if (!run.predicted || run.footprint.steps == 0) return run.footprint.hops;
  const double blocks =
      run.predicted->message_times.value() * static_cast<double>(run.parts_per_block());
  const double mean_length = std::max(1.0, blocks / static_cast<double>(run.footprint.steps));
  return static_cast<std::uint64_t>(hops * mean_length);
}

std::optional<double> estimated_without_steps(const TrialState& trial, const TypicalRun& typical) {
  constexpr double least_part = 0.02;  // less of the memory tells nothing
  constexpr double most_slowness = 8;
  if (!trial.plan_seconds) return std::nullopt;
  double setup = trial.setup_seconds.value_or(0);
  if (!trial.setup_seconds) {
    if (typical.touched_part < least_part) return std::nullopt;
    setup = *trial.plan_seconds +
            (trial.seconds - *trial.plan_seconds) / std::min(1.0, typical.touched_part);
  }
  const double memory_seconds = setup - *trial.plan_seconds;
  const double slowness =
      typical.setup_seconds > 0
          ? std::clamp(memory_seconds / typical.setup_seconds, 1.0, most_slowness)
          : 1.0;
  return std::max(trial.seconds, setup + typical.step_seconds * slowness);
}

double seconds_of(const std::vector<TriedStep>& steps) {
  double seconds = 0;
  for (const TriedStep& step : steps) seconds += step.seconds;
  return seconds;
}

void TrialNotes::begin() {
  const std::lock_guard lock(mutex_);
  start_ = Clock::now();
  plan_seconds_.reset();
  setup_seconds_.reset();
  steps_.clear();
}

void TrialNotes::on_step(const StepRecord& step) {
  const std::lock_guard lock(mutex_);
  steps_.push_back({.seconds = step.seconds, .messages = work_of(step)});
}

TrialState TrialNotes::state() const {
  const std::lock_guard lock(mutex_);
  return {.seconds = seconds(),
          .plan_seconds = plan_seconds_,
          .setup_seconds = setup_seconds_,
          .steps = steps_};
}

void TrialNotes::note(std::optional<double>& own) {
  const std::lock_guard lock(mutex_);
  own = seconds();
}

}  // namespace lockstep::catalog
