// SPDX-License-Identifier: Apache-2.0
#include "study/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <utility>

#include "catalog/extrapolation.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/huge_buffer.hpp"
#include "lockstep/verify/delivery.hpp"
#include "report/quantities.hpp"
#include "study/drawn_runs.hpp"
#include "study/host_slowdown.hpp"

namespace lockstep::study {
namespace {

using Clock = std::chrono::steady_clock;

[[nodiscard]] double spent_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One request, run a few times: whole, or as many of its steps as a time allows.
class Measurement {
 public:
  Measurement(std::unique_ptr<PreparedRun> run, std::string name, const CalibrationPlan& plan)
      : run_(std::move(run)), name_(std::move(name)), plan_(plan) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Makes as many steps as end in this time, which the set-up is part of; repetitions make as
  /// many. Memory is used for the first time here, unmeasured. False: no step ended.
  [[nodiscard]] bool start(double seconds) {
    catalog::StopAfter end;
    catalog::TrialSteps tried(end, seconds);
    const std::stop_callback earlier(plan_.stop, [&end] { end.stop(); });
    const auto begin = Clock::now();
    const RunRecord record = run_->execute({.stop = end.token(), .observers = {&tried}}).record;
    constexpr double short_seconds = 5e-3;
    seconds_ = spent_since(begin);
    steps_ = record.steps;
    is_short_ = record.wall.step_seconds < short_seconds;
    return steps_ != 0;
  }

  /// About: of a repetition.
  [[nodiscard]] double seconds() const noexcept {
    return is_short_ ? 2 * seconds_ + few_seconds : seconds_;
  }

  /// Short runs begin with what the run before them left in the caches: the first one does not
  /// count. They are also disturbed most: the median of several is kept.
  void repeat() {
    constexpr std::size_t most_at_once = 5;
    const KeptBuffers kept;
    if (is_short_) (void)run_->execute({.stop = plan_.stop, .max_steps = steps_});
    const auto begin = Clock::now();
    std::vector<RunRecord> records;
    do {
      records.push_back(run_->execute({.stop = plan_.stop, .max_steps = steps_}).record);
      wrong_ = wrong_ || !records.back().legal() || records.back().steps == 0;
    } while (is_short_ && !wrong_ && records.size() < most_at_once &&
             spent_since(begin) < few_seconds);
    std::ranges::sort(records, {}, seconds_of);
    records_.push_back(std::move(records[records.size() / 2]));
  }

  /// The time of the last repetition.
  [[nodiscard]] double last_seconds() const { return seconds_of(records_.back()); }

  /// Empty where something was wrong. `slowdown`: of the host, by repetition.
  [[nodiscard]] std::optional<HostSample> sample(std::span<const double> slowdown) const {
    if (wrong_ || records_.empty()) return std::nullopt;
    const auto steady = [&](std::size_t i) { return seconds_of(records_[i]) / slowdown[i]; };
    std::vector<std::size_t> order(records_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, steady);
    const std::size_t middle = order[order.size() / 2];
    const auto [least, most] = std::ranges::minmax(records_, {}, seconds_of);
    return HostSample{
        .run = name_,
        .work = catalog::host_work(run_->forecast(), records_[middle]),
        .seconds = steady(middle),
        .spread = (seconds_of(most) - seconds_of(least)) / seconds_of(records_[middle])};
  }

 private:
  static constexpr double few_seconds = 2e-3;  ///< for several short repetitions at once

  [[nodiscard]] static double seconds_of(const RunRecord& record) noexcept {
    return std::max(1e-9, record.wall.step_seconds);
  }

  std::unique_ptr<PreparedRun> run_;
  std::string name_;
  const CalibrationPlan& plan_;
  std::uint64_t steps_ = 0;
  double seconds_ = 0;  ///< of the first time, with the set-up of the machine
  bool is_short_ = false;
  bool wrong_ = false;
  std::vector<RunRecord> records_{};
};

/// Drawn runs, pass by pass, within the time of the plan.
class MeasuredSeries {
 public:
  explicit MeasuredSeries(const CalibrationPlan& plan) : plan_(plan) {}

  /// All that are judged; then others while time is left for the repetitions of all.
  void draw() {
    constexpr std::uint64_t seed = 20'170'501;  // of the runs that the model is fitted to
    draw(plan_.judge_seed, true);
    draw(seed, false);
  }

