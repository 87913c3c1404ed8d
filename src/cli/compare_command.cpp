// SPDX-License-Identifier: Apache-2.0

/// lockstep compare: all algorithms for an operation, run, side by side.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <utility>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/graph_options.hpp"
#include "cli/launch.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/report_files.hpp"
#include "study/calibration.hpp"
#include "study/comparison.hpp"
#include "study/row_plots.hpp"

namespace lockstep::cli {
namespace {

/// The request of all runs, which the processes of the session share.
[[nodiscard]] RunRequest base_of(const ComparedArguments& options, const Session& session) {
  RunRequest request = options.base();
  if (!options.costs.are_of_host()) request.costs = options.costs.parameters();
  share(request, session);
  return request;
}

[[nodiscard]] report::Document document_of(const ComparedArguments& options,
                                           const study::Comparison& comparison,
                                           const Session& session) {
  report::Document document = document_for(
      fmt::format("Comparison: {} {}", options.topology, options.operation), comparison.exit,
      session,
      study::sections_of_comparison(comparison.rows, comparison.exit == Exit::interrupted
                                                         ? study::Rows()
                                                         : study::Rows(comparison.rows)));
  document.sections.insert(document.sections.begin(),
                           {.heading = "Result", .text = text_of(comparison)});
  document.sections.push_back({.heading = "All rows"});
  for (const report::Fields& row : comparison.rows)
    document.sections.back().rows.push_back(study::comparison_columns(row));
  return document;
}

int compare(ComparedArguments options, const Session& session) {
  if (!session.writes()) {
    options.output.file.reset();
    options.report = {};
  }
  options.costs.resolve(base_of(options, session));
  AnswerTarget target(options.output, options.report);
  SeriesProgress progress(options.output.progress());
  const CostParameters costs = options.costs.parameters();
  const RunRequest base = base_of(options, session);
  print_reading_notes(base.topology, options.output.quiet);
  study::ComparedRuns runs = study::compare_variants(base, costs);
  const std::optional<study::Calibration> calibration =
      calibration_for(options.output, session.processes);
  study::RunSeries series(std::move(runs.requests),
                          {.stop = session.stop,
                           .display = &progress,
                           .calibration = calibration ? &*calibration : nullptr,
                           .processes = session.processes});
  if (series.follows()) {
    series.follow();
    return code(Exit::ok);
  }
  study::Comparison comparison = study::compare(series, costs);
  comparison.left_out = std::move(runs.left_out);
  target.write({.text = [&](std::size_t page) { return text_of(comparison, page); },
                .csv = [&] { return csv_of(comparison); },
                .json = [&] { return json_of(comparison, provenance(session.command_line)); },
                .document = [&] { return document_of(options, comparison, session); }});
  if (comparison.exit == Exit::interrupted && !options.output.quiet)
    print_note("lockstep: INTERRUPTED");
  else if (comparison.exit != Exit::ok && comparison.winners.empty() && !options.output.quiet)
    print_note(fmt::format("lockstep: {} {}: nothing to compare; no run succeeded{}",
                           options.topology, options.operation,
                           base.port_model ? fmt::format(" under {}", base.port_model->name) : ""));
  return code(comparison.exit);
}

}  // namespace

Action declare_compare(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<ComparedArguments>();
  options->add_task_to(app, 6);
  options->add_to(app, "the one that each algorithm needs");
  app.footer(
      "Example: lockstep compare star:5 total-exchange --ts 50 --tm 1\n"
      "Runs every algorithm, every single packing factor and every queue discipline. Of the\n"
      "chains and of the batches of packets, it runs those with the least predicted cost at\n"
      "t_s/t_m = 0.1, 1, 10, 100, 1000 and at --ts, --tm, --tw. The winner at --ts, --tm, --tw\n"
      "is the one that `lockstep run` selects and `lockstep tune` ranks first, except on networks\n"
      "of more than 65,536 ports (1,048,576 for operations from all to all): there, `run` and\n"
      "`tune` do not plan all algorithms, and name those that they leave out. The exit code is 3\n"
      "if all algorithms break rules of --port-model.\n"
      "--schedule adds a schedule file; --table replaces the built-in exchange table.");
  return [options, &session] { return compare(*options, session); };
}

}  // namespace lockstep::cli
