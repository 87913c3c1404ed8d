// SPDX-License-Identifier: Apache-2.0

/// lockstep reproduce: the tables and figures of a paper, ours beside printed.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"
#include "papers/ej_paper.hpp"
#include "papers/reproduce_ej.hpp"
#include "papers/reproduce_star.hpp"
#include "papers/reproduce_tables.hpp"
#include "papers/reproduce_text.hpp"
#include "papers/star_paper.hpp"
#include "papers/tables_paper.hpp"
#include "report/fields.hpp"
#include "study/run_series.hpp"

namespace lockstep::cli {
namespace {

using namespace papers;  // NOLINT(google-build-using-namespace): it prints what they say
using report::Fields;
using report::Value;

/// A paper that can be reproduced: a line each.
struct Paper {
  std::string_view name;
  std::string_view title;
  std::vector<PaperRow> (*rows)();  ///< tables, figures and claims, in the paper's order
  const std::vector<Erratum>& (*errata)();
  CountedRows (*count)(const CountOptions& options);  ///< its algorithms, run
};
constexpr std::array<Paper, 3> papers{
    {{"star", star_paper::title, star_paper::all, star_paper::errata, count_star_costs},
     {"tables", tables_paper::title, tables_paper::all, tables_paper::errata, count_table_costs},
     {"ej", ej_paper::title, ej_paper::all, ej_paper::errata, count_ej_costs}}};

struct ReproduceOptions {
  std::string paper;
  std::optional<std::string> table{};
  std::optional<std::string> figure{};
  bool full = false;
  MachineArguments machine{};
  OutputArguments output{};

