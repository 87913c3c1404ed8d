// SPDX-License-Identifier: Apache-2.0

/// Which rows, the runs that they are held against, and what is said of all of them together.

#include "papers/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "report/fields.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers {
namespace {

using report::Value;

/// Throws InvalidParameter for a part that the paper has not.
[[nodiscard]] PaperRows rows_of(const Paper& paper, const std::string& name) {
  const std::string kind = name.substr(0, name.find(' ') + 1);
  std::vector<std::string> allowed;
  for (const std::string& part : paper.data().parts()) {
    if (part == name) return paper.data().rows(part);
    if (part.starts_with(kind)) allowed.push_back(part.substr(kind.size()));
  }
  const std::string_view what = kind == "Table " ? "table" : "figure";
  if (allowed.empty())
    throw invalid(
        "{0}: paper '{1}' has no {0}s; give --{0} with one paper that has them, such as "
        "`reproduce star --{0} 2`",
        what, paper.name);
  throw invalid("{}: '{}' is not valid; expected one of {} (paper '{}')", what,
                name.substr(kind.size()), joined(allowed, ", "), paper.name);
}

[[nodiscard]] std::string verdict_of(const Reproduction& reproduction) {
  const auto count = [&](auto holds) { return std::ranges::count_if(reproduction.rows, holds); };
  const auto by_machine = [](const PaperRow& row) { return row.where == counted_by_machine; };
  const auto compared = [&](const PaperRow& row) {
    return !by_machine(row) && !row.printed.empty() && !row.lost;
  };
  std::string text;
  if (const auto all = count(compared); all != 0) {
    const auto same = count([&](const auto& row) { return compared(row) && row.agrees(); });
    const auto explained = count([&](const auto& row) { return compared(row) && row.explained(); });
    text += fmt::format("{} printed numbers: {} agree, {} explained by errata, {} unexplained\n",
                        all, same, explained - same, all - explained);
  }
  if (const auto all = count([](const PaperRow& row) { return row.lost; }); all != 0)
    text += fmt::format("{} not checked: the figures are missing from the source\n", all);
  if (const auto all = count(by_machine); all != 0) {
    text += fmt::format(
        "{} numbers counted by the machine: {} with all messages delivered and equal to the "
        "closed form\n",
        all, count([&](const auto& row) { return by_machine(row) && row.agrees(); }));
  }
  if (const auto left_out = count([](const auto& row) { return row.where == not_run; }))
    text += fmt::format("{} runs skipped\n", left_out);
  if (reproduction.exit == Exit::interrupted)
    text += "interrupted: some numbers were not counted\n";
  return text;
}

[[nodiscard]] Value count_or_none(std::uint64_t count) { return count == 0 ? Value() : count; }

/// A number, where the text is one, without commas between thousands. Of decimals CSV keeps the
/// digits that were printed.
enum class Decimals : std::uint8_t { as_text, as_numbers };
[[nodiscard]] Value figure_of(const std::string& text, Decimals decimals) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != ',' || i == 0 || (text.size() - i) % 4 != 0) digits += text[i];
  if (const auto count = whole_number(digits)) return *count;
  const std::optional<double> number = decimal_number(text);
  return number && decimals == Decimals::as_numbers ? Value(*number) : Value(text);
}

/// The columns never change their meaning; new ones may be added behind.
[[nodiscard]] report::Fields fields_of(const Paper& paper, const PaperRow& row,
                                       Decimals decimals = Decimals::as_text) {
  std::string sentence;
  for (const Erratum& erratum : paper.data().errata())
    if (erratum.number == row.erratum) sentence = erratum.sentence;
  return {{"paper", std::string(paper.name)},
          {"where", row.where},
          {"topology", row.topology},
          {"n", count_or_none(row.n)},
          {"k", count_or_none(row.k)},
          {"ratio", row.ratio},
          {"quantity", row.quantity},
          {"printed", figure_of(row.printed, decimals)},
          {"ours", figure_of(row.ours, decimals)},
          {"exact", figure_of(row.exact, decimals)},
          {"agrees", row.agrees()},
          {"erratum", count_or_none(row.erratum)},
          {"explanation", sentence},
          {"step", count_or_none(row.step)},
          {"curve", row.curve}};
}

