// SPDX-License-Identifier: Apache-2.0
#include "study/term_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "lockstep/machine/violation.hpp"
#include "report/run_fields.hpp"
#include "study/comparison.hpp"
#include "study/gap_report.hpp"
#include "study/sweep.hpp"
#include "study/tuning_report.hpp"

namespace lockstep::study {

extern const std::string_view terms_json;  // of terms.json

namespace {

using report::column_of;
using report::Field;
using report::Fields;

[[nodiscard]] bool has(const Fields& fields, const std::string& column) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return column_of(field) == column; });
}

/// Those that are not there yet.
void add(Fields& all, const Fields& more) {
  for (const Field& field : more)
    if (!has(all, column_of(field))) all.push_back(field);
}

/// In the object of a run: all but what is a column alone.
[[nodiscard]] Fields json_fields() {
  DryRunReport shared;
  shared.shared.emplace();
  Fields fields = report::dry_run_fields(shared);
  add(fields, report::provenance_fields({}));
  fields.push_back({"series", {}, {}, "values of every step, with --series"});
  return fields;
}

/// Those of the three rankings of `tune`.
[[nodiscard]] Fields tune_columns() {
  const Contest contest{.entries = {{}}};
  Fields columns = ranking_rows(contest, {}, 1).front();
  add(columns, host_rows(contest, {.predicted = {0}}, 1).front());
  add(columns, map_rows(contest, {{}}).front());
  return columns;
}

[[nodiscard]] std::string key_of(const Field& field, const Fields& json) {
  if (has(json, column_of(field))) {
    std::string key(field.key.empty() ? field.name : field.key);
    std::replace(key.begin(), key.end(), '/', '.');
    return key;
  }
  for (const Parameter& parameter : parameter_catalog())
    if (parameter.name == field.name) return "parameters." + std::string(field.name);
  return "";
}

}  // namespace

Table column_list() {
  RunSeries none({}, {});
  const Fields json = json_fields();
  const Fields run = report::table_fields({{}, {}, {}, parameter_catalog()});
  const Fields sweep = Sweep::columns(Sweep(none, {}).row({}, {}));
  const Fields compare = comparison_columns(comparison_row({}, {}, {}));
  const Fields tune = tune_columns();
  const Fields gap = gap_rows({{}}).front();
  Fields all = json;
  for (const Fields& more : {run, sweep, compare, tune, gap}) add(all, more);

  Table table({{"column"}, {"tables"}, {"json"}, {"unit"}, {"meaning"}});
  for (const Field& field : all) {
    const std::string column = column_of(field);
    std::string tables;
    for (const auto& [name, fields] : {std::pair{"run", &run},
                                       {"sweep", &sweep},
                                       {"compare", &compare},
                                       {"tune", &tune},
                                       {"gap", &gap}})
      if (has(*fields, column)) tables += (tables.empty() ? "" : " ") + std::string(name);
    const std::string key = key_of(field, json);
    table.add({column, tables.empty() ? "json" : tables, key, std::string(name_of(field.unit)),
               key.starts_with("parameters.")
                   ? fmt::format("value of --{} (see `lockstep list parameters`)", field.name)
                   : std::string(field.meaning)});
  }
  for (const Field& field : report::step_fields({}, {}))
    table.add({column_of(field), "series", "series." + std::string(field.name),
               std::string(name_of(field.unit)), std::string(field.meaning)});
  return table;
}

Table term_list() {
  Table table({{"term"}, {"meaning"}});
  const auto terms = nlohmann::ordered_json::parse(terms_json);
  for (const auto& [term, meaning] : terms.items()) table.add({term, meaning.get<std::string>()});
  for (const RuleInfo& rule : rule_list)
    table.add({fmt::format("rule {}", rule.name), fmt::format("reported as '{}'", rule.violation)});
  return table;
}

}  // namespace lockstep::study
