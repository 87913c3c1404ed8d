// SPDX-License-Identifier: Apache-2.0
#include "study/sweep.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "report/run_fields.hpp"
#include "study/row_check.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::Unit;
using report::Value;
using report::value_of;

constexpr std::string_view sweep_columns =
    "topology,operation,algorithm,k,batch,bytes,port_model,channel,executor,threads,block_size,"
    "verify,seed,repeat,ts,tm,status,startups,message_times,predicted_startups,"
    "predicted_message_times,lower_bound_startups,lower_bound_message_times,time,eti,hops,"
    "messages_expected,messages_verified,wall_seconds,step_seconds,messages_per_second,"
    "memory_predicted_bytes,memory_peak_bytes,version,note,root,discipline,largest_queue_blocks,"
    "largest_queue_foreign,steps,ok,time_lower_bound,time_predicted,wall_least_seconds,"
    "wall_most_seconds,lower_bound_undivided_blocks_message_times,"
    "time_lower_bound_undivided_blocks,charged_startups,control_words,tw,warmup,wall_mean_seconds,"
    "wall_p95_seconds,wall_p99_seconds,wall_deviation_seconds,wall_variation,wall_varies,"
    "workers_per_step,messages_sent,charged_message_times,root_name,processes";
constexpr std::string_view key_columns =
    "topology,operation,algorithm,k,batch,bytes,port_model,channel,executor,threads,block_size,"
    "verify,seed,repeat,ts,tm,tw,root,discipline,warmup,processes";

/// The first algorithm for the operation that says so; empty where none does, or it refuses this
/// network, or takes another port model than `model`.
[[nodiscard]] std::optional<Cost> baseline_of(const RunRequest& request,
                                              const PortModel& model) try {
  for (const AlgorithmInfo& info : algorithms_for(request.topology, request.operation)) {
    for (const Parameter& parameter : info.parameters) {
      if (parameter.name != info.baseline.parameter) continue;
      RunRequest plain{.topology = request.topology,
                       .operation = request.operation,
                       .algorithm = std::string(info.name),
                       .port_model = request.port_model};
      plain.settings[parameter.name] =
          parse_setting(parameter, std::string(info.baseline.value), request.topology);
      const auto run = prepare(plain, false);
      const RunForecast& before = run->forecast();
      if (before.model != model || !before.predicted) return std::nullopt;
      return before.predicted_charge();
    }
  }
  return std::nullopt;
} catch (const InvalidParameter&) {
  return std::nullopt;
}

/// Port model, channel and workers where they differ.
[[nodiscard]] std::string machine_columns(const RunSeries& series) {
  bool channels = false;
  bool threads = false;
  std::set<std::string_view> models;
  for (std::size_t i = 0; i < series.size(); ++i) {
    channels = channels || series.request(i).channel != series.request(0).channel;
    threads = threads || series.request(i).workers != series.request(0).workers;
    if (const auto& known = series.before(i).forecast) models.insert(known->model.name);
  }
  return std::string(models.size() > 1 ? "port_model," : "") + (channels ? "channel," : "") +
         (threads ? "threads,workers_per_step," : "");
}

/// The value of a cell of a file.
[[nodiscard]] Value value_in(const std::string& cell) {
  if (cell.empty()) return {};
  if (cell == "true" || cell == "false") return cell == "true";
  if (const auto count = whole_number(cell)) return *count;
  const std::optional<double> number = decimal_number(cell);
  return number ? Value(*number) : Value(cell);
}

/// The groups of rows that have more than one choice.
[[nodiscard]] std::vector<Rivals> groups_of(const std::vector<Fields>& rows) {
  std::vector<Rivals> groups = all_rivals(rows);
  std::erase_if(groups, [](const Rivals& group) {
    return std::ranges::all_of(group.rows, [&](const Fields* row) {
      return choice_in(*row, true) == choice_in(*group.rows.front(), true);
    });
  });
  return groups;
}

}  // namespace

Table best_by_ratio(const std::vector<Fields>& rows, const std::optional<CostParameters>& host) {
  const std::vector<Ranking> rankings = rankings_with(paper_ratios, host);
  std::vector<Table::Column> columns{{"best at t_s/t_m ="}};
  for (const Ranking& ranking : rankings) columns.push_back({ranking.text});
  Table table(columns);
  const std::vector<Rivals> groups = groups_of(rows);
  std::set<std::string> models;
  for (const Fields& row : rows) models.insert(cell_in(row, "port_model"));
  for (const Rivals& group : groups) {
    std::set<std::string> algorithms;
    for (const Fields* row : group.rows) algorithms.insert(cell_in(*row, "algorithm"));
    std::vector<std::string> cells{group.name(models.size() > 1)};
    for (const Ranking& ranking : rankings)
      cells.push_back(choice_in(group.best(ranking), algorithms.size() > 1));
    table.add(std::move(cells));
  }
  return table;
}

