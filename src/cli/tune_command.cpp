// SPDX-License-Identifier: Apache-2.0

/// lockstep tune: the best algorithm and parameters for a machine.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/graph_options.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/report_files.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "study/calibration.hpp"
#include "study/tuning_report.hpp"

namespace lockstep::cli {
namespace {

struct TuneOptions : ComparedArguments {
  bool host = false;
  bool map = false;
  std::optional<std::string> rows{};
  std::optional<std::string> measure{};
  std::optional<std::string> repeat{};

  [[nodiscard]] std::size_t most_rows() const {
    return parse_count("rows", rows.value_or("10"), 1);
  }
};

/// The answer to one of the three questions.
struct Ranked {
  std::string by;
  std::vector<report::Fields> rows;
  std::function<std::string(std::size_t page)> text;
  std::vector<report::Section> sections;
  std::string verdict{};  ///< names the winner, if there is one
  double agreement = 1;
  Exit exit = Exit::ok;
};

[[nodiscard]] Ranked ranked_on_host(study::Contest& contest, const TuneOptions& options,
                                    const study::ContestLimits& limits) {
  const std::size_t rows = options.most_rows();
  const study::HostRanking ranking =
      study::rank_on_host(contest, calibration_of_host("tune --host"),
                          parse_count("measure", options.measure.value_or("5"), 1),
                          parse_count("repeat", options.repeat.value_or("3"), 1), limits);
  return {.by = "host",
          .rows = study::host_rows(contest, ranking, rows),
          .text = [=, &contest](auto page) { return host_text(contest, ranking, rows, page); },
          .sections = study::host_sections(contest, ranking, rows),
          .verdict = study::host_verdict(contest, ranking),
          .agreement = ranking.agreement,
          .exit = ranking.exit};
}

/// `contest` outlives the answer.
[[nodiscard]] Ranked ranked(study::Contest& contest, const TuneOptions& options,
                            const study::ContestLimits& limits) {
  if (options.host) return ranked_on_host(contest, options, limits);
  if (options.map) {
    const std::vector<study::MapCell> cells = study::winner_map(contest, study::usual_grid());
    return {.by = "map",
            .rows = study::map_rows(contest, cells),
            .text = [=, &contest](auto page) { return map_text(contest, cells, page); },
            .sections = study::map_sections(contest, cells)};
  }
  const CostParameters costs = options.costs.parameters();
  const std::size_t rows = options.most_rows();
  return {.by = "model",
          .rows = study::ranking_rows(contest, costs, rows),
          .text = [=, &contest](auto page) { return ranking_text(contest, costs, rows, page); },
          .sections = study::ranking_sections(contest, costs, rows),
          .verdict = study::ranking_verdict(contest, costs)};
}

[[nodiscard]] std::string json_of(const Ranked& answer, const study::Contest& contest,
                                  const Session& session) {
  auto json = report::json_head("lockstep.tune/2", provenance(session.command_line));
  json["topology"] = contest.topology;
  json["operation"] = name_of(contest.operation);
  json["port_model"] = contest.model.name;
  json["bytes"] = contest.block_bytes;
  json["by"] = answer.by;
  json["rows"] = report::json_of(answer.rows);
  if (answer.by == "host") json["rank_agreement"] = answer.agreement;
  json["left_out"] = report::json_of(study::rows_of(contest.left_out));
  return report::json_text(json);
}

[[nodiscard]] report::Document document_of(const Ranked& answer, const study::Contest& contest,
                                           const Session& session) {
  report::Document document = document_for(
      fmt::format("{} {}: {} ranked by {}", contest.topology, name_of(contest.operation),
                  counted(contest.ranking({}).size(), "variant"),
                  answer.by == "model" ? "t_s and t_m" : "the " + answer.by),
      answer.exit, session, answer.sections);
  if (!answer.verdict.empty()) document.verdict = answer.verdict;
  return document;
}

/// Throws InvalidParameter for options that the question does not read.
void check_combination(const TuneOptions& options) {
  if (options.host && options.map) throw InvalidParameter("--host and --map cannot be combined");
  if (options.measure && !options.host) throw InvalidParameter("--measure needs --host");
  if (options.repeat && !options.host) throw InvalidParameter("--repeat needs --host");
  if (options.rows && options.map)
    throw InvalidParameter("--rows and --map cannot be combined; the map has a fixed grid");
  if (options.costs.is_any_given() && (options.host || options.map))
    throw invalid("--ts, --tm and --tw cannot be combined with {}",
                  options.map ? "--map, which ranks by a grid of t_s/t_m"
                              : "--host, which ranks by wall time");
}

int tune(TuneOptions options, const Session& session) {
  check_combination(options);
  AnswerTarget target(options.output, options.report);
  SeriesProgress progress(options.output.progress());
  options.costs.resolve(options.base());
  const study::ContestLimits limits{.stop = session.stop, .display = &progress};
  const RunRequest base = options.base();
  print_reading_notes(base.topology, options.output.quiet);
  study::Contest contest = study::contest_for(base, limits);
  const Ranked answer = ranked(contest, options, limits);
  if (session.stop.stop_requested()) {
    print_note("lockstep: INTERRUPTED; no variant was ranked");
    return code(Exit::interrupted);
  }
  target.write({.text = answer.text,
                .csv = [&] { return report::csv_text(answer.rows); },
                .json = [&] { return json_of(answer, contest, session); },
                .document = [&] { return document_of(answer, contest, session); }});
  return code(answer.exit);
}

}  // namespace

Action declare_tune(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<TuneOptions>();
  options->add_task_to(app, 7);
  const OptionGroup add{app, "Tuning"};
  add.flag("--host", options->host,
           "Rank by wall time on this host: predict all variants and measure the best ones (run\n"
           "`lockstep calibrate` first)");
  add.flag("--map", options->map, "Show the winner for a grid of t_s/t_m and block length");
  add("--rows", options->rows, "N", "Without --map: rows to show (default: 10)");
  add("--measure", options->measure, "N",
      "With --host: number of variants to measure (default: 5)");
  add("--repeat", options->repeat, "R",
      "With --host: repetitions of each measured run (default: 3)");
  options->add_to(
      app,
      "that of the first algorithm in `lockstep list algorithms` for this network and operation");
  app.footer(
      "Example: lockstep tune star:6 total-exchange --ts 50 --tm 1\n"
      "Ranks all variants of all algorithms that are legal under the port model: every packing\n"
      "factor, chain of factors, and batches of 2, 4, 8, .. and of all packets. The cost of a\n"
      "variant is its closed form. If no closed form is known, a run counts the cost. An "
      "algorithm\n"
      "that declares a stronger port model is tried if it might be the fastest.");
  return [options, &session] { return tune(*options, session); };
}

}  // namespace lockstep::cli
