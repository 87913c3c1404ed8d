// SPDX-License-Identifier: Apache-2.0
#include "report/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "lockstep/core/expects.hpp"
#include "report/csv.hpp"

namespace lockstep::report {

Value in_blocks(std::uint64_t parts, std::uint64_t parts_per_block) {
  const Fraction blocks(parts, parts_per_block);
  return blocks.denominator() == 1 ? Value(blocks.numerator()) : Value(blocks);
}

Value value_of(const Settings& settings, std::string_view name) {
  const Setting* const setting = settings.find(name);
  if (setting == nullptr) return {};
  if (const auto* const number = std::get_if<std::uint64_t>(setting)) return *number;
  return text_of(*setting);
}

std::string cell_of(const Value& value) {
  return std::visit(
      [](const auto& content) -> std::string {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, std::monostate>)
          return {};
        else if constexpr (std::is_same_v<Content, Fraction>)
          return fmt::format("{}", content.value());
        else
          return fmt::format("{}", content);
      },
      value);
}

nlohmann::ordered_json json_of(const Value& value) {
  return std::visit(
      [](const auto& content) -> nlohmann::ordered_json {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<Content, Fraction>)
          return content.value();
        else
          return content;
      },
      value);
}

std::vector<std::string> names_of(const Fields& row) {
  std::vector<std::string> names;
  for (const Field& field : row) names.emplace_back(field.name);
  return names;
}

std::vector<std::string> cells_of(const Fields& row) {
  std::vector<std::string> cells;
  for (const Field& field : row) cells.push_back(cell_of(field.value));
  return cells;
}

std::string csv_heading(const Fields& row) { return csv_line(names_of(row)); }

std::string csv_row(const Fields& row) { return csv_line(cells_of(row)); }

nlohmann::ordered_json json_of(const Fields& row) {
  nlohmann::ordered_json object;
  for (const Field& field : row) object[std::string(field.name)] = json_of(field.value);
  return object;
}

nlohmann::ordered_json json_head(std::string_view schema, const Provenance& provenance) {
  return {{"schema", schema},
          {"version", provenance.version},
          {"command", provenance.command},
          {"host",
           {{"cpu", provenance.cpu},
            {"cores", provenance.cores},
            {"compiler", provenance.compiler},
            {"build", provenance.build}}}};
}

const Value& value_of(const Fields& row, std::string_view name) {
  const auto found =
      std::find_if(row.begin(), row.end(), [&](const Field& field) { return field.name == name; });
  expects(found != row.end(), "a row has the field that is asked for");
  return found->value;
}

}  // namespace lockstep::report
