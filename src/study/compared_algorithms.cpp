// SPDX-License-Identifier: Apache-2.0
#include "study/compared_algorithms.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "algorithm/many_to_all/placement.hpp"
#include "catalog/check_setting.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::study {
namespace {

/// A user's own file, in place of what an algorithm makes or has built in.
[[nodiscard]] bool is_own_file(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::file && parameter.selects_algorithm;
}

/// The algorithm that carries out a plan of the user's.
[[nodiscard]] const AlgorithmInfo* planned_by(const Parameter& parameter, Operation operation) {
  for (const AlgorithmEntry& entry : algorithm_catalog())
    if (entry.info.operation == operation &&
        parameter_of(entry.info.parameters, parameter.name) != nullptr)
      return &entry.info;
  return nullptr;
}

/// The sources of the messages of a many-to-all; no pattern for other operations.
[[nodiscard]] Pattern stated_pattern(const RunRequest& request) {
  if (request.pattern.homes() != nullptr || request.operation != Operation::many_to_all)
    return request.pattern;
  return homes_on(ErasedTopology(request.topology), request.settings, {});
}

/// Whether the messages have the same sources, in parts or not.
[[nodiscard]] bool have_same_homes(const Pattern& a, const Pattern& b) {
  if (a.homes() == nullptr || b.homes() == nullptr) return a.homes() == b.homes();
  const std::uint64_t of_a = a.parts_per_block();
  const std::uint64_t of_b = b.parts_per_block();
  const std::size_t messages = a.homes()->size() / of_a;
  if (b.homes()->size() / of_b != messages) return false;
  for (std::size_t i = 0; i < messages; ++i)
    if ((*a.homes())[i * of_a] != (*b.homes())[i * of_b]) return false;
  return true;
}

/// Adds the algorithm of the user's schedule, with the port model of the file, and takes over its
/// root.
void add_schedule(Task& task, const AlgorithmInfo& info, const Setting& file) {
  const auto run = prepare(request_for(info, task.request), false);
  const RunForecast& forecast = run->forecast();
  if (!have_same_homes(forecast.collective.pattern, stated_pattern(task.request)))
    throw invalid(
        "{}: the line 'origins' states other messages than the other algorithms would "
        "have; state them by --{} and --{}",
        lockstep::text_of(file), messages_parameter.name, placement_parameter.name);
  if (const Setting* const root = forecast.settings.find(root_parameter.name))
    task.request.settings[root_parameter.name] = *root;
  task.algorithms.push_back(forecast.algorithm);
}

}  // namespace

bool has_own_file(const RunRequest& request) {
  return std::ranges::any_of(parameter_catalog(), [&](const Parameter& parameter) {
    return is_own_file(parameter) && request.settings.find(parameter.name) != nullptr;
  });
}

RunRequest request_for(const AlgorithmInfo& info, const RunRequest& base) {
  RunRequest request = base;
  request.algorithm = std::string(info.name);
  request.settings = {};
  for (const Settings::Entry& entry : base.settings) {
    const Parameter* const known = parameter_of(parameter_catalog(), entry.first);
    if (known == nullptr || !is_own_file(*known) || parameter_of(info.parameters, entry.first))
      request.settings[entry.first] = entry.second;
  }
  return request;
}

Task task_of(const RunRequest& base) {
  Task task{base, algorithms_for(base.topology, base.operation)};
  task.request.pattern = fixed_pattern(base);
  for (const Parameter& parameter : parameter_catalog())
    if (const Setting* const file = base.settings.find(parameter.name);
        parameter.required && file != nullptr)
      if (const AlgorithmInfo* const own = planned_by(parameter, base.operation))
        add_schedule(task, *own, *file);
  if (task.algorithms.empty()) (void)prepare(base, false);  // says so
  check_settings_apply(task.algorithms, base);
  return task;
}

}  // namespace lockstep::study
