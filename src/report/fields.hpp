// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Fields: named values with unit and meaning, in order. Every format is a writer over them: a row
/// of CSV, an object of JSON, a line or a cell of text, and the list of what the names mean.
///
///     const Fields row{{"topology", "star:5"}, {"startups", std::uint64_t{229}, Unit::count}};
///     csv_heading(row) + csv_row(row)      // topology,startups / star:5,229

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/core/fraction.hpp"
#include "lockstep/report/provenance.hpp"

namespace lockstep::report {

struct Field;
using Fields = std::vector<Field>;

/// std::monostate: not known; an empty cell, null in JSON, "-" in text. A fraction is written as
/// its value, a list of numbers as an option takes it ("4,3,2"). Objects and lists of them are of
/// JSON alone.
using Content = std::variant<std::monostate, bool, std::uint64_t, double, std::string, Fraction,
                             std::vector<std::uint64_t>, Fields, std::vector<Fields>>;
struct Value : Content {
  using Content::Content;
  Value() noexcept;
  Value(std::string_view text);
  template <class T>
  Value(const std::optional<T>& known);
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

// Behind Field, which a list of fields needs whole.
inline Value::Value() noexcept = default;
inline Value::Value(std::string_view text) : Content(std::string(text)) {}
template <class T>
Value::Value(const std::optional<T>& known) {
  if (known) *this = Value(*known);
}

/// A count of parts in blocks: a whole number, or exactly what it is.
[[nodiscard]] Value in_blocks(std::uint64_t parts, std::uint64_t parts_per_block);
/// Empty where the value is no number.
[[nodiscard]] std::optional<double> number_of(const Value& value);
[[nodiscard]] bool known(const Value& value) noexcept;

/// Precondition: there is a field of that name.
[[nodiscard]] const Field& field_of(const Fields& row, std::string_view name);
[[nodiscard]] const Value& value_of(const Fields& row, std::string_view name);
/// Replaces the value of that name, or adds it behind.
void set(Fields& row, std::string_view name, Value value);
/// Those of these names, with commas between, in their order; nothing is known of others.
[[nodiscard]] Fields pick(const Fields& row, std::string_view names);
/// What stands before the first `separator`; takes both away.
[[nodiscard]] std::string_view next_piece(std::string_view& text, char separator);

[[nodiscard]] std::string column_of(const Field& field);
[[nodiscard]] std::string cell_of(const Value& value);
[[nodiscard]] std::vector<std::string> names_of(const Fields& row);
[[nodiscard]] std::vector<std::string> cells_of(const Fields& row);
[[nodiscard]] std::string csv_heading(const Fields& row);
[[nodiscard]] std::string csv_row(const Fields& row);

/// By name.
[[nodiscard]] nlohmann::ordered_json json_of(const Fields& row);
/// By key: the keys are paths. An object of which nothing is known is null.
[[nodiscard]] nlohmann::ordered_json json_tree(const Fields& row);
/// The first keys of every JSON result: schema, version, command, host.
[[nodiscard]] nlohmann::ordered_json json_head(std::string_view schema,
                                               const Provenance& provenance);
[[nodiscard]] Fields provenance_fields(const Provenance& provenance);

}  // namespace lockstep::report
