// SPDX-License-Identifier: Apache-2.0

/// lockstep sweep: a grid of runs, row by row.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/sweep_grid.hpp"
#include "lockstep/core/errors.hpp"
#include "study/sweep.hpp"

namespace lockstep::cli {
namespace {

/// On stdout line by line, in a file all at once.
[[nodiscard]] Exit sweep_text(study::Sweep& sweep, const std::optional<std::string>& file) {
  Output output(file);
  std::string all;
  const auto say = [&](const std::string& text) {
    if (file)
      all += text;
    else
      output.write_text(text);
  };
  const Exit exit = sweep.text(say, output.page());
  if (file) output.write(all);
  return exit;
}

[[nodiscard]] Exit sweep_json(study::Sweep& sweep, const std::optional<std::string>& file,
                              const Session& session) {
  Output output(file);  // before the runs: it must be writable
  return sweep.json([&](const std::string& text) { output.write(text); },
                    provenance(session.command_line));
}

int sweep(const SweepArguments& arguments, const Session& session) {
  const Format format = parse_format(arguments.output.format);
  const auto& file = arguments.output.file;
  if (arguments.resume && (format != Format::csv || !file))
    throw InvalidParameter("--resume needs --format csv and --output FILE");
  if (arguments.resume && arguments.overwrite)
    throw InvalidParameter("--resume and --overwrite exclude each other");
  const study::SweepSetup setup{.repeats = parse_count("repeat", arguments.repeat, 1),
                                .costs = arguments.costs.parameters(),
                                .version = provenance(session.command_line).version};
  SeriesProgress progress(arguments.output.progress());
  study::RunSeries series(sweep_requests(arguments),
                          {.repeats = setup.repeats, .stop = session.stop, .display = &progress});
  study::Sweep sweep(series, setup);
  Exit exit = Exit::ok;
  if (format == Format::csv) exit = sweep.csv({file, arguments.resume, arguments.overwrite});
  if (format == Format::text) exit = sweep_text(sweep, file);
  if (format == Format::json) exit = sweep_json(sweep, file, session);
  if (exit == Exit::interrupted && !arguments.output.quiet)
    print_note(fmt::format(
        "lockstep: INTERRUPTED{}",
        format == Format::csv && file ? "; run the same command with --resume to continue" : ""));
  return code(exit);
}

}  // namespace

Action declare_sweep(CLI::App& app, const Session& session) {
  const auto arguments = std::make_shared<SweepArguments>();
  arguments->add_to(app);
  app.footer(
      "Example: lockstep sweep star:4..6 total-exchange --k all --bytes 8,64,512\n"
      "ETI: the share of the time that is saved compared with packing, k = 1, at --ts, --tm, "
      "--tw.\n"
      "With --format csv, each row is written to --output FILE as soon as its run ends.");
  return [arguments, &session] { return sweep(*arguments, session); };
}

}  // namespace lockstep::cli
