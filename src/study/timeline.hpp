// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The work of each worker over time, as a trace that Perfetto and chrome://tracing open: a thread
/// per worker, a slice per step and worker, counters of messages and bytes. It watches a run from
/// outside: an executor around that of the run, and an observer.
///
///     Timeline timeline(make_executor(ExecutorKind::tbb, 2), block_bytes);
///     run->execute({.observers = {&timeline}, .run_on = &timeline.executor()});
///     write("run.json", timeline.json(provenance));
///
/// A trace is bounded: where it would exceed most_slices, it keeps every second of the passes that
/// it kept so far, and from then on only those; so every 1, 2, 4, .. th pass of the step loop is in
/// it, and otherData.sampling says so.
///
/// Each of the processes that share a run has a track; its times begin with its own first pass.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/processes.hpp"
#include "lockstep/machine/step_observer.hpp"
#include "lockstep/report/run_report.hpp"

namespace lockstep::study {

class Timeline final : public StepObserver {
 public:
  static constexpr std::size_t most_slices = 40'000;

  Timeline(std::unique_ptr<Executor> executor, std::size_t block_bytes,
           std::size_t slices = most_slices);

  [[nodiscard]] Executor& executor() noexcept { return timed_; }
  /// 1, 2, 4, ..: of so many passes one is kept.
  [[nodiscard]] std::uint64_t stride() const noexcept { return stride_; }
  /// In the JSON object form of the trace event format, times in microseconds from the first pass.
  /// `processes`: that share the run, and all call it; the first one has the trace, the others have
  /// none. Null: this one is alone.
  [[nodiscard]] std::string json(const Provenance& provenance,
                                 Processes* processes = nullptr) const;

  void on_start() override { started_ = true; }
  void on_step(const StepRecord& step) override;

 private:
  using Clock = std::chrono::steady_clock;

  /// One worker in one pass: its first task begins, its last one ends; seconds that it worked.
  struct Slice {
    Clock::time_point begin{};
    Clock::time_point end{};
    double busy_seconds = 0;
    std::uint64_t tasks = 0;
  };
  struct Pass {
    std::uint64_t number = 0;
    Clock::time_point begin{};
    std::vector<Slice> workers{};  ///< by worker; no tasks: it did nothing
    std::optional<StepRecord> step{};
  };

  class TimedExecutor final : public Executor {
   public:
    TimedExecutor(std::unique_ptr<Executor> inner, Timeline& timeline)
        : inner_(std::move(inner)), timeline_(timeline) {}
    [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
    [[nodiscard]] std::size_t worker_count() const noexcept override {
      return inner_->worker_count();
    }
    void run(const std::function<void()>& job) override { inner_->run(job); }
    void for_each(std::size_t count, const Body& body) override;

   private:
    std::unique_ptr<Executor> inner_;
    Timeline& timeline_;
  };

  /// The track of a process, in JSON: its workers; for the first one also the counters of the run.
  [[nodiscard]] std::string events(std::size_t process, const std::string& name) const;
  void begin_pass();
  void note(Clock::time_point begin, Clock::time_point end);
  void halve();

  TimedExecutor timed_;
  const std::size_t block_bytes_;
  const std::size_t most_slices_;
  bool started_ = false;  // the loops before are set-up
  std::mutex mutex_;      // of all below, while workers work
  std::vector<std::thread::id> workers_{};
  std::vector<Pass> passes_{};
  std::size_t slices_ = 0;   // of them
  std::uint64_t begun_ = 0;  // passes
  std::uint64_t stride_ = 1;
  bool kept_ = false;  // the present pass
};

}  // namespace lockstep::study
