// SPDX-License-Identifier: Apache-2.0
#include "report/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "core/joined.hpp"
#include "core/words.hpp"
#include "lockstep/core/expects.hpp"
#include "report/quantities.hpp"

namespace lockstep::report {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json json_of(const Value& value) {
  const auto write = [](const auto& content) -> Json {
    using T = std::decay_t<decltype(content)>;
    if constexpr (std::is_same_v<T, std::monostate>)
      return nullptr;
    else if constexpr (std::is_same_v<T, Fraction>)
      return content.value();
    else
      return content;
  };
  return std::visit(write, static_cast<const Content&>(value));
}

[[nodiscard]] std::string_view path_of(const Field& field) {
  return field.key.empty() ? field.name : field.key;
}

/// Something in the object of that path, which ends with '/'.
[[nodiscard]] bool any_known(const Fields& row, std::string_view path) {
  return std::ranges::any_of(row, [&](const Field& field) {
    return known(field.value) && path_of(field).substr(0, path.size()) == path;
  });
}

[[nodiscard]] bool is_named(const Field& field, std::string_view name) {
  const auto of_column = [](char c) { return c == '/' ? '_' : c; };
  return std::ranges::equal(field.name, name, {}, of_column, of_column);
}

/// Null where there is none.
template <class Row>
[[nodiscard]] auto* find(Row& row, std::string_view name) {
  for (auto& field : row)
    if (is_named(field, name)) return &field;
  return static_cast<decltype(row.data())>(nullptr);
}

[[nodiscard]] std::string whole_text(std::uint64_t count, Unit unit) {
  if (unit == Unit::number) return fmt::format("{}", count);
  return unit == Unit::bytes ? bytes_text(count) : count_text(count);
}

[[nodiscard]] std::string measure_text(double measure, Unit unit) {
  switch (unit) {
    case Unit::seconds:
      return seconds_text(measure);
    case Unit::per_second:
      return rate_text(measure);
    case Unit::bytes_per_second:
      return bytes_text(static_cast<std::uint64_t>(measure));
    case Unit::share:
      return fmt::format("{:.4f}", measure);
    case Unit::ratio:
      return fmt::format("{:.2f}", measure);
    default:
      return number_text(measure);
  }
}

[[nodiscard]] std::string text_of(const Value& value, Unit unit) {
  if (!known(value)) return "-";
  if (const auto* const count = std::get_if<std::uint64_t>(&value)) return whole_text(*count, unit);
  if (const auto* const measure = std::get_if<double>(&value)) return measure_text(*measure, unit);
  if (const auto* const fraction = std::get_if<Fraction>(&value))
    return number_text(fraction->value());
  return cell_of(value);
}

/// {name}: the field's text. (s): the ending of what it counts.
[[nodiscard]] std::string with_names(std::string_view pattern, const Fields& row) {
  constexpr std::string_view ending = "(s)";
  std::string text;
  std::string value;
  while (!pattern.empty()) {
    std::string_view words = next_piece(pattern, '{');
    for (std::size_t at = 0; (at = words.find(ending)) != std::string_view::npos;) {
      text += words.substr(0, at);
      if (value != "1") text += 's';
      words.remove_prefix(at + ending.size());
    }
    text += words;
    if (const std::string_view name = next_piece(pattern, '}'); !name.empty())
      text += value = text_of(field_of(row, name));
  }
  return text;
}

[[nodiscard]] bool all_known(std::string_view pattern, const Fields& row) {
  for (std::size_t at = 0; (at = pattern.find('{', at)) != std::string_view::npos; ++at)
    if (!known(value_of(row, pattern.substr(at + 1, pattern.find('}', at) - at - 1)))) return false;
  return true;
}

}  // namespace

std::string_view name_of(Unit unit) noexcept {
  constexpr std::array<std::string_view, 11> names{
      "", "", "", "blocks", "bytes", "seconds", "1/s", "bytes/s", "time units", "", ""};
  return names.at(static_cast<std::size_t>(unit));
}

std::optional<double> number_of(const Value& value) {
  if (const auto* const count = std::get_if<std::uint64_t>(&value))
    return static_cast<double>(*count);
  if (const auto* const measure = std::get_if<double>(&value)) return *measure;
  if (const auto* const fraction = std::get_if<Fraction>(&value)) return fraction->value();
  return std::nullopt;
}

bool known(const Value& value) noexcept { return value.index() != 0; }

const Field& field_of(const Fields& row, std::string_view name) {
  const Field* const found = find(row, name);
  expects(found != nullptr, "a row has the field that is asked for");
  return *found;
}

const Value& value_of(const Fields& row, std::string_view name) {
  return field_of(row, name).value;
}

double number_in(const Fields& row, std::string_view name) {
  return number_of(value_of(row, name)).value_or(0);
}

std::string cell_in(const Fields& row, std::string_view name) {
  return cell_of(value_of(row, name));
}

void set(Fields& row, std::string_view name, Value value) {
  Field* const found = find(row, name);
  if (found == nullptr)
    row.push_back({name, std::move(value)});
  else
    found->value = std::move(value);
}

void append(Fields& row, const Fields& more) { row.insert(row.end(), more.begin(), more.end()); }

