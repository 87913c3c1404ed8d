// SPDX-License-Identifier: Apache-2.0
#include "study/timed_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/awaited.hpp"
#include "lockstep/core/errors.hpp"
#include "report/quantities.hpp"

namespace lockstep::study {
namespace {

/// If no time is left, a plan that takes a moment can still say what would be needed.
[[nodiscard]] std::chrono::milliseconds patience(const TimeLimit& limit) {
  constexpr std::chrono::milliseconds least{250};
  return std::max(limit.left(), least);
}

[[nodiscard]] std::string what_of(const RunChoice& run) {
  return fmt::format("{} {}", run.topology, name_of(run.algorithm.operation));
}

}  // namespace

double TimeLimit::spent_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::chrono::milliseconds TimeLimit::left() const {
  const double most = std::chrono::duration<double, std::milli>(Patience::forever).count();
  const double left_ms = std::clamp(1e3 * (max_seconds_ - spent_seconds()), 0.0, most);
  return std::chrono::milliseconds(static_cast<std::int64_t>(left_ms));
}

void TimeLimit::check(const RunForecast& run, std::uint64_t repeats) const {
  const double needed = spent_seconds() + static_cast<double>(repeats) * run.rough_seconds;
  if (needed <= max_seconds_) return;
  throw ResourceExhausted(fmt::format(
      "{}: needs about {}{} on {}, including set-up; allowed: {} (--max-hours). Use a smaller "
      "network or raise the limit",
      what_of(run), report::seconds_text(needed),
      repeats == 1 ? "" : fmt::format(" for {} runs", report::count_text(repeats)),
      report::workers_text(run.workers, run.processes), report::seconds_text(max_seconds_)));
}

void TimeLimit::refuse_setup(const std::string& what) const {
  throw ResourceExhausted(
      fmt::format("{}: set-up needs more than {}; allowed: {} (--max-hours). Use a "
                  "smaller network or raise the limit",
                  what, report::seconds_text(spent_seconds()), report::seconds_text(max_seconds_)));
}

std::shared_ptr<PreparedRun> prepared_within(const RunRequest& request, const TimeLimit& limit,
                                             const std::stop_token& stop) {
  const auto run =
      awaited([request] { return std::shared_ptr<PreparedRun>(prepare(request, false)); },
              {.stop = stop, .at_most = patience(limit)});
  if (!run && !stop.stop_requested())
    limit.refuse_setup(fmt::format("{} {}", request.topology.name(), name_of(request.operation)));
  return run.value_or(nullptr);
}

std::optional<RunResult> executed_within(const std::shared_ptr<PreparedRun>& run,
                                         const std::shared_ptr<Watch>& watch,
                                         const TimeLimit& limit, const std::stop_token& stop) {
  const auto work = [run, watch, stop] {
    RunControl control{
        .stop = stop, .observers = {&watch->finished}, .processes = watch->processes};
    if (watch->display != nullptr) control.observers.push_back(watch->display.get());
    if (watch->pacer != nullptr) control.observers.push_back(watch->pacer.get());
    if (watch->traces) control.trace = &watch->trace;
    if (watch->timeline != nullptr) {
      control.observers.push_back(watch->timeline.get());
      control.run_on = &watch->timeline->executor();
    }
    return run->execute(control);
  };
  std::optional<RunResult> result =
      awaited(work, {.stop = stop, .at_most = patience(limit), .goes_on = [watch] {
                       return watch->finished.started();
                     }});
  if (!result && !stop.stop_requested()) limit.refuse_setup(what_of(run->forecast()));
  return result;
}

}  // namespace lockstep::study
