// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Fields as a reader wants them: thousands separated, a fitting unit.
///
///     fill("{startups} start-ups[, {eti} saved]", row)      // 229 start-ups

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/report/table.hpp"
#include "report/fields.hpp"

namespace lockstep::report {

/// "-" where it is not known.
[[nodiscard]] std::string text_of(const Field& field);
/// {name}: the field's text. [a|b]: the first of these whose fields are all known, or nothing.
[[nodiscard]] std::string fill(std::string_view pattern, const Fields& row);

/// A table to be read: these fields of rows, with commas between; headings, sides and units are the
/// fields'. A column that is headed by its unit shows bare numbers.
class FieldTable {
 public:
  /// `least`: rows whose columns of text are at least that wide (a table printed while it grows).
  FieldTable(std::string_view names, const Fields& headings, const std::vector<Fields>& least = {});

  void add(const Fields& row) { table_.add(cells(row)); }
  [[nodiscard]] std::string text() const { return table_.text(); }
  [[nodiscard]] std::string heading() const { return table_.text_heading(); }
  [[nodiscard]] std::string line(const Fields& row) const { return table_.text_line(cells(row)); }

 private:
  [[nodiscard]] std::vector<std::string> cells(const Fields& row) const;

  std::string names_;
  Table table_;
};

}  // namespace lockstep::report
