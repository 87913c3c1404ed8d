// SPDX-License-Identifier: Apache-2.0
#include "report/run_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "report/run_fields.hpp"

namespace lockstep::report {
namespace {

constexpr std::size_t most_drawn_points = 400;

[[nodiscard]] std::size_t steps_per_point(std::size_t steps) {
  return (steps + most_drawn_points - 1) / most_drawn_points;
}

[[nodiscard]] std::string note_on(std::size_t steps) {
  const std::size_t width = steps_per_point(steps);
  return width <= 1 ? ""
                    : fmt::format(
                          "Each point is the mean of {} steps. The band reaches from their "
                          "minimum to their maximum.",
                          width);
}

[[nodiscard]] Plot over_steps(const RunResult& result, std::string title, Axis y,
                              std::vector<Curve> curves) {
  return {.title = std::move(title),
          .x = {"step"},
          .y = std::move(y),
          .curves = std::move(curves),
          .note = note_on(result.record.series.size())};
}

/// Reduces many steps to a few hundred points: mean, least and most of as many steps each.
template <class Figure>
[[nodiscard]] Curve curve_over_steps(std::string name, const std::vector<StepRecord>& series,
                                     Figure figure) {
  const auto figure_of = [&](std::size_t i) {
    return static_cast<double>(std::invoke(figure, series[i]));
  };
  Curve curve{.name = std::move(name), .draw = Draw::line};
  const std::size_t width = steps_per_point(series.size());
  if (width <= 1 && series.size() <= 60) curve.draw = Draw::both;
  for (std::size_t first = 0; first < series.size(); first += width) {
    const std::size_t last = std::min(first + width, series.size());
    double sum = 0;
    double least = figure_of(first);
    double most = least;
    for (std::size_t i = first; i < last; ++i) {
      const double value = figure_of(i);
      sum += value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    Mark mark{.x = static_cast<double>(first + last - 1) / 2,
              .y = sum / static_cast<double>(last - first)};
    if (width > 1) {
      mark.least = least;
      mark.most = most;
    }
    curve.marks.push_back(std::move(mark));
  }
  return curve;
}

[[nodiscard]] Section steps_of(const RunResult& result) {
  const std::vector<StepRecord>& series = result.record.series;
  const auto curve = [&](std::string name, auto figure) {
    return curve_over_steps(std::move(name), series, figure);
  };
  Section section{.heading = "Steps"};
  section.plots.push_back(over_steps(result, "Messages over links by step", {"messages"},
                                     {curve("", &StepRecord::messages)}));
  std::vector<Curve> active{curve("processors", &StepRecord::active)};
  if (result.record.nodes != result.record.processors)
    active.push_back(curve("switches", &StepRecord::switches_active));
  section.plots.push_back(over_steps(result, "Active nodes by step", {"active nodes"}, active));
  section.plots.push_back(
      over_steps(result, "Largest message by step", {"largest message", "blocks"},
                 {curve("", [&](const auto& step) {
                   return result.forecast.in_blocks(step.largest_message_blocks).value();
                 })}));
  Plot seconds =
      over_steps(result, "Wall time by step", {"wall time"}, {curve("", &StepRecord::seconds)});
  in_fitting_seconds(seconds.y, seconds.curves, &Mark::y);
  section.plots.push_back(std::move(seconds));
  return section;
}

/// A row of the table as bars: a group per row, a bar per column.
[[nodiscard]] Plot bars_of(const std::vector<Fields>& rows, std::string title, Axis x, Axis y,
                           std::string_view label, std::string_view columns) {
  Plot plot{.title = std::move(title), .x = std::move(x), .y = std::move(y)};
  for (const Fields& row : rows) plot.x.names.push_back(cell_in(row, label));
  if (rows.empty()) return plot;
  for (const Field& column : pick(rows.front(), columns)) {
    Curve& curve = plot.curves.emplace_back(Curve{.name = heading_of(column), .draw = Draw::bars});
    for (std::size_t i = 0; i < rows.size(); ++i)
      curve.marks.push_back({.x = static_cast<double>(i), .y = number_in(rows[i], column.name)});
  }
  return plot;
}

[[nodiscard]] Section phases_of(const RunResult& result) {
  const std::vector<Fields> rows = phase_rows(result);
  Plot seconds = bars_of(rows, "Wall time by phase", {"phase"}, {"wall time"}, "name", "seconds");
  for (Curve& curve : seconds.curves) curve.name.clear();
  in_fitting_seconds(seconds.y, seconds.curves, &Mark::y);
  return {.heading = "Phases",
          .plots = {bars_of(rows, "Cost by phase", {"phase"}, {"start-ups, message times"}, "name",
                            "startups,message_times"),
                    bars_of(rows, "Messages over links by phase", {"phase"}, {"messages"}, "name",
                            "messages"),
                    std::move(seconds)},
          .rows = rows};
}

[[nodiscard]] Section queues_of(const RunResult& result) {
  const std::vector<Fields> rows = queue_rows(result);
  return {.heading = "Queues of switches",
          .plots = {bars_of(rows, "Longest queues by level",
                            {"level of the switches, from the processors"}, {"queue", "messages"},
                            "level", "held,wait_up,wait_down,per_branch")},
          .rows = rows};
}

/// The scatter and the residuals of runs_against_model(), on linear axes.
[[nodiscard]] std::vector<Plot> model_against_clock(std::vector<Explained> points, Axis along,
                                                    bool model_in_seconds) {
  double model = 0;
  double measured = 0;
  std::erase_if(points, [](const Explained& p) { return !(p.model > 0) || !(p.measured > 0); });
  for (const Explained& point : points) {
    model += point.model;
    measured += point.measured;
  }
  if (points.size() < 2 || !(model > 0)) return {};
  const double scale = model_in_seconds ? 1 : measured / model;
  const std::string note = model_in_seconds
                               ? "The model predicts seconds on this host."
                               : fmt::format(
                                     "The modelled times are scaled to the measured sum: one unit "
                                     "of time is {:.3g} us.",
                                     1e6 * scale);
  Plot scatter{.title = "Measured wall time against the model",
               .x = {"model"},
               .y = {"measured"},
               .diagonal = true,
               .note = note + " The dashed line marks equality."};
  Plot residuals{.title = "Residuals: measured over modelled time",
                 .x = std::move(along),
                 .y = {"measured / model"}};
  for (Explained& point : points) {
    const double modelled_seconds = point.model * scale;
    curve_named(scatter.curves, point.curve, Draw::marks)
        .marks.push_back({.x = modelled_seconds, .y = point.measured, .name = point.name});
    curve_named(residuals.curves, point.curve, Draw::marks)
        .marks.push_back({.x = point.place,
                          .y = point.measured / modelled_seconds,
                          .name = std::move(point.name)});
  }
  // Both axes use the unit of x, because the diagonal marks equality only on equal scales.
  const double factor = in_fitting_seconds(scatter.x, scatter.curves, &Mark::x);
  scatter.y.unit = scatter.x.unit;
  for (Curve& curve : scatter.curves)
    for (Mark& mark : curve.marks) mark.y *= factor;
  std::vector<Plot> plots;
  plots.push_back(std::move(scatter));
  plots.push_back(std::move(residuals));
  return plots;
}

/// A step costs start-up and message times under the model.
[[nodiscard]] Section model_of(const RunReport& report) {
  const RunResult& result = report.result;
  const RunForecast& run = result.forecast;
  const std::vector<StepRecord>& series = result.record.series;
  std::vector<Explained> points;
  const std::size_t width = steps_per_point(series.size());
  for (std::size_t first = 0; first < series.size(); first += width) {
    Explained point{.place = static_cast<double>(first)};
    for (std::size_t i = first; i < std::min(first + width, series.size()); ++i) {
      const StepRecord& step = series[i];
      const Cost cost{step.messages == 0 ? 0U : 1U, run.in_blocks(step.largest_message_blocks),
                      step.largest_control_words};
      point.model += modelled(run.charged(cost, 1), report.costs, run.block_bytes);
      point.measured += step.seconds;
    }
    point.name = width == 1 ? fmt::format("step {}", first)
                            : fmt::format("steps {} to {}", first,
                                          std::min(first + width, series.size()) - 1);
    points.push_back(std::move(point));
  }
  return {.heading = "Model and measurement",
          .plots = model_against_clock(std::move(points), {"step"}, false)};
}

[[nodiscard]] Section figures_of(const RunReport& report) {
  Section section{.heading = "All figures"};
  for (const Field& field : run_fields(report)) {
    if (!known(field.value)) continue;
    section.rows.push_back({{"figure", std::string(field.name)},
                            {"value", text_of(field)},
                            {"meaning", std::string(field.meaning)}});
  }
  return section;
}

[[nodiscard]] Section repetitions_of(const RunReport& report) {
  Plot plot{.title = "Wall time of the repetitions", .x = {"repetition"}, .y = {"wall time"}};
  Curve& curve = plot.curves.emplace_back();
  for (std::size_t i = 0; i < report.wall_seconds.size(); ++i)
    curve.marks.push_back({.x = static_cast<double>(i + 1), .y = report.wall_seconds[i]});
  in_fitting_seconds(plot.y, plot.curves, &Mark::y);
  return {.heading = "Repetitions", .plots = {std::move(plot)}};
}

}  // namespace

std::vector<Plot> runs_against_model(std::vector<Explained> points, Axis along,
                                     bool model_in_seconds) {
  for (std::size_t i = 0; i < points.size(); ++i) points[i].place = static_cast<double>(i + 1);
  std::vector<Plot> plots =
      model_against_clock(std::move(points), std::move(along), model_in_seconds);
  for (Plot& plot : plots)
    if (plot.diagonal) plot.x.logarithmic = plot.y.logarithmic = true;
  return plots;
}

Document document_of(const RunReport& report) {
  const RunResult& result = report.result;
  RunReport plain = report;
  plain.result.record.series.clear();  // the plots have it
  const RunForecast& run = result.forecast;
  Document document{
      .title = fmt::format("{} {} by {}{}", run.topology, name_of(run.algorithm.operation),
                           run.algorithm.name,
                           phrases_of(run.algorithm.parameters, run.settings, run.network)),
      .verdict = verdict_of(plain),
      .ok = result.judgement.ok(),
      .provenance = report.provenance};
  document.sections.push_back({.heading = "Result", .text = to_text(plain)});
  if (!result.record.series.empty()) {
    document.sections.push_back(steps_of(result));
    if (Section model = model_of(report); !model.plots.empty())
      document.sections.push_back(std::move(model));
  }
  if (!result.record.phases.empty()) document.sections.push_back(phases_of(result));
  if (!result.record.queues.empty()) document.sections.push_back(queues_of(result));
  if (report.wall_seconds.size() > 1) document.sections.push_back(repetitions_of(report));
  document.sections.push_back(figures_of(report));
  return document;
}

}  // namespace lockstep::report
