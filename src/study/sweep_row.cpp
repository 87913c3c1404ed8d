// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_row.hpp"

#include <optional>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "report/names.hpp"
#include "report/quantities.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::in_blocks;
using report::Value;
using report::value_of;

[[nodiscard]] std::optional<RunEstimate> estimate_of(const RunRequest& request) {
  try {
    return prepare(request, false)->estimate();
  } catch (const InvalidParameter&) {
    return std::nullopt;
  }
}

/// What savings are told against: the first algorithm for the operation that says so.
[[nodiscard]] std::optional<Promise> baseline_of(const RunRequest& request) {
  for (const AlgorithmInfo& info : algorithms_for(request.topology, request.operation)) {
    if (info.baseline.parameter.empty()) continue;
    RunRequest plain{.topology = request.topology,
                     .operation = request.operation,
                     .algorithm = std::string(info.name)};
    for (const Parameter& parameter : info.parameters)
      if (parameter.name == info.baseline.parameter)
        plain.settings[parameter.name] =
            parse_setting(parameter, std::string(info.baseline.value), request.topology);
    const auto estimate = estimate_of(plain);
    return estimate ? estimate->predicted : std::nullopt;
  }
  return std::nullopt;
}

/// `use` of what there is; nothing where there is not.
template <class Thing, class Use>
[[nodiscard]] Value value_or_none(const std::optional<Thing>& thing, Use use) {
  return thing ? Value(use(*thing)) : Value();
}

void add_claims(Fields& row, const std::optional<RunEstimate>& run) {
  const auto promised = run ? run->predicted : std::nullopt;
  const auto bound = run ? run->lower_bound : std::nullopt;
  const std::uint64_t parts = run ? run->parts_per_block() : 1;
  row.insert(
      row.end(),
      {{"predicted_startups", value_or_none(promised, [](const Promise& p) { return p.startups; })},
       {"predicted_message_times",
        value_or_none(promised,
                      [&](const Promise& p) { return in_blocks(p.message_times, parts); })},
       {"lower_bound_steps", value_or_none(bound, [](const LowerBound& b) { return b.steps; })},
       {"lower_bound_message_times", value_or_none(bound, [&](const LowerBound& b) {
          return in_blocks(b.message_times, parts);
        })}});
}

[[nodiscard]] Value improvement(const RunRequest& request, const Measured& measured,
                                const CostParameters& costs) {
  const auto baseline = measured.result ? baseline_of(request) : std::nullopt;
  return value_or_none(baseline, [&](const Promise& theirs) {
    const RunRecord& record = measured.result->record;
    return execution_time_improved({record.startups, record.message_times}, theirs, costs);
  });
}

void add_measured(Fields& row, const Measured& measured) {
  const auto& result = measured.result;
  const auto rate = [&](const RunResult& r) {
    return measured.step_seconds > 0
               ? static_cast<double>(r.record.deliveries.delivered) / measured.step_seconds
               : 0.0;
  };
  row.insert(
      row.end(),
      {{"hops", value_or_none(result, [](const RunResult& r) { return r.record.hops; })},
       {"messages_expected",
        value_or_none(result, [](const RunResult& r) { return r.verdict.expected; })},
       {"messages_verified",
        value_or_none(result, [](const RunResult& r) { return r.verdict.tally.verified; })},
       {"wall_seconds",
        value_or_none(result, [&](const RunResult&) { return measured.wall_seconds; })},
       {"step_seconds",
        value_or_none(result, [&](const RunResult&) { return measured.step_seconds; })},
       {"messages_per_second", value_or_none(result, rate)},
       {"memory_predicted_bytes",
        value_or_none(measured.estimate, [](const RunEstimate& e) { return e.memory_bytes; })},
       {"memory_peak_bytes",
        value_or_none(result, [](const RunResult& r) { return r.peak_bytes; })}});
}

void add_queue(Fields& row, const std::optional<RunResult>& result) {
  const auto queue = result ? result->largest_queue : std::nullopt;
  row.insert(row.end(), {{"largest_queue_blocks",
                          value_or_none(queue, [](const QueueFigures& q) { return q.blocks; })},
                         {"largest_queue_foreign",
                          value_or_none(queue, [](const QueueFigures& q) { return q.foreign; })}});
}

/// Those that came later stand behind all others.
constexpr std::ptrdiff_t first_key_columns = 16;

}  // namespace

Fields sweep_key(const RunRequest& request, const SweepSetup& setup) {
  const std::optional<RunEstimate> run = estimate_of(request);
  const Settings& settings = run ? run->settings : request.settings;
  const std::string_view model =
      run ? run->model.name : (request.port_model ? request.port_model->name : "");
  return {{"topology", request.topology ? Value(request.topology.name()) : Value()},
          {"operation", std::string(name_of(request.operation))},
          {"algorithm", request.algorithm},
          {"k", value_of(settings, "k")},
          {"batch", value_of(settings, "batch")},
          {"bytes", std::uint64_t{request.block_bytes.value_or(0)}},
          {"port_model", std::string(model)},
          {"channel", std::string(report::channel_name(run ? run->channel : request.channel))},
          {"executor", value_or_none(run, [](const RunEstimate& e) { return e.executor; })},
          {"threads", std::uint64_t{run ? run->workers : request.workers}},
          {"block_size", request.processors_per_task},
          {"verify", std::string(name_of(run ? run->verify : request.verify))},
          {"seed", request.seed},
          {"repeat", setup.repeats},
          {"ts", setup.costs.t_s},
          {"tm", setup.costs.t_m},
          {"root", value_of(settings, "root")},
          {"discipline", value_of(settings, "discipline")}};
}

Fields sweep_row(const RunRequest& request, const Measured& measured, const SweepSetup& setup) {
  Fields row = sweep_key(request, setup);
  const Fields later(row.begin() + first_key_columns, row.end());
  row.erase(row.begin() + first_key_columns, row.end());
  const auto& result = measured.result;
  row.insert(
      row.end(),
      {{"status", std::string(measured.status())},
       {"startups", value_or_none(result, [](const RunResult& r) { return r.record.startups; })},
       {"message_times", value_or_none(result, [](const RunResult& r) {
          return in_blocks(r.record.message_times, r.estimate.parts_per_block());
        })}});
  add_claims(row, measured.estimate);
  row.insert(row.end(), {{"time", value_or_none(result,
                                                [&](const RunResult& r) {
                                                  return modelled(r.record, setup.costs,
                                                                  r.estimate.parts_per_block());
                                                })},
                         {"eti", improvement(request, measured, setup.costs)}});
  add_measured(row, measured);
  row.insert(row.end(), {{"version", setup.version}, {"note", measured.note}});
  row.insert(row.end(), later.begin(), later.end());
  add_queue(row, result);
  return row;
}

}  // namespace lockstep::study
