// SPDX-License-Identifier: Apache-2.0
#include "study/row_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "report/plot_scale.hpp"
#include "report/run_document.hpp"
#include "study/best_choice.hpp"

namespace lockstep::study {
namespace {

using report::Axis;
using report::Curve;
using report::Draw;
using report::Fields;
using report::Mark;
using report::Plot;

[[nodiscard]] std::string plot_cell(const Fields& row, std::string_view name) {
  return cell_of(pick(row, name).front().value);
}
/// Empty where it is not known, or there is no such column.
[[nodiscard]] std::optional<double> plot_value(const Fields& row, std::string_view name) {
  return number_of(pick(row, name).front().value);
}
[[nodiscard]] bool went_well(const Fields& row) { return plot_cell(row, "status") == "ok"; }

/// Whether rows differ in a column.
[[nodiscard]] bool plot_differs(Rows rows, std::string_view name) {
  std::set<std::string> values;
  for (const Fields& row : rows) values.insert(plot_cell(row, name));
  return values.size() > 1;
}

/// Names that distinguish rows at the same place of an axis.
class RowNames {
 public:
  /// `axis`: the column that the axis stands for, which a name leaves out.
  /// `counted`: of figures that the clock has no part in.
  RowNames(Rows rows, std::string_view axis, bool counted = false) : axis_(axis) {
    algorithms_ = plot_differs(rows, "algorithm");
    const bool words = std::ranges::any_of(
        rows, [](const Fields& row) { return plot_value(row, "control_words") > 0.0; });
    for (const std::string_view column : {"topology", "bytes", "port_model", "channel", "threads"})
      if (column != axis && plot_differs(rows, column) &&
          (!counted || column == "topology" || column == "port_model" ||
           (column == "bytes" && words)))
        columns_.push_back(column);
  }

  [[nodiscard]] std::string of(const Fields& row) const {
    std::string name = axis_ == "k" ? (algorithms_ ? plot_cell(row, "algorithm") : "")
                                    : choice_in(row, algorithms_);
    for (const std::string_view column : columns_) {
      const std::string value = plot_cell(row, column);
      const std::string text = column == "bytes"     ? value + " bytes"
                               : column == "threads" ? value + " workers"
                                                     : value;
      name = column == "topology" ? text + (name.empty() ? "" : ", ") + name
                                  : name + (name.empty() ? "" : ", ") + text;
    }
    return name;
  }

