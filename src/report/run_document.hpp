// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A run as a report to look at: its steps, the model beside the clock, phases, queues, and every
/// figure with its meaning. The series of the record is what the plots are made of.
///
///     request.keep_series = true;
///     output.write(html_of(document_of(report)));

#include <string>
#include <vector>

#include "report/document.hpp"

namespace lockstep::report {

[[nodiscard]] Document document_of(const RunReport& report);

/// The value of a model beside the value of a clock.
struct Explained {
  double model = 0;
  double measured = 0;
  std::string name{};   ///< of what was measured
  double place = 0;     ///< for the plot of residuals
  std::string curve{};  ///< of which kind; empty: all are alike
};
/// Plots of runs, whose times span decades: the scatter with its diagonal on logarithmic axes, and
/// the residuals (measured over model) against the places of `along`. Where the model has another
/// unit than seconds, it is scaled to the same sum, and the note says so. Run i has place i + 1.
[[nodiscard]] std::vector<Plot> runs_against_model(std::vector<Explained> points, Axis along,
                                                   bool model_in_seconds);

}  // namespace lockstep::report
