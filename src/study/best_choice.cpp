// SPDX-License-Identifier: Apache-2.0
#include "study/best_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "study/run_row.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::value_of;

/// What the time charges, control words as parts of blocks.
[[nodiscard]] Cost charged_cost(const Fields& row) {
  const auto count = [&](std::string_view name) {
    return std::get<std::uint64_t>(value_of(row, name));
  };
  const auto* const parts = std::get_if<Fraction>(&value_of(row, "message_times"));
  return words_as_blocks(
      {count("charged_startups"), parts != nullptr ? *parts : Fraction(count("message_times")),
       count("control_words")},
      count("bytes"));
}

}  // namespace

std::vector<Ranking> rankings_by(std::span<const NamedRatio> ratios) {
  std::vector<Ranking> rankings;
  for (const NamedRatio& ratio : ratios)
    rankings.push_back({std::string(ratio.text), ratio.exact()});
  return rankings;
}

Ranking ranking_by(const CostParameters& host) {
  return {fmt::format("{:g}/{:g}", host.t_s, host.t_m)};
}

bool has_ratio(const CostParameters& host, std::span<const NamedRatio> ratios) {
  return std::ranges::any_of(ratios, [&](const NamedRatio& ratio) {
    return host.t_s == ratio.exact().value() * host.t_m;
  });
}

const Fields& Rivals::best(const Ranking& ranking) const {
  if (!ranking.ratio)
    return **std::ranges::min_element(
        rows, {}, [](const Fields* row) { return number_of(value_of(*row, "time")).value_or(0); });
  std::vector<Cost> costs;
  for (const Fields* const row : rows) costs.push_back(charged_cost(*row));
  return *rows[*best_at(*ranking.ratio, costs)];
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
    if (cell_of(value_of(row, "status")) == "ok" &&
        cell_of(value_of(row, "topology")) == rivals.topology &&
        may_run_under(row, rivals.port_model))
      rivals.rows.push_back(&row);
  return rivals;
}

}  // namespace lockstep::study