  /// All runs once, then all of them again in another order: a host that is slow for a while is
  /// slow for all that were measured in it.
  void repeat() {
    constexpr std::uint64_t most = 25;
    std::mt19937_64 random;
    std::vector<std::size_t> order(candidates_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    double pass_seconds = 0;
    for (std::uint64_t pass = 1; pass <= plan_.repeats || (pass <= most && left() > pass_seconds);
         ++pass) {
      const auto begin = Clock::now();
      std::ranges::shuffle(order, random);
      for (const std::size_t number : order) {
        if (plan_.stop.stop_requested()) return;
        if (pass != 1 && left() <= 0) continue;
        Measurement& run = *candidates_[number].run;
        announce(fmt::format("pass {}", pass), run.name());
        run.repeat();
        times_.push_back({number, run.last_seconds()});
      }
      pass_seconds = spent_since(begin);
    }
  }

  [[nodiscard]] std::vector<HostSample> samples() {
    if (plan_.display != nullptr) plan_.display->clear();
    std::vector<std::vector<double>> slowdown(candidates_.size());
    const std::vector<double> factors = slowdown_of(times_);
    for (std::size_t i = 0; i < times_.size(); ++i) slowdown[times_[i].run].push_back(factors[i]);
    std::vector<HostSample> samples;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (auto sample = candidates_[i].run->sample(slowdown[i])) {
        sample->judged = candidates_[i].judged;
        samples.push_back(std::move(*sample));
      }
    return samples;
  }

 private:
  struct Candidate {
    std::unique_ptr<Measurement> run;
    bool judged;
  };

  [[nodiscard]] double left() const { return std::max(0.0, plan_.seconds - spent_since(start_)); }

  void announce(const std::string& pass, const std::string& run) const {
    if (plan_.display != nullptr)
      plan_.display->announce(
          fmt::format("{}, {} left in total: {}", pass, report::seconds_text(left()), run));
  }

  void draw(std::uint64_t seed, bool judged) {
    RunDraws draws(seed, plan_.workers);
    std::set<std::string> names;
    for (const Candidate& candidate : candidates_) names.insert(candidate.run->name());
    const std::size_t others = candidates_.size();
    const auto is_enough = [&] {
      if (judged) return candidates_.size() == plan_.judged;
      // A fit needs more runs than kinds of work.
      return left() < static_cast<double>(plan_.repeats) * pass_seconds_ &&
             candidates_.size() >= others + 2 * host_kinds;
    };
    while (!is_enough() && !plan_.stop.stop_requested()) {
      std::unique_ptr<Measurement> run = tried(draws);
      if (run == nullptr || !names.insert(run->name()).second) continue;
      pass_seconds_ += run->seconds();
      candidates_.push_back({std::move(run), judged});
    }
  }

  /// The next run that this host and this machine can make; null where it is none.
  [[nodiscard]] std::unique_ptr<Measurement> tried(RunDraws& draws) {
    constexpr double part = 1e-3;
    constexpr double least = 0.02;
    std::unique_ptr<Measurement> begun;
    const auto begin = [&] {
      RunRequest request = draws.next();
      request.memory_limit = plan_.most_bytes;
      announce("trial", describe(request));
      auto run = prepare(request);
      RunRequest varied = draws.vary(request, *run);
      if (!varied.settings.empty()) {
        run = prepare(varied);
        request = std::move(varied);
      }
      std::string name = name_of_run(run->forecast(), request);
      auto measurement = std::make_unique<Measurement>(std::move(run), std::move(name), plan_);
      if (measurement->start(std::max(least, part * plan_.seconds))) begun = std::move(measurement);
    };
    (void)problem_of(begin);  // these channels do not carry it, the blocks are too short, ..
    return begun;
  }

  [[nodiscard]] static std::string name_of_run(const RunForecast& run, const RunRequest& request) {
    return fmt::format("{} {} by {}{}, {}, {}, {}{}", run.topology,
                       lockstep::name_of(run.algorithm.operation), run.algorithm.name,
                       phrases_of(run.algorithm.parameters, run.settings, run.network),
                       report::bytes_text(run.block_bytes), counted(run.workers_per_step, "worker"),
                       report::channel_name(run.channel),
                       request.verify == VerifyKind::off ? ", not verified" : "");
  }

  const CalibrationPlan& plan_;
  Clock::time_point start_ = Clock::now();
  std::vector<Candidate> candidates_;
  std::vector<MeasuredTime> times_;  // as they were measured
  double pass_seconds_ = 0;          ///< of all repeated once, about
};

[[nodiscard]] std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::string text(sizeof "2026-11-23T21:05:00Z", '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
  return text;
}

}  // namespace

std::vector<HostSample> measured(const CalibrationPlan& plan) {
  MeasuredSeries series(plan);
  series.draw();
  series.repeat();
  return series.samples();
}

Calibration calibrate(const CalibrationPlan& plan) {
  Calibration made{.made = provenance({}), .caches = host_caches(), .date = now_utc()};
  std::vector<HostSample> samples = measured(plan);
  if (!plan.stop.stop_requested()) made.model = model_of(std::move(samples), made.caches);
  return made;
}

}  // namespace lockstep::study
