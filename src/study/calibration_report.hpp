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

/// A row per regime: the fitted times with their intervals, R^2, samples, outliers.
[[nodiscard]] std::vector<report::Fields> fit_rows(const Calibration& calibration);
[[nodiscard]] std::string text_of(const Calibration& calibration, std::size_t page = any_width);
/// "slot, groups, verified, 2 workers, L2: R^2 = 0.91, below 0.95": regimes whose predictions are
/// doubtful.
[[nodiscard]] std::vector<std::string> warnings_of(const Calibration& calibration);

/// A run that was measured and predicted.
struct CheckedPrediction {
  HostSample sample{};
  double predicted_seconds = 0;

  /// Predicted over measured, less 1.
  [[nodiscard]] double error() const noexcept { return predicted_seconds / sample.seconds - 1; }
};
struct PredictionCheck {
  std::vector<CheckedPrediction> runs{};
  std::vector<std::string> not_predicted{};  ///< no such regime was calibrated
  /// Times of the calibration's runs, measured again, over those of then; none without one.
  std::vector<double> drifts{};

  // The median of the absolute errors.
  [[nodiscard]] double median_error() const;
  [[nodiscard]] double worst_decile_error() const;  ///< nine of ten are smaller
  /// How many times as long the host takes as when it was calibrated: the median.
  [[nodiscard]] std::optional<double> drift() const;
  /// How precisely the runs could be measured: their repetitions' range over their median.
  [[nodiscard]] double median_spread() const;
  [[nodiscard]] bool passes() const {
    return !runs.empty() && median_error() <= 0.2 && worst_decile_error() <= 0.5;
  }
};
/// Fits a model to those of the samples that do not judge it, predicts those that do, and compares
/// the former with an earlier calibration.
[[nodiscard]] PredictionCheck checked(std::vector<HostSample> samples,
                                      const std::vector<HostSample>& earlier);
/// A table, a plot of predicted against measured time, and the verdict.
[[nodiscard]] std::string text_of(const PredictionCheck& check, std::size_t page = any_width);
[[nodiscard]] std::vector<report::Fields> rows_of(const PredictionCheck& check);

}  // namespace lockstep::study
