// SPDX-License-Identifier: Apache-2.0
#include "study/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/report/table.hpp"
#include "report/quantities.hpp"

namespace lockstep::study {

void Comparison::note_bound(const CompareEntry& entry) {
  if (!entry.run.estimate || !entry.run.estimate->lower_bound) return;
  const Bound next{entry.port_model(), entry.run.estimate->parts_per_block(),
                   *entry.run.estimate->lower_bound};
  const auto known = std::find_if(bounds.begin(), bounds.end(), [&](const Bound& bound) {
    return bound.port_model == next.port_model;
  });
  if (known == bounds.end())
    bounds.push_back(next);
  else if (Fraction(next.bound.message_times, next.parts_per_block) <
           Fraction(known->bound.message_times, known->parts_per_block))
    *known = next;  // blocks in parts have a finer bound
}

std::optional<double> over_bound(const CompareEntry& entry, const CostParameters& host) {
  const auto& bound = entry.run.estimate->lower_bound;
  const std::uint64_t parts = entry.parts_per_block();
  if (!bound || !(least_time(*bound, host, parts) > 0)) return std::nullopt;
  if (!entry.run.result->verdict.complete()) return std::nullopt;
  return modelled(entry.run.result->record, host, parts) / least_time(*bound, host, parts);
}

namespace {

using report::count_text;
using report::number_text;

[[nodiscard]] Table empty_table(const CostParameters& host) {
  constexpr auto right = Table::Align::right;
  std::vector<Table::Column> columns{
      {"algorithm"},        {"k"},
      {"batch", right},     {"port model"},
      {"start-ups", right}, {"message times", right},
      {"predicted", right}, {fmt::format("time {:g}/{:g}", host.t_s, host.t_m), right},
      {"of bound", right}};
  for (const NamedRatio& ratio : paper_ratios)
    columns.push_back({fmt::format("time {}/1", ratio.text), right});
  for (const char* const name : {"largest message", "memory", "wall"})
    columns.push_back({name, right});
  columns.push_back({"result"});
  return Table(columns);
}

[[nodiscard]] std::string predicted_text(const CompareEntry& entry) {
  const auto& promise = entry.run.estimate->predicted;
  const RunRecord& record = entry.run.result->record;
  if (!promise) return "not known";
  if (*promise == Promise{record.startups, record.message_times}) return "as counted";
  return fmt::format("{} / {}", count_text(promise->startups),
                     count_text(entry.blocks(promise->message_times)));
}

[[nodiscard]] std::vector<std::string> cells_of(const CompareEntry& entry,
                                                const CostParameters& host) {
  const auto or_dash = [&](std::string_view name) {
    const std::string text = entry.setting(name);
    return text.empty() ? "-" : text;
  };
  const std::string discipline = entry.setting("discipline");
  std::vector<std::string> cells{
      entry.request.algorithm + (discipline.empty() ? "" : ", " + discipline), or_dash("k"),
      or_dash("batch"), entry.port_model()};
  const std::string status(entry.run.status());
  const std::string result =
      entry.run.note.empty() ? status : fmt::format("{}: {}", status, entry.run.note);
  if (!entry.run.result) {
    cells.resize(cells.size() + 8 + paper_ratios.size(), "-");
    cells.push_back(result);
    return cells;
  }
  const RunRecord& record = entry.run.result->record;
  const auto ratio = over_bound(entry, host);
  const auto time = [&](const CostParameters& at) {
    return number_text(modelled(record, at, entry.parts_per_block()));
  };
  cells.insert(cells.end(),
               {count_text(record.startups), count_text(entry.blocks(record.message_times)),
                predicted_text(entry), time(host), ratio ? fmt::format("{:.2f}", *ratio) : "-"});
  for (const NamedRatio& paper : paper_ratios) cells.push_back(time(host_of(paper)));
  cells.insert(cells.end(), {count_text(entry.blocks(record.largest_message_blocks)),
                             report::bytes_text(entry.run.estimate->memory_bytes),
                             report::seconds_text(entry.run.wall_seconds), result});
  return cells;
}

[[nodiscard]] std::vector<std::string> bound_cells(const Bound& least, const CostParameters& host) {
  const auto time = [&](const CostParameters& at) {
    return number_text(least_time(least.bound, at, least.parts_per_block));
  };
  std::vector<std::string> cells{
      "lower bound",
      "-",
      "-",
      least.port_model,
      count_text(least.bound.steps),
      count_text(Fraction(least.bound.message_times, least.parts_per_block)),
      "-",
      time(host),
      "1.00"};
  for (const NamedRatio& paper : paper_ratios) cells.push_back(time(host_of(paper)));
  cells.insert(cells.end(), {"-", "-", "-", "no algorithm takes less"});
  return cells;
}

}  // namespace

std::string text_of(const Comparison& comparison) {
  Table table = empty_table(comparison.host);
  for (const CompareEntry& entry : comparison.entries) table.add(cells_of(entry, comparison.host));
  for (const Bound& bound : comparison.bounds) table.add(bound_cells(bound, comparison.host));
  return table.text() +
         "\ntime a/b: start-ups and message times counted by the machine, at t_s = a, t_m = b per "
         "block; largest message in blocks; memory as predicted\n";
}

}  // namespace lockstep::study