Fields pick(const Fields& row, std::string_view names) {
  Fields picked;
  while (!names.empty()) {
    const std::string_view name = next_piece(names, ',');
    const Field* const found = find(row, name);
    picked.push_back(found != nullptr ? *found : Field{name});
  }
  return picked;
}

std::string cell_of(const Value& value) {
  const auto write = [](const auto& content) -> std::string {
    using T = std::decay_t<decltype(content)>;
    if constexpr (std::is_same_v<T, std::monostate>)
      return {};
    else if constexpr (std::is_same_v<T, Fraction>)
      return fmt::format("{}", content.value());
    else if constexpr (std::is_same_v<T, std::vector<std::uint64_t>>)
      return joined(content, ",");
    else
      return fmt::format("{}", content);
  };
  return std::visit(write, static_cast<const Content&>(value));
}

std::string column_of(const Field& field) {
  std::string column(field.name);
  std::ranges::replace(column, '/', '_');
  return column;
}

std::string heading_of(const Field& field) {
  std::string heading = field.heading.empty() ? column_of(field) : std::string(field.heading);
  std::ranges::replace(heading, '_', ' ');
  return heading;
}

std::vector<std::string> names_of(const Fields& row) {
  std::vector<std::string> names;
  for (const Field& field : row) names.push_back(column_of(field));
  return names;
}

std::vector<std::string> cells_of(const Fields& row) {
  std::vector<std::string> cells;
  for (const Field& field : row) cells.push_back(cell_of(field.value));
  return cells;
}

std::string csv_line(const std::vector<std::string>& cells) {
  const auto quoted = [](const std::string& cell) {
    if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
    std::string text = "\"";
    for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
  };
  return joined(cells, ",", quoted) + "\n";
}

std::string csv_heading(const Fields& row) { return csv_line(names_of(row)); }

std::string csv_row(const Fields& row) { return csv_line(cells_of(row)); }

std::string csv_text(const std::vector<Fields>& rows) {
  std::string text = rows.empty() ? "" : csv_heading(rows.front());
  for (const Fields& row : rows) text += csv_row(row);
  return text;
}

Json json_of(const Fields& row) {
  Json object;
  for (const Field& field : row) object[column_of(field)] = json_of(field.value);
  return object;
}

Json json_of(const std::vector<Fields>& rows) {
  Json list = Json::array();
  for (const Fields& row : rows) list.push_back(json_of(row));
  return list;
}

Json json_tree(const Fields& row) {
  Json tree = Json::object();
  for (const Field& field : row) {
    const std::string_view path = path_of(field);
    Json* at = &tree;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = path.find('/', begin)) != std::string_view::npos;) {
      at = &(*at)[std::string(path.substr(begin, end - begin))];
      begin = end + 1;
      if (!any_known(row, path.substr(0, begin))) break;
    }
    if (begin == 0 || any_known(row, path.substr(0, begin)))
      (*at)[std::string(path.substr(begin))] = json_of(field.value);
  }
  return tree;
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_line(const Fields& row) {
  return json_of(row).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_head(std::string_view schema, const Provenance& provenance) {
  Json json{{"schema", schema}};
  json.update(json_tree(provenance_fields(provenance)));
  return json;
}

Fields provenance_fields(const Provenance& provenance) {
  return {
      {"version", provenance.version, {}, "version of Lockstep"},
      {"command", provenance.command, {}, "command line as typed"},
      {"cpu", provenance.cpu, {}, "processor model of the host", "host/cpu"},
      {"cores", std::uint64_t{provenance.cores}, Unit::count, "cores of the host", "host/cores"},
      {"compiler", provenance.compiler, {}, "compiler of Lockstep", "host/compiler"},
      {"build", provenance.build, {}, "build type and flags of Lockstep", "host/build"}};
}

std::string text_of(const Field& field) { return text_of(field.value, field.unit); }

std::string fill(std::string_view pattern, const Fields& row) {
  std::string text;
  while (!pattern.empty()) {
    text += with_names(next_piece(pattern, '['), row);
    for (std::string_view choice = next_piece(pattern, ']'); !choice.empty();) {
      const std::string_view alternative = next_piece(choice, '|');
      if (!all_known(alternative, row)) continue;
      text += with_names(alternative, row);
      break;
    }
  }
  return text;
}

[[nodiscard]] static std::string cell_text(const Field& column, const Fields& row) {
  return text_of(value_of(row, column.name),
                 column.name == name_of(column.unit) ? Unit::count : column.unit);
}

FieldTable::FieldTable(Fields columns, const std::vector<Fields>& least)
    : columns_(std::move(columns)), table_([&] {
        std::vector<Table::Column> headings;
        for (const Field& column : columns_) {
          Table::Column& heading =
              headings.emplace_back(Table::Column{heading_of(column), Table::Align::right});
          if (column.unit == Unit::text) heading.align = Table::Align::left;
          if (column.unit != Unit::text && column.unit != Unit::bytes) continue;
          for (const Fields& row : least)
            heading.least_width = std::max(heading.least_width, cell_text(column, row).size());
        }
        return headings;
      }()) {}

std::vector<std::string> FieldTable::cells(const Fields& row) const {
  std::vector<std::string> cells;
  for (const Field& column : columns_) cells.push_back(cell_text(column, row));
  return cells;
}

}  // namespace lockstep::report
