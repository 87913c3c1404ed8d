// SPDX-License-Identifier: Apache-2.0
#include "catalog/refused_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/joined.hpp"
#include "core/suggest.hpp"

namespace lockstep {
namespace {

/// The networks, or else the operations, that a known algorithm is for.
[[nodiscard]] std::string why_not(const RunRequest& request) {
  std::vector<std::string_view> networks;
  std::vector<std::string_view> operations;
  const auto add = [](std::vector<std::string_view>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const AlgorithmEntry& entry : algorithm_catalog()) {
    if (entry.info.name != request.algorithm) continue;
    add(operations, name_of(entry.info.operation));
    if (entry.info.operation == request.operation) add(networks, entry.topologies);
  }
  return networks.empty() ? fmt::format("implements only {}", joined(operations, ", "))
                          : fmt::format("runs only on: {}", joined(networks, "; or "));
}

}  // namespace

std::string refused_algorithm(const RunRequest& request,
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

}  // namespace lockstep
