// SPDX-License-Identifier: Apache-2.0
#include "study/best_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "study/run_row.hpp"

namespace lockstep::study {
namespace {

using catalog::Ranked;
using report::Fields;
using report::number_of;
using report::value_of;

[[nodiscard]] std::uint64_t count_in(const Fields& row, std::string_view name) {
  return static_cast<std::uint64_t>(number_in(row, name));
}

/// A row that was read from a file has decimals in place of the fraction.
[[nodiscard]] Fraction fraction_in(const Fields& row, std::string_view name) {
  const report::Value& value = value_of(row, name);
  if (const auto* const exact = std::get_if<Fraction>(&value)) return *exact;
  const std::uint64_t denominator =
      std::max<std::uint64_t>(count_in(row, "parts_per_block") * count_in(row, "bytes"), 1);
  return {static_cast<std::uint64_t>(
              std::llround(number_of(value).value_or(0) * static_cast<double>(denominator))),
          denominator};
}

/// A message time is that of a block, whatever its length; padding and control words are not.
[[nodiscard]] bool depends_on_bytes(const Rivals& rivals) {
  return std::ranges::any_of(rivals.rows, [](const Fields* row) {
    return count_in(*row, "control_words") != 0 ||
           fraction_in(*row, "charged_message_times") != fraction_in(*row, "message_times");
  });
}

}  // namespace

std::vector<double> plotted_ratios() {
  std::vector<double> ratios;
  for (int quarter = -12; quarter <= 24; ++quarter) ratios.push_back(std::pow(10, quarter / 4.0));
  return ratios;
}

std::vector<Ranking> rankings_with(std::span<const NamedRatio> ratios,
                                   const std::optional<CostParameters>& host) {
  std::vector<Ranking> rankings;
  for (const NamedRatio& ratio : ratios)
    rankings.push_back({std::string(ratio.text), {.t_s = ratio.value(), .t_m = 1}});
  const bool is_new = host && (host->t_w || std::ranges::none_of(ratios, [&](const auto& ratio) {
                                 return host->t_s == ratio.value() * host->t_m;
                               }));
  if (is_new) rankings.push_back({fmt::format("{:g}/{:g}", host->t_s, host->t_m), *host});
  return rankings;
}

Ranked rank_of(const Fields& row, std::string_view port_model) {
  return {{count_in(row, "charged_startups"), fraction_in(row, "charged_message_times"),
           count_in(row, "control_words")},
          declares(row, port_model)};
}

std::string Rivals::name(bool with_port_model) const {
  return topology + (with_port_model ? ", " + port_model : "") +
         (bytes ? fmt::format(", {} bytes", *bytes) : "");
}

const Fields& Rivals::best(const Ranking& ranking) const {
  std::vector<Ranked> ranks;
  for (const Fields* const row : rows) ranks.push_back(rank_of(*row, port_model));
  return *rows[catalog::first_of(ranks, ranking.costs, count_in(*rows.front(), "bytes"))];
}

std::string choice_in(const Fields& row, bool with_algorithm) {
  const auto cell = [&](std::string_view name) { return cell_of(pick(row, name).front().value); };
  if (const std::string variant = cell("variant"); !variant.empty()) return variant;
  const std::string settings = cell("settings");
  if (with_algorithm || !settings.starts_with(", ")) return cell("algorithm") + settings;
  return settings.substr(2);
}

Rivals rivals_under(std::span<const Fields> rows, std::string topology, std::string port_model) {
  Rivals rivals{std::move(topology), std::move(port_model)};
  for (const Fields& row : rows)
    if (cell_in(row, "status") == "ok" && cell_in(row, "topology") == rivals.topology &&
        may_run_under(row, rivals.port_model))
      rivals.rows.push_back(&row);
  return rivals;
}

std::vector<Rivals> all_rivals(std::span<const Fields> rows) {
  std::vector<Rivals> all;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Fields& row : rows) {
    if (cell_in(row, "status") != "ok") continue;
    const auto [place, is_new] = seen.emplace(cell_in(row, "topology"), cell_in(row, "port_model"));
    if (!is_new) continue;
    Rivals rivals = rivals_under(rows, place->first, place->second);
    std::set<std::uint64_t> lengths;
    for (const Fields* const one : rivals.rows) lengths.insert(count_in(*one, "bytes"));
    if (lengths.size() == 1 || !depends_on_bytes(rivals)) {
      all.push_back(std::move(rivals));
      continue;
    }
    for (const std::uint64_t bytes : lengths) {
      Rivals& part = all.emplace_back(rivals);
      part.bytes = bytes;
      std::erase_if(part.rows, [&](const Fields* one) { return count_in(*one, "bytes") != bytes; });
    }
  }
  return all;
}

}  // namespace lockstep::study
