// SPDX-License-Identifier: Apache-2.0

/// A run as JSON, and as rows of a CSV table (RFC 4180, "\n" line ends).

#include "lockstep/report/run_report.hpp"

#include <nlohmann/json.hpp>

#include "report/run_fields.hpp"

namespace lockstep {
namespace {

using report::Fields;

[[nodiscard]] std::vector<Fields> series_of(const RunReport& report) {
  const RunResult& result = report.result;
  std::vector<Fields> rows;
  for (const StepRecord& step : result.record.series)
    rows.push_back(report::step_fields(step, result.record, result.estimate.parts_per_block()));
  return rows;
}

[[nodiscard]] std::string json_text(std::string_view schema, const Provenance& provenance,
                                    const Fields& fields) {
  nlohmann::ordered_json json = report::json_head(schema, provenance);
  json.update(report::json_tree(fields));
  return json.dump(2) + "\n";
}

}  // namespace

std::string to_json(const RunReport& report) {
  Fields fields = report::run_fields(report.result.estimate, &report.result, report.costs);
  if (!report.result.record.series.empty()) fields.push_back({"series", series_of(report)});
  return json_text("lockstep.run/2", report.provenance, fields);
}

std::string to_json(const RunEstimate& run, const std::optional<Probe>& probe,
                    const CostParameters& costs, const Provenance& provenance) {
  return json_text("lockstep.dry-run/2", provenance, report::dry_run_fields(run, probe, costs));
}

std::string csv_heading(std::span<const Parameter> parameters) {
  return report::csv_heading(report::table_fields({{}, {}, {}, parameters}));
}

std::string csv_row(const RunReport& report) {
  return report::csv_row(report::table_fields(report));
}

std::string series_csv(const RunReport& report) {
  std::string text = report::csv_heading(report::step_fields({}, {}, 1));
  for (const Fields& row : series_of(report)) text += report::csv_row(row);
  return text;
}

std::string to_csv(const RunReport& report) {
  return report.result.record.series.empty() ? csv_heading(report.parameters) + csv_row(report)
                                             : series_csv(report);
}

}  // namespace lockstep
