// SPDX-License-Identifier: Apache-2.0
#include "study/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "algorithm/many_to_all/placement.hpp"
#include "catalog/candidates.hpp"
#include "catalog/check_setting.hpp"
#include "catalog/open_variants.hpp"
#include "catalog/trial.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "study/compared_algorithms.hpp"

namespace lockstep::study {
namespace {

/// Every variant of an algorithm. Throws InvalidParameter where it refuses the network.
[[nodiscard]] std::vector<RunRequest> all_variants(const RunRequest& plain) {
  std::vector<RunRequest> list;
  for (const Settings& settings : catalog::in_one_list(catalog::open_variants(plain))) {
    list.push_back(plain);
    list.back().settings = catalog::with(plain.settings, settings);
  }
  if (list.empty()) list.push_back(plain);
  return list;
}

/// The port models that the algorithms need, in their order.
[[nodiscard]] std::vector<PortModel> models_of(const std::vector<AlgorithmInfo>& algorithms) {
  std::vector<PortModel> models;
  for (const AlgorithmInfo& info : algorithms)
    if (std::ranges::find(models, info.model) == models.end()) models.push_back(info.model);
  return models;
}

class ContestMaker {
 public:
  ContestMaker(const RunRequest& base, const ContestLimits& limits)
      : task_(task_of(base)), base_(task_.request), limits_(limits) {
    contest_.topology = base.topology.name();
    contest_.operation = base.operation;
    contest_.is_model_asked_for = base.port_model.has_value();
    contest_.block_bytes = definite_block_bytes(base);
    base_.block_bytes = contest_.block_bytes;
  }

  [[nodiscard]] Contest made() {
    const std::vector<AlgorithmInfo>& all = task_.algorithms;
    const std::vector<PortModel> models =
        base_.port_model ? std::vector{*base_.port_model} : models_of(all);
    for (const PortModel& model : models) {
      base_.port_model = contest_.model = model;
      contest_.left_out.clear();
      names_.clear();
      add_all(all);
      if (!contest_.entries.empty()) return std::move(contest_);
    }
    const auto& left_out = contest_.left_out;
    throw invalid(
        "{} {}: no algorithm for the port model {} can be ranked{}", contest_.topology,
        name_of(contest_.operation), models.front().name,
        left_out.empty() ? "" : "; " + left_out.front().algorithm + ": " + left_out.front().reason);
  }

 private:
  /// Those first that declare the port model: others are tried only if they might be better.
  void add_all(std::vector<AlgorithmInfo> all) {
    if (!is_small_)  // as `run` does: the first one is planned
      std::stable_partition(all.begin(), all.end(), [&](const AlgorithmInfo& info) {
        return info.model.sends == contest_.model.sends;
      });
    for (const bool declared : {true, false}) {
      if (!declared) find_optimum();
      for (const AlgorithmInfo& info : all)
        if (contest_.model.admits(info.model) == declared) add(info);
    }
    if (!contest_.entries.empty()) add_parts(all);
  }

  /// Messages in parts, where the request does not say how many: a few messages are balanced so.
  void add_parts(const std::vector<AlgorithmInfo>& all) {
    constexpr std::uint64_t most_parts = 16;
    if (base_.settings.find(parts_parameter.name) != nullptr) return;
    const std::vector<ComparedRuns::LeftOut> left_out = contest_.left_out;
    as_asked_ = false;
    for (std::uint64_t parts = 2; parts <= most_parts; parts *= 2) {
      base_.settings[parts_parameter.name] = parts;
      base_.pattern = {};
      try {
        base_.pattern = fixed_pattern(base_);
      } catch (const InvalidParameter&) {
        break;  // blocks of fewer bytes
      }
      for (const AlgorithmInfo& info : all)
        if (parameter_of(info.parameters, parts_parameter.name) != nullptr &&
            contest_.model.admits(info.model) && !has_own_file(request_for(info, base_)))
          add(info);
    }
    contest_.left_out = left_out;
  }

