// SPDX-License-Identifier: Apache-2.0

#include "catalog/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "catalog/check_setting.hpp"
#include "core/joined.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::catalog {

namespace {

template <class Predicate>
[[nodiscard]] Lines only(const Lines& lines, const Predicate& wanted) {
  Lines chosen = lines;
  std::erase_if(chosen, [&](const CatalogLine* line) { return !wanted(*line); });
  return chosen;
}

/// Why a known algorithm is not for the network, or else the operations that it is for.
[[nodiscard]] std::string why_not(const RunRequest& request) {
  SupportedNetworks networks;
  std::vector<std::string_view> operations;
  for (const AlgorithmEntry& entry : algorithm_catalog()) {
    if (entry.info.name != request.algorithm) continue;
    const std::string_view operation = name_of(entry.info.operation);
    if (std::ranges::find(operations, operation) == operations.end())
      operations.push_back(operation);
    if (entry.info.operation == request.operation) networks = networks.or_else(entry.networks);
  }
  return networks.empty() ? fmt::format("implements only {}", joined(operations, ", "))
                          : networks.reason_against(request.topology);
}

/// "torus:3x3 total-exchange: algorithm 'packing' supports only star graphs; allowed here: ..", or
/// the nearest name where there is no such algorithm.
[[nodiscard]] std::string refused_algorithm(const RunRequest& request,
                                            const std::vector<std::string_view>& allowed) {
  const bool is_known = std::ranges::any_of(algorithm_catalog(), [&](const AlgorithmEntry& entry) {
    return entry.info.name == request.algorithm;
  });
  return fmt::format("{} {}: {}", request.topology.name(), name_of(request.operation),
                     is_known
                         ? fmt::format("algorithm '{}' {}; allowed here: {}", request.algorithm,
                                       why_not(request), joined(allowed, ", "))
                         : unknown("algorithm", request.algorithm, allowed));
}

[[nodiscard]] const CatalogLine* named(const Lines& found, const RunRequest& request) {
  std::vector<std::string_view> names;
  for (const CatalogLine* line : found) {
    if (line->entry.info.name == request.algorithm) return line;
    names.push_back(line->entry.info.name);
  }
  throw InvalidParameter(refused_algorithm(request, names));
}

/// Whether a setting selects the algorithm.
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

/// An operation of the user's own may not commute: only algorithms that keep the order of the
/// processors compete, if there are any.
[[nodiscard]] Lines combining(const Lines& lines, const RunRequest& request) {
  if (!request.combine) return lines;
  Lines ordered = only(lines, [](const CatalogLine& line) { return !line.entry.info.commutative; });
  return ordered.empty() ? lines : ordered;
}

/// A machine for every port model that one of them needs.
[[nodiscard]] std::vector<Candidates> on_their_machines(const Lines& lines) {
  std::vector<Candidates> machines;
  for (const CatalogLine* line : lines) {
    const PortModel& model = line->entry.info.model;
    if (std::ranges::find(machines, model, &Candidates::port_model) == machines.end())
      machines.push_back({lines, model});
  }
  return machines;
}

/// Whether the costs are defaults, which do not say how much messages should be combined.
[[nodiscard]] bool is_exchange_at_assumed_costs(const RunRequest& request) {
  const CostParameters usual = RunRequest{}.costs;
  return request.operation == Operation::total_exchange && request.costs.assumed &&
         request.costs.t_s == usual.t_s && request.costs.t_m == usual.t_m;
}

/// An exchange made for a family moves each block alone, in as few steps as there can be. Routes
/// for any network combine blocks instead, which is cheaper where start-ups are expensive. Unless
/// the user says that they are, these compete only where no algorithm made for a family can run.
[[nodiscard]] std::vector<Candidates> own_family_first(std::vector<Candidates> machines,
                                                       const RunRequest& request) {
  if (!is_exchange_at_assumed_costs(request)) return machines;
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

/// The first algorithm that the user's own table or plan selects and that the port model admits. An
/// algorithm that runs a plan is not checked: the plan states its port model.
[[nodiscard]] const CatalogLine* first_admitted(const Lines& lines, const RunRequest& request) {
  const auto found = std::ranges::find_if(lines, [&](const CatalogLine* line) {
    return !request.port_model || !runs_by_itself(*line) ||
           request.port_model->admits(line->entry.info.model);
  });
  if (found != lines.end()) return *found;
  throw InvalidParameter(no_algorithm_for(*request.port_model, lines, request));
}

}  // namespace

std::string no_algorithm_for(const PortModel& model, const Lines& lines,
                             const RunRequest& request) {
  return fmt::format(
      "{} {}: no algorithm for the port model {}; available, with the port models they need: {}",
      request.topology.name(), name_of(request.operation), model.name, with_port_models(lines));
}

bool opens_variants(const RunRequest& request) {
  const auto is_of_problem = [](const Settings::Entry& entry) {
    const Parameter* const parameter = parameter_of(parameter_catalog(), entry.first);
    return parameter != nullptr && parameter->defines_problem;
  };
  return request.algorithm.empty() && std::ranges::all_of(request.settings, is_of_problem) &&
         !is_exchange_at_assumed_costs(request);
}

bool runs_by_itself(const CatalogLine& line) {
  return std::ranges::none_of(line.entry.info.parameters, &Parameter::required);
}

std::vector<Candidates> candidates_of(const Lines& found, const RunRequest& request) {
  const auto alone = [&](const CatalogLine* line) {
    return std::vector{
        Candidates{.lines = {line}, .port_model = request.port_model, .asked_for = true}};
  };
  if (!request.algorithm.empty()) return alone(named(found, request));
  const Lines selected =
      only(found, [&](const CatalogLine& line) { return is_selected_by(line, request.settings); });
  const Lines open = selected.empty() ? only(found, runs_by_itself) : selected;
  if (open.empty()) return {};
  Lines fitting =
      only(open, [&](const CatalogLine& line) { return takes_all(line, request.settings); });
  if (fitting.empty()) return alone(open.front());  // which says why
  fitting = combining(fitting, request);
  if (!selected.empty()) return alone(first_admitted(fitting, request));
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

}  // namespace lockstep::catalog
