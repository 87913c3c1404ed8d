// SPDX-License-Identifier: Apache-2.0

/// Selects what a request leaves open, by the exact costs that the algorithms promise.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/placement.hpp"
#include "catalog/candidates.hpp"
#include "catalog/choice.hpp"
#include "catalog/open_variants.hpp"
#include "catalog/ranking.hpp"
#include "catalog/trial.hpp"
#include "core/joined.hpp"
#include "lockstep/core/errors.hpp"
#include "report/quantities.hpp"

namespace lockstep::catalog {

namespace {

/// Runs that take more leave a host little else: they are chosen where all take more.
constexpr std::uint64_t roomy_bytes = std::uint64_t{4} << 30U;

/// How far a refused choice comes. `network`: no plan for it, though the user asked for a channel.
enum class Stage : std::uint8_t { none, network, channel, settings, plan, run };

/// Why there is no run, if there is none: the refusal of the choice that came furthest, of equals
/// the first.
struct Refusal {
  Stage stage = Stage::none;
  std::exception_ptr why{};
};

/// Whether `choose` went through: what refuses the request, or takes more memory than there is, is
/// no choice.
template <class Choose>
bool possible(Stage stage, Stage if_invalid, Refusal& refusal, const Choose& choose) {
  const auto drop = [&](Stage reached) {
    if (refusal.stage < reached) refusal = {reached, std::current_exception()};
    return false;
  };
  try {
    choose();
    return true;
  } catch (const InvalidParameter&) {
    return drop(if_invalid);
  } catch (const ResourceExhausted&) {
    return drop(stage);
  } catch (const std::bad_alloc&) {  // its plan alone takes more than there is
    return drop(stage);
  }
}
template <class Choose>
bool possible(Stage stage, Refusal& refusal, const Choose& choose) {
  return possible(stage, stage, refusal, choose);
}

/// The source of a cost. `steps`: a start-up and a block in each step of the plan.
enum class Basis : std::uint8_t { closed_form, trial, steps };

/// An algorithm with settings, and its cost as far as it is known.
struct Offer {
  const CatalogLine* line = nullptr;
  Settings chosen{};
  std::optional<Ranked> rank{};  ///< empty: nothing is known of its cost
  Basis basis{};                 ///< of the rank

  [[nodiscard]] std::string name() const {
    const AlgorithmInfo& info = line->entry.info;
    return std::string(info.name) + phrases_of(info.parameters, chosen);
  }
};

/// Memory that choices should not exceed.
[[nodiscard]] std::uint64_t room_of(const RunForecast& run, const RunRequest& request) {
  return request.memory_limit != 0 ? run.available_bytes
                                   : std::min(run.available_bytes, roomy_bytes);
}

[[nodiscard]] bool fits(const RunForecast& run, const RunRequest& request) {
  return run.memory_bytes <= room_of(run, request);
}

/// The plan of a large network is made for the first algorithm only: on a machine that has all
/// ports, an algorithm that uses them.
[[nodiscard]] Lines first_with_all_ports(const Candidates& machine) {
  Lines lines = machine.lines;
  if (machine.port_model)
    std::stable_partition(lines.begin(), lines.end(), [&](const CatalogLine* line) {
      return line->entry.info.model.sends == machine.port_model->sends;
    });
  return lines;
}

/// Whether no algorithm takes less time on the machine of this run.
[[nodiscard]] bool is_at_bound(const RunForecast& run, const Cost& charged,
                               const RunRequest& request) {
  return run.lower_bound && !takes_less_time(run.lower_bound->least, charged, request.costs,
                                             definite_block_bytes(request));
}

/// One machine: which algorithm, with which settings.
class Selection {
 public:
  Selection(const Candidates& machine, const RunRequest& request, Refusal& refusal)
      : machine_(machine),
        request_(request),
        of_request_(&refusal),
        refusal_(&refusal),
        block_bytes_(definite_block_bytes(request)),
        opens_(opens_variants(request)),
        all_(plans_are_small(request)) {
    request_.port_model = machine.port_model;
    for (const CatalogLine* line : all_ ? machine.lines : first_with_all_ports(machine)) {
      const bool declared = machine.declares(line->entry.info);
      if (declared && (all_ || line->by_formula || offers_.empty()))
        add(line, offers_);
      else if (!all_)
        not_planned_.push_back(line->entry.info.name);
    }
    sort(offers_);
  }

