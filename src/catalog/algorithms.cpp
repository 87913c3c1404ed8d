// SPDX-License-Identifier: Apache-2.0

/// Which algorithms there are for a request, and the one that is taken.

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalog/algorithm_lines.hpp"
#include "catalog/candidates.hpp"
#include "catalog/catalog_line.hpp"
#include "catalog/check_setting.hpp"
#include "catalog/choice.hpp"
#include "catalog/open_variants.hpp"
#include "catalog/trial.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "lockstep/catalog/register_algorithm.hpp"

namespace lockstep {
namespace {

using catalog::Candidates;
using catalog::CatalogLine;
using catalog::Lines;
using catalog::runs_by_itself;

/// Built-in lines, then those that users registered, until the catalogue is in use.
struct Catalogue {
  std::mutex mutex{};
  std::vector<CatalogLine> lines = catalog::built_in_lines();
  bool in_use = false;
};
[[nodiscard]] Catalogue& catalogue() {
  static Catalogue all;
  return all;
}

[[nodiscard]] const std::vector<CatalogLine>& lines() {
  const std::scoped_lock lock(catalogue().mutex);
  catalogue().in_use = true;
  return catalogue().lines;
}

[[nodiscard]] Lines lines_for(const AnyTopology& topology, Operation operation) {
  Lines found;
  for (const CatalogLine& line : lines()) {
    const AlgorithmInfo& info = line.entry.info;
    if (info.operation != operation) continue;
    const bool known = std::ranges::any_of(
        found, [&](const CatalogLine* other) { return other->entry.info.name == info.name; });
    if (!known && line.entry.networks.admits(topology)) found.push_back(&line);
  }
  return found;
}

/// `hint`: what could be done all the same.
[[noreturn]] void no_algorithm(const AnyTopology& topology, Operation operation,
                               std::string_view hint) {
  SupportedNetworks networks;
  for (const CatalogLine& line : lines())
    if (line.entry.info.operation == operation && runs_by_itself(line))
      networks = networks.or_else(line.entry.networks);
  throw invalid(
      "{1} has no algorithm for {0}{2}; it {3}. Other operations: `lockstep list operations '{0}'`",
      topology.name(), name_of(operation), hint, networks.reason_against(topology));
}

/// The algorithms for network and operation, at least one. Throws InvalidParameter if there is
/// none, or for a value that its parameter does not allow.
[[nodiscard]] Lines checked_lines(const RunRequest& request) {
  for (const auto& [name, value] : request.settings)
    if (const Parameter* const parameter = parameter_of(parameter_catalog(), name))
      check_setting(*parameter, value, request.topology);
  Lines found = lines_for(request.topology, request.operation);
  if (found.empty()) no_algorithm(request.topology, request.operation, "");
  return found;
}

/// "; only algorithm packing accepts it": the algorithms of the operation that take the parameter,
/// or else the operations that have any.
[[nodiscard]] std::string takers_of(std::string_view name, const RunRequest& request) {
  std::set<std::string_view> own;
  std::set<std::string_view> operations;
  SupportedNetworks networks;
  for (const AlgorithmEntry& entry : algorithm_catalog()) {
    if (parameter_of(entry.info.parameters, name) == nullptr) continue;
    operations.insert(name_of(entry.info.operation));
    if (entry.info.operation != request.operation) continue;
    own.insert(entry.info.name);
    networks = networks.or_else(entry.networks);
  }
  if (operations.empty()) return {};
  const auto& takers = own.empty() ? operations : own;
  const bool one = takers.size() == 1;
  std::string where;
  if (one && !own.empty())
    where = networks.admits(request.topology)
                ? fmt::format(" (networks: {})", networks.text())
                : fmt::format(", which {}", networks.reason_against(request.topology));
  return fmt::format("; only {}{} {} accept{} it{}", own.empty() ? "operation" : "algorithm",
                     one ? "" : "s", joined(takers, ", "), one ? "s" : "", where);
}

/// Another option that selects an algorithm, where the parameter itself selects one: "--table".
[[nodiscard]] std::string contradicted_by(const Parameter& parameter, const RunRequest& request) {
  if (!parameter.selects_algorithm) return {};
  if (!request.algorithm.empty()) return fmt::format("--algorithm {}", request.algorithm);
  for (const auto& [name, value] : request.settings)
    if (const Parameter* const other = parameter_of(parameter_catalog(), name);
        other != nullptr && other->selects_algorithm && name != parameter.name)
      return fmt::format("--{}", name);
  return {};
}

[[nodiscard]] std::string task_text(const RunRequest& request) {
  return fmt::format("{} on {}", name_of(request.operation), request.topology.name());
}

[[noreturn]] void does_not_apply(std::string_view name, const std::string& subject,
                                 const RunRequest& request) {
  throw invalid("--{} does not apply to {}{}", name, subject, takers_of(name, request));
}

void check_settings(const AlgorithmInfo& info, const RunRequest& request) {
  for (const auto& [name, value] : request.settings) {
    if (parameter_of(info.parameters, name) != nullptr) continue;
    const Parameter* const known = parameter_of(parameter_catalog(), name);
    if (known == nullptr) throw invalid("algorithm '{}' has no setting '{}'", info.name, name);
    const std::string contradicted = contradicted_by(*known, request);
    if (!contradicted.empty())
      throw invalid("--{} and {} cannot be combined; omit one", name, contradicted);
    // Users who did not name the algorithm may not know its name.
    const std::string subject =
        !request.algorithm.empty()
            ? fmt::format("algorithm '{}'", info.name)
            : fmt::format(
                  "{}{}", task_text(request),
                  std::ranges::distance(request.settings) > 1 ? " with the other options" : "");
    does_not_apply(name, subject, request);
  }
  for (const Parameter& parameter : info.parameters)
    if (parameter.required && request.settings.text(parameter.name).empty())
      throw invalid("'{}' needs a file; use --{} FILE", info.name, parameter.name);
}

/// The pattern of the first line that has to make one beforehand: all carry out the same problem.
[[nodiscard]] Pattern pattern_for(const Lines& lines, const RunRequest& request) {
  if (request.pattern.homes() != nullptr) return request.pattern;
  for (const CatalogLine* line : lines)
    if (Pattern fixed = line->fixed_pattern(request.topology, request.settings);
        fixed.homes() != nullptr)
      return fixed;
  return {};
}

[[nodiscard]] const CatalogLine& named_line(const RunRequest& request) {
  const CatalogLine* const line =
      candidates_of(checked_lines(request), request).front().lines.front();
  check_settings(line->entry.info, request);
  return *line;
}

/// The algorithm that the request names, with its settings, made.
[[nodiscard]] catalog::Choice named_choice(const RunRequest& request) {
  const CatalogLine* const line = &named_line(request);
  if (line->entry.info.plans_every_node)
    catalog::check_least_memory(line->entry.info, line->program, request);
  catalog::Choice choice{
      .line = line, .settings = request.settings, .port_model = request.port_model};
  choice.instance = line->make(request.topology, request.settings, request.pattern);
  return choice;
}

}  // namespace

void catalog::add_line(CatalogLine line) {
  const AlgorithmInfo& info = line.entry.info;
  const auto refuse = [&](std::string_view why) {
    throw invalid("register_algorithm: '{}' for {}: {}", info.name, name_of(info.operation), why);
  };
  Catalogue& all = catalogue();
  const std::scoped_lock lock(all.mutex);
  if (all.in_use) refuse("the catalogue is in use; register algorithms first in main()");
  for (const CatalogLine& other : all.lines)
    if (other.entry.info.name == info.name && other.entry.info.operation == info.operation)
      refuse(fmt::format("there is one of this name, for {}", other.entry.networks.text()));
  all.lines.push_back(std::move(line));
}

void check_settings_apply(std::span<const AlgorithmInfo> algorithms, const RunRequest& request) {
  for (const auto& [name, value] : request.settings)
    if (std::ranges::none_of(algorithms, [&, own = name](const AlgorithmInfo& info) {
          return parameter_of(info.parameters, own) != nullptr;
        }))
      does_not_apply(name, task_text(request), request);
}

Pattern fixed_pattern(const RunRequest& request) {
  return pattern_for(lines_for(request.topology, request.operation), request);
}

std::unique_ptr<PreparedRun> prepare(const RunRequest& request, bool check_resources) {
  if (!request.topology)
    throw InvalidParameter("no topology given; expected a name such as star:5");
  detail::check_processes(request.processes, request.topology.node_count());
  const Lines found = checked_lines(request);
  RunRequest definite = request;
  definite.settings = without_open(parameter_catalog(), request.settings);
  const std::vector<Candidates> candidates = candidates_of(found, definite);
  if (candidates.empty())
    no_algorithm(request.topology, request.operation,
                 fmt::format(" except a schedule file (--{} FILE)",
                             found.front()->entry.info.parameters.front().name));
  for (const Candidates& machine : candidates)
    for (const CatalogLine* line : machine.lines) check_settings(line->entry.info, definite);
  definite.pattern = pattern_for(candidates.front().lines, definite);
  catalog::Choice choice = catalog::cheapest(candidates, definite);
  definite.port_model = choice.port_model;
  std::unique_ptr<PreparedRun> run = catalog::prepare_run(std::move(choice), std::move(definite));
  if (check_resources) run->check_resources();
  return run;
}

std::optional<catalog::Promise> catalog::promise_of(const RunRequest& request) {
  return promised(named_choice(request), request.topology, definite_block_bytes(request));
}

Variants catalog::open_variants(const RunRequest& request) {
  const CatalogLine& line = named_line(request);
  RunRequest filled = request;  // any choice will do to ask the algorithm
  if (const std::vector<Settings> open =
          line.choices(request.topology, request.settings, request.pattern, 1);
      !open.empty())
    filled.settings = with(request.settings, open.front());
  return open_variants(line, *named_choice(filled).instance.algorithm, request);
}

catalog::Trial catalog::trial_of(const RunRequest& request, double most_seconds,
                                 const std::stop_token& stop) {
  return trial_of(named_choice(request), request, most_seconds, stop);
}

const std::vector<AlgorithmEntry>& algorithm_catalog() {
  static const std::vector<AlgorithmEntry> all = [] {
    std::vector<AlgorithmEntry> entries;
    for (const CatalogLine& line : lines()) entries.push_back(line.entry);
    return entries;
  }();
  return all;
}

std::vector<AlgorithmInfo> algorithms_for(const AnyTopology& topology, Operation operation) {
  std::vector<AlgorithmInfo> infos;
  for (const CatalogLine* line : lines_for(topology, operation))
    if (runs_by_itself(*line)) infos.push_back(line->entry.info);
  return infos;
}

std::vector<ChannelKind> channels_for(const RunRequest& request) {
  for (const CatalogLine* line : lines_for(request.topology, request.operation))
    if (line->entry.info.name == request.algorithm)
      return catalog::channels_for(request, line->program, line->entry.info);
  return {};
}

const std::vector<Parameter>& parameter_catalog() {
  static const std::vector<Parameter> all = [] {
    std::vector<Parameter> parameters;
    for (const CatalogLine& line : lines())
      for (const Parameter& parameter : line.entry.info.parameters)
        if (parameter_of(parameters, parameter.name) == nullptr) parameters.push_back(parameter);
    return parameters;
  }();
  return all;
}

}  // namespace lockstep
