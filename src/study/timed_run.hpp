// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Runs that are waited for only so long: planning and set-up know no step at which they could
/// stop. They end with the request to stop, and count towards RunRequest::max_hours.
///
///     const TimeLimit limit{request.max_hours};
///     const auto run = prepared_within(request, limit, stop);
///     if (run == nullptr) return Exit::interrupted;
///     limit.check(run->forecast(), repeats);

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/machine/step_observer.hpp"
#include "study/timeline.hpp"

namespace lockstep::study {

/// Begins when it is made.
class TimeLimit {
 public:
  explicit TimeLimit(double max_hours) : max_seconds_(max_hours * 3600) {}

  /// The time that is left, at most a year.
  [[nodiscard]] std::chrono::milliseconds left() const;
  /// Throws ResourceExhausted where so many runs are not expected to end within the limit.
  void check(const RunForecast& run, std::uint64_t repeats) const;
  /// Throws ResourceExhausted: the set-up did not end within the limit.
  [[noreturn]] void refuse_setup(const std::string& what) const;

 private:
  [[nodiscard]] double spent_seconds() const;

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double max_seconds_;
};

/// Null where it was interrupted. Throws what prepare() throws, and as refuse_setup() does.
[[nodiscard]] std::shared_ptr<PreparedRun> prepared_within(const RunRequest& request,
                                                           const TimeLimit& limit,
                                                           const std::stop_token& stop);

/// Objects that a run uses. It may go on when nobody waits for it any more.
struct Watch {
  std::shared_ptr<StepObserver> display{};  ///< none: null
  std::shared_ptr<StepObserver> pacer{};    ///< none: null
  FinishedSteps finished{};
  SendTrace trace{};
  bool traces = false;
  std::shared_ptr<Timeline> timeline{};  ///< none: null
  Processes* processes = nullptr;        ///< RunControl::processes
};

/// Empty where it was interrupted and did not end soon: `watch` has the steps that were finished.
/// Throws what execute() throws, and as refuse_setup() does.
[[nodiscard]] std::optional<RunResult> executed_within(const std::shared_ptr<PreparedRun>& run,
                                                       const std::shared_ptr<Watch>& watch,
                                                       const TimeLimit& limit,
                                                       const std::stop_token& stop);

}  // namespace lockstep::study
