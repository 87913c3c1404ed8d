// SPDX-License-Identifier: Apache-2.0

/// lockstep sweep: a grid of runs, row by row.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/graph_options.hpp"
#include "cli/launch.hpp"
#include "cli/output.hpp"
#include "cli/sweep_grid.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "study/calibration.hpp"
#include "study/row_plots.hpp"
#include "study/sweep.hpp"

namespace lockstep::cli {

namespace {

/// The format of the rows, and where they go.
struct RowTarget {
  Format format;
  study::SweepFile::Target rows;

  /// The same command with --resume continues what was interrupted.
  [[nodiscard]] bool can_resume() const noexcept { return format == Format::csv && rows.path; }
};

/// Throws InvalidParameter for a format that is not known, and where rows cannot be kept.
[[nodiscard]] RowTarget target_of(const SweepArguments& arguments) {
  RowTarget target{parse_format(arguments.output.format, Lines::yes),
                   {arguments.output.file, arguments.resume, arguments.overwrite}};
  if (arguments.resume && !target.can_resume())
    throw InvalidParameter("--resume needs --format csv and --output FILE");
  if (arguments.overwrite && !target.rows.path)
    throw InvalidParameter("--overwrite needs --output FILE");
  if (arguments.resume && arguments.overwrite)
    throw InvalidParameter("--resume and --overwrite cannot be combined");
  return target;
}

[[nodiscard]] std::optional<study::BenchmarkLayout> parse_layout(const SweepArguments& arguments,
                                                                 Format format) {
  if (!arguments.layout) return std::nullopt;
  if (format != Format::text)
    throw InvalidParameter("--layout is a form of --format text; leave out --format");
  const auto layout = study::benchmark_layout(*arguments.layout);
  if (!layout)
    throw invalid("layout: '{}' is not valid; expected osu, imb or nccl", *arguments.layout);
  return layout;
}

[[nodiscard]] bool is_random(const std::string& order) {
  if (order != "given" && order != "random")
    throw invalid("order: '{}' is not valid; expected given or random", order);
  return order == "random";
}

[[nodiscard]] report::Document sweep_document(const SweepArguments& arguments, study::Sweep& sweep,
                                              Exit exit, const Session& session) {
  report::Document document =
      document_for(fmt::format("Sweep: {}", joined(arguments.words, " ")), exit, session,
                   study::sections_of_sweep(sweep.rows(), sweep.complete().rows));
  if (const auto& not_tried = sweep.complete().not_tried; !not_tried.empty())
    document.sections.push_back({.heading = "Not tried", .rows = study::rows_of(not_tried)});
  document.sections.push_back({.heading = "All rows"});
  for (const report::Fields& row : sweep.rows())
    document.sections.back().rows.push_back(study::Sweep::columns(row));
  return document;
}

/// "host" becomes what the host takes for the first run of the sweep.
void resolve_costs(SweepArguments& arguments, const Session& session) {
  if (!arguments.costs.are_of_host()) return;
  const std::vector<RunRequest> requests = sweep_requests(arguments);
  if (requests.empty()) return;
  RunRequest first = requests.front();
  share(first, session);
  arguments.costs.resolve(first);
}

/// Notes that runs of a network differ in --threads, but the same number of workers shares a step.
void note_equal_workers(const study::RunSeries& series) {
  struct Workers {
    std::set<std::size_t> threads;
    std::set<std::size_t> per_step;
  };
  std::map<std::string, Workers> all;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const auto forecast = series.before(i).forecast;
    if (!forecast) continue;
    Workers& workers = all[forecast->topology];
    workers.threads.insert(forecast->workers);
    workers.per_step.insert(forecast->workers_per_step);
  }
  for (const auto& [topology, workers] : all)
    if (workers.threads.size() > 1 && workers.per_step.size() == 1)
      print_note(fmt::format(
          "lockstep: --threads {} on {}: {} in every row, so these rows compare equals",
          joined(workers.threads, ","), topology,
          counted(*workers.per_step.begin(), "worker") +
              (*workers.per_step.begin() == 1 ? " executes each step" : " execute each step")));
}

/// Text or JSON: on stdout text appears line by line, in a file all at once.
[[nodiscard]] Exit write_said(study::Sweep& sweep, const RowTarget& target,
                              const std::optional<study::BenchmarkLayout>& layout,
                              const Session& session) {
  const bool is_text = target.format == Format::text;
  Output output(target.rows.path);  // before the runs: it must be writable
  std::string all;
  const study::Sweep::Say say = [&](const std::string& text) {
    if (target.rows.path)
      all += text;
    else if (is_text)
      output.write_text(text);
    else
      output.write(text);
  };
  const Exit exit = !is_text ? sweep.json(say, provenance(session.command_line))
                    : layout ? sweep.layout(*layout, say)
                             : sweep.text(say, output.page());
  if (target.rows.path) output.write(all);
  return exit;
}

int sweep(SweepArguments arguments, const Session& session) {
  resolve_costs(arguments, session);
  const RowTarget target = target_of(arguments);
  const auto layout = parse_layout(arguments, target.format);
  study::SweepSetup setup{.repeats = parse_count("repeat", arguments.repeat, 1)};
  if (arguments.warmup) setup.warm_ups = parse_count("warmup", *arguments.warmup);
  setup.costs = arguments.costs.parameters();
  setup.version = provenance(session.command_line).version;
  SeriesProgress progress(arguments.output.progress());
  const std::optional<study::Calibration> calibration =
      calibration_for(arguments.output, session.processes);
  std::vector<RunRequest> requests = sweep_requests(arguments);
  for (RunRequest& request : requests) share(request, session);
  print_reading_notes(requests, arguments.output.quiet);
  if (is_random(arguments.order)) shuffle(requests, parse_count("seed", arguments.machine.seed));
  std::optional<ReportFiles> files;
  if (arguments.report.wanted() && session.writes())
    files.emplace(arguments.report, arguments.output.file);
  study::RunSeries series(std::move(requests),
                          {.repeats = setup.repeats,
                           .warm_ups = setup.warm_ups,
                           .stop = session.stop,
                           .display = &progress,
                           .calibration = calibration ? &*calibration : nullptr,
                           .processes = session.processes});
  if (series.follows()) {
    series.follow();
    return code(Exit::ok);
  }
  if (!arguments.output.quiet) note_equal_workers(series);
  study::Sweep sweep(series, setup);
  const Exit exit = target.format == Format::csv      ? sweep.csv(target.rows)
                    : target.format == Format::ndjson ? sweep.ndjson(target.rows)
                                                      : write_said(sweep, target, layout, session);
  if (files) files->write([&] { return sweep_document(arguments, sweep, exit, session); });
  if (exit == Exit::interrupted && !arguments.output.quiet)
    print_note(
        fmt::format("lockstep: INTERRUPTED{}",
                    target.can_resume() ? "; run the same command with --resume to continue" : ""));
  return code(exit);
}

}  // namespace

Action declare_sweep(CLI::App& app, const Session& session) {
  const auto arguments = std::make_shared<SweepArguments>();
  arguments->add_to(app);
  add_graph_options(app, arguments->words);
  app.footer(
      "Example: lockstep sweep star:4..6 total-exchange --k all --bytes 8,64,512\n"
      "ETI: the share of the time that is saved compared with packing, k = 1, at --ts, --tm, "
      "--tw.\n"
      "The exit code is that of the worst row: 3 if a run breaks rules of --port-model, even if\n"
      "other algorithms keep them.\n"
      "With --format csv or ndjson, each row is written to --output FILE as soon as its run ends.");
  return [arguments, &session] { return sweep(*arguments, session); };
}

}  // namespace lockstep::cli
