// SPDX-License-Identifier: Apache-2.0
#include "report/field_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "report/quantities.hpp"

namespace lockstep::report {
namespace {

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
  if (const auto* const fraction = std::get_if<Fraction>(&value)) return count_text(*fraction);
  return cell_of(value);
}

[[nodiscard]] bool all_known(std::string_view pattern, const Fields& row) {
  for (std::size_t at = 0; (at = pattern.find('{', at)) != std::string_view::npos; ++at)
    if (!known(value_of(row, pattern.substr(at + 1, pattern.find('}', at) - at - 1)))) return false;
  return true;
}

[[nodiscard]] std::string heading_of(const Field& field) {
  std::string heading = field.heading.empty() ? column_of(field) : std::string(field.heading);
  std::replace(heading.begin(), heading.end(), '_', ' ');
  return heading;
}

/// "time:11" -> 11; the width is taken away.
[[nodiscard]] std::size_t take_width(std::string_view& name) {
  std::string_view width = name;
  name = next_piece(width, ':');
  std::size_t least = 0;
  (void)std::from_chars(width.data(), width.data() + width.size(), least);
  return least;
}

[[nodiscard]] std::vector<Table::Column> columns_of(std::string_view names, const Fields& headings,
                                                    const std::vector<Fields>& least) {
  std::vector<Table::Column> columns;
  while (!names.empty()) {
    std::string_view name = next_piece(names, ',');
    std::size_t width = take_width(name);
    const Field& field = field_of(headings, name);
    const bool left = field.unit == Unit::text;
    for (const Fields& row : least)
      if (left) width = std::max(width, cell_of(value_of(row, name)).size());
    columns.push_back({heading_of(field), left ? Table::Align::left : Table::Align::right, width});
  }
  return columns;
}

}  // namespace

std::string text_of(const Field& field) { return text_of(field.value, field.unit); }

std::string fill(std::string_view pattern, const Fields& row) {
  std::string text;
  while (true) {
    const std::size_t open = std::min(pattern.find_first_of("{["), pattern.size());
    text += pattern.substr(0, open);
    if (open == pattern.size()) return text;
    const bool choice = pattern[open] == '[';
    pattern.remove_prefix(open + 1);
    std::string_view inside = next_piece(pattern, choice ? ']' : '}');
    if (!choice) text += text_of(field_of(row, inside));
    while (choice && !inside.empty()) {
      const std::string_view alternative = next_piece(inside, '|');
      if (!all_known(alternative, row)) continue;
      text += fill(alternative, row);
      break;
    }
  }
}

FieldTable::FieldTable(std::string_view names, const Fields& headings,
                       const std::vector<Fields>& least)
    : names_(names), table_(columns_of(names, headings, least)) {}

std::vector<std::string> FieldTable::cells(const Fields& row) const {
  std::vector<std::string> cells;
  for (std::string_view names = names_; !names.empty();) {
    std::string_view name = next_piece(names, ',');
    (void)take_width(name);
    const Field& field = field_of(row, name);
    cells.push_back(text_of(field.value, name == name_of(field.unit) ? Unit::count : field.unit));
  }
  return cells;
}

}  // namespace lockstep::report
