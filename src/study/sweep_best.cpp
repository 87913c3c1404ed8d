// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_best.hpp"

#include <algorithm>
#include <set>

#include "study/best_choice.hpp"

namespace lockstep::study {
namespace {

using report::cell_of;
using report::Fields;
using report::Value;
using report::value_of;

[[nodiscard]] std::string cell(const Fields& row, std::string_view name) {
  return cell_of(value_of(row, name));
}

/// Rows that went well, by topology, in the order of the sweep.
struct Group {
  std::string topology;
  std::vector<const Fields*> rows;
  std::vector<Cost> costs{};

  void add(const Fields& row) {
    const Value& counted = value_of(row, "message_times");
    const auto* const parts = std::get_if<Fraction>(&counted);
    costs.emplace_back(std::get<std::uint64_t>(value_of(row, "startups")),
                       parts != nullptr ? *parts : Fraction(std::get<std::uint64_t>(counted), 1));
    rows.push_back(&row);
  }
};

[[nodiscard]] std::vector<Group> groups_of(const std::vector<Fields>& rows) {
  std::vector<Group> groups;
  for (const Fields& row : rows) {
    if (cell(row, "status") != "ok") continue;
    const std::string topology = cell(row, "topology");
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return g.topology == topology; });
    if (group == groups.end()) group = groups.insert(groups.end(), {topology, {}, {}});
    group->add(row);
  }
  return groups;
}

/// ", k = 3" -> "k = 3"; the algorithm where that is asked for, or nothing else is said.
[[nodiscard]] std::string choice(const Fields& row, bool with_algorithm) {
  const std::string settings = cell(row, "settings");
  if (with_algorithm || settings.rfind(", ", 0) != 0) return cell(row, "algorithm") + settings;
  return settings.substr(2);
}

}  // namespace

Table best_by_ratio(const std::vector<Fields>& rows) {
  std::vector<Table::Column> columns{{"best at t_s/t_m ="}};
  for (const NamedRatio& ratio : paper_ratios) columns.push_back({std::string(ratio.text)});
  Table table(columns);
  for (const Group& group : groups_of(rows)) {
    std::set<std::string> algorithms;
    for (const Fields* row : group.rows) algorithms.insert(cell(*row, "algorithm"));
    std::vector<std::string> cells{group.topology};
    for (const NamedRatio& ratio : paper_ratios)
      cells.push_back(
          choice(*group.rows[*best_at(ratio.exact(), group.costs)], algorithms.size() > 1));
    table.add(std::move(cells));
  }
  return table;
}

std::vector<Fields> best_rows(const std::vector<Fields>& rows,
                              std::span<const Parameter> parameters) {
  std::vector<Fields> best;
  for (const Group& group : groups_of(rows)) {
    for (const NamedRatio& ratio : paper_ratios) {
      const Fields& row = *group.rows[*best_at(ratio.exact(), group.costs)];
      Fields one{{"topology", group.topology},
                 {"operation", value_of(row, "operation")},
                 {"ratio", ratio.text},
                 {"algorithm", value_of(row, "algorithm")}};
      for (const Parameter& parameter : parameters)
        one.push_back({parameter.name, value_of(row, parameter.name)});
      best.push_back(std::move(one));
    }
  }
  return best;
}

}  // namespace lockstep::study
