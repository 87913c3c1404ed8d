// SPDX-License-Identifier: Apache-2.0

/// What a request leaves open, by the exact costs that the algorithms promise.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/candidates.hpp"
#include "catalog/choice.hpp"
#include "catalog/refused_algorithm.hpp"
#include "core/joined.hpp"
#include "lockstep/core/errors.hpp"
#include "report/quantities.hpp"

namespace lockstep::catalog {

namespace {

template <class Predicate>
[[nodiscard]] Lines only(const Lines& lines, const Predicate& wanted) {
  Lines chosen = lines;
  std::erase_if(chosen, [&](const CatalogLine* line) { return !wanted(*line); });
  return chosen;
}

[[nodiscard]] const CatalogLine* named(const Lines& found, const RunRequest& request) {
  std::vector<std::string_view> names;
  for (const CatalogLine* line : found) {
    if (line->entry.info.name == request.algorithm) return line;
    names.push_back(line->entry.info.name);
  }
  throw InvalidParameter(refused_algorithm(request, names));
}

/// Where a setting selects the algorithm.
[[nodiscard]] bool is_selected_by(const CatalogLine& line, const Settings& settings) {
  return std::ranges::any_of(settings, [&](const Settings::Entry& entry) {
    const Parameter* const parameter = parameter_of(line.entry.info.parameters, entry.first);
    return parameter != nullptr && parameter->selects_algorithm;
  });
}

[[nodiscard]] bool takes_all(const CatalogLine& line, const Settings& settings) {
  return std::ranges::all_of(settings, [&](const Settings::Entry& entry) {
    return parameter_of(line.entry.info.parameters, entry.first) != nullptr;
  });
}

/// "phases, first-fit (all-port); up-first (single-port-send)".
[[nodiscard]] std::string with_port_models(const Lines& lines) {
  std::vector<std::string> groups;
  for (const PortModel& model : port_models::all) {
    std::vector<std::string_view> names;
    for (const CatalogLine* line : lines)
      if (line->entry.info.model == model) names.push_back(line->entry.info.name);
    if (!names.empty()) groups.push_back(fmt::format("{} ({})", joined(names, ", "), model.name));
  }
  return joined(groups, "; ");
}

/// What is known to run there. A plan of the user's own says for itself what it needs.
[[nodiscard]] Lines admitted(const Lines& lines, const RunRequest& request) {
  if (!request.port_model) return lines;
  Lines left = only(lines, [&](const CatalogLine& line) {
    return !runs_by_itself(line) || request.port_model->admits(line.entry.info.model);
  });
  if (!left.empty()) return left;
  throw InvalidParameter(fmt::format(
      "{} {}: no algorithm for the port model {}; available, with the port models they need: {}",
      request.topology.name(), name_of(request.operation), request.port_model->name,
      with_port_models(lines)));
}

/// Nobody knows whether an operation of the user's own commutes: algorithms that keep the order of
/// the processors stand before those that do not.
[[nodiscard]] Lines combining(const Lines& lines, const RunRequest& request) {
  if (!request.combine) return lines;
  Lines ordered = only(lines, [](const CatalogLine& line) { return !line.entry.info.commutative; });
  return ordered.empty() ? lines : ordered;
}

/// A machine for every port model that one of them needs, and all that run there.
[[nodiscard]] std::vector<Candidates> on_their_machines(const Lines& lines) {
  std::vector<Candidates> machines;
  for (const CatalogLine* line : lines) {
    const PortModel& model = line->entry.info.model;
    if (std::ranges::find(machines, model, &Candidates::port_model) != machines.end()) continue;
    const auto runs = [&](const CatalogLine& other) {
      return model.admits(other.entry.info.model);
    };
    machines.push_back({only(lines, runs), model});
  }
  return machines;
}

/// An exchange made for a family moves each block alone, in as few steps as there can be. Routes
/// for any network combine blocks instead, which is cheaper where start-ups are expensive. Unless
/// the user says that they are, these compete only where no algorithm made for a family can run.
[[nodiscard]] std::vector<Candidates> own_family_first(std::vector<Candidates> machines,
                                                       const RunRequest& request) {
  const CostParameters usual = RunRequest{}.costs;
  const bool assumed =
      request.costs.assumed && request.costs.t_s == usual.t_s && request.costs.t_m == usual.t_m;
  if (request.operation != Operation::total_exchange || !assumed) return machines;
  const auto suits_any = [](const CatalogLine& line) { return line.suits_any; };
  const auto of_a_family = [](const CatalogLine* line) { return !line->entry.info.general; };
  std::vector<Candidates> parted;
  for (Candidates& machine : machines) {
    Lines others = only(machine.lines, suits_any);
    if (!others.empty() && std::ranges::any_of(machine.lines, of_a_family)) {
      parted.push_back({only(machine.lines, std::not_fn(suits_any)), machine.port_model, true});
      machine.lines = std::move(others);
    }
    parted.push_back(std::move(machine));
  }
  return parted;
}

}  // namespace

bool runs_by_itself(const CatalogLine& line) {
  return std::ranges::none_of(line.entry.info.parameters, &Parameter::required);
}

std::vector<Candidates> candidates_of(const Lines& found, const RunRequest& request) {
  if (!request.algorithm.empty()) return {{{named(found, request)}, request.port_model}};
  const Lines selected =
      only(found, [&](const CatalogLine& line) { return is_selected_by(line, request.settings); });
  const Lines open = selected.empty() ? only(found, runs_by_itself) : selected;
  if (open.empty()) return {};
  Lines fitting =
      only(open, [&](const CatalogLine& line) { return takes_all(line, request.settings); });
  if (fitting.empty()) return {{{open.front()}, request.port_model}};  // which says why
  fitting = combining(admitted(fitting, request), request);
  if (!selected.empty()) return {{{fitting.front()}, request.port_model}};
  std::vector<Candidates> machines = request.port_model
                                         ? std::vector{Candidates{fitting, request.port_model}}
                                         : on_their_machines(fitting);
  for (Candidates& machine : machines) {
    Lines left = only(machine.lines, [&](const CatalogLine& line) {
      return unfilled_parts(line.entry.info, request).empty();
    });
    if (!left.empty()) machine.lines = std::move(left);
  }
  return own_family_first(std::move(machines), request);
}

namespace {

/// Runs that take more leave a host little else: they are chosen where all take more.
constexpr std::uint64_t roomy_bytes = std::uint64_t{4} << 30U;

/// How far a choice comes that is refused.
enum class Stage : std::uint8_t { none, channel, settings, plan, run };

/// Why there is no run, if there is none: the refusal of the choice that came furthest, of equals
/// the first.
struct Refusal {
  Stage stage = Stage::none;
  std::exception_ptr why{};
};

/// Whether `choose` went through: what refuses the request, or takes more memory than there is, is
/// no choice.
template <class Choose>
bool possible(Stage stage, Refusal& refusal, const Choose& choose) {
  const auto drop = [&] {
    if (refusal.stage < stage) refusal = {stage, std::current_exception()};
    return false;
  };
  try {
    choose();
    return true;
  } catch (const InvalidParameter&) {
    return drop();
  } catch (const ResourceExhausted&) {
    return drop();
  } catch (const std::bad_alloc&) {  // its plan alone takes more than there is
    return drop();
  }
}

/// What there is to choose from, and what is promised of it.
struct Offer {
  const CatalogLine* line = nullptr;
  Settings chosen{};
  double time = 0;  ///< more than any where nothing is known

