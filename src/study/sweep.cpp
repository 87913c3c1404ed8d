// SPDX-License-Identifier: Apache-2.0
#include "study/sweep.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lockstep/core/errors.hpp"
#include "report/run_fields.hpp"
#include "study/sweep_best.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::Unit;
using report::Value;

constexpr std::string_view all_columns =
    "topology,operation,algorithm,k,batch,bytes,port_model,channel,executor,threads,block_size,"
    "verify,seed,repeat,ts,tm,status,startups,message_times,predicted_startups,"
    "predicted_message_times,lower_bound_startups,lower_bound_message_times,time,eti,hops,"
    "messages_expected,messages_verified,wall_seconds,step_seconds,messages_per_second,"
    "memory_predicted_bytes,memory_peak_bytes,version,note,root,discipline,largest_queue_blocks,"
    "largest_queue_foreign";
constexpr std::string_view key_columns =
    "topology,operation,algorithm,k,batch,bytes,port_model,channel,executor,threads,block_size,"
    "verify,seed,repeat,ts,tm,root,discipline";

/// The first algorithm for the operation that says so; empty where none does, or it refuses this
/// network.
[[nodiscard]] std::optional<Promise> baseline_of(const RunRequest& request) try {
  for (const AlgorithmInfo& info : algorithms_for(request.topology, request.operation)) {
    for (const Parameter& parameter : info.parameters) {
      if (parameter.name != info.baseline.parameter) continue;
      RunRequest plain{.topology = request.topology,
                       .operation = request.operation,
                       .algorithm = std::string(info.name)};
      plain.settings[parameter.name] =
          parse_setting(parameter, std::string(info.baseline.value), request.topology);
      return prepare(plain, false)->estimate().predicted;
    }
  }
  return std::nullopt;
} catch (const InvalidParameter&) {
  return std::nullopt;
}

/// Channel and workers where they differ.
[[nodiscard]] std::string machine_columns(const RunSeries& series) {
  bool channels = false;
  bool threads = false;
  for (std::size_t i = 1; i < series.size(); ++i) {
    channels = channels || series.request(i).channel != series.request(0).channel;
    threads = threads || series.request(i).workers != series.request(0).workers;
  }
  return std::string(channels ? "channel," : "") + (threads ? "threads," : "");
}

}  // namespace

Fields Sweep::columns(const Fields& row) {
  return report::columns_of(row, all_columns, parameter_catalog());
}

Fields Sweep::key(const Fields& row) {
  return report::columns_of(row, key_columns, parameter_catalog());
}

Fields Sweep::row(const RunRequest& request, const Measured& run) {
  Fields row = run_row(request, run, setup_.costs);
  row.push_back({"repeat", setup_.repeats, Unit::count, "runs of each combination"});
  row.push_back({"eti", saved(request, run), Unit::share,
                 "part of the time saved against the operation's baseline", "", "    ETI"});
  row.push_back({"version", setup_.version, Unit::text, "of the program"});
  row.push_back(
      {"settings", phrases_of(shown_, run.estimate ? run.estimate->settings : request.settings)});
  return row;
}

Value Sweep::saved(const RunRequest& request, const Measured& run) {
  if (!run.result) return {};
  const auto [baseline, is_new] =
      baselines_.try_emplace({request.topology.name(), request.operation});
  if (is_new) baseline->second = baseline_of(request);
  const RunRecord& record = run.result->record;
  return baseline->second ? Value(execution_time_improved({record.startups, record.message_times},
                                                          *baseline->second, setup_.costs))
                          : Value();
}

Exit Sweep::run(const Skip& skip, const Take& take) {
  Exit exit = Exit::ok;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (skip && skip(i)) {
      series_.pass_over(i);
      continue;
    }
    const Measured measured = series_.measure(i);
    exit = worse(exit, measured.exit);
    if (measured.interrupted()) break;
    take(row(series_.request(i), measured));
  }
  return exit;
}

Exit Sweep::csv(const SweepFile::Target& target) {
  const Fields empty = row({}, {});
  const std::vector<std::string> names = report::names_of(columns(empty));
  SweepFile file(target, names, report::names_of(key(empty)));
  Exit exit = Exit::ok;
  const auto status = std::find(names.begin(), names.end(), "status") - names.begin();
  for (const CsvRow& row : file.earlier())
    exit = worse(exit, exit_of_status(row.at(static_cast<std::size_t>(status))).value_or(exit));
  const auto skip = [&](std::size_t i) {
    return file.done(report::cells_of(key(row(series_.request(i), series_.before(i)))));
  };
  const auto take = [&](const Fields& row) { file.add(report::cells_of(columns(row))); };
  return worse(exit, run(skip, take));
}

Exit Sweep::text(const Say& say) {
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
      read_columns(row({}, {}), "topology,algorithm", shown_,
                   "bytes," + machine_columns(series_) +
                       "startups,message_times,predicted,eti,time,wall_seconds,messages_per_second,"
                       "messages_verified,result"),
      widest);
  say(table.heading());
  std::vector<Fields> rows;
  const Exit exit = run({}, [&](const Fields& row) {
    say(table.line(row));
    rows.push_back(row);
  });
  const Table best = best_by_ratio(rows);
  if (!best.rows().empty()) say("\n" + best.text());
  return exit;
}

Exit Sweep::json(const Say& say, const Provenance& provenance) {
  std::vector<Fields> rows;
  const Exit exit = run({}, [&](const Fields& row) { rows.push_back(row); });
  auto json = report::json_head("lockstep.sweep/2", provenance);
  const std::vector<Fields> best = best_rows(rows, parameter_catalog());
  for (Fields& row : rows) row = columns(row);
  json["rows"] = report::json_of(rows);
  json["best"] = report::json_of(best);
  json["interrupted"] = exit == Exit::interrupted;
  json["ok"] = exit == Exit::ok;
  say(json.dump(2) + "\n");
  return exit;
}

}  // namespace lockstep::study