std::vector<Fields> best_rows(const std::vector<Fields>& rows,
                              std::span<const Parameter> parameters,
                              const std::optional<CostParameters>& host) {
  std::vector<Fields> best;
  for (const Rivals& group : groups_of(rows)) {
    for (const Ranking& ranking : rankings_with(paper_ratios, host)) {
      const Fields& row = group.best(ranking);
      Fields one{{"topology", group.topology},
                 {"operation", value_of(row, "operation")},
                 {"port_model", group.port_model},
                 {"ratio", ranking.text},
                 {"algorithm", value_of(row, "algorithm")}};
      for (const Parameter& parameter : parameters)
        one.push_back({parameter.name, value_of(row, parameter.name)});
      if (group.bytes) one.push_back({"bytes", *group.bytes});
      best.push_back(std::move(one));
    }
  }
  return best;
}

Fields Sweep::columns(const Fields& row) {
  Fields columns = report::columns_of(row, sweep_columns, parameter_catalog());
  append(columns, report::prediction_columns(row));
  return columns;
}

Fields Sweep::key(const Fields& row) {
  return report::columns_of(row, key_columns, parameter_catalog());
}

Fields Sweep::row(const RunRequest& request, const Measured& run) {
  Fields row = run_row(request, run, setup_.costs);
  set(row, "repeat", setup_.repeats);
  row.push_back({"warmup", setup_.warm_ups, Unit::count,
                 "unmeasured runs before the repetitions; empty: one before the first short run"});
  row.push_back({"noise", value_of(row, "wall_varies") == Value(true) ? "> 5 %" : "", Unit::text,
                 "", "", "noise"});
  row.push_back({"eti", saved(request, run), Unit::share,
                 "share of the time that is saved compared with the baseline of the operation", "",
                 "    ETI"});
  if (series_.predicts())
    append(row, report::prediction_fields(run.predicted_seconds, run.step_seconds));
  row.push_back({"version", setup_.version, Unit::text, "version of Lockstep"});
  row.push_back(
      {"settings", phrases_of(shown_, run.forecast ? run.forecast->settings : request.settings,
                              request.topology)});
  return row;
}

Value Sweep::saved(const RunRequest& request, const Measured& run) {
  if (!run.result || run.exit != Exit::ok) return {};
  const PortModel& model = run.result->forecast.model;
  const auto [baseline, is_new] =
      baselines_.try_emplace({request.topology.name(), request.operation, model.name});
  if (is_new) baseline->second = baseline_of(request, model);
  if (!baseline->second) return {};
  const RunForecast& forecast = run.result->forecast;
  return execution_time_improved(forecast.charged(run.result->cost, run.result->record.steps),
                                 *baseline->second, setup_.costs, forecast.block_bytes);
}

Exit Sweep::run(const Skip& skip, const Take& take) {
  complete_.reset();
  Exit exit = Exit::ok;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (skip && skip(i)) {
      series_.pass_over(i);
      continue;
    }
    const Measured measured = series_.measure(i);
    exit = worse(exit, measured.exit);
    if (measured.interrupted()) break;
    rows_.push_back(row(series_.request(i), measured));
    take(rows_.back());
  }
  return exit;
}

const Sweep::Complete& Sweep::complete() {
  if (complete_) return *complete_;
  complete_.emplace(Complete{.rows = rows_});
  std::vector<Fields>& rows = complete_->rows;
  complete_->not_tried = try_other_port_models(rows, series_);
  std::set<std::string> missing;
  for (std::size_t i = rows.size(); i < series_.size(); ++i)
    missing.insert(series_.request(i).topology.name());
  std::erase_if(rows,
                [&](const Fields& row) { return missing.count(cell_in(row, "topology")) != 0; });
  return *complete_;
}

/// A row that was read: what its run was asked, and the cells of the file.
Fields Sweep::row_of_file(std::size_t i, const std::vector<std::string>& names,
                          const CsvRow& cells) {
  Fields known = row(series_.request(i), series_.before(i));
  for (std::size_t c = 0; c < names.size(); ++c) set(known, names[c], value_in(cells.at(c)));
  return known;
}

