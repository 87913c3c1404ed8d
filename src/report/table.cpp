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

std::string Table::text() const {
  std::vector<std::string> heading;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    heading.push_back(columns_[c].name);
    widths.push_back(columns_[c].name.size());
    for (const auto& row : rows_) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += "  ";
      line += columns_[c].align == Align::right ? fmt::format("{:>{}}", cells[c], widths[c])
                                                : fmt::format("{:<{}}", cells[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_line(heading);
  for (const auto& row : rows_) add_line(row);
  return text;
}

std::string Table::csv() const {
  std::vector<std::string> heading;
  for (const Column& column : columns_) heading.push_back(column.name);
  std::string text = report::csv_line(heading);
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