  [[nodiscard]] std::string name() const {
    const AlgorithmInfo& info = line->entry.info;
    return std::string(info.name) + phrases_of(info.parameters, chosen);
  }
};

[[nodiscard]] Settings with(Settings settings, const Settings& chosen) {
  for (const auto& [name, value] : chosen) settings[name] = value;
  return settings;
}

/// Memory that choices should not exceed.
[[nodiscard]] std::uint64_t room_of(const RunForecast& run, const RunRequest& request) {
  return request.memory_limit != 0 ? run.available_bytes
                                   : std::min(run.available_bytes, roomy_bytes);
}

[[nodiscard]] bool fits(const RunForecast& run, const RunRequest& request) {
  return run.memory_bytes <= room_of(run, request);
}

/// Of an algorithm that promises nothing, a start-up and a block in each step of its plan, where
/// `plans` says that the plan may be made.
[[nodiscard]] double time_of(const Choice& choice, const RunRequest& request, bool plans) {
  std::optional<Cost> cost = promised(choice);
  if (!cost && plans)
    if (const std::uint64_t steps = choice.instance.algorithm->footprint().steps; steps != 0)
      cost = Cost{steps, steps};
  return cost ? predicted(*cost, request.costs, definite_block_bytes(request))
              : std::numeric_limits<double>::infinity();
}

/// Whether plans take a small part of the time of a run.
[[nodiscard]] bool plans_are_small(const RunRequest& request) {
  const AnyTopology& network = request.topology;
  const std::uint64_t most =
      is_all_to_all(request.operation) ? most_planned_ports_of_all_to_all : most_planned_ports;
  return network.node_count() <= most / std::max<std::uint64_t>(network.max_degree(), 1);
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

/// One machine: which algorithm, with which settings.
class Selection {
 public:
  Selection(const Candidates& machine, const RunRequest& request, Refusal& refusal)
      : machine_(machine), request_(request), refusal_(refusal) {
    request_.port_model = machine.port_model;
    const bool all = plans_are_small(request_);
    for (const CatalogLine* line : all ? machine.lines : first_with_all_ports(machine))
      if (all || line->by_formula || offers_.empty()) add(line);
    std::ranges::stable_sort(offers_, {}, &Offer::time);
  }

  /// The least time that fits; where none does, the least time.
  [[nodiscard]] std::optional<Choice> best() {
    std::optional<Choice> least;
    for (std::size_t i = 0; i < offers_.size();) {
      Choice made = made_for(offers_[i]);
      if (!estimated(made)) {
        offers_.erase(offers_.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      if (fits(made.forecast, request_)) {
        made.forecast.picked = reason_for(i, i, room_of(made.forecast, request_));
        return made;
      }
      if (!least) least = std::move(made);
      ++i;
    }
    if (least)
      least->forecast.picked = reason_for(0, offers_.size(), room_of(least->forecast, request_));
    return least;
  }

 private:
  /// What the algorithm leaves open, all of it.
  void add(const CatalogLine* line) {
    constexpr double most = 1e12;  // blocks are all but free
    const CostParameters& costs = request_.costs;
    const double startup_blocks = costs.t_m * most > costs.t_s ? costs.t_s / costs.t_m : most;
    std::vector<Settings> open;
    const bool can = possible(Stage::channel, refusal_,
                              [&] { check_channel(request_, line->program, line->entry.info); }) &&
                     possible(Stage::settings, refusal_, [&] {
                       if (line->entry.info.plans_every_node)
                         check_least_memory(line->entry.info, line->program, request_);
                       open = line->choices(request_.topology, request_.settings, request_.pattern,
                                            startup_blocks);
                     });
    if (!can) return;
    if (open.empty()) open.emplace_back();
    for (Settings& settings : open) add({line, std::move(settings)});
  }

  /// The instance of the least time so far is kept: most often it is the one that is used.
  void add(Offer offer) {
    Choice made = choice_of(offer);
    if (!possible(Stage::plan, refusal_, [&] {
          made.instance = offer.line->make(request_.topology, made.settings, request_.pattern);
          offer.time = time_of(made, request_, offers_.empty());
        }))
      return;
    if (kept_.line == nullptr || offer.time < kept_time_) {
      kept_ = std::move(made);
      kept_time_ = offer.time;
    }
    offers_.push_back(std::move(offer));
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
    return possible(Stage::run, refusal_, [&] {
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
    if (chosen.time == std::numeric_limits<double>::infinity()) return {};
    std::string text = fmt::format("{}: predicted time {}, the least of {} {}candidates",
                                   chosen.name(), report::number_text(chosen.time), offers_.size(),
                                   machine_.own_family ? "specialised " : "");
    if (too_large != 0)
      text += fmt::format(", {} of which {} more than {} of memory", too_large,
                          too_large == 1 ? "needs" : "need", report::bytes_text(room));
    const auto after = offers_.begin() + static_cast<std::ptrdiff_t>(best) + 1;
    auto next = std::find_if(after, offers_.end(),
                             [&](const Offer& offer) { return offer.line != chosen.line; });
    if (next == offers_.end()) next = after;
    if (next == offers_.end() || next->time == std::numeric_limits<double>::infinity()) return text;
    return text + fmt::format(" (next: {}, {})", next->name(), report::number_text(next->time));
  }

  const Candidates& machine_;
  RunRequest request_;
  Refusal& refusal_;
  std::vector<Offer> offers_{};  ///< the least time first
  Choice kept_{};
  double kept_time_ = 0;
};

}  // namespace

Choice cheapest(std::span<const Candidates> machines, const RunRequest& request) {
  Refusal refusal;
  std::optional<Choice> first;
  for (const Candidates& machine : machines) {
    if (first && first->port_model != machine.port_model) break;
    std::optional<Choice> choice = Selection(machine, request, refusal).best();
    if (choice && fits(choice->forecast, request)) return *std::move(choice);
    if (choice && !first) first = std::move(choice);
  }
  if (first) return *std::move(first);
  std::rethrow_exception(refusal.why);
}

}  // namespace lockstep::catalog