  void add(const AlgorithmInfo& info) {
    const auto leave_out = [&](const std::string& reason) {
      contest_.left_out.push_back({std::string(info.name), reason});
    };
    if (limits_.stop.stop_requested()) return;
    if (limits_.display != nullptr)
      limits_.display->announce(fmt::format("{}: variants of {}", contest_.topology, info.name));
    const bool declared = contest_.model.admits(info.model);
    if (!declared && !may_be_tried(info)) return;
    if (info.plans_every_node && !is_small_ && !contest_.entries.empty())
      return leave_out(fmt::format("not planned because {}", catalog::too_many_ports));
    const RunRequest plain = request_for(info, base_);
    const auto add_variants = [&] {
      const std::size_t before = contest_.entries.size();
      why_not_.clear();
      for (RunRequest& request : all_variants(plain)) add(std::move(request), info, declared);
      if (!declared && contest_.entries.size() == before)
        leave_out(fmt::format("needs the port model {}{}", info.model.name, why_not_));
    };
    const Problem problem = problem_of(add_variants, "its plan needs more memory than there is");
    if (problem.exit == Exit::bad_request && has_own_file(plain))
      throw InvalidParameter(problem.text);
    if (problem.exit != Exit::ok) leave_out(problem.text);
    if (limits_.display != nullptr) limits_.display->clear();
  }

  /// Else it is left out.
  [[nodiscard]] bool may_be_tried(const AlgorithmInfo& info) {
    if (is_small_ && optimum_.empty() && !info.own_model_only) return true;
    const std::string why =
        info.own_model_only
            ? std::string()
            : not_tried(optimum_.empty() ? std::string(catalog::too_many_ports)
                                         : fmt::format("{} reaches the lower bounds", optimum_));
    contest_.left_out.push_back(
        {std::string(info.name), fmt::format("needs the port model {}{}", info.model.name, why)});
    return false;
  }

  [[nodiscard]] std::string not_tried(const std::string& why) const {
    return fmt::format("; not tried under {} because {}", contest_.model.name, why);
  }

  /// A variant than which none takes less time, at any t_s and t_m.
  void find_optimum() {
    optimum_.clear();
    if (contest_.entries.empty()) return;
    const ContestEntry& entry = contest_.entries[contest_.best({.t_s = 1})];
    const auto run = prepare(entry.request, false);
    const auto& bound = run->forecast().lower_bound;
    if (bound && catalog::is_never_behind({entry.charged}, {bound->least})) optimum_ = entry.name;
  }

  void add(RunRequest request, const AlgorithmInfo& info, bool declared) {
    const std::string name = fmt::format(
        "{}{}", info.name, phrases_of(info.parameters, request.settings, request.topology));
    if (!names_.insert(name).second) return;  // as by a word that stands for a number
    std::optional<catalog::Promise> promise;
    try {
      promise = catalog::promise_of(request);
    } catch (const InvalidParameter&) {
      if (has_own_file(request)) throw;
      return;  // the algorithm refuses the settings
    }
    const bool counted = !promise;
    if (counted) {
      constexpr double most_count_seconds = 5;
      const catalog::Trial trial = catalog::trial_of(request, most_count_seconds, limits_.stop);
      if (!trial.counted) return leave_out_uncounted(name, trial, declared);
      promise = trial.counted;
    } else if (!declared && !is_lawful(request, {promise->charged, false})) {
      return;
    }
    contest_.entries.push_back({.request = std::move(request),
                                .name = name,
                                .charged = promise->charged,
                                .parts = promise->parts,
                                .counted = counted,
                                .declared = declared,
                                .is_own_model = info.model == contest_.model,
                                .as_asked = as_asked_});
  }

