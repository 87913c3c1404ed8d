// SPDX-License-Identifier: Apache-2.0
#include "study/gap_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "core/joined.hpp"
#include "report/quantities.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::only_if;
using report::Plot;
using report::Section;
using report::Unit;

/// "1.32", "optimal", "none".
[[nodiscard]] std::string gap_of(const GapCell& cell) {
  if (cell.variant.empty()) return "none";
  if (cell.optimal) return "optimal";
  const std::optional<double> gap = cell.over_bound();
  return gap ? fmt::format("{:.2f}", *gap) : "no bound";
}

[[nodiscard]] bool is_one_network(const std::vector<GapCell>& cells) {
  return !cells.empty() && std::ranges::all_of(cells, [&](const GapCell& cell) {
    return cell.topology == cells.front().topology;
  });
}

/// Cells of one line: one network, operation and port model.
using Line = std::span<const GapCell>;

[[nodiscard]] std::vector<Line> lines_of(const std::vector<GapCell>& cells) {
  std::vector<Line> lines;
  for (std::size_t first = 0, last = 0; first < cells.size(); first = last) {
    while (last < cells.size() && cells[last].topology == cells[first].topology &&
           cells[last].operation == cells[first].operation &&
           cells[last].port_model == cells[first].port_model)
      ++last;
    lines.push_back(Line(cells).subspan(first, last - first));
  }
  return lines;
}

/// "path, blocks in 24 parts (0.01); tree (1, 100, 10000)"
[[nodiscard]] std::string algorithms_of(Line line) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < line.size(); first = last) {
    std::vector<std::string_view> ratios;
    for (; last < line.size() && line[last].variant == line[first].variant; ++last)
      ratios.push_back(line[last].ratio.text);
    if (line[first].variant.empty()) continue;
    text += fmt::format("{}{}", text.empty() ? "" : "; ", line[first].variant);
    if (ratios.size() < line.size()) text += fmt::format(" ({})", joined(ratios, ", "));
  }
  return text;
}

/// Why lines have no algorithm, and cells of one network are large.
[[nodiscard]] std::string reasons_of(const std::vector<Line>& lines, bool is_one) {
  std::string text;
  for (const Line line : lines)
    if (const GapCell& cell = line.front(); cell.variant.empty())
      text += fmt::format("no algorithm for {}, {}: {}\n", name_of(cell.operation), cell.port_model,
                          cell.reason);
  for (const Line line : lines) {
    std::vector<std::string_view> ratios;
    std::string reason;
    for (const GapCell& cell : line) {
      if (cell.variant.empty() || cell.reason.empty()) continue;
      ratios.push_back(cell.ratio.text);
      reason = cell.reason;  // equal for all ratios
    }
    if (is_one && !ratios.empty())
      text += fmt::format("over 2: {}, {}, {}: {}\n", name_of(line.front().operation),
                          line.front().port_model, joined(ratios, ", "), reason);
  }
  return text.empty() ? text : "\n" + text;
}

struct Step {
  std::string_view name;
  double most;  ///< largest time / bound
};
/// The steps of the scale, from the best to the worst.
constexpr std::array<Step, 4> map_steps{{{"at most 1.25", 1.25},
                                         {"at most 1.5", 1.5},
                                         {"at most 2", large_gap},
                                         {"more than 2", HUGE_VAL}}};

[[nodiscard]] std::string_view step_of(const GapCell& cell) {
  if (cell.variant.empty()) return "no algorithm";
  if (cell.optimal) return "optimal";
  const std::optional<double> gap = cell.over_bound();
  if (!gap) return "no bound";
  return std::ranges::find_if(map_steps, [&](const Step& step) { return *gap <= step.most; })->name;
}

[[nodiscard]] report::Curve& cells_named(Plot& map, std::string_view name) {
  return curve_named(map.curves, std::string(name), report::Draw::cells);
}

/// A map without cells, which are coloured by the steps of one scale.
[[nodiscard]] Plot empty_map(std::string title, std::string x, std::string y) {
  Plot map{.title = std::move(title),
           .x = {std::move(x)},
           .y = {std::move(y)},
           .is_scale = true,
           .note = "Time over lower bound of the fastest algorithm."};
  (void)cells_named(map, "optimal");
  for (const Step& step : map_steps) (void)cells_named(map, step.name);
  (void)cells_named(map, "no algorithm");
  return map;
}

void add_cell(Plot& map, const std::string& x, const std::string& y, const GapCell& cell) {
  cells_named(map, step_of(cell))
      .marks.push_back({.x = place_named(map.x, x),
                        .y = place_named(map.y, y),
                        .name = fmt::format("{}{}{}", gap_of(cell),
                                            cell.variant.empty() ? "" : ": ", cell.variant)});
}

