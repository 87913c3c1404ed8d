// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A calibration, and how well it predicts other runs, for readers and for programs.

#include <optional>
#include <string>
#include <vector>

#include "lockstep/report/table.hpp"
#include "report/fields.hpp"
#include "study/calibration.hpp"

namespace lockstep::study {

/// A row per kind of work: its rate with its interval, and how many runs had such work.
[[nodiscard]] std::vector<report::Fields> rate_rows(const Calibration& calibration);
[[nodiscard]] std::string text_of(const Calibration& calibration, std::size_t page = any_width);
/// Empty where the model explains the runs that it was fitted to.
[[nodiscard]] std::string warning_of(const Calibration& calibration);

/// A run that was measured and predicted.
struct CheckedPrediction {
  HostSample sample{};
  double predicted_seconds = 0;

  /// Predicted over measured, less 1.
  [[nodiscard]] double error() const noexcept { return predicted_seconds / sample.seconds - 1; }
};
struct PredictionCheck {
  std::vector<CheckedPrediction> runs{};
  std::vector<std::string> not_predicted{};  ///< with the reason
  /// Times of the calibration's runs, measured again, over those of then; none without one.
  std::vector<double> drifts{};

  // The median of the absolute errors.
  [[nodiscard]] double median_error() const;
  [[nodiscard]] double worst_decile_error() const;  ///< nine of ten are smaller
  [[nodiscard]] std::uint64_t twice_wrong() const;  ///< off by more than a factor of two
  /// How many times as long the host takes as when it was calibrated: the median.
  [[nodiscard]] std::optional<double> drift() const;
  /// How precisely the runs could be measured: their repetitions' range over their median.
  [[nodiscard]] double median_spread() const;
  [[nodiscard]] bool passes() const {
    return !runs.empty() && not_predicted.empty() && median_error() <= largest_median_error &&
           worst_decile_error() <= largest_decile_error;
  }
  /// "median 12.0 % (at most 20 %), worst decile 31.0 % (at most 50 %): ok"
  [[nodiscard]] std::string verdict() const;
};
/// Fits a model to those of the samples that do not judge it, predicts those that do, and compares
/// the former with an earlier calibration.
[[nodiscard]] PredictionCheck checked(std::vector<HostSample> samples,
                                      const std::vector<HostSample>& earlier);
/// A table, a plot of predicted against measured time, and the verdict.
[[nodiscard]] std::string text_of(const PredictionCheck& check, std::size_t page = any_width);
[[nodiscard]] std::vector<report::Fields> rows_of(const PredictionCheck& check);

}  // namespace lockstep::study
