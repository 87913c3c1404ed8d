// SPDX-License-Identifier: Apache-2.0

/// lockstep reproduce: the tables and figures of a paper, ours beside printed.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "core/joined.hpp"
#include "lockstep/core/errors.hpp"
#include "papers/reproduction.hpp"

namespace lockstep::cli {
namespace {

using papers::Reproduction;

struct ReproduceOptions {
  std::string paper;
  std::optional<std::string> table{};
  std::optional<std::string> figure{};
  bool full = false;
  bool dry_run = false;
  MachineArguments machine{};
  OutputArguments output{};
  ReportArguments report{};
};

/// Adds "Table 1", "Table 15", "Table 16" of "1,15..16"; what is no range stays as it is.
void add_parts(std::vector<std::string>& parts, const char* kind,
               const std::optional<std::string>& numbers) {
  for (const std::string& piece : numbers ? split(*numbers) : std::vector<std::string>()) {
    const std::size_t dots = piece.find("..");
    if (dots == std::string::npos || dots == 0 || dots + 2 == piece.size()) {
      parts.push_back(fmt::format("{} {}", kind, piece));
      continue;
    }
    constexpr std::uint64_t most = 999;
    const std::string option = kind == std::string_view("Table") ? "table" : "figure";
    const std::uint64_t first = parse_count(option, piece.substr(0, dots), 0, most);
    const std::uint64_t last = parse_count(option, piece.substr(dots + 2), first, most);
    parts.reserve(parts.size() + last - first + 1);
    for (std::uint64_t number = first; number <= last; ++number)
      parts.push_back(fmt::format("{} {}", kind, number));
  }
}

/// Tables first; the machine is asked where the whole paper is, and where --full is given.
int reproduce(const ReproduceOptions& options, const Session& session) {
  if (options.dry_run && options.full)
    throw InvalidParameter("--full and --dry-run cannot be combined");
  const std::vector<const papers::Paper*> chosen = papers::papers_named(options.paper);
  papers::CountOptions count{.series = {.stop = session.stop}, .full = options.full};
  add_parts(count.parts, "Table", options.table);
  add_parts(count.parts, "Figure", options.figure);
  std::vector<Reproduction> all;
  all.reserve(chosen.size());
  for (const papers::Paper* const paper : chosen)
    all.push_back(papers::reproduction_of(*paper, count.parts));
  AnswerTarget target(options.output, options.report);
  Exit exit = Exit::ok;
  for (Reproduction& one : all) {
    if (!options.dry_run && (count.parts.empty() || options.full)) {
      options.machine.apply_to(count.machine);
      SeriesProgress progress(options.output.progress());
      count.series.display = &progress;
      papers::count_runs(one, count);
    }
    exit = study::worse(exit, one.judged());
  }
  const Provenance here = provenance(session.command_line);
  target.write({.text = [&](std::size_t page) { return papers::text_of(all, page); },
                .csv = [&] { return papers::csv_of(all); },
                .json = [&] { return papers::json_of(all, exit, here); },
                .document = [&] { return papers::document_of(all, exit, here); }});
  return code(exit);
}

/// "star, tables, ej, or all"
[[nodiscard]] std::string paper_names() {
  return joined(papers::all_papers(), ", ", &papers::Paper::name) + ", or all";
}

}  // namespace

Action declare_reproduce(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<ReproduceOptions>();
  app.add_option("paper", options->paper, paper_names())->required();
  const OptionGroup add{app};
  add("--table", options->table, "NUMBER,...", "Print only these tables, such as 2 or 1,3");
  add("--figure", options->figure, "NUMBER,...",
      "Print only the data of these figures, such as 3 or 2,6 or 15..22");
  add.flag("--full", options->full,
           "Include runs that take about a minute and several GiB, such as 2,565,726,409 "
           "processors (ej)");
  add.flag("--dry-run", options->dry_run, "Compare closed forms only; run nothing");
  options->machine.add_to(app, "the one that each algorithm needs");
  options->output.add_to(app);
  options->report.add_to(app);
  app.footer(
      "Example: lockstep reproduce star --table 1,2\n"
      "Each difference is marked with the erratum that explains it; exit code 1 if none does.\n"
      "Without --table and --figure the machine also runs the algorithms and counts their costs;\n"
      "with them it does so only with --full.");
  return [options, &session] { return reproduce(*options, session); };
}

}  // namespace lockstep::cli