  /// No closed form is known, and no run counted the cost.
  void leave_out_uncounted(const std::string& name, const catalog::Trial& trial, bool declared) {
    using Outcome = catalog::Trial::Outcome;
    if (!declared && trial.outcome == Outcome::unlawful) return;
    if (!declared) return say_why_not(trial);
    contest_.left_out.push_back(
        {name, trial.outcome == Outcome::refused ? trial.reason
               : trial.outcome == Outcome::unlawful
                   ? "its run breaks rules of the port model " + std::string(contest_.model.name)
                   : "no closed form is known to rank it by, and " + trial.reason});
  }

  /// A variant of an algorithm that needs another port model was not settled.
  void say_why_not(const catalog::Trial& trial) {
    using Outcome = catalog::Trial::Outcome;
    if (trial.outcome == Outcome::not_tried) why_not_ = not_tried(trial.reason);
    if (trial.outcome == Outcome::refused)
      why_not_ = fmt::format("; refused under {}: {}", contest_.model.name, trial.reason);
  }

  /// Whether a variant keeps the rules. It is tried only if it might be better than all variants
  /// that are known to be lawful.
  [[nodiscard]] bool is_lawful(const RunRequest& request, const catalog::Ranked& rank) {
    for (std::size_t i = 0; i < contest_.entries.size(); ++i)
      if (is_never_behind(contest_.rank(i), rank)) {
        why_not_ = not_tried(fmt::format("it is never faster than {}", contest_.entries[i].name));
        return false;
      }
    const catalog::Trial trial =
        catalog::trial_of(request, catalog::most_trial_seconds, limits_.stop);
    say_why_not(trial);
    return trial.outcome == catalog::Trial::Outcome::lawful;
  }

  Task task_;
  RunRequest base_;
  const ContestLimits& limits_;
  Contest contest_{};
  std::set<std::string> names_{};  // of the variants so far
  bool is_small_ = catalog::plans_are_small(base_);
  bool as_asked_ = true;
  std::string optimum_{};  // its name; empty: there is none
  std::string why_not_{};  // a variant of the algorithm was not tried
};

/// The entries whose seconds are known, the least first.
[[nodiscard]] std::vector<std::size_t> order_by(const Contest& contest,
                                                std::optional<double> ContestEntry::*seconds) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < contest.entries.size(); ++i)
    if (contest.entries[i].*seconds) order.push_back(i);
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return *(contest.entries[i].*seconds); });
  return order;
}

/// "k = 3,2, batch 4" are three.
[[nodiscard]] std::size_t values_given(const Settings& settings) {
  std::size_t values = 0;
  for (const auto& [name, value] : settings) {
    const auto* const list = std::get_if<Numbers>(&value);
    values += list == nullptr ? 1 : list->size();
  }
  return values;
}

/// The variants with the least predicted seconds. If predictions differ by less than the error of
/// the model, variants with fewer values of parameters come first: batches do not crowd out all
/// others.
[[nodiscard]] std::vector<std::size_t> to_measure(const Contest& contest,
                                                  std::vector<std::size_t> order,
                                                  std::size_t most) {
  constexpr double error = 0.15;
  const auto seconds = [&](std::size_t i) { return *contest.entries[i].predicted_seconds; };
  const auto clearly_longer = std::ranges::find_if(
      order, [&](std::size_t i) { return seconds(i) > (1 + error) * seconds(order.front()); });
  std::stable_sort(order.begin(), clearly_longer, [&](std::size_t a, std::size_t b) {
    return values_given(contest.entries[a].request.settings) <
           values_given(contest.entries[b].request.settings);
  });
  order.resize(std::min(most, order.size()));
  return order;
}

}  // namespace

std::vector<catalog::Ranked> Contest::ranks_as_asked() const {
  std::vector<catalog::Ranked> ranks;
  for (std::size_t i = 0; i < entries.size() && entries[i].as_asked; ++i) ranks.push_back(rank(i));
  return ranks;
}

std::size_t Contest::best(const CostParameters& costs) const {
  return catalog::first_of(ranks_as_asked(), costs, block_bytes);
}

std::vector<std::size_t> Contest::ranking(const CostParameters& costs) const {
  return catalog::ranking_of(ranks_as_asked(), costs, block_bytes);
}

