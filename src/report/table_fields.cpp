// SPDX-License-Identifier: Apache-2.0

/// Rows of tables of runs.

#include <algorithm>
#include <utility>
#include <variant>

#include "report/run_fields.hpp"

namespace lockstep::report {

using enum Unit;

Fields parameter_fields(std::span<const Parameter> parameters, const Settings& settings) {
  Fields row;
  for (const Parameter& parameter : parameters) {
    const Setting* const setting = settings.find(parameter.name);
    const bool counts = parameter.kind == Parameter::Kind::count;
    const bool node = parameter.kind == Parameter::Kind::node;
    row.push_back({parameter.name, {}, counts ? count : node ? number : text, parameter.noun});
    if (setting != nullptr)
      row.back().value = std::visit([](const auto& value) { return Value(value); }, *setting);
  }
  return row;
}

Fields columns_of(const Fields& row, std::string_view names,
                  std::span<const Parameter> parameters) {
  Fields columns = pick(row, names);
  for (const Parameter& parameter : parameters)
    if (std::none_of(columns.begin(), columns.end(),
                     [&](const Field& column) { return column.name == parameter.name; }))
      columns.push_back(field_of(row, parameter.name));
  return columns;
}

Fields table_fields(const RunReport& report) {
  const RunForecast& run = report.result.forecast;
  Fields row = run_fields(report);
  append(row, provenance_fields(report.provenance));
  append(row, parameter_fields(report.parameters, run.settings));
  Value plan_file;
  for (const Parameter& parameter : run.algorithm.parameters)
    if (parameter.kind == Parameter::Kind::file && run.settings.find(parameter.name) != nullptr)
      plan_file = run.settings.text(parameter.name);
  row.push_back({"plan_file", plan_file, text, "file of the user's schedule or table"});
  return columns_of(row, run_columns, report.parameters);
}

}  // namespace lockstep::report
