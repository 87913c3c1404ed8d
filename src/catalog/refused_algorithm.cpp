// SPDX-License-Identifier: Apache-2.0
#include "catalog/refused_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/joined.hpp"
#include "core/suggest.hpp"

namespace lockstep {
namespace {

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