  /// The first of the ranking that fits; where none does, the first one.
  [[nodiscard]] std::optional<Choice> best() {
    std::optional<Choice> choice = best_declared();
    const bool is_ranked = place_ < offers_.size() && offers_[place_].rank;
    if (choice && is_ranked &&
        is_at_bound(choice->forecast, offers_[place_].rank->charged, request_))
      return choice;
    if (all_ && (!choice || is_ranked))
      if (std::optional<Choice> other = best_of_others()) choice = std::move(other);
    if (!choice) return choice;
    std::string& picked = choice->forecast.picked;
    const std::string others = not_considered();
    if (picked.empty() && !others.empty()) picked = choice->line->entry.info.name;
    picked += others;
    return choice;
  }

  /// Algorithms that might be better, but whose plan or trial takes too long.
  [[nodiscard]] std::string not_considered() const {
    std::string text;
    if (!not_planned_.empty())
      text =
          fmt::format("; not planned because {}: {}", too_many_ports, joined(not_planned_, ", "));
    if (!not_tried_.empty())
      text += fmt::format("; not tried under {}: {}", machine_.port_model->name,
                          joined(not_tried_, ", "));
    return text;
  }

 private:
  /// Algorithms of papers that are known to lose blocks run where they are asked for by name.
  [[nodiscard]] bool loses_blocks(const RunForecast& run) const {
    return request_.algorithm.empty() && run.footprint.deliveries != 0 &&
           run.footprint.deliveries < run.expected_messages();
  }

