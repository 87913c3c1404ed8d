// SPDX-License-Identifier: Apache-2.0
#include "catalog/candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::catalog {
namespace {

template <class Predicate>
[[nodiscard]] Lines only(const Lines& lines, const Predicate& wanted) {
  Lines chosen;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(chosen),
               [&](const CatalogLine* line) { return wanted(*line); });
  return chosen;
}

[[nodiscard]] const CatalogLine* named(const Lines& found, const RunRequest& request) {
  std::vector<std::string_view> names;
  for (const CatalogLine* line : found) {
    if (line->entry.info.name == request.algorithm) return line;
    names.push_back(line->entry.info.name);
  }
  throw InvalidParameter(fmt::format("{} {}: {}", request.topology.name(),
                                     name_of(request.operation),
                                     unknown("algorithm", request.algorithm, names)));
}

/// Where a setting selects the algorithm.
[[nodiscard]] bool is_selected_by(const CatalogLine& line, const Settings& settings) {
  return std::any_of(settings.begin(), settings.end(), [&](const Settings::Entry& entry) {
    const Parameter* const parameter = parameter_of(line.entry.info.parameters, entry.first);
    return parameter != nullptr && parameter->selects_algorithm;
  });
}

[[nodiscard]] bool takes_all(const CatalogLine& line, const Settings& settings) {
  return std::all_of(settings.begin(), settings.end(), [&](const Settings::Entry& entry) {
    return parameter_of(line.entry.info.parameters, entry.first) != nullptr;
  });
}

/// Of a default with a part for every processor: parts have a byte or more, or most of what it
/// sends would be padding. An operation of the user's own knows nothing of padding.
[[nodiscard]] bool fills_parts(const CatalogLine& line, const RunRequest& request) {
  const std::uint64_t parts = request.topology.processor_count();
  const std::size_t bytes = definite_block_bytes(request);
  return !line.entry.info.whole_parts || (request.combine ? bytes % parts == 0 : parts <= bytes);
}

/// "phases, first-fit (all-port); up-first (single-port-send)".
[[nodiscard]] std::string with_port_models(const Lines& lines) {
  std::vector<std::string> groups;
  for (const PortModel& model : port_models::all) {
    std::vector<std::string_view> names;
    for (const CatalogLine* line : lines)
      if (line->entry.info.model == model) names.push_back(line->entry.info.name);
    if (!names.empty())
      groups.push_back(fmt::format("{} ({})", fmt::join(names, ", "), model.name));
  }
  return fmt::format("{}", fmt::join(groups, "; "));
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
    if (std::none_of(machines.begin(), machines.end(),
                     [&](const Candidates& known) { return known.port_model == model; }))
      machines.push_back(
          {only(lines,
                [&](const CatalogLine& other) { return model.admits(other.entry.info.model); }),
           model});
  }
  return machines;
}

}  // namespace

bool runs_by_itself(const CatalogLine& line) {
  const auto& parameters = line.entry.info.parameters;
  return std::none_of(parameters.begin(), parameters.end(),
                      [](const Parameter& parameter) { return parameter.required; });
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
    Lines left =
        only(machine.lines, [&](const CatalogLine& line) { return fills_parts(line, request); });
    if (!left.empty()) machine.lines = std::move(left);
  }
  return machines;
}

}  // namespace lockstep::catalog
