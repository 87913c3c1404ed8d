// SPDX-License-Identifier: Apache-2.0
#include "study/run_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <utility>

#include "catalog/check_setting.hpp"
#include "lockstep/core/detail/huge_buffer.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/wire.hpp"
#include "report/quantities.hpp"
#include "report/spread.hpp"
#include "study/calibration.hpp"
#include "study/ready_together.hpp"

namespace lockstep::study {
namespace {

struct StatusName {
  std::string_view name;
  Exit exit;
};
/// The worst last.
constexpr std::array<StatusName, 6> statuses{
    {{report::status_of(Outcome::complete), Exit::ok},
     {"refused", Exit::bad_request},
     {"no-resources", Exit::no_resources},
     {report::status_of(Outcome::not_delivered), Exit::not_delivered},
     {report::status_of(Outcome::rule_broken), Exit::rule_broken},
     {report::status_of(Outcome::interrupted), Exit::interrupted}}};

[[nodiscard]] std::size_t rank_of(Exit exit) noexcept {
  for (std::size_t i = 0; i < statuses.size(); ++i)
    if (statuses[i].exit == exit) return i;
  return statuses.size() - 1;
}

/// The problem that ends the work, if any, becomes the result of the run.
template <class Work>
void note_problem_of(const Work& work, Measured& measured) {
  const auto [exit, text] = problem_of(work);
  if (exit == Exit::ok) return;
  const bool names_parameter =
      exit == Exit::bad_request &&
      parameter_of(parameter_catalog(), text.substr(0, text.find(':'))) != nullptr;
  measured.exit = exit;
  measured.note = names_parameter ? "--" + text : text;
}

}  // namespace

std::string_view Measured::status() const noexcept { return statuses[rank_of(exit)].name; }

void Measured::take(RunResult next) {
  const Exit its = exit_of(next.judgement.outcome);
  if (result && worse(its, exit) == exit) return;
  exit = its;
  note = next.judgement.sentence;
  result = std::move(next);
}

Exit worse(Exit a, Exit b) noexcept { return rank_of(a) < rank_of(b) ? b : a; }

std::optional<Exit> exit_of_status(std::string_view status) noexcept {
  for (const StatusName& known : statuses)
    if (known.name == status) return known.exit;
  return std::nullopt;
}

std::vector<std::string_view> statuses_of_rows() {
  std::vector<std::string_view> names;
  for (const StatusName& known : statuses)
    if (known.exit != Exit::interrupted) names.push_back(known.name);
  return names;
}

std::string describe(const RunRequest& request) {
  std::string text = fmt::format("{} {}", request.topology.name(), name_of(request.operation));
  if (!request.algorithm.empty()) text += " by " + request.algorithm;
  return text + phrases_of(parameter_catalog(), request.settings, request.topology);
}

RunSeries::RunSeries(std::vector<RunRequest> requests, Options options)
    : requests_(std::move(requests)),
      runs_(requests_.size()),
      forecasts_(requests_.size()),
      rough_seconds_(requests_.size()),
      options_(std::move(options)) {
  std::uint64_t kept_bytes = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    try {
      std::shared_ptr<PreparedRun> run = prepared(requests_[i]);
      if (run == nullptr) return;  // measure() says so
      forecasts_[i] = run->forecast();
      run->check_resources();
      rough_seconds_[i] = run->forecast().rough_seconds;
      const std::uint64_t bytes = run->forecast().footprint.plan_bytes;
      if (bytes > options_.most_plan_bytes - kept_bytes) continue;
      kept_bytes += bytes;
      runs_[i] = std::move(run);
    } catch (const InvalidParameter&) {
      continue;  // measure() says so
    } catch (const ResourceExhausted&) {
      continue;
    }
  }
}

RunSeries::~RunSeries() {
  if (leads() && !must_not_exchange_) (void)agreed({.ends = true});
}

bool RunSeries::leads() const noexcept {
  return options_.processes != nullptr && options_.processes->rank() == 0;
}

bool RunSeries::follows() const noexcept {
  return options_.processes != nullptr && options_.processes->rank() != 0;
}

RunSeries::Turn RunSeries::agreed(const Turn& turn) const {
  return detail::gathered(*options_.processes, turn).front();
}

Measured RunSeries::before(std::size_t i) const { return {.forecast = forecasts_.at(i)}; }

/// "run 12 of 54, 3 min 4 s left in all: star:7 total-exchange by packing, k = 3"
std::string RunSeries::label(std::size_t i) const {
  const double rest = std::accumulate(rough_seconds_.begin() + static_cast<std::ptrdiff_t>(i),
                                      rough_seconds_.end(), 0.0);
  const double slowness =
      rough_done_ > 0 ? spent_ / rough_done_ : static_cast<double>(options_.repeats);
  return fmt::format("run {} of {}, {} left in total: {}", i + 1, size(),
                     report::seconds_text(rest * slowness), describe(requests_[i]));
}

