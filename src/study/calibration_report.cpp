// SPDX-License-Identifier: Apache-2.0
#include "study/calibration_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lockstep/core/detail/counted.hpp"
#include "report/quantities.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::Unit;

/// "3.1 (2.9 to 3.3) ns"; nothing where the term is 0.
[[nodiscard]] std::string time_text(const HostTime& time) {
  constexpr double nanoseconds = 1e9;
  if (time.seconds == 0) return "0";
  const auto text = [](double seconds) {
    const double number = nanoseconds * seconds;
    return number < 1000 ? fmt::format("{:.3g}", number)
                         : grouped(static_cast<std::uint64_t>(std::lround(number)));
  };
  return fmt::format("{} ({} to {})", text(time.seconds), text(time.low), text(time.high));
}

[[nodiscard]] Fields regime_fields(const HostRegime& regime) {
  return {{"channel", regime.channel, Unit::text, "kind of channel between processors"},
          {"loop", regime.loop, Unit::text,
           "how the machine runs nodes: groups, nodes, active or routes; sums: a reduction"},
          {"verified", regime.verified, Unit::text, "whether deliveries are checked"},
          {"workers", regime.workers, Unit::count, "number of workers"},
          {"memory", regime.memory, Unit::text, "smallest memory that holds what the steps use"}};
}

/// The smallest number that is not below so large a part of them.
[[nodiscard]] double quantile(std::vector<double> numbers, double part) {
  if (numbers.empty()) return 0;
  std::ranges::sort(numbers);
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(numbers.size())));
  return numbers[std::max<std::size_t>(rank, 1) - 1];
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

std::vector<Fields> fit_rows(const Calibration& calibration) {
  std::vector<Fields> rows;
  for (const HostFit& fit : calibration.model.fits) {
    Fields row = regime_fields(fit.regime);
    for (std::size_t i = 0; i < host_terms; ++i)
      row.push_back({host_term_names.at(i), time_text(fit.times.at(i)), Unit::text,
                     "nanoseconds, with the 95 % interval"});
    append(row,
           {{"r_squared", fit.r_squared, Unit::ratio, "part of the variance explained"},
            {"median_error", fit.median_error, Unit::share, "median absolute relative residual"},
            {"samples", fit.samples, Unit::count, "runs that were used"},
            {"outliers", fit.outliers, Unit::count, "runs that were left out"}});
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> warnings_of(const Calibration& calibration) {
  std::vector<std::string> warnings;
  for (const HostFit& fit : calibration.model.fits)
    if (!(fit.r_squared >= least_r_squared))
      warnings.push_back(fmt::format("{}: R^2 = {:.3f}, below {}", fit.regime.text(),
                                     std::floor(1000 * fit.r_squared) / 1000, least_r_squared));
  return warnings;
}

std::string text_of(const Calibration& calibration, std::size_t page) {
  const std::vector<Fields> rows = fit_rows(calibration);
  std::string text = fmt::format(
      "host         {}, {} cores; L2 {} per core, L3 {}\n"
      "build        {}, {}, {}\n"
      "date         {}\n"
      "runs         {}\n\n",
      calibration.made.cpu, calibration.made.cores, report::bytes_text(calibration.caches.l2_bytes),
      report::bytes_text(calibration.caches.l3_bytes), calibration.made.version,
      calibration.made.compiler, calibration.made.build, calibration.date,
      counted(calibration.model.samples.size(), "designed run"));
  if (rows.empty()) return text + "no regime has enough runs for a fit\n";
  return text + table_text(rows, page) +
         "\nThe columns step to host byte are fitted times in nanoseconds, with 95 % confidence "
         "intervals.\nAll except step are divided by the number of workers. host byte: one byte "
         "loaded or delivered.\nOutliers are runs whose residual exceeds 3.5 scaled median "
         "absolute "
         "deviations.\n";
}

double PredictionCheck::median_error() const { return quantile(errors_of(runs), 0.5); }
double PredictionCheck::worst_decile_error() const { return quantile(errors_of(runs), 0.9); }
double PredictionCheck::median_spread() const {
  std::vector<double> spreads;
  for (const CheckedPrediction& run : runs) spreads.push_back(run.sample.spread);
  return quantile(std::move(spreads), 0.5);
}

std::optional<double> PredictionCheck::drift() const {
  if (drifts.empty()) return std::nullopt;
  return quantile(drifts, 0.5);
}

PredictionCheck checked(std::vector<HostSample> samples, const std::vector<HostSample>& earlier) {
  PredictionCheck check;
  const auto judging = std::stable_partition(samples.begin(), samples.end(),
                                             [](const HostSample& run) { return !run.judged; });
  const std::vector<HostSample> judged(judging, samples.end());
  samples.erase(judging, samples.end());
  for (const HostSample& sample : samples)
    for (const HostSample& then : earlier)
      if (then.run == sample.run && then.regime == sample.regime && then.work == sample.work)
        check.drifts.push_back(sample.seconds / then.seconds);
  const HostModel model = model_of(std::move(samples));
  for (const HostSample& sample : judged) {
    if (const auto seconds = model.seconds(sample.regime, sample.work, sample.bytes))
      check.runs.push_back({sample, *seconds});
    else
      check.not_predicted.push_back(fmt::format("{} ({})", sample.run, sample.regime.text()));
  }
  return check;
}

std::vector<Fields> rows_of(const PredictionCheck& check) {
  std::vector<Fields> rows;
  for (const CheckedPrediction& run : check.runs) {
    rows.push_back({{"run", run.sample.run},
                    {"regime", run.sample.regime.text(), Unit::text, "regime of the model"},
                    {"steps", static_cast<std::uint64_t>(run.sample.work[0]), Unit::count,
                     "steps that were run"},
                    {"memory_bytes", run.sample.bytes, Unit::bytes, "memory that the steps use"},
                    {"measured_seconds", run.sample.seconds, Unit::seconds,
                     "wall time of these steps, median", "", "measured"},
                    {"predicted_seconds", run.predicted_seconds, Unit::seconds,
                     "by the model fitted to the designed runs", "", "predicted"},
                    {"measured_over_predicted", run.sample.seconds / run.predicted_seconds,
                     Unit::ratio, "ratio of both", "", "ratio"},
                    {"spread", run.sample.spread, Unit::share,
                     "longest less shortest repetition, divided by the median"}});
    for (std::size_t i = 1; i < host_terms; ++i)
      rows.back().push_back({host_term_names.at(i),
                             static_cast<std::uint64_t>(run.sample.work.at(i)), Unit::count,
                             "number in these steps", "", ""});
  }
  return rows;
}

std::string text_of(const PredictionCheck& check, std::size_t page) {
  std::string text;
  for (const std::string& run : check.not_predicted)
    text += fmt::format("not calibrated: {}\n", run);
  if (check.runs.empty()) return text + "no run was predicted\n";
  std::vector<Fields> rows;
  for (const Fields& row : rows_of(check))
    rows.push_back(report::pick(row,
                                "run,regime,steps,measured_seconds,predicted_seconds,"
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
         fmt::format(
             "absolute error of {}: median {:.1f} % (at most 20 %), worst decile {:.1f} % "
             "(at most 50 %): {}\n",
             counted(check.runs.size(), "prediction"), 100 * check.median_error(),
             100 * check.worst_decile_error(), check.passes() ? "ok" : "NOT REACHED");
}

}  // namespace lockstep::study
