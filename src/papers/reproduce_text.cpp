// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduce_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "lockstep/report/table.hpp"
#include "papers/reproduce_counts.hpp"

namespace lockstep::papers {
namespace {

constexpr auto right = Table::Align::right;

[[nodiscard]] std::string number_or_empty(std::size_t number) {
  return number == 0 ? "" : fmt::format("{}", number);
}

/// A column that is shown where any row has something in it.
struct Column {
  Table::Column heading;
  std::string (*cell)(const PaperRow& row);
};

[[nodiscard]] const std::vector<Column>& all_columns() {
  static const std::vector<Column> columns{
      {{"where"}, [](const PaperRow& row) { return row.where; }},
      {{"network"}, [](const PaperRow& row) { return row.topology; }},
      {{"n", right}, [](const PaperRow& row) { return number_or_empty(row.n); }},
      {{"k", right}, [](const PaperRow& row) { return number_or_empty(row.k); }},
      {{"t_s/t_m", right}, [](const PaperRow& row) { return row.ratio; }},
      {{"quantity"}, [](const PaperRow& row) { return row.quantity; }},
      {{"printed"}, [](const PaperRow& row) { return row.printed; }},
      {{"ours"}, [](const PaperRow& row) { return row.ours; }},
      {{"exact"}, [](const PaperRow& row) { return row.exact; }},
      {{"judgement"}, [](const PaperRow& row) { return judgement(row); }}};
  return columns;
}

/// Whether the size does not say which network a row is on.
[[nodiscard]] bool networks_differ(const std::vector<PaperRow>& rows) {
  std::map<std::size_t, std::string_view> by_size;
  return std::any_of(rows.begin(), rows.end(), [&](const PaperRow& row) {
    return by_size.try_emplace(row.n, row.topology).first->second != row.topology;
  });
}

/// Rows one after the other; `with_place`: the rows come from several places of the paper.
[[nodiscard]] std::string list_of(const std::vector<PaperRow>& rows, bool with_place) {
  std::vector<Column> columns;
  for (const Column& column : all_columns()) {
    if (column.heading.name == "where" && !with_place) continue;
    if (column.heading.name == "network" && !networks_differ(rows)) continue;
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const PaperRow& row) { return !column.cell(row).empty(); }))
      columns.push_back(column);
  }
  std::vector<Table::Column> headings;
  for (const Column& column : columns) headings.push_back(column.heading);
  Table table(headings);
  for (const PaperRow& row : rows) {
    std::vector<std::string> cells;
    for (const Column& column : columns) cells.push_back(column.cell(row));
    table.add(std::move(cells));
  }
  return table.text();
}

/// A line per step: what is printed beside ours for every quantity, and one judgement.
[[nodiscard]] std::string steps_of(const std::vector<PaperRow>& rows) {
  std::vector<Table::Column> headings{{"step", right}};
  std::map<std::size_t, std::vector<const PaperRow*>> steps;
  for (const PaperRow& row : rows) steps[row.step].push_back(&row);
  for (const PaperRow* const row : steps.begin()->second) {
    headings.push_back({row->quantity, right});
    headings.push_back({"ours", right});
  }
  headings.push_back({"judgement"});
  Table table(headings);
  for (const auto& [step, cells_of_step] : steps) {
    std::vector<std::string> cells{fmt::format("{}", step)};
    const PaperRow* judged = cells_of_step.front();
    for (const PaperRow* const row : cells_of_step) {
      cells.push_back(row->printed);
      cells.push_back(row->ours);
      if (judged->agrees && !row->agrees) judged = row;
    }
    cells.push_back(judgement(*judged));
    table.add(std::move(cells));
  }
  return table.text();
}

/// What a figure is drawn against.
[[nodiscard]] std::size_t abscissa_of(const PaperRow& row) {
  return row.step != 0 ? row.step : row.n;
}
[[nodiscard]] const char* abscissa_name(const PaperRow& row) {
  return row.step != 0 ? "step" : "n";
}

/// The curve of a figure that a point is on.
[[nodiscard]] std::string curve_of(const PaperRow& row) {
  if (!row.curve.empty()) return row.curve;
  return row.k != 0 ? fmt::format("k = {}", row.k) : "t_s/t_m = " + row.ratio;
}

