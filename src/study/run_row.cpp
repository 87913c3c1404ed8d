// SPDX-License-Identifier: Apache-2.0
#include "study/run_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/words.hpp"
#include "report/run_fields.hpp"
#include "report/spread.hpp"
#include "topology/node_names.hpp"

namespace lockstep::study {
namespace {

using report::Field;
using report::Fields;
using report::Unit;
using report::Value;

constexpr auto costs_of_a_run = std::to_array<std::string_view>(
    {"startups", "charged_startups", "message_times", "charged_message_times", "control_words",
     "time", "time_over_lower_bound"});

// Fields that are read, no columns.
constexpr std::string_view needed_port_model = "needed_port_model";
constexpr std::string_view tried_port_models = "tried_port_models";  // each with a blank behind it

/// Whether the model of the one name admits that of the other; false where there is no such model.
[[nodiscard]] bool admits(std::string_view name, std::string_view weaker) {
  const auto named = [](std::string_view one) {
    return std::ranges::find(port_models::all, one, &PortModel::name);
  };
  return named(name) != port_models::all.end() && named(weaker) != port_models::all.end() &&
         named(name)->admits(*named(weaker));
}
constexpr std::string_view root_text_name = "root_text";

/// The fields of a refused run, as far as the request states them.
[[nodiscard]] RunForecast refused(const RunRequest& request) {
  RunChoice run{.topology = request.topology ? request.topology.name() : "",
                .network = request.topology,
                .settings = request.settings,
                .model = request.port_model.value_or(PortModel{}),
                .block_bytes = request.block_bytes.value_or(0),
                .seed = request.seed,
                .channel = request.channel,
                .verify = request.verify,
                .workers = request.workers,
                .processes = request.processes,
                .processors_per_task = request.processors_per_task};
  run.algorithm.operation = request.operation;
  run.algorithm.name = request.algorithm;
  return {RunPlan{std::move(run)}};
}

/// The root as a table for readers shows it.
[[nodiscard]] Field root_text(const RunForecast& run) {
  const Setting* const root = run.settings.find(root_parameter.name);
  const auto* const number = root == nullptr ? nullptr : std::get_if<std::uint64_t>(root);
  Field field{root_text_name, {}, Unit::number, "", "", "root"};
  if (number != nullptr && has_names(run.network))
    field.value = node_text(run.network, NodeId{*number});
  else if (number != nullptr)
    field.value = *number;
  return field;
}

/// Not known of a run by one process.
[[nodiscard]] report::Value crossing_bytes(const RunResult* result) {
  if (result == nullptr) return {};
  const std::optional<report::CrossingShares> shares = report::crossing_of(result->record);
  return shares ? report::Value(shares->bytes) : report::Value();
}

/// Compares counted with predicted figures.
[[nodiscard]] std::string agreement(const Fields& row) {
  if (!report::known(value_of(row, "predicted_startups"))) return "not known";
  const auto as_counted = [&](const char* counted, const char* predicted) {
    return cell_in(row, counted) == cell_in(row, predicted);
  };
  if (as_counted("startups", "predicted_startups") &&
      as_counted("message_times", "predicted_message_times"))
    return "as counted";
  return report::fill("{predicted_startups} start-up(s), {predicted_message_times} message time(s)",
                      row);
}

}  // namespace

Fields run_row(const RunRequest& request, const Measured& run, const CostParameters& costs) {
  const RunForecast forecast = run.forecast ? *run.forecast : refused(request);
  const RunResult* const result = run.result ? &*run.result : nullptr;
  Fields row = report::run_fields(forecast, result, costs);
  if (result != nullptr) {
    set(row, "wall_seconds", run.wall_seconds);
    if (!run.walls.empty()) report::set_walls(row, run.walls);
    set(row, "step_seconds", run.step_seconds);
    const report::Spread steps = report::spread_of(run.steps);
    append(row, {{"step_mean_seconds", steps.mean, Unit::seconds},
                 {"step_least_seconds", steps.least, Unit::seconds},
                 {"step_most_seconds", steps.most, Unit::seconds}});
    const auto delivered = static_cast<double>(result->record.deliveries.delivered);
    if (run.step_seconds > 0) set(row, "messages_per_second", delivered / run.step_seconds);
  }
  if (run.result && run.exit != Exit::ok)  // what broke off has no cost to be compared
    for (Field& field : row)
      if (std::ranges::find(costs_of_a_run, field.name) != costs_of_a_run.end()) field.value = {};
  append(row, report::parameter_fields(parameter_catalog(), forecast.settings, forecast.network));
  append(row, {root_text(forecast)});
  const auto& bound = forecast.lower_bound;
  append(row, {{"crossing_bytes", crossing_bytes(result), Unit::share,
                "share of bytes that cross from one process to another"}});
  const std::string status(run.status());
  set(row, "status", status);
  if (result == nullptr) set(row, "ok", false);
  append(row, {{"note", run.note, Unit::text, "reason of a refusal or failure"},
               {"predicted", agreement(row), Unit::count, "", "", "   formula"},
               {"result", run.note.empty() ? status : status + ": " + run.note},
               {bound_on_startups, bound ? Value(bound->startups_by) : Value()},
               {bound_on_message_times, bound ? Value(bound->message_times_by) : Value()},
               {needed_port_model, forecast.algorithm.model.name},
               {tried_port_models, ""}});
  return row;
}

bool declares(const Fields& row, std::string_view port_model) {
  return admits(port_model, cell_in(row, needed_port_model));
}

bool may_run_under(const Fields& row, std::string_view port_model) {
  if (declares(row, port_model)) return true;
  if (cell_in(row, "status") == "ok" && admits(port_model, cell_in(row, "port_model"))) return true;
  const std::string tried = cell_in(row, tried_port_models);
  return std::ranges::any_of(pieces_of(tried, ' '),
                             [&](std::string_view model) { return admits(port_model, model); });
}

void add_port_model(Fields& row, const PortModel& model) {
  set(row, tried_port_models, fmt::format("{}{} ", cell_in(row, tried_port_models), model.name));
}

std::vector<Parameter> shown_parameters(const RunSeries& series,
                                        std::initializer_list<Parameter::Kind> always) {
  const auto is_set = [&](const Parameter& parameter) {
    for (std::size_t i = 0; i < series.size(); ++i)
      if (series.request(i).settings.find(parameter.name) != nullptr) return true;
    return false;
  };
  const auto left_to_some = [](const Parameter& parameter) {
    return parameter.kind == Parameter::Kind::count && parameter.fallback.empty();
  };
  std::vector<Parameter> shown;
  for (const Parameter& parameter : parameter_catalog())
    if (is_set(parameter) ||
        (!left_to_some(parameter) && std::ranges::find(always, parameter.kind) != always.end()))
      shown.push_back(parameter);
  return shown;
}

Fields read_columns(const Fields& row, std::string_view before,
                    const std::vector<Parameter>& parameters, std::string_view behind) {
  Fields columns = pick(row, before);
  for (const Parameter& parameter : parameters)
    append(columns,
           pick(row, parameter.name == root_parameter.name ? root_text_name : parameter.name));
  append(columns, pick(row, behind));
  return columns;
}

}  // namespace lockstep::study
