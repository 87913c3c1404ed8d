// SPDX-License-Identifier: Apache-2.0
#include "study/calibration_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lockstep/core/detail/counted.hpp"
#include "report/run_document.hpp"

namespace lockstep::study {
namespace {

using report::Draw;
using report::Plot;
using report::Section;

/// A place per regime, numbered as the rows of the table, and a curve per memory.
[[nodiscard]] Plot over_regimes(const HostModel& model, std::string title, report::Axis y) {
  Plot plot{
      .title = std::move(title), .x = {"regime, by its number in the table"}, .y = std::move(y)};
  for (std::size_t i = 0; i < model.fits.size(); ++i) {
    plot.x.names.push_back(fmt::format("{}", i + 1));
    (void)curve_named(plot.curves, model.fits[i].regime.memory,
                      Draw::marks);  // of the same colour in all plots
  }
  return plot;
}

[[nodiscard]] Plot r_squared_of(const HostModel& model) {
  Plot plot = over_regimes(model, "R^2 by regime", {"R^2"});
  plot.note = fmt::format("A regime below {} causes a warning.", least_r_squared);
  for (std::size_t i = 0; i < model.fits.size(); ++i)
    curve_named(plot.curves, model.fits[i].regime.memory, Draw::marks)
        .marks.push_back({.x = static_cast<double>(i),
                          .y = model.fits[i].r_squared,
                          .name = model.fits[i].regime.text()});
  return plot;
}

/// Terms that are 0 in a regime have no mark there.
[[nodiscard]] Plot times_of(const HostModel& model, std::size_t term) {
  constexpr double nanoseconds = 1e9;
  std::string name(host_term_names.at(term));
  std::ranges::replace(name, '_', ' ');
  Plot plot = over_regimes(model, "Time per " + name, {"time", "ns", true});
  plot.note = "Bars are 95 % intervals.";
  for (std::size_t i = 0; i < model.fits.size(); ++i) {
    const HostTime& time = model.fits[i].times.at(term);
    if (!(time.seconds > 0)) continue;
    curve_named(plot.curves, model.fits[i].regime.memory, Draw::marks)
        .marks.push_back({.x = static_cast<double>(i),
                          .y = nanoseconds * time.seconds,
                          .name = model.fits[i].regime.text(),
                          .least = nanoseconds * time.low,
                          .most = nanoseconds * time.high});
  }
  return plot;
}

}  // namespace

report::Document document_of(const Calibration& calibration, const Provenance& provenance) {
  const HostModel& model = calibration.model;
  const std::vector<std::string> warnings = warnings_of(calibration);
  report::Document document{
      .title = "Cost model of " + calibration.made.cpu,
      .verdict = warnings.empty()
                     ? fmt::format("ok: R^2 of every regime is at least {}", least_r_squared)
                     : fmt::format("{} below R^2 = {}", counted(warnings.size(), "regime"),
                                   least_r_squared),
      .ok = warnings.empty(),
      .provenance = provenance};
  std::vector<report::Explained> points;
  for (const HostSample& sample : calibration.model.samples)
    if (const HostFit* const fit = model.fit_of(sample.regime))
      points.push_back({.model = fit->seconds(sample.work),
                        .measured = sample.seconds,
                        .name = fmt::format("{} ({})", sample.run, sample.regime.text()),
                        .place = static_cast<double>(points.size() + 1),
                        .curve = sample.regime.memory});
  document.sections.push_back(
      {.heading = "Fit",
       .sentences = {fmt::format("Fitted {} to {}.", calibration.date,
                                 counted(calibration.model.samples.size(), "designed run"))},
       .plots = report::runs_against_model(std::move(points), {"designed run"}, true)});
  Section regimes{.heading = "Regimes", .sentences = warnings, .plots = {r_squared_of(model)}};
  for (std::size_t term = 0; term < host_terms; ++term)
    regimes.plots.push_back(times_of(model, term));
  regimes.rows = fit_rows(calibration);
  for (std::size_t i = 0; i < regimes.rows.size(); ++i)
    regimes.rows[i].insert(regimes.rows[i].begin(),
                           {"regime", std::uint64_t{i + 1}, report::Unit::number, "in the plots"});
  regimes.sentences.emplace_back(
      "Times are in nanoseconds per step and, divided by the workers, per message, block, byte, "
      "delivery and delivered byte, with 95 % intervals.");
  document.sections.push_back(std::move(regimes));
  return document;
}

report::Document document_of(const PredictionCheck& check, const Provenance& provenance) {
  report::Document document{
      .title = "Predicted and measured wall times",
      .verdict =
          fmt::format("{}: median error {:.1f} % (at most 20 %), worst decile {:.1f} % "
                      "(at most 50 %) of {}",
                      check.passes() ? "ok" : "NOT REACHED", 100 * check.median_error(),
                      100 * check.worst_decile_error(), counted(check.runs.size(), "prediction")),
      .ok = check.passes(),
      .provenance = provenance};
  std::vector<report::Explained> points;
  for (const CheckedPrediction& run : check.runs)
    points.push_back({.model = run.predicted_seconds,
                      .measured = run.sample.seconds,
                      .name = run.sample.run,
                      .place = static_cast<double>(points.size() + 1),
                      .curve = run.sample.run.substr(0, run.sample.run.find(" by "))});
  document.sections.push_back(
      {.heading = "Model and measurement",
       .plots = report::runs_against_model(std::move(points), {"run"}, true)});
  document.sections.push_back({.heading = "Runs", .rows = rows_of(check)});
  if (!check.not_predicted.empty())
    document.sections.push_back({.heading = "Not calibrated", .sentences = check.not_predicted});
  return document;
}

}  // namespace lockstep::study
