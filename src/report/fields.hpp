// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Fields: named values with unit and meaning, in order. Every format is a writer over them: a row
/// of CSV, an object of JSON, a line or a cell of text, and the list of what the names mean.
///
///     const Fields row{{"topology", "star:5"}, {"startups", std::uint64_t{229}, Unit::count}};
///     csv_heading(row) + csv_row(row)                      // topology,startups / star:5,229
///     fill("{startups} start-ups[, {eti} saved]", row)     // 229 start-ups

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/core/fraction.hpp"
#include "lockstep/report/run_report.hpp"
#include "lockstep/report/table.hpp"

namespace lockstep::report {

/// std::monostate: not known; an empty cell, null in JSON, "-" in text. A whole fraction is a
/// number, another one is written as its value, a list of numbers as an option takes it ("4,3,2").
using Content = std::variant<std::monostate, bool, std::uint64_t, double, std::string, Fraction,
                             std::vector<std::uint64_t>>;
struct Value : Content {
  using Content::Content;
  Value() = default;
  Value(std::string_view text) : Content(std::string(text)) {}
  Value(Fraction fraction) : Content(fraction) {
    if (fraction.denominator() == 1) emplace<std::uint64_t>(fraction.numerator());
  }
  template <class T>
  Value(const std::optional<T>& known) {
    if (known) *this = Value(*known);
  }
};

enum class Unit : std::uint8_t {
  text,    ///< a name, on the left of its column
  number,  ///< that counts nothing: a seed
  count,   ///< of what the name says
  blocks,  ///< of the user
  bytes,
  seconds,
  per_second,
  bytes_per_second,
  time,   ///< that of t_s and t_m
  share,  ///< a part of one
  ratio
};
[[nodiscard]] std::string_view name_of(Unit unit) noexcept;

struct Field {
  std::string_view name;  ///< "predicted/startups": a path in JSON, column predicted_startups
  Value value{};
  Unit unit = Unit::text;
  std::string_view meaning{};
  std::string_view key{};      ///< the path, where it is not the name: "model/time"
  std::string_view heading{};  ///< of a table that is read, where it is not the column
};
using Fields = std::vector<Field>;

/// Empty where the value is no number.
[[nodiscard]] std::optional<double> number_of(const Value& value);
[[nodiscard]] bool known(const Value& value) noexcept;
[[nodiscard]] inline Value only_if(bool known, const Value& value) {
  return known ? value : Value();
}

/// Precondition: there is a field of that name.
[[nodiscard]] const Field& field_of(const Fields& row, std::string_view name);
[[nodiscard]] const Value& value_of(const Fields& row, std::string_view name);
/// 0 where the value is no number.
[[nodiscard]] double number_in(const Fields& row, std::string_view name);
/// cell_of() the value.
[[nodiscard]] std::string cell_in(const Fields& row, std::string_view name);
/// Replaces the value of that name, or adds it behind.
void set(Fields& row, std::string_view name, Value value);
void append(Fields& row, const Fields& more);
/// Those of these names, with commas between, in their order; nothing is known of others.
[[nodiscard]] Fields pick(const Fields& row, std::string_view names);

[[nodiscard]] std::string column_of(const Field& field);
/// Above its column in a table that is read.
[[nodiscard]] std::string heading_of(const Field& field);
[[nodiscard]] std::string cell_of(const Value& value);
[[nodiscard]] std::vector<std::string> names_of(const Fields& row);
[[nodiscard]] std::vector<std::string> cells_of(const Fields& row);
/// A line of CSV, quoted where RFC 4180 wants it; ends with a newline.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);
[[nodiscard]] std::string csv_heading(const Fields& row);
[[nodiscard]] std::string csv_row(const Fields& row);
/// Rows with the same fields as CSV, with their heading; empty without rows.
[[nodiscard]] std::string csv_text(const std::vector<Fields>& rows);

/// By column.
[[nodiscard]] nlohmann::ordered_json json_of(const Fields& row);
[[nodiscard]] nlohmann::ordered_json json_of(const std::vector<Fields>& rows);
[[nodiscard]] nlohmann::ordered_json json_of(const Table& table);
/// By path. An object of which nothing is known is null.
[[nodiscard]] nlohmann::ordered_json json_tree(const Fields& row);
/// As it is printed. Bytes that are no UTF-8, of a file's name, become U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);
/// An object by column, in one line.
[[nodiscard]] std::string json_line(const Fields& row);
[[nodiscard]] Fields provenance_fields(const Provenance& provenance);
/// The first keys of every JSON result: schema, version, command, host.
[[nodiscard]] nlohmann::ordered_json json_head(std::string_view schema,
                                               const Provenance& provenance);

/// As a reader wants it: thousands separated, decimals, a fitting unit; "-" where it is not known.
[[nodiscard]] std::string text_of(const Field& field);
/// {name}: the field's text; (s) behind it is an s, or none behind a 1. [a|b]: the first of these
/// whose fields are all known, or nothing.
[[nodiscard]] std::string fill(std::string_view pattern, const Fields& row);

/// A table to be read, of rows that have these fields: headings, sides and units are theirs. A
/// column that is headed by its unit shows bare numbers.
class FieldTable {
 public:
  /// `least`: columns of text and bytes are at least as wide as in these (for one printed while it
  /// grows).
  explicit FieldTable(Fields columns, const std::vector<Fields>& least = {});

  void add(const Fields& row) { table_.add(cells(row)); }
  [[nodiscard]] std::string text(std::size_t page = any_width) const { return table_.text(page); }
  [[nodiscard]] std::string heading(std::size_t page = any_width) const {
    return table_.text_heading(page);
  }
  [[nodiscard]] std::string line(const Fields& row, std::size_t page = any_width) const {
    return table_.text_line(cells(row), page);
  }

 private:
  [[nodiscard]] std::vector<std::string> cells(const Fields& row) const;

  Fields columns_;
  Table table_;
};
/// Rows with the same fields as a table, or their fields of these names; empty without rows.
[[nodiscard]] std::string table_text(const std::vector<Fields>& rows, std::size_t page = any_width,
                                     std::string_view names = {});

}  // namespace lockstep::report