[[nodiscard]] RunRequest request_of(const PaperRun& run, const RunRequest& machine) {
  RunRequest request = machine;
  request.topology = run.topology;
  request.operation = run.operation;
  request.algorithm = run.algorithm;
  request.block_bytes = run.block_bytes;
  request.keep_series = run.of_steps != nullptr;
  for (const auto& [name, value] : run.settings) request.settings[name] = value;
  if (run.k != 0) request.settings["k"] = Numbers{run.k};
  return request;
}

[[nodiscard]] PaperRow row_of(const PaperRun& run, std::string_view where, std::string ours) {
  return {.where = std::string(where),
          .topology = run.topology,
          .n = run.n,
          .k = run.k,
          .quantity = run.quantity,
          .ours = std::move(ours)};
}

/// Nothing is judged.
[[nodiscard]] PaperRow left_out(const PaperRun& run, std::string_view reason) {
  return row_of(run, not_run, fmt::format("{} ({})", run.closed_form, reason));
}

/// The time and memory of a run that --full asks for.
[[nodiscard]] std::string needs_of(const RunRequest& request) {
  try {
    const RunForecast forecast = prepare(request, false)->forecast();
    return fmt::format("closed form; --full runs it: {}, about {}",
                       report::bytes_text(forecast.memory_bytes),
                       report::seconds_text(forecast.rough_seconds));
  } catch (const InvalidParameter& problem) {
    return problem.what();
  } catch (const ResourceExhausted& problem) {
    return problem.what();
  }
}

void add_counted(PaperRows& rows, const PaperRun& run, const study::Measured& measured) {
  if (!measured.result) {
    rows.push_back(row_of(run, counted_by_machine, measured.note));
    rows.back().same = false;
    return;
  }
  std::vector<CountedFigure> figures;
  if (run.of_steps) figures = run.of_steps(*measured.result);
  figures.push_back({run.quantity, run.counted(*measured.result), run.closed_form});
  for (const CountedFigure& figure : figures) {
    rows.push_back(row_of(run, counted_by_machine, figure.counted));
    rows.back().quantity = figure.quantity;
    rows.back().exact = figure.closed_form;
    rows.back().same = measured.exit == run.expected && figure.counted == figure.closed_form;
  }
}

void append(PaperRows& rows, PaperRows more) {
  rows.insert(rows.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

[[nodiscard]] bool bears_on(const PaperRun& run, const std::vector<std::string>& parts) {
  return parts.empty() || std::find_first_of(parts.begin(), parts.end(), run.parts.begin(),
                                             run.parts.end()) != parts.end();
}

}  // namespace

std::vector<const Paper*> papers_named(const std::string& name) {
  std::vector<const Paper*> chosen;
  std::vector<std::string_view> names;
  for (const Paper* const paper : all_papers()) {
    names.push_back(paper->name);
    if (name == paper->name || name == "all" || paper->name.starts_with(name + '-'))
      chosen.push_back(paper);
  }
  names.emplace_back("all");
  if (chosen.empty()) throw InvalidParameter(unknown("paper", name, names));
  return chosen;
}

Reproduction reproduction_of(const Paper& paper, const std::vector<std::string>& parts) {
  Reproduction reproduction{&paper};
  for (const std::string& name : parts.empty() ? paper.data().parts() : parts)
    append(reproduction.rows, rows_of(paper, name));
  return reproduction;
}

Exit Reproduction::judged() const {
  const bool fine = std::ranges::all_of(rows, std::mem_fn(&PaperRow::explained));
  return study::worse(exit, fine ? Exit::ok : Exit::not_delivered);
}

void count_runs(Reproduction& reproduction, const CountOptions& options) {
  std::vector<PaperRun> wanted;
  std::vector<RunRequest> requests;
  PaperRows too_long;
  const Paper& paper = *reproduction.paper;
  for (const PaperRun& run : paper.data().runs()) {
    if (!bears_on(run, options.parts)) continue;
    RunRequest request = request_of(run, options.machine);
    if (run.long_run && !options.full) {
      too_long.push_back(left_out(run, needs_of(request)));
    } else {
      wanted.push_back(run);
      requests.push_back(std::move(request));
    }
  }
  PaperRows refused;
  study::RunSeries series(std::move(requests), options.series);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const study::Measured measured = series.measure(i);
    if (measured.exit != wanted[i].expected)
      reproduction.exit = study::worse(reproduction.exit, measured.exit);
    if (measured.interrupted()) break;
    if (measured.exit == Exit::no_resources)
      refused.push_back(left_out(wanted[i], measured.note));
    else
      add_counted(reproduction.rows, wanted[i], measured);
  }
  append(reproduction.rows, std::move(refused));
  append(reproduction.rows, std::move(too_long));
}

