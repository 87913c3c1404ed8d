// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Table: headed columns, rows of cells; as aligned text, CSV (RFC 4180) or JSON (a list of
/// objects).
///
///     Table table({{"k"}, {"time", Table::Align::right}});
///     table.add({"3", "1,187,348"});
///     std::cout << table.text();

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace lockstep {

/// The width of a page without limit: no terminal.
inline constexpr std::size_t any_width = std::numeric_limits<std::size_t>::max();

class Table {
 public:
  enum class Align : unsigned char { left, right };
  struct Column {
    std::string name;
    Align align = Align::left;
    std::size_t least_width = 0;  ///< for lines that are printed before the others are known
  };

  explicit Table(std::vector<Column> columns);

  /// Precondition: one cell per column.
  void add(std::vector<std::string> row);

  [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const noexcept { return rows_; }

  /// A heading and one line per row, with aligned columns and no trailing blanks. To fit the page,
  /// it leaves out empty columns, then wraps cells, then writes each row as a paragraph.
  [[nodiscard]] std::string text(std::size_t page = any_width) const;
  /// For a table that is printed while it grows, with the least widths alone.
  [[nodiscard]] std::string text_heading(std::size_t page = any_width) const;
  [[nodiscard]] std::string text_line(const std::vector<std::string>& row,
                                      std::size_t page = any_width) const;
  [[nodiscard]] std::string csv() const;
  /// Every cell a string.
  [[nodiscard]] std::string json() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lockstep
