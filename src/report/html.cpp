// SPDX-License-Identifier: Apache-2.0

/// The writer of reports as HTML.

#include <fmt/format.h>

#include <algorithm>

#include "core/words.hpp"
#include "report/document.hpp"
#include "report/svg.hpp"

namespace lockstep::report {

// The files report.css and report.js, which the build makes texts of the program.
extern const std::string_view report_css;
extern const std::string_view report_js;

namespace {

using svg::escaped;

/// Whatever it may hold, the page loads nothing: the browser refuses.
constexpr const char* html_page = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{0}</title>
<style>
{1}{2}</style>
</head>
<body>
<header>
<h1>{0}</h1>
<p class="verdict {3}">{4}</p>
<p class="facts">Lockstep {5}: <code>{6}</code><br>{7}, {8} cores; {9}, {10}</p>
</header>
{11}<main>
{12}</main>
<script>
{13}</script>
</body>
</html>
)";

/// Without a unit and separators, to be sorted by.
[[nodiscard]] std::string sort_value(const Value& value) {
  const auto number = number_of(value);
  return number ? fmt::format(" data-value=\"{:.17g}\"", *number) : "";
}

/// "1,187,348" as a number, to be sorted by; nothing of other texts.
[[nodiscard]] std::string sort_value(const std::string& cell) {
  std::string digits = cell;
  std::erase(digits, ',');
  const bool separated = digits.size() != cell.size();
  const bool number =
      std::ranges::all_of(digits, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return separated && number ? fmt::format(" data-value=\"{}\"", digits) : "";
}

[[nodiscard]] bool is_number(Unit unit) noexcept { return unit != Unit::text; }

[[nodiscard]] std::string table_html(const std::string& heading, const std::string& body) {
  return fmt::format(
      "<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>{}</tr></thead>\n"
      "<tbody>\n{}</tbody>\n</table></div>\n",
      heading, body);
}

[[nodiscard]] std::string heading_cell(std::string_view text, bool number,
                                       std::string_view meaning = {}) {
  return fmt::format("<th scope=\"col\"{}{}>{}</th>", number ? " class=\"number\"" : "",
                     meaning.empty() ? "" : fmt::format(" title=\"{}\"", escaped(meaning)),
                     escaped(text));
}

/// A column that says nothing in any row is left out.
[[nodiscard]] std::string html_of(const std::vector<Fields>& rows) {
  if (rows.empty()) return {};
  std::string heading;
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < rows.front().size(); ++c) {
    const bool says = std::ranges::any_of(rows, [&](const Fields& row) {
      return known(row[c].value) && !cell_of(row[c].value).empty();
    });
    if (!says) continue;
    const Field& field = rows.front()[c];
    heading += heading_cell(trimmed(heading_of(field)), is_number(field.unit), field.meaning);
    columns.push_back(c);
  }
  std::string body;
  for (const Fields& row : rows) {
    body += "<tr>";
    for (const std::size_t c : columns)
      body += fmt::format("<td{}{}>{}</td>", is_number(row[c].unit) ? " class=\"number\"" : "",
                          sort_value(row[c].value), escaped(text_of(row[c])));
    body += "</tr>\n";
  }
  return table_html(heading, body);
}

[[nodiscard]] std::string html_of(const Table& table) {
  const auto number = [&](std::size_t c) {
    return table.columns()[c].align == Table::Align::right;
  };
  std::string heading;
  for (std::size_t c = 0; c < table.columns().size(); ++c)
    heading += heading_cell(table.columns()[c].name, number(c));
  std::string body;
  for (const std::vector<std::string>& row : table.rows()) {
    const bool differs = std::ranges::any_of(
        row, [](const std::string& cell) { return cell.starts_with("differs: NOT"); });
    body += differs ? "<tr class=\"differs\">" : "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      body += fmt::format("<td{}{}>{}</td>", number(c) ? " class=\"number\"" : "",
                          sort_value(row[c]), escaped(row[c]));
    body += "</tr>\n";
  }
  return table_html(heading, body);
}

[[nodiscard]] std::string html_of(const Plot& plot) {
  const std::optional<Plot> other = rescaled(plot);
  return fmt::format(
      "<figure>\n<figcaption>{}{}</figcaption>\n{}{}<details><summary>data</summary>\n{}</details>"
      "\n</figure>\n",
      escaped(plot.title),
      plot.note.empty() ? "" : fmt::format("<span class=\"note\">{}</span>", escaped(plot.note)),
      svg_element(plot), other ? svg_element(*other, true) : "", html_of(data_of(plot)));
}

[[nodiscard]] std::string html_of(const Section& section, std::size_t number) {
  std::string text =
      fmt::format("<section id=\"s{}\">\n<h2>{}</h2>\n", number, escaped(section.heading));
  for (const std::string& sentence : section.sentences)
    text += fmt::format("<p>{}</p>\n", escaped(sentence));
  std::string plots;
  for (const Plot& plot : section.plots)
    if (!plot.empty()) plots += html_of(plot);
  if (!plots.empty()) text += "<div class=\"plots\">\n" + plots + "</div>\n";
  text += html_of(section.rows);
  for (const Table& table : section.tables) text += html_of(table);
  if (!section.text.empty()) text += fmt::format("<pre>{}</pre>\n", escaped(section.text));
  return text + "</section>\n";
}

/// To every section, where there are several.
[[nodiscard]] std::string contents_of(const Document& document) {
  if (document.sections.size() < 3) return {};
  std::string links;
  for (std::size_t i = 0; i < document.sections.size(); ++i)
    links +=
        fmt::format("<li><a href=\"#s{}\">{}</a></li>\n", i, escaped(document.sections[i].heading));
  return fmt::format("<nav aria-label=\"Contents\"><ul>\n{}</ul></nav>\n", links);
}

}  // namespace

std::vector<Plot> Document::plots() const {
  std::vector<Plot> all;
  for (const Section& section : sections)
    std::ranges::copy_if(section.plots, std::back_inserter(all),
                         [](const Plot& plot) { return !plot.empty(); });
  return all;
}

std::string html_of(const Document& document) {
  std::string sections;
  for (std::size_t i = 0; i < document.sections.size(); ++i)
    sections += html_of(document.sections[i], i);
  const Provenance& from = document.provenance;
  return fmt::format(html_page, escaped(document.title), report_css, plot_style(),
                     document.ok ? "ok" : "bad", escaped(document.verdict), escaped(from.version),
                     escaped(from.command), escaped(from.cpu), from.cores, escaped(from.compiler),
                     escaped(from.build), contents_of(document), sections, report_js);
}

}  // namespace lockstep::report