  [[nodiscard]] bool everything() const { return !table && !figure; }
};

struct Reproduction {
  const Paper* paper;
  std::vector<PaperRow> rows;
  Exit exit = Exit::ok;
};

[[nodiscard]] std::vector<const Paper*> chosen_papers(const std::string& name) {
  std::vector<const Paper*> chosen;
  std::vector<std::string_view> names;
  for (const Paper& paper : papers) {
    names.push_back(paper.name);
    if (name == paper.name || name == "all") chosen.push_back(&paper);
  }
  names.emplace_back("all");
  if (chosen.empty()) throw InvalidParameter(unknown("paper", name, names));
  return chosen;
}

/// "1,15..18" -> 1 15 16 17 18; what is no range stays as it is.
[[nodiscard]] std::vector<std::string> numbers_of(const std::string& text) {
  std::vector<std::string> numbers;
  for (const std::string& piece : split(text)) {
    const std::size_t dots = piece.find("..");
    if (dots == std::string::npos) {
      numbers.push_back(piece);
      continue;
    }
    constexpr std::uint64_t most = 999;
    const std::uint64_t first = parse_count("number", piece.substr(0, dots), 0, most);
    const std::uint64_t last = parse_count("number", piece.substr(dots + 2), first, most);
    for (std::uint64_t number = first; number <= last; ++number)
      numbers.push_back(fmt::format("{}", number));
  }
  return numbers;
}

/// The rows of "Table 2" or "Figure 3". Throws InvalidParameter where the paper has none.
[[nodiscard]] std::vector<PaperRow> part_of(const Paper& paper, const std::string& kind,
                                            const std::string& number) {
  const std::vector<PaperRow> all = paper.rows();
  const std::string wanted = kind + " " + number;
  std::vector<PaperRow> part;
  std::string allowed;
  for (const PaperRow& row : all) {
    if (row.where == wanted) part.push_back(row);
    if (row.where.rfind(kind + " ", 0) != 0) continue;
    const std::string name = row.where.substr(kind.size() + 1);
    const std::string known = ", " + allowed + ",";
    if (known.find(", " + name + ",") == std::string::npos)
      allowed += (allowed.empty() ? "" : ", ") + name;
  }
  if (part.empty())
    throw InvalidParameter(fmt::format("{}: '{}' given, allowed {} of paper '{}'",
                                       kind == "Table" ? "table" : "figure", number, allowed,
                                       paper.name));
  return part;
}

[[nodiscard]] std::vector<PaperRow> chosen_rows(const Paper& paper,
                                                const ReproduceOptions& options) {
  if (options.everything()) return paper.rows();
  std::vector<PaperRow> rows;
  const auto add = [&](const char* kind, const std::optional<std::string>& numbers) {
    if (!numbers) return;
    for (const std::string& number : numbers_of(*numbers))
      for (PaperRow& row : part_of(paper, kind, number)) rows.push_back(std::move(row));
  };
  add("Table", options.table);
  add("Figure", options.figure);
  return rows;
}

[[nodiscard]] CountOptions count_options(const Reproduction& reproduction,
                                         const ReproduceOptions& options, const Session& session,
                                         study::SeriesDisplay& display) {
  CountOptions count{.series = {.stop = session.stop, .display = &display},
                     .effort = options.full ? Effort::full : Effort::usual};
  options.machine.apply_to(count.machine);
  if (options.everything()) return count;
  for (const PaperRow& row : reproduction.rows)
    if (count.parts.empty() || count.parts.back() != row.where) count.parts.push_back(row.where);
  return count;
}

/// The machine is asked where the whole paper is, and where --full is given.
void add_counted(Reproduction& reproduction, const ReproduceOptions& options,
                 const Session& session) {
  if (!options.everything() && !options.full) return;
  SeriesProgress progress(options.output.progress());
  CountedRows counted =
      reproduction.paper->count(count_options(reproduction, options, session, progress));
  reproduction.exit = counted.exit;
  for (PaperRow& row : counted.rows) reproduction.rows.push_back(std::move(row));
}

[[nodiscard]] Exit judged(const Reproduction& reproduction) {
  const bool fine = std::all_of(reproduction.rows.begin(), reproduction.rows.end(), explained);
  return worse(reproduction.exit, fine ? Exit::ok : Exit::not_delivered);
}

[[nodiscard]] std::string verdict_of(const Reproduction& reproduction) {
  std::size_t compared = 0;
  std::size_t same = 0;
  std::size_t by_erratum = 0;
  std::size_t counted = 0;
  std::size_t confirmed = 0;
  std::size_t left_out = 0;
  for (const PaperRow& row : reproduction.rows) {
    const bool by_machine = row.where == counted_by_machine;
    left_out += row.where == not_run ? 1U : 0U;
    counted += by_machine ? 1U : 0U;
    confirmed += by_machine && row.agrees ? 1U : 0U;
    if (by_machine || row.printed.empty()) continue;
    ++compared;
    same += row.agrees ? 1U : 0U;
    by_erratum += !row.agrees && row.erratum != 0 ? 1U : 0U;
  }
  std::string text;
  if (compared != 0)
    text += fmt::format(
        "{} printed figures: {} agree, {} differ as errata explain, {} differ without "
        "explanation\n",
        compared, same, by_erratum, compared - same - by_erratum);
  if (counted != 0)
    text += fmt::format(
        "{} figures counted by the machine: {} with every delivery as expected and equal to the "
        "closed form\n",
        counted, confirmed);
  if (left_out != 0) text += fmt::format("{} runs left out\n", left_out);
  if (reproduction.exit == Exit::interrupted) text += "interrupted: not all of it was counted\n";
  return text;
}

[[nodiscard]] std::string text_of(const std::vector<Reproduction>& all) {
  std::string text;
  for (const Reproduction& one : all)
    text += fmt::format("{}{}\n\n{}\n{}", text.empty() ? "" : "\n", one.paper->title,
                        paper_text(one.rows, one.paper->errata()), verdict_of(one));
  return text;
}

/// The columns never change their meaning; new ones may be added behind.
[[nodiscard]] Fields fields_of(const Paper& paper, const PaperRow& row) {
  const bool cites = row.erratum != 0;
  std::string sentence;
  for (const Erratum& erratum : paper.errata())
    if (erratum.number == row.erratum) sentence = erratum.sentence;
  return {{"paper", std::string(paper.name)},
          {"where", row.where},
          {"topology", row.topology},
          {"n", row.n == 0 ? Value() : Value(std::uint64_t{row.n})},
          {"k", row.k == 0 ? Value() : Value(std::uint64_t{row.k})},
          {"ratio", row.ratio},
          {"quantity", row.quantity},
          {"printed", row.printed},
          {"ours", row.ours},
          {"exact", row.exact},
          {"agrees", row.agrees},
          {"erratum", cites ? Value(std::uint64_t{row.erratum}) : Value()},
          {"explanation", sentence},
          {"step", row.step == 0 ? Value() : Value(std::uint64_t{row.step})},
          {"curve", row.curve}};
}

[[nodiscard]] std::string csv_of(const std::vector<Reproduction>& all) {
  std::string text = report::csv_heading(fields_of(papers.front(), {}));
  for (const Reproduction& one : all)
    for (const PaperRow& row : one.rows) text += report::csv_row(fields_of(*one.paper, row));
  return text;
}

[[nodiscard]] std::string json_of(const std::vector<Reproduction>& all, Exit exit,
                                  const Session& session) {
  auto json = report::json_head("lockstep.reproduce/1", provenance(session.command_line));
  json["papers"] = nlohmann::ordered_json::array();
  for (const Reproduction& one : all) {
    auto rows = nlohmann::ordered_json::array();
    for (const PaperRow& row : one.rows)
      rows.push_back(report::json_of(fields_of(*one.paper, row)));
    json["papers"].push_back(
        {{"paper", one.paper->name}, {"title", one.paper->title}, {"rows", rows}});
  }
  json["interrupted"] = exit == Exit::interrupted;
  json["ok"] = exit == Exit::ok;
  return json.dump(2) + "\n";
}

int reproduce(const ReproduceOptions& options, const Session& session) {
  const Format format = parse_format(options.output.format);
  std::vector<Reproduction> all;
  for (const Paper* const paper : chosen_papers(options.paper))
    all.push_back({paper, chosen_rows(*paper, options)});
  Output output(options.output.file);
  Exit exit = Exit::ok;
  for (Reproduction& one : all) {
    add_counted(one, options, session);
    exit = worse(exit, judged(one));
  }
  if (format == Format::text) output.write(text_of(all));
  if (format == Format::csv) output.write(csv_of(all));
  if (format == Format::json) output.write(json_of(all, exit, session));
  return code(exit);
}

}  // namespace

Action declare_reproduce(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<ReproduceOptions>();
  app.add_option("paper", options->paper, "star, tables, ej, or all")->required();
  app.add_option("--table", options->table, "Only this table, or these: 2 or 1,3")
      ->type_name("NUMBER,...");
  app.add_option("--figure", options->figure,
                 "Only the data of this figure, or these: 3 or 2,6 or 15..22")
      ->type_name("NUMBER,...");
  app.add_flag("--full", options->full,
               "Also the runs that take a minute and gigabytes: 2,565,726,409 processors (ej)");
  options->machine.add_to(app);
  options->output.add_to(app);
  app.footer(
      "A difference is marked with the erratum that explains it; exit code 1 where none does.\n"
      "Without --table and --figure the machine also runs the algorithms and counts their costs;\n"
      "with them it does so where --full is given.");
  return [options, &session] { return reproduce(*options, session); };
}

}  // namespace lockstep::cli