std::string Sweep::fault_in(std::size_t i, const Fields& names, const CsvRow& cells) {
  const RowReading reading(names, cells);
  if (std::string fault = reading.fault(); !fault.empty()) return fault;
  const Measured before = series_.before(i);
  // A run that could be prepared on another host or before may not fit here and now.
  if (!before.forecast && reading.was_run()) return {};
  const Measured run = reading.measured(before, setup_.repeats);
  const Fields expected = columns(row(series_.request(i), run));
  const bool refused = run.exit == Exit::bad_request;
  std::string fault = reading.presence(expected, before.forecast.has_value() || refused);
  if (fault.empty()) fault = reading.broken_promise(run);
  if (fault.empty()) fault = reading.impossible_failure(run);
  return fault.empty() ? reading.difference(expected) : fault;
}

Exit Sweep::csv(const SweepFile::Target& target) {
  if (series_.interrupted()) return Exit::interrupted;  // not all runs have their keys
  const Fields empty = row({}, {});
  const Fields all_columns = columns(empty);
  const std::vector<std::string> names = report::names_of(all_columns);
  const auto key_of = [&](std::size_t i) {
    return report::cells_of(key(row(series_.request(i), series_.before(i))));
  };
  SweepFile::Format format{
      .columns = names,
      .key = report::names_of(key(empty)),
      .fault = [&](std::size_t i, const CsvRow& cells) { return fault_in(i, all_columns, cells); }};
  for (std::size_t i = 0; i < series_.size(); ++i) format.runs.push_back(key_of(i));
  for (const std::string_view status : statuses_of_rows()) format.statuses.emplace_back(status);
  SweepFile file(target, format);
  Exit exit = Exit::ok;
  const auto status = std::ranges::find(names, "status") - names.begin();
  for (const CsvRow& row : file.earlier())
    exit = worse(exit, exit_of_status(row.at(static_cast<std::size_t>(status))).value_or(exit));
  const auto skip = [&](std::size_t i) {
    const CsvRow* const earlier = file.pass_over(format.runs[i]);
    if (earlier != nullptr) rows_.push_back(row_of_file(i, names, *earlier));
    return earlier != nullptr;
  };
  const auto take = [&](const Fields& row) { file.add(report::cells_of(columns(row))); };
  return worse(exit, run(skip, take));
}

Exit Sweep::text(const Say& say, std::size_t page) {
  std::vector<Fields> widest;
  for (std::size_t i = 0; i < series_.size(); ++i)
    widest.push_back(row(series_.request(i), series_.before(i)));
  for (const Parameter& parameter : shown_) {
    for (const std::string_view word : parameter.words) {
      widest.push_back(row({}, {}));
      set(widest.back(), parameter.name, word);
    }
  }
  const report::FieldTable table(
      read_columns(
          row({}, {}), "topology,algorithm", shown_,
          "bytes," + machine_columns(series_) +
              "startups,message_times,predicted,eti,time,step_seconds,messages_per_second," +
              (setup_.repeats > 1 ? "wall_least_seconds,wall_seconds,wall_p95_seconds,"
                                    "wall_most_seconds,wall_variation,noise,"
                                  : "") +
              (series_.predicts() ? "wall_predicted_seconds,wall_measured_over_predicted," : "") +
              "messages_verified,result"),
      widest);
  say(table.heading(page));
  const Exit exit = run({}, [&](const Fields& row) { say(table.line(row, page)); });
  if (std::ranges::any_of(rows_, [](const Fields& row) { return cell_in(row, "noise") != ""; }))
    say("\nnoise: the wall time of these rows varies by more than 5 %; repeat them on an idle "
        "host\n");
  const Table best = best_by_ratio(complete().rows, setup_.costs);
  if (!best.rows().empty()) say("\n" + best.text(page) + text_of(complete().not_tried));
  return exit;
}

Exit Sweep::json(const Say& say, const Provenance& provenance) {
  const Exit exit = run({}, [](const Fields&) {});
  std::vector<Fields> rows = rows_;
  auto json = report::json_head("lockstep.sweep/2", provenance);
  const std::vector<Fields> best = best_rows(complete().rows, parameter_catalog(), setup_.costs);
  for (Fields& row : rows) row = columns(row);
  json["rows"] = report::json_of(rows);
  json["best"] = report::json_of(best);
  json["not_tried"] = report::json_of(rows_of(complete().not_tried));
  json["interrupted"] = exit == Exit::interrupted;
  json["ok"] = exit == Exit::ok;
  say(report::json_text(json));
  return exit;
}

Exit Sweep::ndjson(const SweepFile::Target& target) {
  RowFile file(target.path);
  if (!target.overwrite) spare_rows(file);
  file.keep(0);
  return run({}, [&](const Fields& row) { file.add(report::json_line(columns(row))); });
}

Exit Sweep::layout(BenchmarkLayout layout, const Say& say) {
  const Exit exit = run({}, [](const Fields&) {});
  say(benchmark_text(layout, rows_));
  return exit;
}

}  // namespace lockstep::study
