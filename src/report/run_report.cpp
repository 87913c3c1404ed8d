// SPDX-License-Identifier: Apache-2.0

/// A run as JSON, and as rows of a CSV table (RFC 4180, "\n" line ends).

#include "lockstep/report/run_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/run_fields.hpp"
#include "topology/node_names.hpp"

namespace lockstep {

std::optional<Cost> RunForecast::predicted_charge() const {
  if (!predicted) return std::nullopt;
  return charged(*predicted, footprint.steps);
}

namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json facts_of(std::string_view schema, const Provenance& provenance,
                            const RunForecast& run, const report::Fields& fields) {
  Json json = report::json_head(schema, provenance);
  json.update(report::json_tree(fields));
  report::Fields own =
      report::parameter_fields(run.algorithm.parameters, run.settings, run.network);
  std::erase_if(own, [](const report::Field& field) { return !report::known(field.value); });
  json["parameters"] = own.empty() ? Json::object() : report::json_of(own);
  return json;
}

[[nodiscard]] std::vector<report::Fields> violation_rows(const RunResult& result) {
  std::vector<report::Fields> rows;
  const ErasedTopology& network = result.forecast.network;
  for (const Violation& v : result.record.violations) {
    const std::string place =
        result.plan_places.empty() ? "" : ", " + result.plan_places.at(rows.size());
    rows.push_back({{"step", v.step},
                    {"node", index(v.node)},
                    {"port", std::uint64_t{index(v.port)}},
                    {"rule", name_of(v.rule)},
                    {"detail", fmt::format("counted {}{}{}{}", v.count, slot_of(v),
                                           takers_of(v, network), place)},
                    {"other_end", index(v.other_end)},
                    {"node_name", name_of(network, v.node)},
                    {"other_end_name", name_of(network, v.other_end)}});
  }
  return rows;
}

}  // namespace

nlohmann::ordered_json report::json_of(const RunReport& report) {
  const RunResult& result = report.result;
  Json json =
      facts_of("lockstep.run/2", report.provenance, result.forecast, report::run_fields(report));
  json["phases"] = report::json_of(report::phase_rows(result));
  json["queues"] = report::json_of(report::queue_rows(result));
  json["violations"] = report::json_of(violation_rows(result));
  if (!result.record.series.empty()) json["series"] = report::json_of(report::series_rows(result));
  return json;
}

std::string to_json(const RunReport& report) { return report::json_text(report::json_of(report)); }

std::optional<double> DryRunReport::estimated_seconds() const {
  if (shared) return shared->seconds();
  if (predicted_seconds) return predicted_seconds;
  if (probe) return probe->estimated_seconds;
  return gave_up_seconds > 0 ? std::nullopt : std::optional(forecast.rough_seconds);
}

std::string to_json(const DryRunReport& report) {
  Json json = facts_of("lockstep.dry-run/2", report.provenance, report.forecast,
                       report::dry_run_fields(report));
  json["interrupted"] = report.interrupted;
  return report::json_text(json);
}

std::string to_csv(const RunReport& report) {
  std::vector<report::Fields> rows = report::series_rows(report.result);
  if (rows.empty()) rows.push_back(report::table_fields(report));
  if (!report.result.record.in_flight_watched)  // a column of such runs alone
    for (report::Fields& row : rows) row.push_back({"in_flight_watched", false});
  return report::csv_text(rows);
}

}  // namespace lockstep
