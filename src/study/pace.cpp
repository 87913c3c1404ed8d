// SPDX-License-Identifier: Apache-2.0
#include "study/pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <thread>

#include "catalog/extrapolation.hpp"
#include "core/invalid.hpp"
#include "core/nearest_rank.hpp"
#include "core/physical_units.hpp"
#include "core/words.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/cost/model.hpp"
#include "report/quantities.hpp"

namespace lockstep::study {
namespace {

[[noreturn]] void refuse_pace(const std::string& text) {
  throw invalid(
      "pace: '{}' is not valid; expected ts=TIME,tm=TIME, optionally followed by "
      ",tw=TIME and by ,scale=FACTOR or ,scale=auto; a time is a number with ns, us, "
      "ms or s, such as 50us",
      text);
}

[[nodiscard]] double seconds_in(std::string_view word, const std::string& text) {
  const std::optional<double> seconds = seconds_of(word);
  if (!seconds) refuse_pace(text);
  return *seconds;
}

[[nodiscard]] double scale_in(std::string_view word, const std::string& text) {
  const std::optional<double> scale = decimal_number(word);
  if (!scale || !std::isfinite(*scale) || *scale <= 0) refuse_pace(text);
  return *scale;
}

/// Adds up what steps take without pace, and what they are modelled to take.
class PaceTrial final : public StepObserver {
 public:
  PaceTrial(const Pace& pace, const RunForecast& run, catalog::StopAfter& end, double seconds)
      : pace_(pace), run_(run), end_(end), most_(seconds) {}

  void on_start() override { end_.start(most_); }
  void on_step(const StepRecord& step) override {
    seconds_ += step.seconds;
    modelled_ += modelled_seconds(pace_, run_, step);
  }
  [[nodiscard]] double ratio() const noexcept { return modelled_ > 0 ? seconds_ / modelled_ : 0; }

