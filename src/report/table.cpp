// SPDX-License-Identifier: Apache-2.0
#include "lockstep/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "lockstep/core/expects.hpp"
#include "report/csv.hpp"

namespace lockstep {

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> row) {
  expects(row.size() == columns_.size(), "a row has a cell for every column");
  rows_.push_back(std::move(row));
}

std::vector<std::string> Table::heading() const {
  std::vector<std::string> names;
  names.reserve(columns_.size());
  for (const Column& column : columns_) names.push_back(column.name);
  return names;
}

std::string Table::aligned(const std::vector<std::string>& cells,
                           const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::size_t width =
        std::max({widths[c], columns_[c].least_width, columns_[c].name.size()});
    if (c > 0) line += "  ";
    line += columns_[c].align == Align::right ? fmt::format("{:>{}}", cells[c], width)
                                              : fmt::format("{:<{}}", cells[c], width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string Table::text() const {
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text = aligned(heading(), widths);
  for (const auto& row : rows_) text += aligned(row, widths);
  return text;
}

std::string Table::text_heading() const { return text_line(heading()); }

std::string Table::text_line(const std::vector<std::string>& row) const {
  expects(row.size() == columns_.size(), "a row has a cell for every column");
  return aligned(row, std::vector<std::size_t>(columns_.size()));
}

std::string Table::csv() const {
  std::string text = report::csv_line(heading());
  for (const auto& row : rows_) text += report::csv_line(row);
  return text;
}

std::string Table::json() const {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : rows_) {
    nlohmann::ordered_json object;
    for (std::size_t c = 0; c < row.size(); ++c) object[columns_[c].name] = row[c];
    list.push_back(std::move(object));
  }
  return list.dump(2) + "\n";
}

}  // namespace lockstep
