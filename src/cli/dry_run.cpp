// SPDX-License-Identifier: Apache-2.0
#include "cli/dry_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "catalog/crossing.hpp"
#include "catalog/unfinished_trial.hpp"
#include "cli/answer.hpp"
#include "cli/graph_options.hpp"
#include "cli/progress.hpp"
#include "core/awaited.hpp"
#include "core/invalid.hpp"
#include "lockstep/report/run_report.hpp"
#include "study/calibration.hpp"
#include "study/process_link.hpp"

namespace lockstep::cli {
namespace {

// The trial is the real run's set-up and first steps: a few seconds in all.
constexpr double trial_target = 4;                    // then the steps that were made have to do
constexpr std::chrono::seconds trial_at_most{8};      // where set-up or a step takes long
constexpr std::chrono::seconds planning_at_most{60};  // where messages are counted

/// Empty where it was interrupted. Throws ResourceExhausted where choosing a plan alone takes too
/// long.
[[nodiscard]] std::shared_ptr<PreparedRun> prepared_for_trial(const RunOptions& options,
                                                              const RunRequest& request,
                                                              const std::stop_token& stop) {
  const StatusLine line(setting_up(options.topology), options.output.progress());
  const auto run =
      awaited([request] { return std::shared_ptr<PreparedRun>(prepare(request, false)); },
              {.stop = stop, .at_most = trial_at_most});
  if (run || stop.stop_requested()) return run.value_or(nullptr);
  const bool has_schedule = request.settings.find("schedule") != nullptr;
  throw ResourceExhausted(fmt::format(
      "{} {}: {}", options.topology, options.operation,
      has_schedule ? fmt::format("reading the schedule takes more than {} s; leave out --dry-run",
                                 trial_at_most.count())
      : options.algorithm.algorithm
          ? fmt::format("the plan takes more than {} s; leave out --dry-run", trial_at_most.count())
          : fmt::format("selecting an algorithm would take more than {} s; name one with "
                        "--algorithm",
                        trial_at_most.count())));
}

/// None where it would not fit.
void add_trial(DryRunReport& report, std::shared_ptr<PreparedRun> run, const RunOptions& options,
               const std::stop_token& stop) {
  if (!report.forecast.fits()) return;
  const StatusLine line(
      [name = report.forecast.topology](double spent, std::size_t) {
        return fmt::format("{}  trying: {:.0f} s of {:.0f} s", name, spent, trial_target);
      },
      options.output.progress());
  report.probe = awaited([run, stop] { return run->probe(trial_target, stop); },
                         {.stop = stop, .at_most = trial_at_most});
  report.interrupted = stop.stop_requested();
  if (report.interrupted) report.probe.reset();  // a part of a trial predicts nothing
  if (report.probe || report.interrupted) return;
  report.gave_up_seconds = trial_at_most.count();
  report.probe = catalog::probe_so_far(*run);
}

/// Empty where it was interrupted, or takes too long.
[[nodiscard]] std::optional<CrossingForecast> counted_crossing(const RunRequest& request,
                                                               std::size_t processes,
                                                               const RunOptions& options,
                                                               const std::stop_token& stop) {
  const StatusLine line(
      [name = options.topology](double spent, std::size_t) {
        return fmt::format("{}  counting messages between processes: {:.0f} s", name, spent);
      },
      options.output.progress());
  return awaited(
      [request, processes, stop] {
        return catalog::crossing_of(*prepare(request, false), processes, trial_target, stop);
      },
      {.stop = stop, .at_most = planning_at_most});
}

/// Refuses options whose output needs a run.
void check_dry(const RunOptions& options) {
  const std::string_view given = options.series          ? "series"
                                 : options.trace         ? "trace"
                                 : options.pace          ? "pace"
                                 : options.save_schedule ? "save-schedule"
                                 : options.repeat != "1" ? "repeat"
                                 : options.report.report ? "report"
                                 : options.report.plot   ? "plot"
                                                         : "";
  if (!given.empty()) throw invalid("--{} needs a run; leave out --dry-run", given);
}

/// Adds the prediction of the model if it explains such runs and the trial saw little of the run,
/// or did not end.
void add_prediction(DryRunReport& report, const RunOptions& options, const Session& session) {
  constexpr std::uint64_t most_steps_seen = 10;  // of so many one
  const std::optional<study::Calibration> calibration =
      calibration_for(options.output, session.processes);
  if (!calibration) return;
  const RunForecast& run = report.forecast;
  if (calibration->model.median_error > study::largest_median_error || run.footprint.hops == 0)
    return;
  if (report.probe && report.probe->steps >= run.footprint.steps / most_steps_seen) return;
  if (const auto seconds = calibration->seconds(run, catalog::expected_work(run)))
    report.predicted_seconds = *seconds + (report.probe ? report.probe->setup_seconds : 0);
}

/// The report of a run by this process.
[[nodiscard]] DryRunReport report_alone(const std::shared_ptr<PreparedRun>& run,
                                        const RunOptions& options, const Session& session) {
  DryRunReport report{.forecast = run->forecast(),
                      .costs = options.costs.parameters(),
                      .provenance = provenance(session.command_line)};
  if (session.processes == nullptr)  // one process alone would run the whole network
    add_trial(report, run, options, session.stop);
  add_prediction(report, options, session);
  return report;
}

/// The report of the run that processes will share: as long as the same run by this process, apart
/// from their exchanges. Empty where it was interrupted.
[[nodiscard]] std::optional<DryRunReport> report_shared(RunRequest request,
                                                        const RunForecast& shared,
                                                        const RunOptions& options,
                                                        const Session& session) {
  const ProcessLink link = study::parse_link(*options.link);
  request.processes = 1;
  request.algorithm = shared.algorithm.name;
  request.port_model = shared.model;
  const auto counted = counted_crossing(request, shared.processes, options, session.stop);
  if (session.stop.stop_requested()) return std::nullopt;
  const std::shared_ptr<PreparedRun> alone = prepared_for_trial(options, request, session.stop);
  if (alone == nullptr) return std::nullopt;
  DryRunReport report = report_alone(alone, options, session);
  if (report.interrupted) return std::nullopt;
  report.shared = study::shared_forecast(
      shared, report.probe ? report.probe->setup_seconds : 0,
      report.estimated_seconds().value_or(alone->forecast().rough_seconds),
      counted ? *counted
              : catalog::crossing_by_links(
                    shared, catalog::CrossingArcs(request.topology, shared.processes),
                    catalog::exchanges_of(shared, shared.receive_once)),
      link);
  report.forecast = shared;
  return report;
}

}  // namespace

void check_processes(const RunOptions& options, const Session& session) {
  if (!options.processes && !options.link) return;
  if (!options.processes || !options.link)
    throw InvalidParameter("--processes and --link need each other");
  if (!options.dry_run)
    throw InvalidParameter(
        "--processes plans a run: add --dry-run, or start the run with mpirun -n P");
  if (session.processes != nullptr)
    throw InvalidParameter("--processes plans a run by one process; start it without a launcher");
}

int dry_run(const RunOptions& options, const Session& session) {
  if (!session.writes()) return code(Exit::ok);
  AnswerTarget target(options.output);
  target.refuse_csv("--dry-run");
  check_dry(options);
  const RunRequest request = options.request(session);
  print_reading_notes(request.topology, options.output.quiet);
  const std::shared_ptr<PreparedRun> run = prepared_for_trial(options, request, session.stop);
  if (run == nullptr) return interrupted_early();
  const std::optional<DryRunReport> report =
      options.processes ? report_shared(request, run->forecast(), options, session)
                        : report_alone(run, options, session);
  if (!report) return interrupted_early();
  target.write({.text = [&](std::size_t) { return to_text(*report); },
                .csv = nullptr,
                .json = [&] { return to_json(*report); }});
  if (report->interrupted) return code(Exit::interrupted);
  return code(report->forecast.fits() ? Exit::ok : Exit::no_resources);
}

}  // namespace lockstep::cli
