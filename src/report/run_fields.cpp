// SPDX-License-Identifier: Apache-2.0
#include "report/run_fields.hpp"

#include <algorithm>

namespace lockstep::report {

using enum Unit;

Fields parameter_fields(std::span<const Parameter> parameters, const Settings& settings) {
  Fields row;
  for (const Parameter& parameter : parameters) {
    const Setting* const setting = settings.find(parameter.name);
    const Value value =
        setting == nullptr ? Value() : std::visit([](const auto& v) { return Value(v); }, *setting);
    const bool counts = parameter.kind == Parameter::Kind::count;
    const bool node = parameter.kind == Parameter::Kind::node;
    row.push_back({parameter.name, value, counts ? count : node ? number : text, parameter.noun});
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
  const RunEstimate& run = report.result.estimate;
  Fields row = run_fields(run, &report.result, report.costs);
  for (const Fields& more :
       {provenance_fields(report.provenance), parameter_fields(report.parameters, run.settings)})
    row.insert(row.end(), more.begin(), more.end());
  Value plan_file;
  for (const Parameter& parameter : run.algorithm.parameters)
    if (parameter.kind == Parameter::Kind::file && run.settings.find(parameter.name) != nullptr)
      plan_file = run.settings.text(parameter.name);
  row.push_back({"plan_file", plan_file, text, "the user's plan, of algorithms that read one"});
  return columns_of(row, run_columns, report.parameters);
}

Fields dry_run_fields(const RunEstimate& run, const std::optional<Probe>& probe,
                      const CostParameters& costs) {
  Fields row = run_fields(run, nullptr, costs);
  set(row, "steps", run.footprint.steps);
  set(row, "messages/expected", run.expected_messages);
  const Fields more{
      {"memory/available_bytes", run.available_bytes, bytes, "of the host, or as limited"},
      {"memory/fits", run.memory_bytes <= run.available_bytes, text, "in what is available"},
      {"wall/estimated_seconds", probe ? probe->estimated_seconds : run.rough_seconds, seconds,
       "of the steps"},
      {"wall/measured", probe.has_value(), text, "by a trial, not from typical rates"},
      {"wall/trial_seconds", probe ? Value(probe->seconds_spent) : Value(), seconds,
       "of the trial"},
      {"wall/trial_steps", probe ? Value(probe->steps) : Value(), count, "of the trial"}};
  row.insert(row.end(), more.begin(), more.end());
  return row;
}

Fields step_fields(const StepRecord& step, const RunRecord& record, std::uint64_t parts_per_block) {
  return {{"step", step.step, count, "from 0 on"},
          {"senders", step.senders, count, "processors that sent"},
          {"receivers", step.receivers, count, "processors that received"},
          {"active", step.active, count, "processors that sent or received"},
          {"free", record.processors - step.active, count, "processors that did neither"},
          {"messages", step.messages, count, "that crossed a link"},
          {"bytes", step.blocks * record.block_bytes, bytes, "that crossed links"},
          {"largest_message_blocks", in_blocks(step.largest_message_blocks, parts_per_block),
           blocks, "in one message", "", "largest message in blocks"},
          {"seconds", step.seconds, seconds, "of the step by the clock"}};
}

}  // namespace lockstep::report
