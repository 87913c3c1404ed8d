// SPDX-License-Identifier: Apache-2.0

/// lockstep calibrate: the host's cost model.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "core/invalid.hpp"
#include "core/usable_cores.hpp"
#include "lockstep/core/errors.hpp"
#include "study/calibration_document.hpp"

namespace lockstep::cli {
namespace {

constexpr std::uint64_t most_runs = 10'000;

struct CalibrateOptions {
  bool quick = false;
  bool show = false;
  bool check = false;
  std::optional<std::string> threads{};
  std::optional<std::string> seconds{};
  std::optional<std::string> runs{};
  std::optional<std::string> seed{};
  OutputArguments output{};
  ReportArguments report{};
};

/// Whole calibrations measure one worker and one per usable core; quick ones only the latter.
[[nodiscard]] study::CalibrationPlan plan_of(const CalibrateOptions& options,
                                             const Session& session,
                                             study::SeriesDisplay* display) {
  constexpr double quick_seconds = 12;
  constexpr double check_seconds = 170;
  study::CalibrationPlan plan{.stop = session.stop, .display = display};
  const std::size_t cores = usable_cores();
  plan.workers = {cores};
  if (!options.quick && cores > 1) plan.workers.insert(plan.workers.begin(), 1);
  if (options.quick) {
    plan.seconds = quick_seconds;
    plan.repeats = 1;
  } else if (options.check) {
    plan.seconds = check_seconds;
  }
  if (options.check) {
    plan.judged = parse_count("runs", options.runs.value_or("100"), 1, most_runs);
    plan.judge_seed = parse_count("seed", options.seed.value_or("1"));
  }
  if (options.threads) {
    plan.workers.clear();
    for (const std::string& piece : split(*options.threads))
      plan.workers.push_back(parse_count("threads", piece, 1, max_workers));
  }
  if (options.seconds) {
    constexpr std::string_view allowed = "a number above 0";
    plan.seconds = parse_number("seconds", *options.seconds, allowed);
    if (plan.seconds == 0)
      throw invalid("seconds: '{}' is not valid; expected {}", *options.seconds, allowed);
    if (options.quick && plan.seconds > quick_seconds)
      throw invalid("--quick allows --seconds up to {}; leave out --quick", quick_seconds);
  }
  return plan;
}

/// The file of the calibration, in a folder that is created. Made before the runs, which take
/// minutes: throws InvalidParameter where it cannot be written.
[[nodiscard]] Output calibration_file() {
  const std::filesystem::path path = study::calibration_path();
  if (path.empty())
    throw InvalidParameter(
        "calibration: there is no folder to save it in; set HOME or XDG_CONFIG_HOME");
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  if (problem)
    throw invalid("calibration: cannot create the folder '{}': {}", path.parent_path().string(),
                  problem.message());
  return Output(path.string(), "calibration");
}

[[nodiscard]] std::string json_of(const study::PredictionCheck& result, const Provenance& here) {
  auto json = report::json_head("lockstep.prediction-check/3", here);
  json["rows"] = report::json_of(study::rows_of(result));
  json["not_predicted"] = result.not_predicted;
  json["median_error"] = result.median_error();
  json["worst_decile_error"] = result.worst_decile_error();
  json["twice_wrong"] = result.twice_wrong();
  json["median_spread"] = result.median_spread();
  json["drift"] = nullptr;
  if (const auto drift = result.drift()) json["drift"] = *drift;
  json["ok"] = result.passes();
  return report::json_text(json);
}

int check(const CalibrateOptions& options, const Session& session, AnswerTarget& target) {
  SeriesProgress progress(options.output.progress());
  const std::optional<study::Calibration> saved =
      calibration_for(options.output, session.processes);
  std::vector<HostSample> samples = study::measured(plan_of(options, session, &progress));
  if (session.stop.stop_requested()) return code(Exit::interrupted);
  const study::PredictionCheck result =
      study::checked(std::move(samples), saved ? saved->model.samples : std::vector<HostSample>());
  const Provenance here = provenance(session.command_line);
  target.write({.text = [&](std::size_t page) { return text_of(result, page); },
                .csv = [&] { return report::csv_text(study::rows_of(result)); },
                .json = [&] { return json_of(result, here); },
                .document = [&] { return study::document_of(result, here); }});
  return code(result.passes() ? Exit::ok : Exit::not_delivered);
}

int calibrate(const CalibrateOptions& options, const Session& session) {
  if (options.show && options.check)
    throw InvalidParameter("--show and --check cannot be combined");
  for (const auto& [name, given] :
       {std::pair("runs", options.runs.has_value()), std::pair("seed", options.seed.has_value())})
    if (given && !options.check) throw invalid("--{} needs --check", name);
  AnswerTarget target(options.output, options.report);
  if (options.check) return check(options, session, target);
  const auto write = [&](const study::Calibration& calibration) {
    target.write(
        {.text = [&](std::size_t page) { return study::text_of(calibration, page); },
         .csv = [&] { return report::csv_text(study::rate_rows(calibration)); },
         .json = [&] { return study::json_of(calibration); },
         .document =
             [&] { return study::document_of(calibration, provenance(session.command_line)); }});
  };
  if (options.show) {
    write(calibration_of_host(""));
    return code(Exit::ok);
  }
  Output saved = calibration_file();
  SeriesProgress progress(options.output.progress());
  const study::Calibration made = study::calibrate(plan_of(options, session, &progress));
  if (session.stop.stop_requested()) {
    print_note("lockstep: INTERRUPTED; no calibration was saved");
    return code(Exit::interrupted);
  }
  saved.write(study::json_of(made));
  write(made);
  if (const std::string warning = study::warning_of(made); !warning.empty())
    print_note("lockstep: warning: " + warning);
  if (!options.output.quiet)
    print_note(fmt::format("lockstep: saved in {}", study::calibration_path().string()));
  return code(Exit::ok);
}

}  // namespace

Action declare_calibrate(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<CalibrateOptions>();
  const OptionGroup add{app, "Calibration"};
  add.flag("--quick", options->quick,
           "Finish within 15 s: few repetitions, all usable cores, verified runs only");
  add.flag("--show", options->show, "Show the calibration of this host; measure nothing");
  add.flag(
      "--check", options->check,
      "Test the method on this host. Fit a model to the calibration runs, predict other runs\n"
      "that are drawn at random from the whole catalogue, and plot predicted against measured\n"
      "times. The saved calibration is not judged; if there is one, the report also says how\n"
      "many times as long its runs take now. Exit code 1 if a run is not predicted, the median\n"
      "error exceeds 20 %, or the 90th percentile of the errors 50 %");
  add("--runs", options->runs, "N", "Runs that --check predicts (default: 100)");
  add("--seed", options->seed, "S", "Seed from which --check draws them (default: 1)");
  add("--threads", options->threads, "N,...",
      "Numbers of workers to calibrate (default: 1 and the number of usable cores; with --quick\n"
      "only the latter)");
  add("--seconds", options->seconds, "S",
      "Target for the total wall time of the runs (default: 85; with --check 170; with --quick "
      "12,\n"
      "which allows at most 12)");
  options->output.add_to(app);
  options->report.add_to(app);
  app.footer(
      "Example: lockstep calibrate --quick\n"
      "Saves the model in $XDG_CONFIG_HOME/lockstep or ~/.config/lockstep. From then on, `run`,\n"
      "`sweep` and `compare` predict wall times; `--ts host --tm host` and `tune --host` use it.\n"
      "Run it on an idle machine.");
  return [options, &session] { return calibrate(*options, session); };
}

}  // namespace lockstep::cli
