// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Table: headed columns, rows of cells; as aligned text, CSV (RFC 4180) or JSON (a list of
/// objects).
///
///     Table table({{"k"}, {"time", Table::Align::right}});
///     table.add({"3", "1,187,348"});
///     std::cout << table.text();

#include <cstddef>
#include <string>
#include <vector>

namespace lockstep {

class Table {
 public:
  enum class Align : unsigned char { left, right };
  struct Column {
    std::string name;
    Align align = Align::left;
    std::size_t least_width = 0;  ///< for lines that are printed before the others are known
  };

  explicit Table(std::vector<Column> columns);

  /// As many cells as there are columns.
  void add(std::vector<std::string> row);

  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const noexcept { return rows_; }

  /// A heading, and a line per row; columns aligned, no blanks at line ends.
  [[nodiscard]] std::string text() const;
  /// For a table that is printed while it grows, with the least widths alone.
  [[nodiscard]] std::string text_heading() const;
  [[nodiscard]] std::string text_line(const std::vector<std::string>& row) const;
  [[nodiscard]] std::string csv() const;
  /// Every cell a string.
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] std::vector<std::string> heading() const;
  [[nodiscard]] std::string aligned(const std::vector<std::string>& cells,
                                    const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lockstep