report::Document document_of(std::span<const Reproduction> all, Exit exit,
                             const Provenance& provenance) {
  report::Document document{
      .title = all.size() == 1 ? all.front().paper->data().title() : "The papers, reproduced",
      .verdict = exit == Exit::ok ? "ok: no difference without an erratum that explains it"
                 : exit == Exit::interrupted ? "INTERRUPTED: some numbers were not counted"
                                             : "DIFFERS: some numbers are not explained",
      .ok = exit == Exit::ok,
      .provenance = provenance};
  for (const Reproduction& one : all) {
    document.sections.push_back(
        {.heading = fmt::format("{}: {}", one.paper->name, one.paper->data().title()),
         .text = verdict_of(one)});
    for (report::Section& section : paper_sections(one.rows, one.paper->data().errata())) {
      section.heading = fmt::format("{}: {}", one.paper->name, section.heading);
      if (const std::size_t remark = section.heading.find(" (the paper");
          remark != std::string::npos) {
        section.sentences.insert(section.sentences.begin(), section.heading.substr(remark + 1));
        section.heading.resize(remark);
        for (report::Plot& plot : section.plots) plot.title.resize(plot.title.find(" (the paper"));
      }
      document.sections.push_back(std::move(section));
    }
  }
  return document;
}

std::string text_of(std::span<const Reproduction> all, std::size_t page) {
  std::string text;
  for (const Reproduction& one : all)
    text += fmt::format("{}{}\n\n{}\n{}", text.empty() ? "" : "\n", one.paper->data().title(),
                        paper_text(one.rows, one.paper->data().errata(), page), verdict_of(one));
  return text;
}

std::string csv_of(std::span<const Reproduction> all) {
  std::string text = report::csv_heading(fields_of(*all.front().paper, {}));
  for (const Reproduction& one : all)
    for (const PaperRow& row : one.rows) text += report::csv_row(fields_of(*one.paper, row));
  return text;
}

std::string json_of(std::span<const Reproduction> all, Exit exit, const Provenance& provenance) {
  auto json = report::json_head("lockstep.reproduce/1", provenance);
  json["papers"] = nlohmann::ordered_json::array();
  for (const Reproduction& one : all) {
    auto rows = nlohmann::ordered_json::array();
    for (const PaperRow& row : one.rows)
      rows.push_back(report::json_of(fields_of(*one.paper, row, Decimals::as_numbers)));
    json["papers"].push_back(
        {{"paper", one.paper->name}, {"title", one.paper->data().title()}, {"rows", rows}});
  }
  json["interrupted"] = exit == Exit::interrupted;
  json["ok"] = exit == Exit::ok;
  return report::json_text(json);
}

}  // namespace lockstep::papers