  [[nodiscard]] std::optional<Choice> best_declared() {
    std::optional<Choice> least;
    for (std::size_t i = 0; i < offers_.size();) {
      Choice made = made_for(offers_[i]);
      if (!estimated(made) || loses_blocks(made.forecast)) {
        offers_.erase(offers_.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      if (fits(made.forecast, request_)) {
        made.forecast.picked = reason_for(i, i, room_of(made.forecast, request_));
        place_ = i;
        return made;
      }
      if (!least) least = std::move(made);
      ++i;
    }
    if (least)
      least->forecast.picked = reason_for(0, offers_.size(), room_of(least->forecast, request_));
    place_ = offers_.size();
    return least;
  }

  /// Tries algorithms that declare a stronger port model, if they are ranked before the best of the
  /// others.
  [[nodiscard]] std::optional<Choice> best_of_others() {
    Refusal of_others;  // says nothing of the request, but for the channel
    refusal_ = &of_others;
    std::vector<Offer> others;
    for (const CatalogLine* line : machine_.lines)
      if (!machine_.declares(line->entry.info) && !line->entry.info.own_model_only)
        add(line, others);
    sort(others);
    for (const Offer& other : others) {
      if (!other.rank) break;
      if (place_ < offers_.size() && precedes(offers_[place_], other)) break;
      Choice made = made_for(other);
      if (!estimated(made) || !fits(made.forecast, request_)) continue;
      const Trial::Outcome outcome = trial_of(made, request_, most_trial_seconds).outcome;
      if (outcome == Trial::Outcome::not_tried) not_tried_.push_back(other.name());
      if (outcome != Trial::Outcome::lawful) continue;
      const std::size_t place = std::min(place_, offers_.size());
      offers_.insert(offers_.begin() + static_cast<std::ptrdiff_t>(place), other);
      made.forecast.picked = reason_for(place, place, room_of(made.forecast, request_));
      return made;
    }
    return std::nullopt;
  }

  template <class Plan>
  [[nodiscard]] bool can_plan(const Plan& plan) {
    const bool asked = request_.channel != ChannelKind::automatic && request_.settings.empty();
    return possible(Stage::plan, asked ? Stage::network : Stage::plan, *refusal_, plan);
  }

  /// If the request names an algorithm, only the number of parts is open, at costs that the user
  /// gave.
  [[nodiscard]] bool opens(const CatalogLine& line) const {
    return opens_ || (!request_.costs.assumed && line.entry.info.own_model_only &&
                      request_.settings.find(parts_parameter.name) == nullptr);
  }

  /// Adds all variants that the request leaves open.
  void add(const CatalogLine* line, std::vector<Offer>& offers) {
    constexpr double most = 1e12;  // blocks are all but free
    const CostParameters& costs = request_.costs;
    const double startup_blocks = costs.t_m * most > costs.t_s ? costs.t_s / costs.t_m : most;
    std::vector<Settings> open;
    AlgorithmInstance plain{};
    const bool can = possible(Stage::channel, *of_request_,
                              [&] { check_channel(request_, line->program, line->entry.info); }) &&
                     possible(Stage::settings, *refusal_,
                              [&] {
                                if (line->entry.info.plans_every_node)
                                  check_least_memory(line->entry.info, line->program, request_);
                                open = line->choices(request_.topology, request_.settings,
                                                     request_.pattern, startup_blocks);
                              }) &&
                     (!opens(*line) || !open.empty() || can_plan([&] {
                       plain = line->make(request_.topology, request_.settings, request_.pattern);
                       open = in_one_list(open_variants(*line, *plain.algorithm, request_));
                     }));
    if (!can) return;
    // Only the user knows where blocks may be cut for an operator of their own: no number of parts
    // is selected.
    if (request_.combine && line->entry.info.own_model_only) open.clear();
    if (open.empty()) open.emplace_back();
    for (Settings& settings : open) {
      AlgorithmInstance made = settings.empty() ? plain : AlgorithmInstance{};
      add({line, std::move(settings)}, std::move(made), offers);
    }
  }

  /// The instance of the least time so far is kept: most often it is the one that is used.
  void add(Offer offer, AlgorithmInstance instance, std::vector<Offer>& offers) {
    Choice made = choice_of(offer);
    made.instance = std::move(instance);
    if (!can_plan([&] {
          if (made.instance.algorithm == nullptr)
            made.instance = offer.line->make(request_.topology, made.settings, request_.pattern);
          set_rank(offer, made, offers.empty());
        }))
      return;
    if (kept_.line == nullptr || precedes(offer, kept_offer_)) {
      kept_ = std::move(made);
      kept_offer_ = offer;
    }
    offers.push_back(std::move(offer));
  }

  /// The cost is that of the closed form, or is counted by a trial. If a trial takes too long, the
  /// first offer counts as a start-up and a block in each step of its plan.
  void set_rank(Offer& offer, const Choice& choice, bool is_first) const {
    const bool declared = machine_.declares(choice.line->entry.info);
    const auto set = [&](const Cost& charged, Basis basis) {
      offer.rank = Ranked{charged, declared};
      offer.basis = basis;
    };
    if (const auto promise = promised(choice, request_.topology, block_bytes_))
      return set(promise->charged, Basis::closed_form);
    if (opens_ && all_)
      if (const Trial trial = trial_of(choice, request_, most_trial_seconds); trial.counted)
        return set(trial.counted->charged, Basis::trial);
    if (!is_first) return;
    const std::uint64_t steps = choice.instance.algorithm->steps();
    if (steps != 0) set(Cost{steps, steps}, Basis::steps);
  }

  [[nodiscard]] bool precedes(const Offer& a, const Offer& b) const {
    if (!a.rank || !b.rank) return a.rank.has_value() && !b.rank;
    return ranks_before(*a.rank, *b.rank, request_.costs, block_bytes_);
  }
  void sort(std::vector<Offer>& offers) const {
    std::ranges::stable_sort(offers,
                             [&](const Offer& a, const Offer& b) { return precedes(a, b); });
  }

  [[nodiscard]] Choice choice_of(const Offer& offer) const {
    return {.line = offer.line,
            .settings = with(request_.settings, offer.chosen),
            .port_model = machine_.port_model};
  }

  [[nodiscard]] Choice made_for(const Offer& offer) {
    Choice choice = choice_of(offer);
    if (kept_.line == offer.line && kept_.settings == choice.settings)
      return std::exchange(kept_, Choice{});
    return choice;
  }

  [[nodiscard]] bool estimated(Choice& choice) {
    return possible(Stage::run, *refusal_, [&] {
      if (choice.instance.algorithm == nullptr)
        choice.instance = choice.line->make(request_.topology, choice.settings, request_.pattern);
      choice.forecast = forecast_for(choice, request_);
    });
  }

  /// Says which one is best, how much the next algorithm would take, or, where there is no other,
  /// the next settings, and how many of less time, or all, do not fit.
  [[nodiscard]] std::string reason_for(std::size_t best, std::size_t too_large,
                                       std::uint64_t room) const {
    if (offers_.size() < 2) return {};
    const Offer& chosen = offers_[best];
    if (!chosen.rank) return {};
    std::string text =
        fmt::format("{}: {}, the least of {} {}candidates", chosen.name(), basis_text(chosen),
                    offers_.size(), machine_.own_family ? "specialised " : "");
    if (too_large != 0)
      text += fmt::format(", {} of which {} more than {} of memory", too_large,
                          too_large == 1 ? "needs" : "need", report::bytes_text(room));
    const auto after = offers_.begin() + static_cast<std::ptrdiff_t>(best) + 1;
    auto next = std::find_if(after, offers_.end(),
                             [&](const Offer& offer) { return offer.line != chosen.line; });
    if (next == offers_.end()) next = after;
    if (next == offers_.end() || !next->rank) return text;
    return text + fmt::format(" (next: {}, {})", next->name(), time_text(*next));
  }

  [[nodiscard]] std::string time_text(const Offer& offer) const {
    return report::number_text(predicted(offer.rank->charged, request_.costs, block_bytes_));
  }

  [[nodiscard]] std::string basis_text(const Offer& offer) const {
    const std::string time = time_text(offer);
    if (offer.basis == Basis::trial) return fmt::format("time {} (counted)", time);
    if (offer.basis == Basis::steps) return fmt::format("time {} (at least)", time);
    return "predicted time " + time;
  }

  const Candidates& machine_;
  RunRequest request_;
  Refusal* of_request_;
  Refusal* refusal_;  ///< of the algorithms that are looked at now
  std::size_t block_bytes_;
  bool opens_;
  bool all_;                     ///< every algorithm is planned
  std::vector<Offer> offers_{};  ///< the first of the ranking first
  std::size_t place_ = 0;        ///< of the best one of them; their number where none fits
  std::vector<std::string_view> not_planned_{};
  std::vector<std::string> not_tried_{};
  Choice kept_{};
  Offer kept_offer_{};
};

}  // namespace

bool plans_are_small(const RunRequest& request) {
  const AnyTopology& network = request.topology;
  const std::uint64_t most =
      is_all_to_all(request.operation) ? most_planned_ports_of_all_to_all : most_planned_ports;
  return network.node_count() <= most / std::max<std::uint64_t>(network.max_degree(), 1);
}

Choice cheapest(std::span<const Candidates> machines, const RunRequest& request) {
  Refusal refusal;
  std::optional<Choice> first;
  std::string not_considered;
  for (const Candidates& machine : machines) {
    if (first && first->port_model != machine.port_model) break;
    Selection selection(machine, request, refusal);
    std::optional<Choice> choice = selection.best();
    if (choice && fits(choice->forecast, request)) return *std::move(choice);
    if (choice && !first) first = std::move(choice);
    not_considered += selection.not_considered();
  }
  if (first) return *std::move(first);
  if (refusal.why != nullptr) std::rethrow_exception(refusal.why);
  const Candidates& machine = machines.front();  // breaks the rules by all algorithms
  throw InvalidParameter(no_algorithm_for(*machine.port_model, machine.lines, request) +
                         not_considered);
}

}  // namespace lockstep::catalog