std::shared_ptr<PreparedRun> RunSeries::prepared(const RunRequest& request) const {
  if (options_.stop.stop_requested()) return nullptr;
  if (!options_.stop.stop_possible()) return prepare(request, false);
  return prepared_within(request, TimeLimit(request.max_hours), options_.stop);
}

/// A plan, which knows no step at which to stop, is given up: the rows before it are to be shown.
std::optional<RunResult> RunSeries::executed(const std::shared_ptr<PreparedRun>& run,
                                             const TimeLimit& limit,
                                             std::shared_ptr<StepObserver> bar) const {
  if (options_.stop.stop_possible()) {
    const auto watch = std::make_shared<Watch>();
    watch->display = std::move(bar);
    watch->processes = options_.processes;
    return executed_within(run, watch, limit, options_.stop);
  }
  RunControl control{.stop = options_.stop, .processes = options_.processes};
  if (bar != nullptr) control.observers.push_back(bar.get());
  return run->execute(control);
}

/// The first run pays for what is done once per process; it is carried out once more, unmeasured,
/// before it, unless it is long.
std::uint64_t RunSeries::warm_ups_before(std::size_t i) {
  constexpr double most_seconds = 0.5;
  if (options_.warm_ups) return *options_.warm_ups;
  const bool is_short = forecasts_[i] && forecasts_[i]->rough_seconds <= most_seconds;
  return warm_ || !is_short ? 0 : 1;
}

bool RunSeries::warm_up(const std::shared_ptr<PreparedRun>& run, const TimeLimit& limit,
                        std::uint64_t count) const {
  for (std::uint64_t i = 0; i < count; ++i)
    if (const auto result = executed(run, limit); !result || result->record.interrupted)
      return false;
  return true;
}

void RunSeries::repeat(const std::shared_ptr<PreparedRun>& run, const TimeLimit& limit,
                       const std::string& label, Measured& measured) const {
  const KeptBuffers kept;
  std::vector<double> walls;
  std::vector<double> steps;
  for (std::uint64_t i = 0; i < options_.repeats && !measured.interrupted(); ++i) {
    std::optional<RunResult> result =
        executed(run, limit,
                 options_.display == nullptr
                     ? nullptr
                     : options_.display->bar(label, run->forecast().footprint.steps));
    if (!result) {
      measured.exit = Exit::interrupted;
      return;
    }
    walls.push_back(result->setup_seconds + result->record.wall.step_seconds);
    steps.push_back(result->record.wall.step_seconds);
    measured.take(std::move(*result));
  }
  measured.wall_seconds = report::spread_of(walls).median;
  measured.walls = std::move(walls);
  measured.step_seconds = report::spread_of(steps).median;
  measured.steps = std::move(steps);
  if (predicts() && measured.result)
    measured.predicted_seconds = options_.calibration->seconds(*measured.result);
}

bool RunSeries::is_ready(std::size_t i, const TimeLimit& limit, Measured& measured) {
  bool ready = false;
  note_problem_of(
      [&] {
        ready = ready_together(options_.processes, [&]() -> const RunForecast* {
          if (runs_[i] == nullptr) runs_[i] = prepared(requests_[i]);
          if (runs_[i] == nullptr) return nullptr;
          forecasts_[i] = runs_[i]->forecast();
          measured = before(i);
          runs_[i]->check_resources();
          limit.check(*forecasts_[i], options_.repeats + options_.warm_ups.value_or(0));
          return &*forecasts_[i];
        });
        if (!ready) measured.exit = Exit::interrupted;
      },
      measured);
  return ready;
}

/// A process that fails in the middle of a run that others share fails for good: they wait for it.
/// An interrupted run is the last one in all processes.
Measured RunSeries::take(const Turn& turn, const std::string& label) {
  const std::size_t i = turn.run;
  const TimeLimit limit(requests_[i].max_hours);
  Measured measured;
  const auto run = [&] {
    if (warm_up(runs_[i], limit, turn.warm_ups))
      repeat(runs_[i], limit, label, measured);
    else
      measured.exit = Exit::interrupted;
  };
  must_not_exchange_ = true;
  if (is_ready(i, limit, measured)) {
    if (options_.processes != nullptr)
      run();
    else
      note_problem_of(run, measured);
    warm_ = warm_ || turn.warm_ups != 0;
  }
  must_not_exchange_ = measured.interrupted();
  runs_[i].reset();
  return measured;
}

Measured RunSeries::measure(std::size_t i) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = label(i);
  if (options_.display != nullptr) options_.display->announce(text);
  if (options_.stop.stop_requested()) return {.exit = Exit::interrupted};
  Turn turn{.run = i, .warm_ups = warm_ups_before(i)};
  if (leads()) turn = agreed(turn);
  Measured measured = take(turn, text);
  rough_done_ += rough_seconds_[i];
  spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (options_.display != nullptr) options_.display->clear();
  return measured;
}

void RunSeries::follow() {
  for (Turn turn = agreed({}); !turn.ends; turn = agreed({}))
    if (take(turn, {}).interrupted()) return;
}

}  // namespace lockstep::study
