// SPDX-License-Identifier: Apache-2.0
#include "study/calibration_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/nearest_rank.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "report/quantities.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::Unit;

/// 0 for none.
[[nodiscard]] double at_share_of(std::vector<double> numbers, double share) {
  std::ranges::sort(numbers);
  return numbers.empty() ? 0 : at_share(numbers, share);
}

[[nodiscard]] std::vector<double> errors_of(const std::vector<CheckedPrediction>& runs) {
  std::vector<double> errors;
  for (const CheckedPrediction& run : runs) errors.push_back(std::abs(run.error()));
  return errors;
}

/// Predicted over measured seconds, both on logarithmic axes; '/' is the diagonal.
[[nodiscard]] std::string plot_of(const std::vector<CheckedPrediction>& runs) {
  constexpr std::size_t width = 61;
  constexpr std::size_t height = 21;
  double least = 1e300;
  double most = 0;
  for (const CheckedPrediction& run : runs) {
    least = std::min({least, run.sample.seconds, run.predicted_seconds});
    most = std::max({most, run.sample.seconds, run.predicted_seconds});
  }
  const double low = std::floor(std::log10(std::max(least, 1e-9)));
  const double high = std::max(low + 1, std::ceil(std::log10(most)));
  const auto place = [&](double seconds, std::size_t size) {
    const double part = (std::log10(std::max(seconds, 1e-9)) - low) / (high - low);
    return static_cast<std::size_t>(std::lround(part * static_cast<double>(size - 1)));
  };
  std::vector<std::string> lines(height, std::string(width, ' '));
  for (std::size_t x = 0; x < width; ++x) lines[x * (height - 1) / (width - 1)][x] = '/';
  for (const CheckedPrediction& run : runs)
    lines.at(place(run.predicted_seconds, height)).at(place(run.sample.seconds, width)) = 'o';
  std::string text = "predicted\n";
  for (std::size_t y = height; y-- > 0;) {
    const std::string mark = y + 1 == height ? report::seconds_text(std::pow(10, high))
                             : y == 0        ? report::seconds_text(std::pow(10, low))
                                             : "";
    std::string line = lines[y];
    line.erase(line.find_last_not_of(' ') + 1);
    text += fmt::format("{:>8} |{}\n", mark, line);
  }
  text +=
      fmt::format("{:8} +{}\n{:9}{}{:>{}} measured\n", "", std::string(width, '-'), "",
                  report::seconds_text(std::pow(10, low)), report::seconds_text(std::pow(10, high)),
                  width - report::seconds_text(std::pow(10, low)).size());
  return text;
}

}  // namespace

std::vector<Fields> rate_rows(const Calibration& calibration) {
  constexpr double nanoseconds = 1e9;
  std::vector<Fields> rows;
  for (std::size_t k = 0; k < host_kinds; ++k) {
    const auto& [name, meaning] = info_of(static_cast<HostKind>(k));
    const HostTime& rate = calibration.model.rates.all.at(k);
    rows.push_back({{"kind", std::string(name), Unit::text, "kind of work"},
                    {"nanoseconds", nanoseconds * rate.seconds, Unit::number, "time of one"},
                    {"low", nanoseconds * rate.low, Unit::number, "of the 95 % interval"},
                    {"high", nanoseconds * rate.high, Unit::number, "of the 95 % interval"},
                    {"runs", calibration.model.runs.all.at(k), Unit::count, "runs that had it"},
                    {"meaning", std::string(meaning), Unit::text, "of one"}});
  }
  return rows;
}

std::string warning_of(const Calibration& calibration) {
  if (calibration.model.median_error <= largest_median_error) return {};
  return fmt::format(
      "the model explains these runs with a median error of {:.0f} %, above {:.0f} %",
      100 * calibration.model.median_error, 100 * largest_median_error);
}

std::string text_of(const Calibration& calibration, std::size_t page) {
  const HostModel& model = calibration.model;
  return fmt::format(
             "host         {}, {} cores; L2 {} per core, L3 {}\n"
             "build        {}, {}, {}\n"
             "date         {}\n"
             "fit          {}: median error {:.1f} %, worst decile {:.1f} %\n"
             "caches       hold {} for a run\n\n",
             calibration.made.cpu, calibration.made.cores,
             report::bytes_text(calibration.caches.l2_bytes),
             report::bytes_text(calibration.caches.l3_bytes), calibration.made.version,
             calibration.made.compiler, calibration.made.build, calibration.date,
             counted(model.samples.size(), "run"), 100 * model.median_error,
             100 * model.worst_decile_error, report::bytes_text(model.cached_bytes)) +
         table_text(rate_rows(calibration), page) +
         "\nlow and high are a 95 % interval. Work that workers share takes its time divided by "
         "the "
         "workers.\n";
}

