// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How long a run will take, from its first steps. A program whose plan is known tells which of the
/// remaining steps are like those that ran (message size, port, deliveries); for others every step
/// counts the same.

#include <compare>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/program/node_invariant.hpp"

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

/// Another executor, and how long each of its loops took: the passes of a run, in order.
class TimedExecutor final : public Executor {
 public:
  explicit TimedExecutor(std::unique_ptr<Executor> executor) : executor_(std::move(executor)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return executor_->name(); }
  [[nodiscard]] std::size_t worker_count() const noexcept override {
    return executor_->worker_count();
  }
  void run(const std::function<void()>& job) override { executor_->run(job); }
  void for_each(std::size_t count, const Body& body) override;

  [[nodiscard]] const std::vector<double>& seconds() const noexcept { return seconds_; }

 private:
  std::unique_ptr<Executor> executor_;
  std::vector<double> seconds_;
};

/// What a step costs depends on what a processor does in it.
struct StepClass {
  std::uint64_t sent_blocks = 0;
  std::uint64_t other_blocks = 0;  ///< fetched from, or handed to, the host
  std::uint64_t port = 0;

  friend auto operator<=>(const StepClass&, const StepClass&) = default;
};

/// The class of every step, in order.
template <class Prog>
[[nodiscard]] std::vector<StepClass> classes_of(const Prog&, std::uint64_t steps) {
  return std::vector<StepClass>(steps);
}

[[nodiscard]] std::vector<StepClass> classes_of(const NodeInvariantProgram& program,
                                                std::uint64_t steps);

/// From the times of the first steps to the time of all; `seconds`: of a whole trial that ran them.
[[nodiscard]] double extrapolated(const std::vector<StepClass>& classes,
                                  const std::vector<double>& step_seconds, double seconds);

}  // namespace lockstep::catalog
