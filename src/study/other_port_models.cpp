// SPDX-License-Identifier: Apache-2.0
#include "study/other_port_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "catalog/ranking.hpp"
#include "catalog/trial.hpp"
#include "study/best_choice.hpp"
#include "study/run_row.hpp"

namespace lockstep::study {
namespace {

using catalog::Ranked;
using report::Fields;
using report::number_of;
using report::value_of;

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
    return cell_in(row, "status") == "ok" && cell_in(row, "topology") == topology_ &&
           !may_run_under(row, model_.name) && !is_below_bound(row) &&
           std::ranges::none_of(lawful_, [&](const Ranked& other) {
             return is_never_behind(other, rank_of(row, model_.name));
           });
  }

  /// By the bounds of the rows that ran under this model.
  [[nodiscard]] bool is_below_bound(const Fields& row) const {
    const auto other = std::ranges::find_if(rows_, [&](const Fields& one) {
      return cell_in(one, "topology") == topology_ && cell_in(one, "port_model") == model_.name;
    });
    const auto less = [&](std::string_view figure, std::string_view bound) {
      return number_of(value_of(row, figure)) < number_of(value_of(*other, bound));
    };
    return other != rows_.end() && (less("startups", "lower_bound_startups") ||
                                    less("message_times", "lower_bound_message_times"));
  }

  void try_row(std::size_t i, std::vector<NotTried>& not_tried) {
    RunRequest request = series_.request(i);
    request.algorithm = cell_in(rows_[i], "algorithm");
    request.port_model = model_;
    if (const auto& before = series_.before(i).forecast) request.settings = before->settings;
    const bool is_short = number_in(rows_[i], "wall_seconds") <= longest_run_tried;
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
    const std::string topology = cell_in(rows[i], "topology");
    const std::string model = cell_in(rows[i], "port_model");
    const auto known = std::ranges::find(port_models::all, model, &PortModel::name);
    if (cell_in(rows[i], "status") != "ok" || known == port_models::all.end() ||
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
