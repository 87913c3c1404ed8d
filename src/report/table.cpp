// SPDX-License-Identifier: Apache-2.0
#include "lockstep/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/words.hpp"
#include "lockstep/core/expects.hpp"
#include "report/fields.hpp"
#include "report/wrap.hpp"

namespace lockstep {
namespace {

constexpr std::string_view gap = "  ";
constexpr std::string_view nothing = "-";
constexpr std::size_t narrow = 16;  // words up to this stay whole

/// How wide each column is; 0: left out. Empty: rows are paragraphs.
using Widths = std::vector<std::size_t>;

[[nodiscard]] std::size_t total(const Widths& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths)
    if (width != 0) sum += (sum == 0 ? 0 : gap.size()) + width;
  return sum;
}

/// The least width of a column of text. Longer words are broken.
[[nodiscard]] std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) longest = std::max(longest, next_piece(text, ' ').size());
  return std::min(longest, narrow);
}

[[nodiscard]] std::vector<std::string> heading_cells(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.columns().size());
  for (const Table::Column& column : table.columns()) names.push_back(column.name);
  return names;
}

[[nodiscard]] bool says_something(const Table& table, std::size_t column) {
  return std::ranges::any_of(table.rows(), [column](const auto& row) {
    return !row[column].empty() && row[column] != nothing;
  });
}

/// `widths` narrowed, none below its least, until they fit the page.
[[nodiscard]] Widths fitted(const Table& table, Widths widths, Widths least, std::size_t page) {
  if (total(widths) <= page) return widths;
  for (std::size_t c = 0; c < widths.size(); ++c)
    if (!table.rows().empty() && !says_something(table, c)) widths[c] = least[c] = 0;
  if (total(widths) <= page) return widths;
  if (total(least) > page) return {};
  for (std::size_t left = page - total(least); left > 0; --left) {
    std::size_t neediest = 0;
    for (std::size_t c = 1; c < widths.size(); ++c)
      if (widths[c] - least[c] > widths[neediest] - least[neediest]) neediest = c;
    if (widths[neediest] == least[neediest]) break;
    ++least[neediest];
  }
  return least;
}

/// Those of lines that are printed before the others are known.
[[nodiscard]] Widths widths_of_lines(const Table& table, std::size_t page) {
  Widths widths;
  Widths least;
  for (const Table::Column& column : table.columns()) {
    widths.push_back(std::max(column.least_width, column.name.size()));
    least.push_back(std::max(column.align == Table::Align::right
                                 ? column.least_width
                                 : std::min(column.least_width, narrow),
                             longest_word(column.name)));
  }
  return fitted(table, std::move(widths), std::move(least), page);
}

/// A line of cells, or several where cells are wrapped.
[[nodiscard]] std::string aligned(const Table& table, const std::vector<std::string>& cells,
                                  const Widths& widths) {
  std::vector<std::vector<std::string>> parts;
  std::size_t lines = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    parts.push_back(widths[c] == 0 ? std::vector<std::string>{}
                                   : report::lines_of(cells[c], widths[c]));
    lines = std::max(lines, parts.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (widths[c] == 0) continue;
      const std::string& part = i < parts[c].size() ? parts[c][i] : "";
      if (!line.empty()) line += gap;
      line += table.columns()[c].align == Table::Align::right
                  ? fmt::format("{:>{}}", part, widths[c])
                  : fmt::format("{:<{}}", part, widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// A line for each cell that says something: "name  cell".
[[nodiscard]] std::string paragraph(const Table& table, const std::vector<std::string>& cells,
                                    std::size_t page) {
  std::size_t widest = 0;
  for (const Table::Column& column : table.columns()) widest = std::max(widest, column.name.size());
  std::string text;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells[c].empty() || cells[c] == nothing) continue;
    const std::string line =
        fmt::format("{:<{}}{}{}\n", table.columns()[c].name, widest, gap, cells[c]);
    text += report::wrapped(line, page);
  }
  return text + "\n";
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> row) {
  expects(row.size() == columns_.size(), "a row has a cell for every column");
  rows_.push_back(std::move(row));
}

std::string Table::text(std::size_t page) const {
  Widths widths;
  Widths least;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    std::size_t cell = 0;
    std::size_t word = longest_word(column.name);
    for (const auto& row : rows_) {
      cell = std::max(cell, row[c].size());
      word = std::max(word, longest_word(row[c]));
    }
    widths.push_back(std::max({cell, column.least_width, column.name.size()}));
    least.push_back(column.align == Align::right ? std::max(cell, longest_word(column.name))
                                                 : word);
  }
  widths = fitted(*this, std::move(widths), std::move(least), page);
  std::string text = widths.empty() ? "" : aligned(*this, heading_cells(*this), widths);
  for (const auto& row : rows_)
    text += widths.empty() ? paragraph(*this, row, page) : aligned(*this, row, widths);
  if (widths.empty() && !text.empty()) text.pop_back();  // the blank line between paragraphs
  return text;
}

std::string Table::text_heading(std::size_t page) const {
  const Widths widths = widths_of_lines(*this, page);
  return widths.empty() ? "" : aligned(*this, heading_cells(*this), widths);
}

std::string Table::text_line(const std::vector<std::string>& row, std::size_t page) const {
  expects(row.size() == columns_.size(), "a row has a cell for every column");
  Widths widths = widths_of_lines(*this, page);
  for (std::size_t c = 0; c < widths.size(); ++c)  // numbers are not broken
    if (page == any_width || columns_[c].align == Align::right)
      widths[c] = std::max(widths[c], row[c].size());
  return widths.empty() || total(widths) > page ? paragraph(*this, row, page)
                                                : aligned(*this, row, widths);
}

std::string Table::csv() const {
  std::string text = report::csv_line(heading_cells(*this));
  for (const auto& row : rows_) text += report::csv_line(row);
  return text;
}

std::string Table::json() const { return report::json_text(report::json_of(*this)); }

nlohmann::ordered_json report::json_of(const Table& table) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : table.rows()) {
    nlohmann::ordered_json object;
    for (std::size_t c = 0; c < row.size(); ++c) object[table.columns()[c].name] = row[c];
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace lockstep