 private:
  const Pace& pace_;
  const RunForecast& run_;
  catalog::StopAfter& end_;
  double most_;
  double seconds_ = 0;
  double modelled_ = 0;
};

/// Sleeping is late by some 60 us; the rest is spent looking at the clock.
void wait_until(std::chrono::steady_clock::time_point due) {
  constexpr std::chrono::microseconds late{200};
  if (const auto now = std::chrono::steady_clock::now(); due - now > late)
    std::this_thread::sleep_until(due - late);
  while (std::chrono::steady_clock::now() < due) continue;  // a yield may last for milliseconds
}

/// Two digits, not less.
[[nodiscard]] double rounded_up(double number) {
  const double unit = std::pow(10, std::floor(std::log10(number)) - 1);
  return std::ceil(number / unit - 1e-9) * unit;
}

}  // namespace

Pace parse_pace(const std::string& text) {
  std::optional<double> t_s;
  std::optional<double> t_m;
  Pace pace;
  for (std::string_view value : pieces_of(text, ',')) {
    const std::string_view name = next_piece(value, '=');
    if (name == "ts")
      t_s = seconds_in(value, text);
    else if (name == "tm")
      t_m = seconds_in(value, text);
    else if (name == "tw")
      pace.t_w = seconds_in(value, text);
    else if (name == "scale" && value == "auto")
      pace.scale.reset();
    else if (name == "scale")
      pace.scale = scale_in(value, text);
    else
      refuse_pace(text);
  }
  if (!t_s || !t_m || *t_s + *t_m <= 0) refuse_pace(text);
  pace.t_s = *t_s;
  pace.t_m = *t_m;
  return pace;
}

[[nodiscard]] static double word_seconds(const Pace& pace, const RunForecast& run) noexcept {
  return pace.t_w.value_or(pace.t_m * 8 /
                           static_cast<double>(std::max<std::size_t>(run.block_bytes, 1)));
}

double modelled_seconds(const Pace& pace, const RunForecast& run, const StepRecord& step) noexcept {
  const bool moves = step.messages != 0;
  return (moves || run.algorithm.charges_idle_steps ? pace.t_s : 0) +
         run.charged({1, run.in_blocks(step.largest_message_blocks)}, 1).message_times.value() *
             pace.t_m +
         static_cast<double>(step.largest_control_words) * word_seconds(pace, run);
}

double paced_seconds(const Pace& pace, const RunForecast& run) noexcept {
  if (!run.predicted) return 0;
  const Cost cost = run.charged(*run.predicted, run.footprint.steps);
  return *pace.scale *
         (static_cast<double>(cost.startups) * pace.t_s + cost.message_times.value() * pace.t_m +
          static_cast<double>(cost.control_words) * word_seconds(pace, run));
}

void Pacer::on_start() { start_ = last_ = Clock::now(); }

void Pacer::on_step(const StepRecord& step) {
  constexpr double least_part = 0.955;  // of its time takes a step that makes up for a late one
  const double modelled = *pace_.scale * modelled_seconds(pace_, run_, step);
  due_ += modelled;
  const auto after = [](Clock::time_point begin, double seconds) {
    return begin +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  };
  wait_until(std::max(after(start_, due_), after(last_, least_part * modelled)));
  const Clock::time_point now = Clock::now();
  if (modelled > 0)
    ratios_.push_back(std::chrono::duration<double>(now - last_).count() / modelled);
  last_ = now;
}

PaceReport Pacer::report() const {
  PaceReport report{.steps = ratios_.size(),
                    .scale = *pace_.scale,
                    .modelled_seconds = due_,
                    .seconds = std::chrono::duration<double>(last_ - start_).count()};
  if (ratios_.empty()) return report;
  std::vector<double> sorted = ratios_;
  std::ranges::sort(sorted);
  report.median = at_share(sorted, 0.5);
  report.p95 = at_share(sorted, 0.95);
  report.p99 = at_share(sorted, 0.99);
  return report;
}

double least_scale(PreparedRun& run, const Pace& pace, double seconds,
                   const std::stop_token& stop) {
  constexpr double margin = 1.25;
  catalog::StopAfter end;
  const std::stop_callback earlier(stop, [&end] { end.stop(); });
  PaceTrial trial(pace, run.forecast(), end, seconds);
  (void)run.execute({.stop = end.token(), .observers = {&trial}});
  return margin * trial.ratio();
}

Pace held_pace(const Pace& pace, double least) {
  Pace held = pace;
  if (!pace.scale) held.scale = least <= 1 ? 1 : rounded_up(least);
  if (*held.scale < least)
    throw invalid(
        "pace: this host is too slow for ts = {:g} us, tm = {:g} us at scale {:.3g}; "
        "use scale={:g} or more, or scale=auto",
        1e6 * pace.t_s, 1e6 * pace.t_m, *held.scale, rounded_up(least));
  return held;
}

report::Fields pace_fields(const PaceReport& report) {
  using enum report::Unit;
  return {{"steps", report.steps, count, "steps that were paced"},
          {"scale", report.scale, ratio, "real time over modelled time"},
          {"modelled_seconds", report.modelled_seconds, seconds,
           "modelled time of the steps, times the scale"},
          {"seconds", report.seconds, seconds, "wall time of the steps"},
          {"p50", report.median, ratio, "step time over modelled step time, median"},
          {"p95", report.p95, ratio, "the same, 95th percentile"},
          {"p99", report.p99, ratio, "the same, 99th percentile"}};
}

std::string text_of(const PaceReport& report) {
  return fmt::format(
      "pace         {} in {} paced steps; modelled: {} at scale {:g}\n"
      "             step time over modelled step time: p50 {:.3f}, p95 {:.3f}, p99 {:.3f}\n",
      report::seconds_text(report.seconds), report::count_text(report.steps),
      report::seconds_text(report.modelled_seconds), report.scale, report.median, report.p95,
      report.p99);
}

}  // namespace lockstep::study
