// SPDX-License-Identifier: Apache-2.0

/// lockstep run: one collective operation.

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/run_stage.hpp"
#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/dry_run.hpp"
#include "cli/graph_options.hpp"
#include "cli/progress.hpp"
#include "cli/run_options.hpp"
#include "cli/run_trace.hpp"
#include "core/awaited.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/detail/huge_buffer.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/report/run_report.hpp"
#include "report/fields.hpp"
#include "report/run_document.hpp"
#include "report/run_fields.hpp"
#include "study/calibration.hpp"
#include "study/pace.hpp"
#include "study/ready_together.hpp"
#include "study/schedule_recorder.hpp"
#include "study/timed_run.hpp"

namespace lockstep::cli {
namespace {

[[nodiscard]] std::string text_of(const RunReport& report, const study::Pacer* pacer, Colour colour,
                                  std::size_t page) {
  return to_text(report, colour, page) +
         (pacer != nullptr ? study::text_of(pacer->report()) : std::string());
}

[[nodiscard]] std::string json_of(const RunReport& report, const study::Pacer* pacer) {
  auto json = report::json_of(report);
  if (pacer != nullptr) json["pace"] = report::json_of(study::pace_fields(pacer->report()));
  return report::json_text(json);
}

/// Null without --pace. Throws InvalidParameter where the host does not hold the pace.
[[nodiscard]] std::shared_ptr<study::Pacer> pacer_for(const RunOptions& options,
                                                      const std::shared_ptr<PreparedRun>& run,
                                                      const std::stop_token& stop) {
  constexpr double trial_seconds = 1;
  if (!options.pace) return nullptr;
  if (options.repeat != "1")
    throw InvalidParameter("--pace needs a single run; leave out --repeat");
  const study::Pace pace = study::parse_pace(*options.pace);
  const double least = study::least_scale(*run, pace, trial_seconds, stop);
  return std::make_shared<study::Pacer>(study::held_pace(pace, least), run->forecast());
}

/// A run that ends within the limit, or as soon as it is interrupted: then what it has done so far.
/// `trace`: of a run that ended.
[[nodiscard]] RunResult watched(const std::shared_ptr<PreparedRun>& run, const RunOptions& options,
                                const Session& session, const study::TimeLimit& limit,
                                const std::shared_ptr<study::Pacer>& pacer, RunTrace& trace) {
  const auto progress = std::make_shared<Progress>(
      run->forecast().topology, run->forecast().footprint.steps, options.output.progress());
  const auto watch = std::make_shared<study::Watch>();
  watch->display = progress;
  watch->traces = options.trace && !trace.of_workers;
  watch->processes = session.processes;
  if (trace.of_workers)
    watch->timeline = std::make_shared<study::Timeline>(
        make_executor(parse_executor(options.machine.executor), run->forecast().workers),
        run->forecast().part_bytes());
  watch->pacer = pacer;
  std::optional<RunResult> result = study::executed_within(run, watch, limit, session.stop);
  progress->hide();
  if (!result) return catalog::interrupted_result(run->forecast(), watch->finished.record());
  trace.messages = std::move(watch->trace);
  trace.timeline = watch->timeline;
  return std::move(*result);
}

[[nodiscard]] double wall_of(const RunResult& result) {
  return result.setup_seconds + result.record.wall.step_seconds;
}

/// The report is that of the middle run by the clock (of two the faster), or of the first that did
/// not do what it should, which is the last one.
void add_repeats(RunReport& report, std::uint64_t repeats,
                 const std::function<RunResult()>& execute) {
  const KeptBuffers kept;
  std::vector<RunResult> results;
  bool ok = true;
  while (ok && results.size() < repeats) {
    RunResult next = execute();
    ok = next.ok();
    report.wall_seconds.push_back(wall_of(next));
    results.push_back(std::move(next));
  }
  if (ok) std::ranges::sort(results, {}, wall_of);
  const std::size_t last = results.size() - 1;
  report.result = std::move(results.at(ok ? last / 2 : last));
}

/// Whether it was written: a run that failed, or was interrupted, is not saved.
bool save_schedule(const RunRequest& request, const std::shared_ptr<PreparedRun>& run,
                   const RunResult& result, const Session& session, Output& output) {
  if (!result.ok()) {
    print_note("the schedule was not saved because the run failed");
    return false;
  }
  const auto text = awaited(
      [request, run, record = result.record] {
        return text_of(study::saved_schedule(request, *run, record));
      },
      {.stop = session.stop, .at_most = std::chrono::hours(24)});
  if (text) output.write(*text);
  return text.has_value();
}

/// program/schedule_file.hpp has all of it.
constexpr const char* schedule_format =
    "Example: lockstep run star:7 total-exchange --k 3\n"
    "A schedule file (--schedule FILE) begins with its version. Version 2 lists the actions of\n"
    "every node, for any network and operation; --save-schedule writes it. Version 1 lists what\n"
    "one processor of a Cayley graph sends in a total-exchange or all-gather. All other "
    "processors\n"
    "make the same moves relative to their own address. In a total-exchange, a block is named by\n"
    "its destination relative to its source; in an all-gather, by its source relative to the\n"
    "sender. A name is the label of a node, or a path of ports such as /1/1. After the header,\n"
    "each line is a step. It lists messages, PORT: BLOCK BLOCK .., separated by semicolons:\n"
    "  0: 1; 1: 4                sends two messages\n"
    "  0: 1 2                    sends one message of two blocks\n"
    "  -                         sends no message\n"
    "Example of version 1:\n"
    "  lockstep-schedule 1\n"
    "  topology ring:5\n"
    "  operation total-exchange  # or all-gather; optional next lines: port-model MODEL, steps N\n"
    "  0: 1                      # step 0: send block 1 through port 0\n"
    "  0: 2\n"
    "  0: 2\n"
    "  1: 4\n"
    "  1: /1/1                   # another name of block 3\n"
    "  1: 3";

int run(const RunOptions& options, const Session& session) {
  check_processes(options, session);
  if (options.dry_run) return dry_run(options, session);
  const CostParameters costs = options.costs.parameters();
  const std::uint64_t repeats = parse_count("repeat", options.repeat, 1);
  if (repeats > 1 && options.trace)
    throw InvalidParameter("--trace records a single run; leave out --repeat");
  const RunRequest request = options.request(session);
  print_reading_notes(request.topology, options.output.quiet);
  const study::TimeLimit limit(request.max_hours);
  std::shared_ptr<PreparedRun> run;
  const auto prepared = [&]() -> const RunForecast* {
    const StatusLine line(setting_up(options.topology), options.output.progress());
    run = study::prepared_within(request, limit, session.stop);
    if (run == nullptr) return nullptr;
    run->check_resources();
    limit.check(run->forecast(), repeats);
    return &run->forecast();
  };
  if (!study::ready_together(session.processes, prepared)) return interrupted_early();
  AnswerTarget target(options.output, options.report);
  RunTrace trace{.of_workers = options.trace && options.trace->ends_with(".json"),
                 .parts_per_block = run->forecast().parts_per_block()};
  if (options.trace) {
    if (!trace.of_workers) check_trace(run->forecast());
    if (session.writes()) trace.place.emplace(options.trace, "trace");
  }
  std::optional<Output> schedule_output;
  if (options.save_schedule) {
    study::check_saved_schedule(run->forecast());
    schedule_output.emplace(options.save_schedule, "save-schedule");
  }
  RunReport report{.result = {},
                   .costs = costs,
                   .provenance = provenance(session.command_line),
                   .parameters = parameter_catalog()};
  const std::shared_ptr<study::Pacer> pacer = pacer_for(options, run, session.stop);
  if (pacer != nullptr) {
    RunForecast paced = run->forecast();
    paced.rough_seconds = std::max(paced.rough_seconds, study::paced_seconds(pacer->pace(), paced));
    limit.check(paced, 1);
  }
  const std::optional<study::Calibration> calibration =
      pacer == nullptr ? calibration_for(options.output, session.processes) : std::nullopt;
  add_repeats(report, repeats, [&] { return watched(run, options, session, limit, pacer, trace); });
  if (calibration) {
    report.predicted_seconds = calibration->seconds(report.result);
    if (!report.predicted_seconds && !options.output.quiet)
      print_note("lockstep: the wall time is not predicted: " +
                 calibration->no_prediction(report.result));
  }
  std::vector<StepRecord> series;  // kept for the plots alone
  if (!options.series) series.swap(report.result.record.series);
  const Colour colour = target.output().is_terminal() && colour_wanted() ? Colour::yes : Colour::no;
  target.write(
      {.text = [&](std::size_t page) { return text_of(report, pacer.get(), colour, page); },
       .csv = [&] { return to_csv(report); },
       .json = [&] { return json_of(report, pacer.get()); },
       .document =
           [&] {
             if (!options.series) series.swap(report.result.record.series);
             return report::document_of(report);
           }});
  write_trace(trace, request.topology, report.provenance, options.output.quiet, session.processes);
  const auto exit = study::exit_of(report.result.judgement.outcome);
  if (schedule_output && !save_schedule(request, run, report.result, session, *schedule_output))
    return code(session.stop.stop_requested() ? Exit::interrupted : exit);
  return code(exit);
}

}  // namespace

Action declare_run(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<RunOptions>();
  add_topology_and_operation(app, options->topology, options->operation, 7);
  options->algorithm.add_to(app);
  options->machine.add_to(app, port_model_of_algorithm);
  options->costs.add_to(app);
  options->output.add_to(app);
  options->report.add_to(app);
  const OptionGroup add{app, "Output"};
  add("--repeat", options->repeat, "R",
      "Number of repetitions; reports the median run, minimum and maximum");
  add.flag(
      "--series", options->series,
      "Report every step: senders, receivers, active and free processors, and more; a list in\n"
      "JSON, one row per step in CSV");
  add.flag("--dry-run", options->dry_run,
           "Report sizes, steps and memory without a full run, and estimate the wall time from a\n"
           "trial run. The trial takes up to 4 s, or up to 8 s if set-up or a step takes long");
  add("--processes", options->processes, "P",
      "With --dry-run: predict the run on P processes, each on a host like this one (mpirun)");
  add("--link", options->link, "LATENCY,BANDWIDTH",
      "Link of each process, for --processes: the time of a message without bytes, and bytes per\n"
      "second in each direction, such as 2us,10GB/s or 1us,100Gbit/s");
  add("--trace", options->trace, "FILE",
      "Write every message to a CSV file: step, node, port, receiver, receiver's port, blocks,\n"
      "parts, parts per block, control words, hops. A message of 4 of 8 parts has 0.5 blocks.\n"
      "If the name ends in .json, write a Perfetto trace of what each worker did in each step.\n"
      "A Perfetto trace holds at most 40,000 slices; for longer runs, it contains only every\n"
      "2nd, 4th, 8th, .. step");
  add("--save-schedule", options->save_schedule, "FILE",
      "Write the run as a schedule file (version 2) for --schedule. Requires at most 2,000,000\n"
      "messages over links and an algorithm whose moves do not depend on block contents");
  add("--pace", options->pace, "PACE",
      "Slow every step down to the time of a modelled machine, such as ts=50us,tm=1us. Append\n"
      ",tw=TIME for control words. Append ,scale=FACTOR or ,scale=auto if this host is slower\n"
      "than that machine. A pace faster than this host is refused");
  app.footer(schedule_format);
  return [options, &session] { return run(options->resolved(session), session); };
}

}  // namespace lockstep::cli