[[nodiscard]] std::string picture_of(const std::vector<PaperRow>& rows) {
  std::vector<std::string> curves;
  std::set<std::size_t> places;
  for (const PaperRow& row : rows) {
    places.insert(abscissa_of(row));
    if (std::find(curves.begin(), curves.end(), curve_of(row)) == curves.end())
      curves.push_back(curve_of(row));
  }
  std::vector<Table::Column> headings{{abscissa_name(rows.front()), right}};
  for (const std::string& curve : curves) headings.push_back({curve, right});
  Table table(headings);
  for (const std::size_t place : places) {
    std::vector<std::string> cells{fmt::format("{}", place)};
    for (const std::string& curve : curves) {
      const auto point = std::find_if(rows.begin(), rows.end(), [&](const PaperRow& row) {
        return abscissa_of(row) == place && curve_of(row) == curve;
      });
      cells.push_back(point == rows.end() ? "" : point->ours);
    }
    table.add(std::move(cells));
  }
  return table.text();
}

/// The steps of a series first, then the other rows.
[[nodiscard]] std::string table_of(const std::vector<PaperRow>& rows, bool with_place) {
  std::vector<PaperRow> series;
  std::vector<PaperRow> others;
  for (const PaperRow& row : rows) (row.step != 0 ? series : others).push_back(row);
  std::string text = series.empty() ? "" : steps_of(series);
  if (!series.empty() && !others.empty()) text += "\n";
  return others.empty() ? text : text + list_of(others, with_place);
}

[[nodiscard]] std::string title_of(const std::vector<PaperRow>& rows, bool with_place) {
  if (with_place) return "Figures in the text";
  const PaperRow& first = rows.front();
  const bool curves = first.where.rfind("Figure", 0) == 0;
  if (!curves) return first.where;
  const std::string ratio = first.k != 0 ? ", t_s/t_m = " + first.ratio : "";
  return fmt::format("{}: {} against {}{} (the paper prints a picture, no figures)", first.where,
                     first.quantity, abscissa_name(first), ratio);
}

[[nodiscard]] std::string errata_of(const std::vector<PaperRow>& rows,
                                    const std::vector<Erratum>& errata) {
  std::string text;
  for (const Erratum& erratum : errata)
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const PaperRow& row) { return row.erratum == erratum.number; }))
      text += fmt::format("erratum {}: {}\n", erratum.number, erratum.sentence);
  return text;
}

[[nodiscard]] bool is_section(const PaperRow& row) {
  return row.where.rfind("Table", 0) == 0 || row.where.rfind("Figure", 0) == 0 ||
         row.where == counted_by_machine || row.where == not_run;
}

}  // namespace

bool explained(const PaperRow& row) noexcept { return row.agrees || row.erratum != 0; }

std::string judgement(const PaperRow& row) {
  std::string text = row.agrees ? (row.printed.empty() && row.exact.empty() ? "" : "agrees")
                                : (row.erratum != 0 ? "differs" : "differs: NOT EXPLAINED");
  if (row.erratum != 0) text += fmt::format("{}erratum {}", text.empty() ? "" : ", ", row.erratum);
  return text;
}

std::string paper_text(const std::vector<PaperRow>& rows, const std::vector<Erratum>& errata) {
  std::string text;
  for (std::size_t first = 0; first < rows.size();) {
    const bool section = is_section(rows[first]);
    std::size_t last = first;
    while (last < rows.size() && is_section(rows[last]) == section &&
           (!section || rows[last].where == rows[first].where))
      ++last;
    const std::vector<PaperRow> part(rows.begin() + static_cast<std::ptrdiff_t>(first),
                                     rows.begin() + static_cast<std::ptrdiff_t>(last));
    const bool picture = rows[first].where.rfind("Figure", 0) == 0;
    text += fmt::format("{}{}\n\n{}", text.empty() ? "" : "\n", title_of(part, !section),
                        picture ? picture_of(part) : table_of(part, !section));
    text += errata_of(part, errata);
    first = last;
  }
  return text;
}

}  // namespace lockstep::papers
