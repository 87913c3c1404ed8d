// SPDX-License-Identifier: Apache-2.0
#include "study/best_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "catalog/trial.hpp"
#include "study/run_row.hpp"

namespace lockstep::study {
namespace {

using catalog::Ranked;
using report::Fields;
using report::number_of;
using report::value_of;

[[nodiscard]] std::uint64_t count_in(const Fields& row, std::string_view name) {
  return static_cast<std::uint64_t>(number_of(value_of(row, name)).value_or(0));
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

[[nodiscard]] bool is_ok(const Fields& row) { return cell_of(value_of(row, "status")) == "ok"; }

}  // namespace

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
    if (is_ok(row) && cell_of(value_of(row, "topology")) == rivals.topology &&
        may_run_under(row, rivals.port_model))
      rivals.rows.push_back(&row);
  return rivals;
}

namespace {

/// A message time is that of a block, whatever its length; padding and control words are not.
[[nodiscard]] bool depends_on_bytes(const Rivals& rivals) {
  return std::ranges::any_of(rivals.rows, [](const Fields* row) {
    return count_in(*row, "control_words") != 0 ||
           fraction_in(*row, "charged_message_times") != fraction_in(*row, "message_times");
  });
}

}  // namespace

std::vector<Rivals> all_rivals(std::span<const Fields> rows) {
  std::vector<Rivals> all;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Fields& row : rows) {
    if (!is_ok(row)) continue;
    const auto [place, is_new] =
        seen.emplace(cell_of(value_of(row, "topology")), cell_of(value_of(row, "port_model")));
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

namespace {

/// One port model, and the rows of a network that may keep its rules.
class OtherModel {
 public:
  OtherModel(std::vector<Fields>& rows, const RunSeries& series, std::string topology,
             const PortModel& model)
      : rows_(rows), series_(series), topology_(std::move(topology)), model_(model) {}

  void try_rows(std::vector<NotTried>& not_tried) {
    for (const Fields* const row : rivals_under(rows_, topology_, name()).rows)
      lawful_.push_back(rank_of(*row, model_.name));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (may_be_tried(i) && may_win(rows_[i])) try_row(i, not_tried);
  }

 private:
  [[nodiscard]] std::string name() const { return std::string(model_.name); }

  [[nodiscard]] bool may_be_tried(std::size_t i) const {
    const auto& before = series_.before(i).forecast;
    return !before || !before->algorithm.own_model_only;
  }
  [[nodiscard]] bool may_win(const Fields& row) const {
    return is_ok(row) && cell_of(value_of(row, "topology")) == topology_ &&
           !may_run_under(row, model_.name) && !is_below_bound(row) &&
           std::ranges::none_of(lawful_, [&](const Ranked& other) {
             return is_never_behind(other, rank_of(row, model_.name));
           });
  }

  /// By the bounds of the rows that ran under this model.
  [[nodiscard]] bool is_below_bound(const Fields& row) const {
    const auto other = std::ranges::find_if(rows_, [&](const Fields& one) {
      return cell_of(value_of(one, "topology")) == topology_ &&
             cell_of(value_of(one, "port_model")) == model_.name;
    });
    const auto less = [&](std::string_view figure, std::string_view bound) {
      return number_of(value_of(row, figure)) < number_of(value_of(*other, bound));
    };
    return other != rows_.end() && (less("startups", "lower_bound_startups") ||
                                    less("message_times", "lower_bound_message_times"));
  }

  void try_row(std::size_t i, std::vector<NotTried>& not_tried) {
    RunRequest request = series_.request(i);
    request.algorithm = cell_of(value_of(rows_[i], "algorithm"));
    request.port_model = model_;
    if (const auto& before = series_.before(i).forecast) request.settings = before->settings;
    const bool is_short =
        number_of(value_of(rows_[i], "wall_seconds")).value_or(0) <= longest_run_tried;
    const catalog::Trial trial = is_short ? catalog::trial_of(request, catalog::most_trial_seconds)
                                          : catalog::Trial{.reason = "a trial takes too long"};
    if (trial.outcome == catalog::Trial::Outcome::not_tried)
      add(not_tried, {request.algorithm, name(), trial.reason});
    if (trial.outcome != catalog::Trial::Outcome::lawful) return;
    add_port_model(rows_[i], model_);
    lawful_.push_back(rank_of(rows_[i], model_.name));
  }

  /// Variants of an algorithm are named once.
  static void add(std::vector<NotTried>& not_tried, NotTried one) {
    if (std::ranges::find(not_tried, one) == not_tried.end()) not_tried.push_back(std::move(one));
  }

  static constexpr double longest_run_tried = 2;  // seconds

  std::vector<Fields>& rows_;
  const RunSeries& series_;
  std::string topology_;
  PortModel model_;
  std::vector<Ranked> lawful_{};
};

}  // namespace

std::vector<NotTried> try_other_port_models(std::vector<Fields>& rows, const RunSeries& series) {
  std::vector<NotTried> not_tried;
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string topology = cell_of(value_of(rows[i], "topology"));
    const std::string model = cell_of(value_of(rows[i], "port_model"));
    const auto known = std::ranges::find(port_models::all, model, &PortModel::name);
    if (!is_ok(rows[i]) || known == port_models::all.end() ||
        !seen.insert({topology, model}).second)
      continue;
    OtherModel(rows, series, topology, *known).try_rows(not_tried);
  }
  return not_tried;
}

std::string text_of(const std::vector<NotTried>& not_tried) {
  std::string text;
  for (const auto& [algorithm, port_model, reason] : not_tried)
    text += fmt::format("not tried: {} under {}; {}\n", algorithm, port_model, reason);
  return text;
}

std::vector<Fields> rows_of(const std::vector<NotTried>& not_tried) {
  std::vector<Fields> rows;
  for (const auto& [algorithm, port_model, reason] : not_tried)
    rows.push_back({{"algorithm", algorithm}, {"port_model", port_model}, {"reason", reason}});
  return rows;
}

}  // namespace lockstep::study
