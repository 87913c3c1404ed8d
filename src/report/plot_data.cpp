// SPDX-License-Identifier: Apache-2.0

/// Plots as data: other scales and units of them, and their table.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "report/plot.hpp"

namespace lockstep::report {

std::string Axis::text() const {
  return unit.empty() ? label : fmt::format("{} ({})", label, unit);
}

Curve& curve_named(std::vector<Curve>& curves, const std::string& name, Draw draw) {
  const auto known = std::ranges::find(curves, name, &Curve::name);
  return known != curves.end() ? *known : curves.emplace_back(Curve{.name = name, .draw = draw});
}

double place_named(Axis& axis, const std::string& name) {
  const auto known = std::ranges::find(axis.names, name);
  const auto place = static_cast<double>(known - axis.names.begin());
  if (known == axis.names.end()) axis.names.push_back(name);
  return place;
}

void add_bars(Plot& plot, const std::string& name,
              std::initializer_list<std::optional<double>> values) {
  const auto place = static_cast<double>(plot.x.names.size());
  plot.x.names.push_back(name);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto& value = values.begin()[i])
      plot.curves[i].marks.push_back({.x = place, .y = *value});
}

bool Plot::empty() const {
  return std::ranges::all_of(curves, [](const Curve& curve) { return curve.marks.empty(); });
}

double in_fitting_seconds(Axis& axis, std::vector<Curve>& curves, double Mark::*value) {
  double most = 0;
  for (const Curve& curve : curves)
    for (const Mark& mark : curve.marks) most = std::max(most, mark.*value);
  double factor = 1;
  axis.unit = "s";
  for (const std::string_view smaller : {"ms", "us", "ns"}) {
    if (most * factor >= 1) break;
    factor *= 1e3;
    axis.unit = smaller;
  }
  for (Curve& curve : curves)
    for (Mark& mark : curve.marks) {
      mark.*value *= factor;
      if (value != &Mark::y) continue;
      if (mark.least) *mark.least *= factor;
      if (mark.most) *mark.most *= factor;
    }
  return factor;
}

std::optional<Plot> rescaled(const Plot& plot) {
  Plot other = plot;
  const bool logarithmic = !plot.x.logarithmic && !plot.y.logarithmic;
  const auto spread = [&](double Mark::*value) {
    std::pair<double, double> range{1e300, 0};
    for (const Curve& curve : plot.curves)
      for (const Mark& mark : curve.marks)
        range = {std::min(range.first, mark.*value), std::max(range.second, mark.*value)};
    return range.first > 0 ? range.second / range.first : 0;
  };
  constexpr double worth = 8;
  bool any = false;
  for (const auto& [axis, value] : {std::pair{&other.x, &Mark::x}, std::pair{&other.y, &Mark::y}}) {
    const bool changes =
        logarithmic ? axis->names.empty() && spread(value) >= worth : axis->logarithmic;
    if (changes) axis->logarithmic = logarithmic;
    any = any || changes;
  }
  const bool bars = std::ranges::find(plot.curves, Draw::bars, &Curve::draw) != plot.curves.end();
  if (!any || (bars && logarithmic)) return std::nullopt;
  return other;
}

Table data_of(const Plot& plot) {
  constexpr auto right = Table::Align::right;
  const auto value = [](const Axis& axis, double v) {
    const auto i = static_cast<std::size_t>(v < 0 ? 0 : v);
    return i < axis.names.size() ? axis.names[i] : fmt::format("{:.6g}", v);
  };
  bool by_place = !plot.diagonal;
  for (const Curve& curve : plot.curves) {
    std::set<double> places;
    for (const Mark& mark : curve.marks)
      by_place = by_place && mark.name.empty() && !mark.least && places.insert(mark.x).second;
    by_place = by_place && curve.draw != Draw::cells;
  }
  if (!by_place) {
    Table table({{"curve"},
                 {"mark"},
                 {plot.x.text(), right},
                 {plot.y.text(), right},
                 {"minimum", right},
                 {"maximum", right}});
    const auto end = [](const std::optional<double>& v) {
      return v ? fmt::format("{:.6g}", *v) : "";
    };
    for (const Curve& curve : plot.curves)
      for (const Mark& mark : curve.marks)
        table.add({curve.name, mark.name, value(plot.x, mark.x), value(plot.y, mark.y),
                   end(mark.least), end(mark.most)});
    return table;
  }
  std::vector<Table::Column> columns{{plot.x.text(), right}};
  std::map<double, std::vector<std::string>> rows;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    columns.push_back({curve.name.empty() ? plot.y.text() : curve.name, right});
    for (const Mark& mark : curve.marks) {
      std::vector<std::string>& cells = rows[mark.x];
      cells.resize(plot.curves.size() + 1);
      cells.front() = value(plot.x, mark.x);
      cells[i + 1] = value(plot.y, mark.y);
    }
  }
  Table table(columns);
  for (auto& [place, cells] : rows) table.add(std::move(cells));
  return table;
}

}  // namespace lockstep::report
