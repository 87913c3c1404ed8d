// SPDX-License-Identifier: Apache-2.0
#include "study/calibration_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lockstep/core/detail/counted.hpp"
#include "report/quantities.hpp"
#include "report/run_document.hpp"

namespace lockstep::study {
namespace {

using report::Draw;
using report::Plot;
using report::Section;

/// A place per kind of work, numbered as the rows of the table. Rates of 0 have no mark.
[[nodiscard]] Plot rates_of(const HostModel& model) {
  constexpr double nanoseconds = 1e9;
  Plot plot{.title = "Rates",
            .x = {"kind of work, by its number in the table"},
            .y = {"time of one", "ns", true},
            .note = "Bars are 95 % intervals."};
  for (std::size_t k = 0; k < host_kinds; ++k) {
    plot.x.names.push_back(fmt::format("{}", k + 1));
    const HostTime& rate = model.rates.all.at(k);
    if (!(rate.seconds > 0)) continue;
    curve_named(plot.curves, "", Draw::marks)
        .marks.push_back({.x = static_cast<double>(k),
                          .y = nanoseconds * rate.seconds,
                          .name = std::string(info_of(static_cast<HostKind>(k)).name),
                          .least = nanoseconds * rate.low,
                          .most = nanoseconds * rate.high});
  }
  return plot;
}

}  // namespace

report::Document document_of(const Calibration& calibration, const Provenance& provenance) {
  const HostModel& model = calibration.model;
  const std::string warning = warning_of(calibration);
  report::Document document{
      .title = "Cost model of " + calibration.made.cpu,
      .verdict = fmt::format("{}: median error {:.1f} %, worst decile {:.1f} %",
                             warning.empty() ? "ok" : "WARNING", 100 * model.median_error,
                             100 * model.worst_decile_error),
      .ok = warning.empty(),
      .provenance = provenance};
  std::vector<report::Explained> points;
  for (const HostSample& sample : model.samples)
    points.push_back(
        {.model = model.seconds(sample.work), .measured = sample.seconds, .name = sample.run});
  document.sections.push_back(
      {.heading = "Fit",
       .sentences = {fmt::format("Fitted {} to {}. The caches hold {} for a run.", calibration.date,
                                 counted(model.samples.size(), "run"),
                                 report::bytes_text(model.cached_bytes))},
       .plots = report::runs_against_model(std::move(points), {"run"}, true)});
  Section rates{.heading = "Rates", .plots = {rates_of(model)}};
  if (!warning.empty()) rates.sentences.push_back(warning);
  rates.rows = rate_rows(calibration);
  for (std::size_t k = 0; k < rates.rows.size(); ++k)
    rates.rows[k].insert(rates.rows[k].begin(),
                         {"number", std::uint64_t{k + 1}, report::Unit::number, "in the plot"});
  document.sections.push_back(std::move(rates));
  return document;
}

report::Document document_of(const PredictionCheck& check, const Provenance& provenance) {
  report::Document document{
      .title = "Predicted and measured wall times",
      .verdict = fmt::format("Absolute error of {}: {}", counted(check.runs.size(), "prediction"),
                             check.verdict()),
      .ok = check.passes(),
      .provenance = provenance};
  std::vector<report::Explained> points;
  for (const CheckedPrediction& run : check.runs)
    points.push_back({.model = run.predicted_seconds,
                      .measured = run.sample.seconds,
                      .name = run.sample.run,
                      .curve = run.sample.run.substr(0, run.sample.run.find(" by "))});
  document.sections.push_back(
      {.heading = "Model and measurement",
       .plots = report::runs_against_model(std::move(points), {"run"}, true)});
  document.sections.push_back({.heading = "Runs", .rows = rows_of(check)});
  if (!check.not_predicted.empty())
    document.sections.push_back({.heading = "Not predicted", .sentences = check.not_predicted});
  return document;
}

}  // namespace lockstep::study
