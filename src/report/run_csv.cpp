// SPDX-License-Identifier: Apache-2.0

/// A run as rows of a CSV table (RFC 4180, "\n" line ends). Columns are only ever added behind.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "lockstep/report/run_report.hpp"
#include "report/csv.hpp"
#include "report/fields.hpp"
#include "report/names.hpp"
#include "report/quantities.hpp"

namespace lockstep {
namespace {

using Cells = std::vector<std::pair<std::string_view, std::string>>;

/// Empty where there is none.
template <class Value, class Use>
[[nodiscard]] std::string or_empty(const std::optional<Value>& value, Use use) {
  return value ? fmt::format("{}", use(*value)) : std::string();
}

template <class Value>
[[nodiscard]] std::string cell(const Value& value) {
  return fmt::format("{}", value);
}

[[nodiscard]] std::string setting_cell(const RunEstimate& run, std::string_view name) {
  const Setting* const setting = run.settings.find(name);
  return setting == nullptr ? "" : text_of(*setting);
}

void add_request(Cells& row, const RunEstimate& run) {
  row.insert(row.end(), {{"topology", run.topology},
                         {"operation", cell(name_of(run.algorithm.operation))},
                         {"algorithm", cell(run.algorithm.name)},
                         {"k", setting_cell(run, "k")},
                         {"batch", setting_cell(run, "batch")},
                         {"bytes", cell(run.block_bytes)},
                         {"port_model", cell(run.model.name)},
                         {"nodes", cell(run.nodes)},
                         {"processors", cell(run.processors)},
                         {"links", or_empty(run.links, [](std::uint64_t links) { return links; })},
                         {"degree", cell(run.degree)},
                         {"diameter", or_empty(run.diameter, [](std::size_t d) { return d; })}});
}

/// What the machine counts are parts of blocks; what is said are blocks.
[[nodiscard]] std::string blocks_cell(std::uint64_t parts, const RunEstimate& run) {
  return report::cell_of(report::in_blocks(parts, run.parts_per_block()));
}

void add_costs(Cells& row, const RunReport& report) {
  const RunEstimate& run = report.result.estimate;
  const RunRecord& record = report.result.record;
  const CostParameters& costs = report.costs;
  const std::uint64_t parts = run.parts_per_block();
  row.insert(
      row.end(),
      {{"steps", cell(record.steps)},
       {"startups", cell(record.startups)},
       {"message_times", blocks_cell(record.message_times, run)},
       {"predicted_startups", or_empty(run.predicted, [](auto p) { return p.startups; })},
       {"predicted_message_times",
        or_empty(run.predicted, [&](auto p) { return blocks_cell(p.message_times, run); })},
       {"lower_bound_steps", or_empty(run.lower_bound, [](auto b) { return b.steps; })},
       {"lower_bound_message_times",
        or_empty(run.lower_bound, [&](auto b) { return blocks_cell(b.message_times, run); })},
       {"ts", cell(costs.t_s)},
       {"tm", cell(costs.t_m)},
       {"time", cell(modelled(record, costs, parts))},
       {"time_predicted",
        or_empty(run.predicted, [&](auto p) { return predicted(p, costs, parts); })},
       {"time_lower_bound",
        or_empty(run.lower_bound, [&](auto b) { return least_time(b, costs, parts); })}});
}

void add_measured(Cells& row, const RunResult& result) {
  const RunRecord& record = result.record;
  const double seconds = record.wall.step_seconds;
  const auto rate = [&](std::uint64_t count) {
    return seconds > 0 ? static_cast<double>(count) / seconds : 0.0;
  };
  row.insert(row.end(), {{"wall_seconds", cell(result.setup_seconds + seconds)},
                         {"step_seconds", cell(seconds)},
                         {"verify_seconds", cell(record.wall.verify_seconds)},
                         {"setup_seconds", cell(result.setup_seconds)},
                         {"hops", cell(record.hops)},
                         {"bytes_moved", cell(record.bytes_moved())},
                         {"hops_per_second", cell(rate(record.hops))},
                         {"bytes_per_second", cell(rate(record.bytes_moved()))},
                         {"memory_predicted_bytes", cell(result.estimate.memory_bytes)},
                         {"memory_peak_bytes", cell(result.peak_bytes)}});
}

void add_judgement(Cells& row, const RunResult& result) {
  const DeliveryVerdict& verdict = result.verdict;
  row.insert(row.end(), {{"messages_expected", cell(verdict.expected)},
                         {"messages_delivered", cell(verdict.tally.delivered)},
                         {"messages_verified", cell(verdict.tally.verified)},
                         {"messages_missing", cell(verdict.missing)},
                         {"messages_duplicated", cell(verdict.tally.duplicated)},
                         {"messages_corrupted", cell(verdict.tally.corrupted)},
                         {"verify", cell(name_of(result.estimate.verify))},
                         {"violations", cell(result.record.violation_count)},
                         {"interrupted", cell(result.record.interrupted)},
                         {"ok", cell(result.ok())}});
}

void add_provenance(Cells& row, const RunReport& report) {
  const RunEstimate& run = report.result.estimate;
  row.insert(row.end(), {{"seed", cell(run.seed)},
                         {"threads", cell(run.workers)},
                         {"executor", run.executor},
                         {"channel", cell(report::channel_name(run.channel))},
                         {"block_size", cell(run.processors_per_task)},
                         {"version", report.provenance.version},
                         {"cpu", report.provenance.cpu},
                         {"cores", cell(report.provenance.cores)},
                         {"compiler", report.provenance.compiler},
                         {"build", report.provenance.build},
                         {"command", report.provenance.command}});
}

void add_queue(Cells& row, const RunResult& result) {
  const RunEstimate& run = result.estimate;
  const auto& queue = result.largest_queue;
  row.insert(row.end(),
             {{"discipline", setting_cell(run, "discipline")},
              {"schedule", setting_cell(run, "schedule")},
              {"table", setting_cell(run, "table")},
              {"largest_queue_blocks", or_empty(queue, [](auto q) { return q.blocks; })},
              {"largest_queue_foreign", or_empty(queue, [](auto q) { return q.foreign; })}});
}

void add_sums(Cells& row, const RunRecord& record) {
  row.insert(row.end(), {{"senders", cell(record.senders)}, {"receivers", cell(record.receivers)}});
}

void add_root(Cells& row, const RunEstimate& run) {
  row.emplace_back("root", setting_cell(run, "root"));
}

void add_deliveries(Cells& row, const RunResult& result) {
  const auto& received = result.verdict.received;
  row.insert(row.end(), {{"parts_per_block", cell(result.estimate.parts_per_block())},
                         {"least_received", or_empty(received, [](auto r) { return r.least; })},
                         {"most_received", or_empty(received, [](auto r) { return r.most; })}});
}

[[nodiscard]] Cells cells_of(const RunReport& report) {
  Cells row;
  add_request(row, report.result.estimate);
  add_costs(row, report);
  add_judgement(row, report.result);
  add_measured(row, report.result);
  add_provenance(row, report);
  add_queue(row, report.result);
  add_sums(row, report.result.record);
  add_root(row, report.result.estimate);
  add_deliveries(row, report.result);
  return row;
}

}  // namespace

std::string csv_heading() {
  std::vector<std::string> names;
  for (const auto& [name, value] : cells_of({})) names.emplace_back(name);
  return report::csv_line(names);
}

std::string csv_row(const RunReport& report) {
  std::vector<std::string> values;
  for (const auto& [name, value] : cells_of(report)) values.push_back(value);
  return report::csv_line(values);
}

std::string series_csv(const RunReport& report) {
  const RunRecord& record = report.result.record;
  std::string text = report::csv_line({"step", "senders", "receivers", "active", "free", "messages",
                                       "bytes", "largest_message_blocks", "seconds"});
  for (const StepRecord& step : record.series)
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{}\n", step.step, step.senders, step.receivers, step.active,
        record.processors - step.active, step.messages, step.blocks * record.block_bytes,
        blocks_cell(step.largest_message_blocks, report.result.estimate), step.seconds);
  return text;
}

std::string to_csv(const RunReport& report) {
  return report.result.record.series.empty() ? csv_heading() + csv_row(report) : series_csv(report);
}

}  // namespace lockstep
