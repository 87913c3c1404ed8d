// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The figures of a run, each said once: name, unit, meaning, where it comes from. A new figure is
/// a line in run_fields.cpp; every report, sweep and comparison has it by its name.
///
///     value_of(run_fields(result.forecast, &result, costs), "startups")

#include <optional>
#include <span>
#include <string_view>

#include "lockstep/report/run_report.hpp"
#include "report/fields.hpp"

namespace lockstep::report {

/// In the order of JSON. Without a result, what only a run tells is not known.
[[nodiscard]] Fields run_fields(const RunForecast& run, const RunResult* result,
                                const CostParameters& costs);

/// The shares of the messages, and of their bytes, that crossed from one process to another.
struct CrossingShares {
  double messages = 0;
  double bytes = 0;
};
/// None of a run by one process.
[[nodiscard]] inline std::optional<CrossingShares> crossing_of(const RunRecord& record) {
  if (record.processes == 1) return std::nullopt;
  const auto share_of = [](std::uint64_t some, std::uint64_t all) {
    return all == 0 ? 0.0 : static_cast<double>(some) / static_cast<double>(all);
  };
  return CrossingShares{share_of(record.crossing_messages, record.messages_sent),
                        share_of(record.crossing_bytes, record.bytes_moved())};
}

/// Whether it sends any, or is predicted to.
[[nodiscard]] bool takes_control_words(const RunForecast& run, const RunResult& result);

/// The same of a run that may have been repeated.
[[nodiscard]] Fields run_fields(const RunReport& report);
/// The object that to_json() prints.
[[nodiscard]] nlohmann::ordered_json json_of(const RunReport& report);
/// The last line of its text, without its name.
[[nodiscard]] std::string verdict_of(const RunReport& report);
/// Replaces what is known of one run by what is known of its repeats. Precondition: a second.
void set_walls(Fields& row, const std::vector<double>& wall_seconds);

/// The prediction of the calibrated model of this host for the steps of a run, and its error.
[[nodiscard]] Fields prediction_fields(const std::optional<double>& predicted_seconds,
                                       double step_seconds);
/// Those of them that a row has: columns of runs on a calibrated host alone.
[[nodiscard]] Fields prediction_columns(const Fields& row);

/// A field per parameter, and one per node for its name; known where it is set.
[[nodiscard]] Fields parameter_fields(std::span<const Parameter> parameters,
                                      const Settings& settings, const ErasedTopology& network);

/// The columns of a row in a table of runs: those named, and then every other parameter.
[[nodiscard]] Fields columns_of(const Fields& row, std::string_view names,
                                std::span<const Parameter> parameters);

/// The fields of a dry run: figures that are known before a run, and estimates of the run.
[[nodiscard]] Fields dry_run_fields(const DryRunReport& report);

/// A row per step of --series; without one, none.
[[nodiscard]] std::vector<Fields> series_rows(const RunResult& result);
/// The fields of such a row.
[[nodiscard]] Fields step_fields(const StepRecord& step, const RunResult& result);

/// A row per phase that the program names; none where it names none.
[[nodiscard]] std::vector<Fields> phase_rows(const RunResult& result);
/// Largest queues of switches, by level; none where they were not measured.
[[nodiscard]] std::vector<Fields> queue_rows(const RunResult& result);

/// Columns of the CSV table of runs. They are never renamed, moved or removed; new columns and
/// parameters are appended.
inline constexpr std::string_view run_columns =
    "topology,operation,algorithm,k,batch,bytes,port_model,nodes,processors,links,degree,diameter,"
    "steps,startups,message_times,predicted_startups,predicted_message_times,lower_bound_startups,"
    "lower_bound_message_times,ts,tm,time,time_predicted,time_lower_bound,messages_expected,"
    "messages_delivered,messages_verified,messages_missing,messages_duplicated,messages_corrupted,"
    "verify,violations,interrupted,ok,wall_seconds,step_seconds,verify_seconds,setup_seconds,hops,"
    "bytes_moved,hops_per_second,bytes_per_second,memory_predicted_bytes,memory_peak_bytes,seed,"
    "threads,executor,channel,block_size,version,cpu,cores,compiler,build,command,discipline,"
    "plan_file,largest_queue_blocks,largest_queue_foreign,senders,receivers,root,parts_per_block,"
    "least_received,most_received,status,repeat,wall_least_seconds,wall_most_seconds,"
    "padded_bytes,"
    "lower_bound_undivided_blocks_message_times,time_lower_bound_undivided_blocks,"
    "charged_startups,control_words,tw,switch_senders,switch_receivers,workers_per_step,"
    "messages_sent,charged_message_times,root_name";

/// A row of that table.
[[nodiscard]] Fields table_fields(const RunReport& report);

}  // namespace lockstep::report
