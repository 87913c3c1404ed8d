// SPDX-License-Identifier: Apache-2.0
#include "study/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "catalog/extrapolation.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/verify/delivery.hpp"
#include "report/quantities.hpp"

namespace lockstep::study {
namespace {

using Clock = std::chrono::steady_clock;

[[nodiscard]] double spent_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Verified and on as many workers as most runs.
[[nodiscard]] bool is_usual(std::size_t workers, VerifyKind verify, const CalibrationPlan& plan) {
  return verify != VerifyKind::off && workers == plan.workers.back();
}

/// The machines that a run is measured on: unusual ones with every other block size.
[[nodiscard]] std::vector<RunRequest> requests_for(const DesignedRun& run,
                                                   const CalibrationPlan& plan) {
  std::vector<RunRequest> list;
  constexpr std::size_t most_judged_bytes = 4096;
  for (std::size_t size = 0; size < plan.block_bytes.size(); ++size) {
    if (run.judged && plan.block_bytes[size] > most_judged_bytes) continue;
    RunRequest plain = request_of(run, plan.block_bytes[size]);
    std::vector<ChannelKind> channels{ChannelKind::automatic};
    if (run.every_channel) channels = channels_for(plain);
    for (const ChannelKind channel : channels)
      for (const std::size_t workers : plan.workers)
        for (const bool verified : plan.verified) {
          plain.channel = channel;
          plain.workers = workers;
          plain.verify = verified ? VerifyKind::automatic : VerifyKind::off;
          if (size % 2 == 0 || is_usual(workers, plain.verify, plan)) list.push_back(plain);
        }
  }
  return list;
}

/// One request, run a few times: whole, or as many of its steps as its share of the time allows.
class Measurement {
 public:
  Measurement(const RunRequest& request, const CalibrationPlan& plan)
      : run_(prepare(request)), plan_(plan) {}

  /// Makes as many steps as end in this time, which the set-up is part of; repetitions make as
  /// many. Memory is used for the first time here, unmeasured. False: too large, or no step ended.
  [[nodiscard]] bool start(double seconds) {
    if (run_->forecast().steps_bytes > most_bytes()) return false;
    catalog::StopAfter end;
    catalog::TrialSteps tried(end, seconds);
    const std::stop_callback earlier(plan_.stop, [&end] { end.stop(); });
    const auto begin = Clock::now();
    const RunRecord record = run_->execute({.stop = end.token(), .observers = {&tried}}).record;
    if (record.steps <= steps_) return steps_ != 0;
    seconds_ = spent_since(begin);
    steps_ = record.steps;
    step_seconds_ = record.wall.step_seconds;
    whole_ = !record.interrupted;
    return true;
  }

  /// Whether a longer time would show more of a run that matters.
  [[nodiscard]] bool wants_more() const {
    const RunForecast& run = run_->forecast();
    return !whole_ && is_usual(run.workers, run.verify, plan_);
  }
  /// Time of the start that made the most steps, with the set-up of the machine.
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

  /// Short runs begin with what the run before them left in the caches: they are made twice.
  void repeat() {
    constexpr double short_seconds = 5e-3;
    if (step_seconds_ < short_seconds)
      (void)run_->execute({.stop = plan_.stop, .max_steps = steps_});
    RunResult result = run_->execute({.stop = plan_.stop, .max_steps = steps_});
    wrong_ = wrong_ || !result.record.legal() || result.record.steps == 0;
    records_.push_back(std::move(result.record));
  }

  /// Empty where something was wrong.
  [[nodiscard]] std::optional<HostSample> sample(const HostCaches& caches) {
    if (wrong_ || records_.empty()) return std::nullopt;
    std::ranges::sort(records_, {},
                      [](const RunRecord& record) { return record.wall.step_seconds; });
    const RunRecord& middle = records_[records_.size() / 2];
    const double range = records_.back().wall.step_seconds - records_.front().wall.step_seconds;
    const RunForecast& run = run_->forecast();
    return HostSample{
        .run = fmt::format("{} {} by {}{}, {}", run.topology, name_of(run.algorithm.operation),
                           run.algorithm.name,
                           phrases_of(run.algorithm.parameters, run.settings, run.network),
                           report::bytes_text(run.block_bytes)),
        .regime = regime_of(run, caches),
        .work = work_of(middle),
        .seconds = middle.wall.step_seconds,
        .bytes = run.steps_bytes,
        .spread = range / middle.wall.step_seconds};
  }

 private:
  [[nodiscard]] std::uint64_t most_bytes() const {
    const RunForecast& run = run_->forecast();
    return is_usual(run.workers, run.verify, plan_) ? plan_.most_bytes_of_usual : plan_.most_bytes;
  }