double PredictionCheck::median_error() const { return at_share_of(errors_of(runs), 0.5); }
double PredictionCheck::worst_decile_error() const { return at_share_of(errors_of(runs), 0.9); }
std::uint64_t PredictionCheck::twice_wrong() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(runs, [](const CheckedPrediction& run) {
    const double ratio = run.sample.seconds / run.predicted_seconds;
    return ratio > 2 || ratio < 0.5;
  }));
}
double PredictionCheck::median_spread() const {
  std::vector<double> spreads;
  for (const CheckedPrediction& run : runs) spreads.push_back(run.sample.spread);
  return at_share_of(std::move(spreads), 0.5);
}

std::string PredictionCheck::verdict() const {
  return fmt::format(
      "median {:.1f} % (at most {:.0f} %), worst decile {:.1f} % (at most {:.0f} %): {}",
      100 * median_error(), 100 * largest_median_error, 100 * worst_decile_error(),
      100 * largest_decile_error, passes() ? "ok" : "NOT REACHED");
}

std::optional<double> PredictionCheck::drift() const {
  if (drifts.empty()) return std::nullopt;
  return at_share_of(drifts, 0.5);
}

PredictionCheck checked(std::vector<HostSample> samples, const std::vector<HostSample>& earlier) {
  PredictionCheck check;
  const auto judging = std::stable_partition(samples.begin(), samples.end(),
                                             [](const HostSample& run) { return !run.judged; });
  const std::vector<HostSample> judged(judging, samples.end());
  samples.erase(judging, samples.end());
  for (const HostSample& sample : samples)
    for (const HostSample& then : earlier)
      if (then.run == sample.run && then.work.shared == sample.work.shared)
        check.drifts.push_back(sample.seconds / then.seconds);
  const HostModel model = model_of(std::move(samples), host_caches());
  for (const HostSample& sample : judged) {
    if (const std::string_view kind = model.unknown_kind(sample.work); kind.empty())
      check.runs.push_back({sample, model.seconds(sample.work)});
    else
      check.not_predicted.push_back(
          fmt::format("{}: no run of the calibration had such work: {}", sample.run, kind));
  }
  return check;
}

std::vector<Fields> rows_of(const PredictionCheck& check) {
  std::vector<Fields> rows;
  for (const CheckedPrediction& run : check.runs) {
    rows.push_back(
        {{"run", run.sample.run},
         {"steps", static_cast<std::uint64_t>(run.sample.work.alone[HostKind::step]), Unit::count,
          "steps that were run"},
         {"memory_bytes", static_cast<std::uint64_t>(run.sample.work.memory_bytes), Unit::bytes,
          "memory that the steps use"},
         {"measured_seconds", run.sample.seconds, Unit::seconds,
          "median wall time of these steps, divided by the slowdown of the host", "", "measured"},
         {"predicted_seconds", run.predicted_seconds, Unit::seconds,
          "by the model fitted to other runs", "", "predicted"},
         {"measured_over_predicted", run.sample.seconds / run.predicted_seconds, Unit::ratio,
          "ratio of both", "", "ratio"},
         {"spread", run.sample.spread, Unit::share,
          "longest less shortest repetition, divided by the median"}});
  }
  return rows;
}

std::string text_of(const PredictionCheck& check, std::size_t page) {
  std::string text;
  for (const std::string& run : check.not_predicted)
    text += fmt::format("not predicted: {}\n", run);
  if (check.runs.empty()) return text + "no run was predicted\n";
  std::vector<Fields> rows;
  for (const Fields& row : rows_of(check))
    rows.push_back(report::pick(row,
                                "run,steps,measured_seconds,predicted_seconds,"
                                "measured_over_predicted,spread"));
  return text + table_text(rows, page) + "\n" + plot_of(check.runs) + "\n" +
         (check.median_spread() == 0
              ? ""  // one repetition
              : fmt::format(
                    "repetitions of a run differ by {:.0f} % (longest less shortest, median "
                    "of the runs)\n",
                    100 * check.median_spread())) +
         (check.drifts.empty()
              ? ""
              : fmt::format("{} of the saved calibration now take {:.2f} times as long\n",
                            counted(check.drifts.size(), "run"), *check.drift())) +
         fmt::format("absolute error of {}: {}; {} more than twice too long or too short\n",
                     counted(check.runs.size(), "prediction"), check.verdict(),
                     check.twice_wrong());
}

}  // namespace lockstep::study