std::optional<std::size_t> Contest::better_in_parts(const CostParameters& costs) const {
  std::size_t first = best(costs);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!entries[i].as_asked &&
        takes_less_time(entries[i].charged, entries[first].charged, costs, block_bytes))
      first = i;
  return entries[first].as_asked ? std::nullopt : std::optional(first);
}

Contest contest_for(const RunRequest& base, const ContestLimits& limits) {
  return ContestMaker(base, limits).made();
}

double rank_agreement(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  const auto place = [&](std::size_t thing) { return std::ranges::find(b, thing) - b.begin(); };
  double sum = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = i + 1; j < a.size(); ++j, ++pairs)
      sum += place(a[i]) < place(a[j]) ? 1 : -1;
  return pairs > 0 ? sum / pairs : 1;
}

HostRanking rank_on_host(Contest& contest, const Calibration& calibration, std::size_t most,
                         std::uint64_t repeats, const ContestLimits& limits) {
  HostRanking ranking;
  for (ContestEntry& entry : contest.entries) {
    if (limits.stop.stop_requested() || !entry.as_asked) break;
    const auto run = prepare(entry.request, false);
    const RunForecast& forecast = run->forecast();
    if (!forecast.fits() || forecast.rough_seconds > 3600 * entry.request.max_hours) continue;
    entry.predicted_seconds = calibration.seconds(forecast, catalog::expected_work(forecast));
  }
  ranking.predicted = order_by(contest, &ContestEntry::predicted_seconds);
  const std::vector<std::size_t> chosen = to_measure(contest, ranking.predicted, most);
  std::vector<RunRequest> requests;
  for (const std::size_t i : chosen) requests.push_back(contest.entries[i].request);
  RunSeries series(requests, {.repeats = repeats, .stop = limits.stop, .display = limits.display});
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Measured run = series.measure(i);
    ranking.exit = worse(ranking.exit, run.exit);
    if (run.interrupted()) break;
    if (run.result) contest.entries[chosen[i]].measured_seconds = run.step_seconds;
  }
  ranking.measured = order_by(contest, &ContestEntry::measured_seconds);
  std::vector<std::size_t> first;
  std::ranges::copy_if(ranking.predicted, std::back_inserter(first), [&](std::size_t i) {
    return contest.entries[i].measured_seconds.has_value();
  });
  ranking.agreement = rank_agreement(first, ranking.measured);
  return ranking;
}

MapGrid usual_grid() {
  MapGrid grid;
  for (double ratio = 1e-3; ratio < 2e6; ratio *= 10) grid.ratios.push_back(ratio);
  for (std::uint64_t bytes = 8; bytes <= 65536; bytes *= 8) grid.block_bytes.push_back(bytes);
  return grid;
}

std::vector<MapCell> winner_map(const Contest& contest, const MapGrid& grid) {
  const std::size_t own_bytes = std::max<std::size_t>(contest.block_bytes, 1);
  std::vector<MapCell> cells;
  for (const std::uint64_t bytes : grid.block_bytes) {
    std::vector<catalog::Ranked> ranks = contest.ranks_as_asked();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      Cost& charged = ranks[i].charged;
      const std::uint64_t parts = contest.entries[i].parts;
      charged.message_times =
          charged.message_times * Fraction(own_bytes, padded_bytes(own_bytes, parts));
      charged = with_padding(charged, bytes, parts);
    }
    const double longer = static_cast<double>(bytes) / static_cast<double>(own_bytes);
    for (const double ratio : grid.ratios) {
      const CostParameters costs{.t_s = ratio, .t_m = longer};
      const std::size_t best = catalog::first_of(ranks, costs, bytes);
      cells.push_back({ratio, bytes, best, predicted(ranks[best].charged, costs, bytes)});
    }
  }
  std::ranges::stable_sort(cells, {}, [&](const MapCell& cell) {
    return std::ranges::find(grid.ratios, cell.ratio) - grid.ratios.begin();
  });
  return cells;
}

}  // namespace lockstep::study
