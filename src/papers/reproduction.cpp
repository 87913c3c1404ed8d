// SPDX-License-Identifier: Apache-2.0

/// Which rows, and what is said of all of them together.

#include "papers/reproduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"
#include "report/fields.hpp"

namespace lockstep::papers {
namespace {

using report::Value;

[[nodiscard]] const Part& part_named(const Paper& paper, const std::string& name) {
  const std::string kind = name.substr(0, name.find(' ') + 1);
  std::vector<std::string_view> allowed;
  for (const Part& part : paper.parts) {
    if (part.name == name) return part;
    if (part.name.starts_with(kind)) allowed.push_back(part.name.substr(kind.size()));
  }
  throw InvalidParameter(
      fmt::format("{}: '{}' given, allowed {} of paper '{}'", kind == "Table " ? "table" : "figure",
                  name.substr(kind.size()), fmt::join(allowed, ", "), paper.name));
}

[[nodiscard]] std::string verdict_of(const Reproduction& reproduction) {
  const auto count = [&](auto holds) {
    return std::count_if(reproduction.rows.begin(), reproduction.rows.end(), holds);
  };
  const auto by_machine = [](const PaperRow& row) { return row.where == counted_by_machine; };
  const auto compared = [&](const PaperRow& row) {
    return !by_machine(row) && !row.printed.empty();
  };
  std::string text;
  if (const auto all = count(compared); all != 0) {
    const auto same = count([&](const auto& row) { return compared(row) && row.agrees(); });
    const auto explained = count([&](const auto& row) { return compared(row) && row.explained(); });
    text += fmt::format(
        "{} printed figures: {} agree, {} differ as errata explain, {} differ without "
        "explanation\n",
        all, same, explained - same, all - explained);
  }
  if (const auto all = count(by_machine); all != 0) {
    text += fmt::format(
        "{} figures counted by the machine: {} with every delivery as expected and equal to the "
        "closed form\n",
        all, count([&](const auto& row) { return by_machine(row) && row.agrees(); }));
  }
  if (const auto left_out = count([](const auto& row) { return row.where == not_run; }))
    text += fmt::format("{} runs left out\n", left_out);
  if (reproduction.exit == Exit::interrupted) text += "interrupted: not all of it was counted\n";
  return text;
}

[[nodiscard]] Value count_or_none(std::uint64_t count) { return count == 0 ? Value() : count; }

/// The columns never change their meaning; new ones may be added behind.
[[nodiscard]] report::Fields fields_of(const Paper& paper, const PaperRow& row) {
  std::string sentence;
  for (const Erratum& erratum : paper.errata)
    if (erratum.number == row.erratum) sentence = erratum.sentence;
  return {{"paper", std::string(paper.name)},
          {"where", row.where},
          {"topology", row.topology},
          {"n", count_or_none(row.n)},
          {"k", count_or_none(row.k)},
          {"ratio", row.ratio},
          {"quantity", row.quantity},
          {"printed", row.printed},
          {"ours", row.ours},
          {"exact", row.exact},
          {"agrees", row.agrees()},
          {"erratum", count_or_none(row.erratum)},
          {"explanation", sentence},
          {"step", count_or_none(row.step)},
          {"curve", row.curve}};
}

}  // namespace

std::vector<const Paper*> papers_named(const std::string& name) {
  std::vector<const Paper*> chosen;
  std::vector<std::string_view> names;
  for (const Paper* const paper : all_papers()) {
    names.push_back(paper->name);
    if (name == paper->name || name == "all") chosen.push_back(paper);
  }
  names.emplace_back("all");
  if (chosen.empty()) throw InvalidParameter(unknown("paper", name, names));
  return chosen;
}

Reproduction reproduction_of(const Paper& paper, const std::vector<std::string>& parts) {
  Reproduction reproduction{&paper};
  for (const std::string& name : parts)
    append(reproduction.rows, paper.rows(part_named(paper, name)));
  if (parts.empty())
    for (const Part& part : paper.parts) append(reproduction.rows, paper.rows(part));
  return reproduction;
}

Exit Reproduction::judged() const {
  const bool fine = std::all_of(rows.begin(), rows.end(), std::mem_fn(&PaperRow::explained));
  return study::worse(exit, fine ? Exit::ok : Exit::not_delivered);
}

std::string text_of(std::span<const Reproduction> all) {
  std::string text;
  for (const Reproduction& one : all)
    text += fmt::format("{}{}\n\n{}\n{}", text.empty() ? "" : "\n", one.paper->title,
                        paper_text(one.rows, one.paper->errata), verdict_of(one));
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
      rows.push_back(report::json_of(fields_of(*one.paper, row)));
    json["papers"].push_back(
        {{"paper", one.paper->name}, {"title", one.paper->title}, {"rows", rows}});
  }
  json["interrupted"] = exit == Exit::interrupted;
  json["ok"] = exit == Exit::ok;
  return json.dump(2) + "\n";
}

}  // namespace lockstep::papers
