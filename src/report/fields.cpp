// SPDX-License-Identifier: Apache-2.0
#include "report/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "lockstep/core/expects.hpp"
#include "report/csv.hpp"

namespace lockstep::report {
namespace {

using Json = nlohmann::ordered_json;

template <class T, class... Others>
constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

[[nodiscard]] Json json_of(const Value& value) {
  const auto write = [](const auto& content) -> Json {
    using T = std::decay_t<decltype(content)>;
    if constexpr (std::is_same_v<T, std::monostate>) {
      return nullptr;
    } else if constexpr (std::is_same_v<T, Fraction>) {
      return content.value();
    } else if constexpr (std::is_same_v<T, Fields>) {
      return json_tree(content);
    } else if constexpr (std::is_same_v<T, std::vector<Fields>>) {
      Json list = Json::array();
      for (const Fields& row : content) list.push_back(json_tree(row));
      return list;
    } else {
      return content;
    }
  };
  return std::visit(write, static_cast<const Content&>(value));
}

/// Objects of nulls become null.
void collapse(Json& json) {
  for (Json& member : json) {
    if (!member.is_object() || member.empty()) continue;
    collapse(member);
    if (std::all_of(member.begin(), member.end(), [](const Json& one) { return one.is_null(); }))
      member = nullptr;
  }
}

[[nodiscard]] char of_column(char c) { return c == '/' ? '_' : c; }

template <class Row>
[[nodiscard]] auto find(Row& row, std::string_view name) {
  return std::find_if(row.begin(), row.end(), [&](const Field& field) {
    return std::equal(name.begin(), name.end(), field.name.begin(), field.name.end(),
                      [](char a, char b) { return of_column(a) == of_column(b); });
  });
}

}  // namespace

std::string_view name_of(Unit unit) noexcept {
  constexpr std::array<std::string_view, 11> names{
      "", "", "", "blocks", "bytes", "seconds", "1/s", "bytes/s", "time units", "", ""};
  return names.at(static_cast<std::size_t>(unit));
}

Value in_blocks(std::uint64_t parts, std::uint64_t parts_per_block) {
  const Fraction blocks(parts, parts_per_block);
  return blocks.denominator() == 1 ? Value(blocks.numerator()) : Value(blocks);
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
  const auto found = find(row, name);
  expects(found != row.end(), "a row has the field that is asked for");
  return *found;
}

const Value& value_of(const Fields& row, std::string_view name) {
  return field_of(row, name).value;
}

void set(Fields& row, std::string_view name, Value value) {
  const auto found = find(row, name);
  if (found == row.end())
    row.push_back({name, std::move(value)});
  else
    found->value = std::move(value);
}

std::string_view next_piece(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

Fields pick(const Fields& row, std::string_view names) {
  Fields picked;
  while (!names.empty()) {
    const std::string_view name = next_piece(names, ',');
    const auto found = find(row, name);
    picked.push_back(found != row.end() ? *found : Field{name});
  }
  return picked;
}

std::string cell_of(const Value& value) {
  const auto write = [](const auto& content) -> std::string {
    using T = std::decay_t<decltype(content)>;
    if constexpr (is_one_of<T, std::monostate, Fields, std::vector<Fields>>)
      return {};
    else if constexpr (std::is_same_v<T, Fraction>)
      return fmt::format("{}", content.value());
    else if constexpr (std::is_same_v<T, std::vector<std::uint64_t>>)
      return fmt::format("{}", fmt::join(content, ","));
    else
      return fmt::format("{}", content);
  };
  return std::visit(write, static_cast<const Content&>(value));
}

std::string column_of(const Field& field) {
  std::string column(field.name);
  std::transform(column.begin(), column.end(), column.begin(), of_column);
  return column;
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

std::string csv_heading(const Fields& row) { return csv_line(names_of(row)); }

std::string csv_row(const Fields& row) { return csv_line(cells_of(row)); }

Json json_of(const Fields& row) {
  Json object;
  for (const Field& field : row) object[column_of(field)] = json_of(field.value);
  return object;
}

Json json_tree(const Fields& row) {
  Json tree = Json::object();
  for (const Field& field : row) {
    Json* at = &tree;
    for (std::string_view key = field.key.empty() ? field.name : field.key; !key.empty();)
      at = &(*at)[std::string(next_piece(key, '/'))];
    *at = json_of(field.value);
  }
  collapse(tree);
  return tree;
}

Json json_head(std::string_view schema, const Provenance& provenance) {
  Json json{{"schema", schema}};
  json.update(json_tree(provenance_fields(provenance)));
  return json;
}

Fields provenance_fields(const Provenance& provenance) {
  return {{"version", provenance.version, {}, "of the program"},
          {"command", provenance.command, {}, "as typed"},
          {"cpu", provenance.cpu, {}, "model of the host's processor", "host/cpu"},
          {"cores", std::uint64_t{provenance.cores}, Unit::count, "of the host", "host/cores"},
          {"compiler", provenance.compiler, {}, "of the program", "host/compiler"},
          {"build", provenance.build, {}, "type and flags of the program", "host/build"}};
}

}  // namespace lockstep::report
