// SPDX-License-Identifier: Apache-2.0

/// lockstep run: one collective operation.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "lockstep/report/run_report.hpp"

namespace lockstep::cli {
namespace {

struct RunOptions {
  std::string topology;
  std::string operation;
  AlgorithmArguments algorithm{};
  MachineArguments machine{};
  CostArguments costs{};
  OutputArguments output{};
  bool series = false;
  bool dry_run = false;

  [[nodiscard]] RunRequest request() const {
    RunRequest request{.topology = topology, .operation = parse_operation(operation)};
    algorithm.apply_to(request);
    machine.apply_to(request);
    request.keep_series = series;
    return request;
  }
};

/// The first steps of a run that is possible: up to 2 % of the time it will take, 2 to 15 seconds.
[[nodiscard]] std::optional<Probe> trial(PreparedRun& run) {
  const RunEstimate& estimate = run.estimate();
  constexpr double plan_too_long = 1e7;  // seconds of a run whose plan alone outlasts any trial
  if (estimate.memory_bytes > estimate.available_bytes || estimate.rough_seconds > plan_too_long)
    return std::nullopt;
  return run.probe(std::clamp(estimate.rough_seconds / 50, 2.0, 15.0));
}

int dry_run(const RunOptions& options, const Session& session) {
  const Format format = parse_format(options.output.format);
  const CostParameters costs = options.costs.parameters();
  if (format == Format::csv)
    throw InvalidParameter("format: csv given with --dry-run, allowed text, json");
  const auto run = prepare(options.request(), false);
  Output output(options.output.file);
  const std::optional<Probe> probe = trial(*run);
  output.write(format == Format::text
                   ? to_text(run->estimate(), probe, costs)
                   : to_json(run->estimate(), probe, costs, provenance(session.command_line)));
  return code(Exit::ok);
}

[[nodiscard]] std::string formatted(const RunReport& report, Format format, const Output& output) {
  switch (format) {
    case Format::json:
      return to_json(report);
    case Format::csv:
      return to_csv(report);
    case Format::text:
      break;
  }
  const bool colour = output.is_terminal() && colour_wanted();
  return to_text(report, colour ? Colour::yes : Colour::no);
}

[[nodiscard]] RunResult watched(PreparedRun& run, const RunOptions& options,
                                const Session& session) {
  const Progress::Show show =
      options.output.quiet ? Progress::Show::never : Progress::Show::on_terminal;
  Progress progress(run.estimate().topology, run.estimate().footprint.steps, show);
  return run.execute({.stop = session.stop, .progress = progress.counter()});
}

int run(const RunOptions& options, const Session& session) {
  if (options.dry_run) return dry_run(options, session);
  const Format format = parse_format(options.output.format);
  const CostParameters costs = options.costs.parameters();
  const auto prepared = prepare(options.request());
  Output output(options.output.file);  // before the run: it must be writable
  const RunReport report{.result = watched(*prepared, options, session),
                         .costs = costs,
                         .provenance = provenance(session.command_line)};
  output.write(formatted(report, format, output));
  return report.result.exit_code();
}

}  // namespace

Action declare_run(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<RunOptions>();
  app.add_option("topology", options->topology,
                 "Network, such as star:7; see `lockstep list topologies`")
      ->required();
  app.add_option("operation", options->operation,
                 "Collective, such as total-exchange; see `lockstep list operations`")
      ->required();
  options->algorithm.add_to(app);
  options->machine.add_to(app);
  options->costs.add_to(app);
  options->output.add_to(app);
  app.add_flag("--series", options->series,
               "Per-step figures in JSON; with csv, they are the table")
      ->group("Output");
  app.add_flag("--dry-run", options->dry_run,
               "Only sizes, steps, memory and time, the time from a trial of a few seconds")
      ->group("Output");
  return [options, &session] { return run(*options, session); };
}

}  // namespace lockstep::cli