 private:
  std::string_view axis_;
  bool algorithms_ = false;
  std::vector<std::string_view> columns_{};
};

using RowValue = std::function<std::optional<double>(const Fields&)>;

/// One curve for each name, of successful rows that have both values. Empty if all marks have the
/// same x.
[[nodiscard]] std::vector<Curve> curves_of(Rows rows, const RowNames& names, const RowValue& x,
                                           std::string_view y) {
  std::vector<Curve> curves;
  std::set<double> places;
  for (const Fields& row : rows) {
    const auto at = x(row);
    const auto value = plot_value(row, y);
    if (!went_well(row) || !at || !value) continue;
    places.insert(*at);
    std::vector<Mark>& marks = report::curve_named(curves, names.of(row)).marks;
    if (std::ranges::any_of(marks,
                            [&](const Mark& known) { return known.x == *at && known.y == *value; }))
      continue;  // counted again at another block length
    marks.push_back({.x = *at, .y = *value});
  }
  if (places.size() < 2) return {};
  for (Curve& curve : curves) std::ranges::sort(curve.marks, {}, &Mark::x);
  return curves;
}

/// On logarithmic axes; a curve per network and algorithm.
[[nodiscard]] Plot by_bytes(Rows rows, std::string title, Axis y, std::string_view name) {
  const RowValue bytes = [](const Fields& row) { return plot_value(row, "bytes"); };
  Plot plot{.title = std::move(title),
            .x = {"block length", "bytes", true},
            .y = std::move(y),
            .curves = curves_of(rows, RowNames(rows, "bytes"), bytes, name)};
  plot.y.logarithmic = true;
  return plot;
}

[[nodiscard]] Plot time_by_bytes(Rows rows) {
  Plot plot =
      by_bytes(rows, "Wall time of the steps against block length", {"wall time"}, "step_seconds");
  in_fitting_seconds(plot.y, plot.curves, &Mark::y);
  if (plot_differs(rows, "repeat") || (!rows.empty() && plot_value(rows.front(), "repeat") > 1.0))
    plot.note = "Medians of the repetitions.";
  return plot;
}

/// A curve per network.
[[nodiscard]] Plot by_packing_factor(Rows rows, std::string_view name, const Axis& axis) {
  const RowValue factor = [](const Fields& row) -> std::optional<double> {
    const std::string text = plot_cell(row, "k");  // a chain is no place on an axis
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    return std::stod(text);
  };
  return {.title = fmt::format("{} against packing factor", axis.label),
          .x = {"packing factor k"},
          .y = axis,
          .curves = curves_of(rows, RowNames(rows, "k", true), factor, name)};
}

/// A curve per algorithm and settings.
[[nodiscard]] Plot by_network(Rows rows, std::string_view name, const Axis& axis) {
  Plot plot{.title = fmt::format("{} against network", axis.label), .x = {"network"}, .y = axis};
  const RowValue place = [&](const Fields& row) {
    return place_named(plot.x, plot_cell(row, "topology"));
  };
  plot.curves = curves_of(rows, RowNames(rows, "topology", true), place, name);
  return plot;
}

/// Measured wall time beside wall/predicted_seconds where rows have it, else beside the modelled
/// time.
[[nodiscard]] std::vector<Plot> rows_against_model(Rows rows) {
  const auto predicted = [](const Fields& row) {
    return plot_value(row, "wall/predicted_seconds");
  };
  const bool in_seconds =
      std::ranges::any_of(rows, [&](const Fields& row) { return predicted(row).has_value(); });
  const RowNames names(rows, "");
  std::vector<report::Explained> points;
  for (const Fields& row : rows) {
    const auto model = in_seconds ? predicted(row) : plot_value(row, "time");
    const auto measured = plot_value(row, "step_seconds");
    if (!went_well(row) || !model || !measured) continue;
    points.push_back({.model = *model, .measured = *measured, .name = names.of(row)});
  }
  return report::runs_against_model(std::move(points), {"row"}, in_seconds);
}

/// The charged time of a row at a ratio t_s/t_m, with t_m = 1.
[[nodiscard]] double cost_at(const Fields& row, std::string_view port_model, double ratio) {
  return predicted(rank_of(row, port_model).charged, {.t_s = ratio},
                   static_cast<std::size_t>(plot_value(row, "bytes").value_or(0)));
}

[[nodiscard]] bool has_cost(const Fields& row) {
  return went_well(row) && plot_value(row, "charged_startups") &&
         plot_value(row, "charged_message_times");
}

/// "0.1" at decades; nothing between them.
[[nodiscard]] std::string ratio_name(double ratio) {
  const double exponent = std::log10(ratio);
  return std::abs(exponent - std::round(exponent)) < 1e-9 ? report::tick_label(ratio) : "";
}

/// The rows that compete and have a cost; groups without any are left out.
[[nodiscard]] std::vector<Rivals> rivals_with_costs(Rows rows) {
  std::vector<Rivals> all = all_rivals(rows);
  for (Rivals& rivals : all)
    std::erase_if(rivals.rows, [](const Fields* row) { return !has_cost(*row); });
  std::erase_if(all, [](const Rivals& rivals) { return rivals.rows.empty(); });
  return all;
}

/// The choice of the least counted cost for every network and port model, by t_s/t_m.
[[nodiscard]] Plot map_of_choices(Rows rows) {
  Plot plot{.title = "Cheapest choice by t_s/t_m",
            .x = {"t_s/t_m"},
            .y = {"network"},
            .note = "By charged start-ups and message times, as counted."};
  const std::vector<double> ratios = plotted_ratios();
  for (const double ratio : ratios) plot.x.names.push_back(ratio_name(ratio));
  const bool algorithms = plot_differs(rows, "algorithm");
  const bool models = plot_differs(rows, "port_model");
  for (const Rivals& rivals : rivals_with_costs(rows)) {
    if (rivals.rows.size() < 2) continue;
    const auto y = static_cast<double>(plot.y.names.size());
    plot.y.names.push_back(rivals.name(models));
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      const Fields& best = rivals.best({.text = {}, .costs = {.t_s = ratios[i]}});
      report::curve_named(plot.curves, choice_in(best, algorithms), Draw::cells)
          .marks.push_back({.x = static_cast<double>(i),
                            .y = y,
                            .name = fmt::format("t_s/t_m = {:.3g}", ratios[i])});
    }
  }
  return plot;
}

/// Cost over that of the best, against t_s/t_m; of one network.
[[nodiscard]] Plot cost_by_ratio(Rows rows) {
  Plot plot{.title = "Cost relative to the cheapest choice, against t_s/t_m",
            .x = {"t_s/t_m", "", true},
            .y = {"cost / least cost", "", true}};
  const std::vector<Rivals> all = rivals_with_costs(rows);
  if (all.empty() || all.front().rows.size() < 2) return plot;
  const Rivals& rivals = all.front();
  const bool algorithms = plot_differs(rows, "algorithm");
  for (const Fields* const row : rivals.rows) {
    Curve& curve =
        plot.curves.emplace_back(Curve{.name = choice_in(*row, algorithms), .draw = Draw::line});
    for (const double ratio : plotted_ratios()) {
      const double least =
          cost_at(rivals.best({.text = {}, .costs = {.t_s = ratio}}), rivals.port_model, ratio);
      if (least > 0)
        curve.marks.push_back({.x = ratio, .y = cost_at(*row, rivals.port_model, ratio) / least});
    }
  }
  plot.note = fmt::format("{}. Charged start-ups and message times, as counted.",
                          rivals.name(plot_differs(rows, "port_model")));
  return plot;
}

/// Start-ups times t_s and message times times t_m of every row.
[[nodiscard]] Plot cost_terms(Rows rows) {
  Plot plot{.title = "Terms of the modelled time",
            .x = {"algorithm"},
            .y = {"time", "units of t_s, t_m", true},
            .curves = {{.name = "start-ups x t_s", .draw = Draw::bars},
                       {.name = "message times x t_m", .draw = Draw::bars}}};
  const RowNames names(rows, "");
  for (const Fields& row : rows) {
    if (!has_cost(row)) continue;
    const auto term = [&](const char* count, const char* factor) {
      return plot_value(row, count).value_or(0) * plot_value(row, factor).value_or(0);
    };
    add_bars(plot, names.of(row),
             {term("charged_startups", "ts"), term("charged_message_times", "tm")});
  }
  constexpr std::size_t most_shown = 24;
  if (plot.x.names.size() > most_shown) plot.curves.clear();
  return plot;
}

void add_section(std::vector<report::Section>& sections, std::string heading,
                 std::vector<Plot> plots) {
  if (!std::ranges::all_of(plots, &Plot::empty))
    sections.push_back({.heading = std::move(heading), .plots = std::move(plots)});
}

}  // namespace

std::vector<report::Section> sections_of_sweep(Rows rows, Rows complete) {
  std::vector<report::Section> sections;
  add_section(sections, "Block length",
              {time_by_bytes(rows), by_bytes(rows, "Bytes per second against block length",
                                             {"bytes moved", "1/s"}, "bytes_per_second")});
  const Axis saved{"ETI", "share of the time saved"};
  const Axis cost{"Modelled time", "units of t_s, t_m"};
  add_section(sections, "Execution time improved (ETI)",
              {by_packing_factor(rows, "eti", saved), by_network(rows, "eti", saved)});
  add_section(sections, "Cost",
              {by_packing_factor(rows, "time", cost), by_network(rows, "time", cost),
               map_of_choices(complete)});
  add_section(sections, "Model and measurement", rows_against_model(rows));
  return sections;
}

std::vector<report::Section> sections_of_comparison(Rows rows, Rows complete) {
  std::vector<report::Section> sections;
  add_section(sections, "Choice", {map_of_choices(complete), cost_by_ratio(complete)});
  add_section(sections, "Cost", {cost_terms(rows)});
  add_section(sections, "Model and measurement", rows_against_model(rows));
  return sections;
}

}  // namespace lockstep::study
