// SPDX-License-Identifier: Apache-2.0
#include "study/tuning_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/check_setting.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "report/quantities.hpp"
#include "study/compared_algorithms.hpp"
#include "topology/node_names.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::Unit;

constexpr std::string_view control_words = "control_words";

[[nodiscard]] std::string head_of(const Contest& contest) {
  return fmt::format("{} {}, {}, blocks of {}: {} ranked\n\n", contest.topology,
                     name_of(contest.operation), contest.model.name,
                     report::bytes_text(contest.block_bytes),
                     counted(contest.ranking({}).size(), "variant"));
}

[[nodiscard]] std::string tail_of(const Contest& contest) {
  const std::string text = text_of(contest.left_out);
  return text.empty() ? text : "\n" + text;
}

/// As a shell takes it for one word.
[[nodiscard]] std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%^";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

/// "--root 7". A node of a network with names is given by a word that the option takes for it: its
/// number may be the name of another node.
[[nodiscard]] std::string option_for(const Settings::Entry& entry, const AnyTopology& network) {
  const auto& [name, value] = entry;
  const Parameter* const parameter = parameter_of(parameter_catalog(), name);
  const auto* const number = std::get_if<std::uint64_t>(&value);
  const bool is_named = number != nullptr && parameter != nullptr &&
                        parameter->kind == Parameter::Kind::node && has_names(network);
  const std::string word =
      is_named ? unambiguous_name(network, NodeId{*number}) : lockstep::text_of(value);
  return fmt::format(" --{}{}{}", name, word.starts_with('-') ? "=" : " ", quoted(word));
}

/// The run of an entry under the conditions of the ranking: those that are no default.
[[nodiscard]] std::string command_of(const Contest& contest, const ContestEntry& entry,
                                     const CostParameters& costs) {
  const RunRequest& request = entry.request;
  std::string line = fmt::format("lockstep run {} {} --algorithm {}", quoted(contest.topology),
                                 name_of(contest.operation), request.algorithm);
  for (const Settings::Entry& setting : request.settings)
    line += option_for(setting, request.topology);
  if (contest.block_bytes != definite_block_bytes({.topology = request.topology}))
    line += fmt::format(" --bytes {}", contest.block_bytes);
  if (contest.is_model_asked_for || !entry.is_own_model)
    line += fmt::format(" --port-model {}", contest.model.name);
  if (!costs.assumed) line += fmt::format(" --ts {} --tm {}", costs.t_s, costs.t_m);
  if (costs.t_w) line += fmt::format(" --tw {}", *costs.t_w);
  return line;
}

/// The variant that is better if messages are divided; empty if there is none.
[[nodiscard]] std::string in_parts_text(const Contest& contest, const CostParameters& costs) {
  const auto better = contest.better_in_parts(costs);
  if (!better) return {};
  const ContestEntry& entry = contest.entries[*better];
  return fmt::format("faster with messages in parts: {}, time {}\n{}\n", entry.name,
                     report::number_text(contest.time(*better, costs)),
                     command_of(contest, entry, costs));
}

/// The first fields of an entry in any ranking.
[[nodiscard]] Fields entry_fields(const ContestEntry& entry, std::uint64_t rank,
                                  std::string_view order) {
  return {{"rank", rank, Unit::number, order},
          {"variant", entry.name, Unit::text, "algorithm and parameters"},
          {"charged_startups", entry.charged.startups, Unit::count,
           "start-ups that the time charges: the coefficient of t_s", "", "charged start-ups"},
          {"charged_message_times", entry.charged.message_times, Unit::blocks,
           "message times that the time charges, with padding: the coefficient of t_m", "",
           "charged message times"},
          {control_words, entry.charged.control_words, Unit::count,
           "control words that the time charges: the coefficient of t_w", "", "control words"}};
}

/// Text leaves out the column of control words if no variant sends any.
[[nodiscard]] std::string table_to_read(std::vector<Fields> rows, std::size_t page) {
  const auto has_none = [](const Fields& row) {
    return report::number_of(report::value_of(row, control_words)) == 0;
  };
  if (std::ranges::all_of(rows, has_none))
    for (Fields& row : rows)
      std::erase_if(row, [](const report::Field& field) { return field.name == control_words; });
  return table_text(rows, page);
}

/// A, B, .., Z, a, .., z, then '?'.
[[nodiscard]] char letter(std::size_t i) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return i < letters.size() ? letters[i] : '?';
}

}  // namespace

