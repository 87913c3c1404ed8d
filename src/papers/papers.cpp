// SPDX-License-Identifier: Apache-2.0

/// The papers, and what is the same for all of them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/invalid.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/report/table.hpp"
#include "papers/paper.hpp"
#include "papers/reproduction.hpp"
#include "report/document.hpp"

namespace lockstep::papers {

namespace {

constexpr auto right = Table::Align::right;

using Lines = std::vector<std::vector<std::string>>;

[[nodiscard]] Table table_with(const std::vector<Table::Column>& headings, Lines lines) {
  Table table(headings);
  for (std::vector<std::string>& line : lines) table.add(std::move(line));
  return table;
}

/// Whether the size does not say which network a row is on.
[[nodiscard]] bool networks_differ(const PaperRows& rows) {
  std::map<std::size_t, std::string_view> by_size;
  return std::ranges::any_of(rows, [&](const PaperRow& row) {
    return by_size.try_emplace(row.n, row.topology).first->second != row.topology;
  });
}

/// Rows one after the other; `with_place`: the rows come from several places of the paper. A column
/// is shown where any row has something in it.
[[nodiscard]] Table list_of(const PaperRows& rows, bool with_place) {
  std::vector<Table::Column> headings;
  Lines lines(rows.size());
  const auto add = [&](const Table::Column& heading, auto cell) {
    std::vector<std::string> cells;
    for (const PaperRow& row : rows) cells.push_back(std::invoke(cell, row));
    if (std::ranges::all_of(cells, std::mem_fn(&std::string::empty))) return;
    headings.push_back(heading);
    for (std::size_t i = 0; i < rows.size(); ++i) lines[i].push_back(std::move(cells[i]));
  };
  const auto number = [](std::size_t PaperRow::*member) {
    return [member](const PaperRow& row) {
      return row.*member == 0 ? "" : fmt::format("{}", row.*member);
    };
  };
  if (with_place) add({"where"}, &PaperRow::where);
  if (networks_differ(rows)) add({"network"}, &PaperRow::topology);
  add({"n", right}, number(&PaperRow::n));
  add({"k", right}, number(&PaperRow::k));
  add({"t_s/t_m", right}, &PaperRow::ratio);
  add({"quantity"}, &PaperRow::quantity);
  add({"printed"}, &PaperRow::printed);
  add({"Lockstep"}, &PaperRow::ours);
  add({"exact"}, &PaperRow::exact);
  add({"verdict"}, judgement);
  return table_with(headings, std::move(lines));
}

/// A line per step: what is printed beside what Lockstep counts for every quantity, and one
/// judgement.
[[nodiscard]] Table steps_of(const PaperRows& rows) {
  std::map<std::size_t, std::vector<const PaperRow*>> steps;
  for (const PaperRow& row : rows) steps[row.step].push_back(&row);
  std::vector<Table::Column> headings{{"step", right}};
  for (const PaperRow* const row : steps.begin()->second)
    headings.insert(headings.end(), {{row->quantity, right}, {"Lockstep", right}});
  headings.push_back({"verdict"});
  Lines lines;
  for (const auto& [step, of_step] : steps) {
    std::vector<std::string>& cells = lines.emplace_back(1, fmt::format("{}", step));
    for (const PaperRow* const row : of_step) cells.insert(cells.end(), {row->printed, row->ours});
    const auto differs =
        std::ranges::find_if(of_step, [](const PaperRow* row) { return !row->agrees(); });
    cells.push_back(judgement(differs == of_step.end() ? *of_step.front() : **differs));
  }
  return table_with(headings, std::move(lines));
}

/// The abscissa of a figure.
[[nodiscard]] const char* abscissa_name(const PaperRow& row) {
  return row.step != 0 ? "step" : "n";
}

/// The curve of a figure that a point is on.
[[nodiscard]] std::string curve_of(const PaperRow& row) {
  if (!row.curve.empty()) return row.curve;
  return row.k != 0 ? fmt::format("k = {}", row.k) : "t_s/t_m = " + row.ratio;
}

[[nodiscard]] Table picture_of(const PaperRows& rows) {
  std::vector<Table::Column> headings{{abscissa_name(rows.front()), right}};
  std::map<std::size_t, std::vector<std::string>> by_place;
  const auto add = [&](const PaperRow& row, const std::string& curve, const std::string& cell) {
    const auto known = std::find_if(headings.begin() + 1, headings.end(),
                                    [&](const Table::Column& one) { return one.name == curve; });
    const auto column = static_cast<std::size_t>(known - headings.begin());
    if (known == headings.end()) headings.push_back({curve, right});
    std::vector<std::string>& cells = by_place[row.step != 0 ? row.step : row.n];
    cells.resize(std::max(cells.size(), column + 1));
    cells[column] = cell;
  };
  for (const PaperRow& row : rows) {
    add(row, curve_of(row), row.ours);
    if (!row.beside.empty()) add(row, curve_of(row) + ", printed", row.beside);
  }
  Lines lines;
  for (auto& [place, cells] : by_place) {
    cells.resize(headings.size());
    cells.front() = fmt::format("{}", place);
    lines.push_back(std::move(cells));
  }
  return table_with(headings, std::move(lines));
}

/// The steps of a series first, then the other rows.
[[nodiscard]] std::vector<Table> tables_of(const PaperRows& rows, bool with_place) {
  PaperRows series;
  PaperRows others;
  for (const PaperRow& row : rows) (row.step != 0 ? series : others).push_back(row);
  std::vector<Table> tables;
  if (!series.empty()) tables.push_back(steps_of(series));
  if (!others.empty()) tables.push_back(list_of(others, with_place));
  return tables;
}

/// "1,187,348", "0.4231"; empty of other texts.
[[nodiscard]] std::optional<double> drawn_number(std::string text) {
  std::erase(text, ',');
  return decimal_number(text);
}

/// Ours as lines, and beside them as marks what the paper prints. Points are at steps or sizes, or
/// at networks.
[[nodiscard]] report::Plot plot_of(const PaperRows& rows, std::string title,
                                   std::string (*curve_name)(const PaperRow&),
                                   bool by_network = false) {
  report::Plot plot{.title = std::move(title), .x = {abscissa_name(rows.front())}};
  plot.beside = "printed";
  if (by_network) plot.x.label = "network";
  /// The curve's number.
  const auto add = [&](report::Curve like, double x, const std::string& value) {
    const auto number = static_cast<std::size_t>(
        std::ranges::find(plot.curves, like.name, &report::Curve::name) - plot.curves.begin());
    if (const auto y = drawn_number(value)) {
      if (number == plot.curves.size()) plot.curves.push_back(std::move(like));
      plot.curves[number].marks.push_back({.x = x, .y = *y});
    }
    return number;
  };
  for (const PaperRow& row : rows) {
    const auto x = by_network ? place_named(plot.x, row.topology)
                              : static_cast<double>(row.step != 0 ? row.step : row.n);
    const std::size_t ours = add(
        {.name = curve_name(row), .draw = by_network ? report::Draw::marks : report::Draw::both}, x,
        row.ours);
    if (ours < plot.curves.size())
      add({.name = curve_name(row) + ", printed", .draw = report::Draw::marks, .beside = ours}, x,
          row.printed.empty() ? row.beside : row.printed);
  }
  for (report::Curve& curve : plot.curves)
    std::ranges::stable_sort(curve.marks, {}, &report::Mark::x);
  return plot;
}

/// The plot of the steps of a table, with a curve per quantity.
[[nodiscard]] report::Plot plot_of_steps(const PaperRows& rows, const std::string& title) {
  PaperRows series;
  std::ranges::copy_if(rows, std::back_inserter(series),
                       [](const PaperRow& row) { return row.step != 0; });
  if (series.empty()) return {};
  report::Plot plot = plot_of(series, title + ": ours by step, and as printed",
                              [](const PaperRow& row) { return row.quantity; });
  plot.y.label = "count";
  return plot;
}

/// The plots of a table with numbers of several networks: a curve per quantity. Decimals have a
/// plot of their own beside counts.
[[nodiscard]] std::vector<report::Plot> plots_of_sizes(const PaperRows& rows,
                                                       const std::string& title) {
  std::vector<report::Plot> plots;
  std::set<std::string> with_decimals;
  for (const PaperRow& row : rows)
    if (row.ours.find('.') != std::string::npos) with_decimals.insert(row.quantity);
  for (const bool decimals : {false, true}) {
    PaperRows part;
    std::ranges::copy_if(rows, std::back_inserter(part), [&](const PaperRow& row) {
      return row.step == 0 && row.n != 0 && drawn_number(row.ours) && drawn_number(row.printed) &&
             with_decimals.contains(row.quantity) == decimals;
    });
    const auto size = [](const PaperRow& row) { return std::pair(row.n, row.topology); };
    std::set<std::pair<std::size_t, std::string>> sizes;
    for (const PaperRow& row : part) sizes.insert(size(row));
    if (sizes.size() < 3) continue;
    const bool one = std::ranges::all_of(
        part, [&](const PaperRow& row) { return row.quantity == part.front().quantity; });
    report::Plot plot = plot_of(
        part, title + ": ours, and as printed",
        [](const PaperRow& row) {
          return row.k == 0 ? row.quantity : fmt::format("k = {}", row.k);
        },
        networks_differ(part));
    plot.y = {one ? part.front().quantity : "count"};
    std::set<double> positive;
    for (const PaperRow& row : part)
      if (const double value = *drawn_number(row.ours); value > 0) positive.insert(value);
    constexpr double decades_from = 8;
    plot.y.logarithmic =
        !positive.empty() && *positive.rbegin() >= decades_from * *positive.begin();
    plots.push_back(std::move(plot));
  }
  return plots;
}

[[nodiscard]] bool is_figure(const PaperRow& row) { return row.where.starts_with("Figure"); }
[[nodiscard]] bool is_ours(const PaperRow& row) { return row.where.starts_with(own_table); }

/// `with_numbers`: that the paper prints elsewhere.
[[nodiscard]] std::string title_of(const PaperRow& first, bool with_numbers) {
  if (is_ours(first))
    return fmt::format("{}: {}, against {}", first.where, first.quantity, abscissa_name(first));
  if (!is_figure(first)) return first.where;
  const std::string ratio = first.k != 0 ? ", t_s/t_m = " + first.ratio : "";
  return fmt::format("{}: {} against {}{} (the paper prints a figure without numbers{})",
                     first.where, first.quantity, abscissa_name(first), ratio,
                     with_numbers ? "; numbers from its tables or text" : "");
}

/// The section of a row under a title of its own; the figures in the text are in one section.
[[nodiscard]] std::string_view section_of(const PaperRow& row) {
  const bool own = row.where.starts_with("Table") || is_figure(row) || is_ours(row) ||
                   row.where == counted_by_machine || row.where == not_run;
  return own ? std::string_view(row.where) : "";
}

}  // namespace

std::string judgement(const PaperRow& row) {
  if (row.lost) return "not checked: the figure is missing from the source";
  std::string text = row.agrees() ? (row.printed.empty() && row.exact.empty() ? "" : "agrees")
                                  : (row.erratum != 0 ? "differs" : "differs: NOT EXPLAINED");
  if (row.erratum == 0) return text;
  if (text == "agrees") return fmt::format("agrees (note: erratum {})", row.erratum);
  return fmt::format("{}{}erratum {}", text, text.empty() ? "" : ", ", row.erratum);
}

std::vector<report::Section> paper_sections(const PaperRows& rows,
                                            std::span<const Erratum> errata) {
  std::vector<report::Section> sections;
  for (auto first = rows.begin(); first != rows.end();) {
    const std::string_view name = section_of(*first);
    const auto last = std::find_if(first, rows.end(),
                                   [&](const PaperRow& row) { return section_of(row) != name; });
    const PaperRows part(first, last);
    report::Section& section = sections.emplace_back();
    section.heading = name.empty()
                          ? "Numbers in the text"
                          : title_of(*first, std::any_of(first, last, [](const PaperRow& row) {
                              return !row.beside.empty();
                            }));
    if (is_figure(*first) || is_ours(*first)) {
      section.tables.push_back(picture_of(part));
      section.plots.push_back(plot_of(part, section.heading, curve_of));
      section.plots.back().y.label = first->quantity;
    } else {
      section.tables = tables_of(part, name.empty());
      section.plots.push_back(plot_of_steps(part, section.heading));
      if (name.starts_with("Table"))
        for (report::Plot& plot : plots_of_sizes(part, section.heading))
          section.plots.push_back(std::move(plot));
    }
    for (const Erratum& erratum : errata)
      if (std::any_of(first, last, [&](const auto& row) { return row.erratum == erratum.number; }))
        section.sentences.push_back(
            fmt::format("erratum {}: {}", erratum.number, erratum.sentence));
    first = last;
  }
  return sections;
}

std::string paper_text(const PaperRows& rows, std::span<const Erratum> errata, std::size_t page) {
  std::string text;
  for (const report::Section& section : paper_sections(rows, errata)) {
    text += fmt::format("{}{}\n\n", text.empty() ? "" : "\n", section.heading);
    for (const Table& table : section.tables)
      text += (&table == section.tables.data() ? "" : "\n") + table.text(page);
    for (const std::string& erratum : section.sentences) text += erratum + "\n";
  }
  return text;
}

std::span<const Paper* const> all_papers() {
  static constexpr std::array papers{&star_paper,      &tables_paper,  &ej_paper,
                                     &torus_paper,     &thesis_paper,  &thesis_exchange_paper,
                                     &fat_trees_paper, &textbook_paper};
  return papers;
}

std::string drawing_of(const AnyTopology& topology) {
  for (const Paper* const paper : all_papers())
    if (paper->drawing != nullptr)
      if (std::optional<std::string> svg = paper->drawing(topology)) return *std::move(svg);
  if (std::optional<std::string> svg = drawing_of_levels(topology)) return *std::move(svg);
  throw invalid("{} cannot be drawn as svg; use --format text, json or dot", topology.name());
}

Partition partition_of(const AnyTopology& topology, std::string_view how) {
  for (const Paper* const paper : all_papers())
    if (paper->partition != nullptr)
      if (std::optional<Partition> cut = paper->partition(topology, how)) return *std::move(cut);
  throw InvalidParameter(
      fmt::format("--partition requires a torus; {} is not one", topology.name()));
}

}  // namespace lockstep::papers
