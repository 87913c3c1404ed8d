// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Tables of known figures under tests/golden: comma-separated, a line of column names first, lines
/// that start with # are remarks.
///
///     for (const GoldenRow& row : golden("star/distances.csv"))
///       EXPECT_EQ(diameter(StarGraph{row.number("n")}), row.number("diameter"));

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reference/fnv1a.hpp"

namespace lockstep::test {

[[nodiscard]] std::string golden_folder();  // tests/golden

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t at = text.find(separator); at != std::string::npos;
       at = text.find(separator, start)) {
    parts.push_back(text.substr(start, at - start));
    start = at + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

class GoldenRow {
 public:
  explicit GoldenRow(std::map<std::string, std::string> cells) : cells_(std::move(cells)) {}

  [[nodiscard]] const std::string& text(const std::string& column) const {
    return cells_.at(column);
  }
  [[nodiscard]] std::uint64_t number(const std::string& column) const {
    return std::stoull(text(column));
  }
  /// Hexadecimal, as digests are written.
  [[nodiscard]] std::uint64_t digest(const std::string& column) const {
    return std::stoull(text(column), nullptr, 16);
  }
  /// Numbers separated by spaces; none where the cell is empty.
  [[nodiscard]] std::vector<std::uint64_t> numbers(const std::string& column) const {
    std::istringstream cell{text(column)};
    std::vector<std::uint64_t> values;
    for (std::uint64_t value = 0; cell >> value;) values.push_back(value);
    return values;
  }

 private:
  std::map<std::string, std::string> cells_;
};

/// Never empty: throws where the file is missing, malformed or has no rows.
inline std::vector<GoldenRow> golden(const std::string& file) {
  std::ifstream input{golden_folder() + "/" + file};
  std::vector<std::string> columns;
  std::vector<GoldenRow> rows;
  for (std::string line; std::getline(input, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split(line, ',');
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    if (cells.size() != columns.size()) throw std::runtime_error(file + ": bad row: " + line);
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[columns[i]] = cells[i];
    rows.emplace_back(std::move(row));
  }
  if (rows.empty()) throw std::runtime_error(file + ": no rows");
  return rows;
}

using reference::Fnv1a;

}  // namespace lockstep::test