std::vector<Fields> ranking_rows(const Contest& contest, const CostParameters& costs,
                                 std::size_t most) {
  std::vector<Fields> rows;
  const std::vector<std::size_t> order = contest.ranking(costs);
  const double least = order.empty() ? 0 : contest.time(order.front(), costs);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const ContestEntry& entry = contest.entries[order[rank]];
    if (rank >= most && !has_own_file(entry.request)) continue;
    Fields row = entry_fields(entry, rank + 1, "the least time first");
    const double time = contest.time(order[rank], costs);
    append(
        row,
        {{"time", time, Unit::time,
          "charged_startups ts + charged_message_times tm + control_words tw; without --tw, t_w is "
          "8 tm / bytes"},
         {"time_over_best", report::only_if(least > 0, time / least), Unit::ratio,
          "over the least time", "", "of best"},
         {"cost_by", entry.counted ? "counted" : "closed form", Unit::text,
          "where the cost comes from", "", "cost by"}});
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string ranking_verdict(const Contest& contest, const CostParameters& costs) {
  return fmt::format("best at t_s = {:g}, t_m = {:g}: {}", costs.t_s, costs.t_m,
                     contest.entries[contest.best(costs)].name);
}

std::string ranking_text(const Contest& contest, const CostParameters& costs, std::size_t most,
                         std::size_t page) {
  const ContestEntry& best = contest.entries[contest.best(costs)];
  return head_of(contest) + table_to_read(ranking_rows(contest, costs, most), page) +
         fmt::format("\n{}\n{}\n", ranking_verdict(contest, costs),
                     command_of(contest, best, costs)) +
         in_parts_text(contest, costs) + tail_of(contest);
}

std::vector<Fields> host_rows(const Contest& contest, const HostRanking& ranking,
                              std::size_t most) {
  std::vector<Fields> rows;
  const auto add = [&](std::size_t i) {
    const ContestEntry& entry = contest.entries[i];
    Fields row = entry_fields(entry, rows.size() + 1,
                              "measured entries first, by measured time; then by predicted time");
    append(row, {{"predicted_seconds", entry.predicted_seconds, Unit::seconds,
                  "wall time of the steps by the calibrated model", "", "predicted"},
                 {"measured_seconds", entry.measured_seconds, Unit::seconds,
                  "wall time of the steps, median of the repetitions", "", "measured"}});
    rows.push_back(std::move(row));
  };
  for (const std::size_t i : ranking.measured) add(i);
  for (const std::size_t i : ranking.predicted)
    if (!contest.entries[i].measured_seconds && rows.size() < most) add(i);
  return rows;
}

std::string host_verdict(const Contest& contest, const HostRanking& ranking) {
  if (ranking.measured.empty()) return {};
  return fmt::format("best on this host: {}", contest.entries[ranking.measured.front()].name);
}

std::string host_text(const Contest& contest, const HostRanking& ranking, std::size_t most,
                      std::size_t page) {
  std::string text = head_of(contest) + table_to_read(host_rows(contest, ranking, most), page);
  if (ranking.measured.empty()) return text + "\nno variant was measured\n" + tail_of(contest);
  const ContestEntry& best = contest.entries[ranking.measured.front()];
  return text +
         fmt::format(
             "\n{}\n{}\n"
             "rank agreement of predicted and measured times (Kendall's tau): {:.2f} of 1\n",
             host_verdict(contest, ranking), command_of(contest, best, {.assumed = true}),
             ranking.agreement) +
         tail_of(contest);
}

std::vector<Fields> map_rows(const Contest& contest, const std::vector<MapCell>& cells) {
  std::vector<Fields> rows;
  for (const MapCell& cell : cells)
    rows.push_back({{"ratio", cell.ratio, Unit::number, "t_s/t_m for the contest's block"},
                    {"bytes", cell.block_bytes, Unit::bytes, "block length"},
                    {"variant", contest.entries[cell.entry].name, Unit::text, "the winner"},
                    {"time", cell.time, Unit::time, "in units of t_m for the contest's block"}});
  return rows;
}

std::string map_text(const Contest& contest, const std::vector<MapCell>& cells, std::size_t page) {
  std::vector<std::size_t> winners;
  for (const MapCell& cell : cells)
    if (std::ranges::find(winners, cell.entry) == winners.end()) winners.push_back(cell.entry);
  std::vector<Table::Column> columns{{"t_s/t_m", Table::Align::right}};
  std::vector<std::vector<std::string>> lines;
  for (const MapCell& cell : cells) {
    if (lines.empty() || lines.back().front() != fmt::format("{:g}", cell.ratio))
      lines.push_back({fmt::format("{:g}", cell.ratio)});
    if (lines.size() == 1) columns.push_back({report::bytes_text(cell.block_bytes)});
    const auto place = std::ranges::find(winners, cell.entry) - winners.begin();
    lines.back().emplace_back(1, letter(static_cast<std::size_t>(place)));
  }
  Table table(columns);
  for (std::vector<std::string>& line : lines) table.add(std::move(line));
  std::string text = head_of(contest) + table.text(page) + "\n";
  for (std::size_t i = 0; i < winners.size(); ++i) {
    const ContestEntry& entry = contest.entries[winners[i]];
    text += fmt::format("{}  {}: {} charged start-ups, {} charged message times", letter(i),
                        entry.name, report::count_text(entry.charged.startups),
                        report::count_text(entry.charged.message_times));
    if (entry.charged.control_words != 0)
      text += fmt::format(", {}", counted(entry.charged.control_words, "control word"));
    text += '\n';
  }
  return text +
         fmt::format(
             "\nt_s/t_m: for a block of {}; t_m grows with the block length of the column\n",
             report::bytes_text(contest.block_bytes)) +
         tail_of(contest);
}

}  // namespace lockstep::study
