// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A calibration, and the check of its predictions, as reports to look at.
///
///     output.write(html_of(document_of(calibration, provenance(command))));

#include "report/document.hpp"
#include "study/calibration_report.hpp"

namespace lockstep::study {

/// Measured against fitted times, residuals, and every rate with its interval.
[[nodiscard]] report::Document document_of(const Calibration& calibration,
                                           const Provenance& provenance);
/// Measured against predicted times, and their ratios.
[[nodiscard]] report::Document document_of(const PredictionCheck& check,
                                           const Provenance& provenance);

}  // namespace lockstep::study
