// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Watches a run between its steps.

#include <atomic>
#include <cstdint>
#include <optional>

#include "lockstep/machine/run_record.hpp"

namespace lockstep {

class StepObserver {
 public:
  StepObserver() = default;
  StepObserver(const StepObserver&) = delete;
  StepObserver& operator=(const StepObserver&) = delete;
  virtual ~StepObserver() = default;

  /// Before the first step: the run is set up.
  virtual void on_start() {}
  /// Called after every step, in order, by the thread that runs the loop. Counts that belong to the
  /// series (StepRecord::active) are valid only if the machine keeps a series.
  virtual void on_step(const StepRecord& step) = 0;
  /// Says that the observer neither waits nor stops the run at a step that it names. The machine
  /// may then run several steps before it reports them.
  [[nodiscard]] virtual bool only_watches() const noexcept { return false; }
};

/// The record of the finished steps of a run, for another thread. If a step takes too long to wait
/// for, the steps before it can still be reported.
///
///     FinishedSteps finished;
///     start([&] { run->execute({.stop = stop, .observers = {&finished}}); });
///     if (given_up()) show(finished.record());
class FinishedSteps final : public StepObserver {
 public:
  FinishedSteps();
  ~FinishedSteps() override;
  void on_start() override { started_.store(true, std::memory_order_relaxed); }
  void on_step(const StepRecord& step) override { step_seconds_ += step.seconds; }
  [[nodiscard]] bool only_watches() const noexcept override { return true; }

  /// Whether the set-up is over. relaxed: nothing is read through it.
  [[nodiscard]] bool started() const noexcept { return started_.load(std::memory_order_relaxed); }

  /// Marked as interrupted; empty before the first step is finished. By any thread.
  [[nodiscard]] std::optional<RunRecord> record() const;

  // By the step loop, which changes the record between passes only.

  /// Before a pass: nobody changes the record until it is withdrawn.
  void offer(const RunRecord& record);
  /// After a pass.
  void withdraw();
  /// After the last pass: the record of an interrupted run is kept.
  void close(const RunRecord& record);

 private:
  /// Of the record: there is none yet, the loop changes it, another thread may read it, one reads
  /// it, or it is final.
  enum class State : std::uint8_t { none, changing, offered, read, closed };

  mutable std::atomic<State> state_{State::none};
  const RunRecord* offered_ = nullptr;
  std::optional<RunRecord> kept_;
  double step_seconds_ = 0;
  std::atomic<bool> started_{false};
};

}  // namespace lockstep