  std::unique_ptr<PreparedRun> run_;
  const CalibrationPlan& plan_;
  std::uint64_t steps_ = 0;
  double seconds_ = 0;
  double step_seconds_ = 0;
  bool whole_ = false;  ///< all of its steps are made
  bool wrong_ = false;
  std::vector<RunRecord> records_{};
};

/// A request and its share of the time. Requests that the host refuses have no measurement.
struct Candidate {
  RunRequest request;
  double share;
  bool judged;
  std::unique_ptr<Measurement> run{};
};

/// Usual runs are measured longer.
[[nodiscard]] std::vector<Candidate> candidates_for(std::span<const DesignedRun> runs,
                                                    const CalibrationPlan& plan) {
  constexpr double share_of_usual = 4;
  std::vector<Candidate> candidates;
  for (const DesignedRun& run : runs)
    for (RunRequest& request : requests_for(run, plan)) {
      const bool usual = is_usual(request.workers, request.verify, plan);
      candidates.push_back(
          {std::move(request), usual ? share_of_usual * run.share : 1, run.judged});
    }
  return candidates;
}

/// All designed runs, pass by pass, within the time of the plan.
class MeasuredSeries {
 public:
  MeasuredSeries(std::span<const DesignedRun> runs, const CalibrationPlan& plan)
      : plan_(plan), candidates_(candidates_for(runs, plan)) {}

  void try_all() {
    double shares = 0;
    for (const Candidate& candidate : candidates_) shares += candidate.share;
    for_each("trial", [&](Candidate& candidate) {
      constexpr double least = 2e-3;  // a few steps of a short run, however slow the host is
      const double seconds = std::max(least, spare() * candidate.share / shares);
      shares -= candidate.share;
      candidate.run = std::make_unique<Measurement>(candidate.request, plan_);
      return candidate.run->start(seconds);
    });
  }

  /// Most runs end before their time is over. Those that did not share what will be left: once
  /// here, and in every repetition.
  void try_longer() {
    double shares = 0;
    double again = 0;  // seconds that longer trials spend on steps that were made before
    for (const Candidate& candidate : candidates_)
      if (candidate.run->wants_more()) {
        shares += candidate.share;
        again += candidate.run->seconds();
      }
    const double seconds = spare(again);
    if (seconds <= 0) return;
    for_each("longer trial", [&](Candidate& candidate) {
      Measurement& run = *candidate.run;
      return !run.wants_more() || run.start(run.seconds() + seconds * candidate.share / shares);
    });
  }

  /// All runs once, then all of them again: a host that is slow for a while is slow for all.
  void repeat() {
    constexpr std::uint64_t most = 25;
    double pass_seconds = 0;
    for (std::uint64_t pass = 1; pass <= plan_.repeats || (pass <= most && left() > pass_seconds);
         ++pass) {
      const auto begin = Clock::now();
      for_each(fmt::format("pass {}", pass), [&](Candidate& candidate) {
        if (pass == 1 || left() > 0) candidate.run->repeat();
        return true;
      });
      pass_seconds = spent_since(begin);
    }
    if (plan_.display != nullptr) plan_.display->clear();
  }

  [[nodiscard]] std::vector<HostSample> samples() {
    const HostCaches caches = host_caches();
    std::vector<HostSample> samples;
    for (Candidate& candidate : candidates_)
      if (auto sample = candidate.run->sample(caches)) {
        sample->judged = candidate.judged;
        samples.push_back(std::move(*sample));
      }
    return samples;
  }

 private:
  [[nodiscard]] double left() const { return std::max(0.0, plan_.seconds - spent_since(start_)); }
  /// The time that trials may take besides `again`, so that as much is left for every repetition.
  [[nodiscard]] double spare(double again = 0) const {
    const auto repeats = static_cast<double>(plan_.repeats);
    return std::max(0.0,
                    (plan_.seconds - again - (repeats + 1) * spent_since(start_)) / (repeats + 1));
  }

  /// Candidates for which `act` is false, or which the host refuses, are left out from then on.
  template <class Act>
  void for_each(std::string_view pass, const Act& act) {
    for (std::size_t i = 0; i < candidates_.size() && !plan_.stop.stop_requested(); ++i) {
      Candidate& candidate = candidates_[i];
      if (plan_.display != nullptr)
        plan_.display->announce(fmt::format("{}, {} left in total: {}", pass,
                                            report::seconds_text(left()),
                                            describe(candidate.request)));
      bool stays = false;
      try {
        stays = act(candidate);
      } catch (const InvalidParameter&) {
        // these channels do not carry it, or the blocks are too short
      } catch (const ResourceExhausted&) {
      } catch (const std::bad_alloc&) {
      }
      if (!stays) candidate.run.reset();
    }
    std::erase_if(candidates_, [](const Candidate& candidate) { return !candidate.run; });
  }

  const CalibrationPlan& plan_;
  Clock::time_point start_ = Clock::now();
  std::vector<Candidate> candidates_;
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

RunRequest request_of(const DesignedRun& run, std::size_t block_bytes) {
  RunRequest request{.topology = std::string(run.topology),
                     .operation = run.operation,
                     .algorithm = std::string(run.algorithm),
                     .block_bytes = block_bytes};
  if (const std::size_t at = run.setting.find('='); at != std::string_view::npos)
    for (const Parameter& parameter : parameter_catalog())
      if (parameter.name == run.setting.substr(0, at))
        request.settings[parameter.name] =
            parse_setting(parameter, std::string(run.setting.substr(at + 1)), request.topology);
  return request;
}

std::vector<HostSample> measured(std::span<const DesignedRun> runs, const CalibrationPlan& plan) {
  MeasuredSeries series(runs, plan);
  series.try_all();
  series.try_longer();
  series.repeat();
  return series.samples();
}

Calibration calibrate(const CalibrationPlan& plan) {
  Calibration made{.made = provenance({}), .caches = host_caches(), .date = now_utc()};
  made.model = model_of(measured(calibration_runs(), plan));
  return made;
}

}  // namespace lockstep::study