[[nodiscard]] std::vector<Plot> maps_of(const std::vector<GapCell>& cells) {
  if (is_one_network(cells)) {
    Plot map = empty_map(fmt::format("Gap of {}", cells.front().topology), "port model and t_s/t_m",
                         "operation");
    for (const GapCell& cell : cells)
      add_cell(map, fmt::format("{} {}", cell.port_model, cell.ratio.text),
               std::string(name_of(cell.operation)), cell);
    return {std::move(map)};
  }
  std::vector<Plot> maps;
  for (const GapCell& cell : cells) {
    const std::string title =
        fmt::format("Gap, {}, t_s/t_m = {}", cell.port_model, cell.ratio.text);
    auto map = std::ranges::find(maps, title, &Plot::title);
    if (map == maps.end()) map = maps.insert(map, empty_map(title, "operation", "topology"));
    add_cell(*map, std::string(name_of(cell.operation)), cell.topology, cell);
  }
  return maps;
}

}  // namespace

std::vector<Fields> gap_rows(const std::vector<GapCell>& cells) {
  std::vector<Fields> rows;
  for (const GapCell& cell : cells) {
    const bool is_any = !cell.variant.empty();
    rows.push_back(
        {{"topology", cell.topology, Unit::text, "name of the network"},
         {"operation", std::string(name_of(cell.operation)), Unit::text, "collective operation"},
         {"port_model", cell.port_model, Unit::text, "port model of the machine"},
         {"ratio", cell.ratio.value(), Unit::ratio, "t_s/t_m"},
         {"variant", cell.variant, Unit::text, "algorithm and parameters"},
         {"charged_startups", only_if(is_any, cell.charged.startups), Unit::count},
         {"charged_message_times", only_if(is_any, cell.charged.message_times), Unit::blocks},
         {"time", only_if(is_any, cell.time), Unit::time},
         {"time_lower_bound", cell.bound, Unit::time},
         {"time_over_lower_bound", cell.over_bound(), Unit::ratio},
         {"optimal", cell.optimal, Unit::text,
          "whether the time is equal to the lower bound, so that no algorithm is faster"},
         {"reason", cell.reason, Unit::text,
          "why there is no algorithm, or the time is over twice the lower bound"}});
  }
  return rows;
}

Fields gap_summary(const std::vector<GapCell>& cells) {
  std::uint64_t optimal = 0;
  std::uint64_t large = 0;
  std::uint64_t none = 0;
  std::uint64_t known = 0;
  double logarithms = 0;
  double worst = 0;
  for (const GapCell& cell : cells) {
    optimal += cell.optimal ? 1U : 0U;
    none += cell.variant.empty() ? 1U : 0U;
    const std::optional<double> gap = cell.over_bound();
    if (!gap) continue;
    ++known;
    large += *gap > large_gap ? 1U : 0U;
    logarithms += std::log(*gap);
    worst = std::max(worst, *gap);
  }
  return {{"cells", std::uint64_t{cells.size()}, Unit::count},
          {"optimal", optimal, Unit::count},
          {"over_2", large, Unit::count},
          {"without_algorithm", none, Unit::count},
          {"geometric_mean", only_if(known != 0, std::exp(logarithms / static_cast<double>(known))),
           Unit::ratio},
          {"worst", only_if(known != 0, worst), Unit::ratio}};
}

std::string gap_text(const std::vector<GapCell>& cells, std::size_t page) {
  const std::vector<Line> lines = lines_of(cells);
  const bool is_one = is_one_network(cells);
  std::vector<Table::Column> columns;
  if (!is_one) columns.push_back({"topology"});
  columns.push_back({"operation"});
  columns.push_back({"port model"});
  if (!lines.empty())
    for (const GapCell& cell : lines.front())
      columns.push_back({std::string(cell.ratio.text), Table::Align::right});
  columns.push_back({"algorithms"});
  Table table(std::move(columns));
  for (const Line line : lines) {
    std::vector<std::string> row;
    if (!is_one) row.push_back(line.front().topology);
    row.emplace_back(name_of(line.front().operation));
    row.push_back(line.front().port_model);
    for (const GapCell& cell : line) row.push_back(gap_of(cell));
    row.push_back(algorithms_of(line));
    table.add(std::move(row));
  }
  return fmt::format(
      "{}{}\n{}\n"
      "Numbers: time over lower bound of the fastest algorithm, for blocks of {} and the t_s/t_m "
      "of the column.\n"
      "optimal: equal to the lower bound; none: no algorithm.\n{}",
      is_one ? cells.front().topology + "\n\n" : "", table.text(page),
      report::fill("{cells} cells: {optimal} optimal, {over_2} over 2, {without_algorithm} without "
                   "algorithm[; geometric mean {geometric_mean}, worst {worst}]",
                   gap_summary(cells)),
      report::bytes_text(gap_block_bytes), reasons_of(lines, is_one));
}

std::vector<Section> gap_sections(const std::vector<GapCell>& cells) {
  return {{.heading = "Gap", .plots = maps_of(cells), .rows = {gap_summary(cells)}},
          {.heading = "All cells", .rows = gap_rows(cells)}};
}

}  // namespace lockstep::study
