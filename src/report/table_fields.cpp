// SPDX-License-Identifier: Apache-2.0

/// Fields of the steps, the phases and the queues of a run, and of tables of runs.

#include <algorithm>
#include <variant>

#include "report/run_fields.hpp"
#include "topology/node_names.hpp"

namespace lockstep::report {

using enum Unit;

std::vector<Fields> series_rows(const RunResult& result) {
  std::vector<Fields> rows;
  for (const StepRecord& step : result.record.series) rows.push_back(step_fields(step, result));
  return rows;
}

std::vector<Fields> phase_rows(const RunResult& result) {
  std::vector<Fields> rows;
  for (const PhaseRecord& phase : result.record.phases) {
    const Cost cost = cost_of(phase, result.forecast.parts_per_block());
    rows.push_back(
        {{"name", phase.name, text, "name of the phase", "", "phase"},
         {"first_step", phase.first_step, number, "first step of the phase, counted from 0"},
         {"steps", phase.steps, count, "steps, including those in which nothing moved"},
         {"startups", cost.startups, count, "steps in which anything moved", "", "start-ups"},
         {"message_times", cost.message_times, blocks,
          "length of the longest message of each step, summed"},
         {"largest_message_blocks", result.forecast.in_blocks(phase.largest_message_blocks), blocks,
          "blocks of the largest message", "", "largest message"},
         {"control_words", cost.control_words, count,
          "control words of the longest message of each step, summed"},
         {"hops", phase.hops, count, "links that messages crossed"},
         {"bytes", phase.blocks_moved * result.record.block_bytes, bytes, "bytes copied"},
         {"seconds", phase.seconds, seconds, "wall time of its steps"},
         {"messages", phase.messages_sent, count, "messages over links or routes"}});
  }
  return rows;
}

std::vector<Fields> queue_rows(const RunResult& result) {
  std::vector<Fields> rows;
  for (const LevelQueues& level : result.record.queues)
    rows.push_back(
        {{"level", level.level, number, "level of the switches, counted from the processors", "",
          "level"},
         {"held", level.held, count, "messages buffered in a switch", "", "buffered messages"},
         {"wait_up", level.wait_up, count,
          "messages for a link up that could not leave in the next step", "", "blocked upward"},
         {"wait_down", level.wait_down, count,
          "messages for a link down that could not leave in the next step", "", "blocked downward"},
         {"per_branch", level.per_branch, count, "buffered messages that came over one link", "",
          "longest input queue"}});
  return rows;
}

Fields step_fields(const StepRecord& step, const RunResult& result) {
  const std::uint64_t switches = result.record.nodes - result.record.processors;
  return {
      {"step", step.step, count, "number of the step, counted from 0"},
      {"senders", step.senders, count, "processors that sent"},
      {"receivers", step.receivers, count, "processors that received"},
      {"active", step.active, count, "processors that sent or received"},
      {"free", result.record.processors - step.active, count, "processors that did neither"},
      {"messages", step.messages, count, "messages over links or routes"},
      {"bytes", step.blocks * result.record.block_bytes, bytes, "bytes copied"},
      {"largest_message_blocks", result.forecast.in_blocks(step.largest_message_blocks), blocks,
       "blocks of the largest message", "", "largest message in blocks"},
      {"seconds", step.seconds, seconds, "wall time of the step"},
      {"control_words", step.control_words, count, "control words over links"},
      {"switch_senders", step.switch_senders, count, "switches that sent"},
      {"switch_receivers", step.switch_receivers, count, "switches that received"},
      {"switches_active", step.switches_active, count, "switches that sent or received", "",
       "active switches"},
      {"switches_free", switches - step.switches_active, count, "switches that did neither"},
      {"verify_seconds", step.verify_seconds, seconds, "wall time of verification within the step"},
      {"hops", step.hops, count, "links that messages crossed"}};
}

Fields parameter_fields(std::span<const Parameter> parameters, const Settings& settings,
                        const ErasedTopology& network) {
  Fields row;
  for (const Parameter& parameter : parameters) {
    const Setting* const setting = settings.find(parameter.name);
    const bool counts = parameter.kind == Parameter::Kind::count;
    const bool node = parameter.kind == Parameter::Kind::node;
    row.push_back({parameter.name, {}, counts ? count : node ? number : text, parameter.noun});
    if (setting != nullptr)
      row.back().value = std::visit([](const auto& value) { return Value(value); }, *setting);
    if (!node) continue;
    const auto* const number = setting == nullptr ? nullptr : std::get_if<std::uint64_t>(setting);
    row.push_back({parameter.name_column,
                   number == nullptr ? Value() : name_of(network, NodeId{*number}), text,
                   "name of the root, in networks from files"});
  }
  return row;
}

Fields columns_of(const Fields& row, std::string_view names,
                  std::span<const Parameter> parameters) {
  Fields columns = pick(row, names);
  for (const Parameter& parameter : parameters)
    if (std::ranges::none_of(columns,
                             [&](const Field& column) { return column.name == parameter.name; }))
      columns.push_back(field_of(row, parameter.name));
  return columns;
}

Fields table_fields(const RunReport& report) {
  const RunForecast& run = report.result.forecast;
  Fields row = run_fields(report);
  append(row, provenance_fields(report.provenance));
  append(row, parameter_fields(report.parameters, run.settings, run.network));
  Value plan_file;
  for (const Parameter& parameter : run.algorithm.parameters)
    if (parameter.kind == Parameter::Kind::file && run.settings.find(parameter.name) != nullptr)
      plan_file = run.settings.text(parameter.name);
  row.push_back({"plan_file", plan_file, text, "file of the user's schedule or table"});
  Fields columns = columns_of(row, run_columns, report.parameters);
  append(columns, prediction_columns(row));
  return columns;
}

std::string table_text(const std::vector<Fields>& rows, std::size_t page, std::string_view names) {
  if (rows.empty()) return {};
  FieldTable table(names.empty() ? rows.front() : pick(rows.front(), names));
  for (const Fields& row : rows) table.add(row);
  return table.text(page);
}

}  // namespace lockstep::report
