// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/extended_ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

[[nodiscard]] CyclicProduct::Definition definition(std::uint64_t node_count, std::uint64_t reach) {
  std::string name = fmt::format("extended-ring:{},{}", node_count, reach);
  if (node_count < ExtendedRing::min_nodes || node_count > ExtendedRing::max_nodes)
    throw InvalidParameter(fmt::format("{}: {} nodes, allowed {}..{}", name, node_count,
                                       ExtendedRing::min_nodes, ExtendedRing::max_nodes));
  const std::uint64_t most = std::min(node_count / 2, ExtendedRing::max_reach);
  if (reach < 1 || reach > most)
    throw InvalidParameter(fmt::format("{}: reach {}, allowed 1..{}", name, reach, most));
  std::vector<std::uint64_t> jumps(reach);
  std::iota(jumps.begin(), jumps.end(), std::uint64_t{1});
  return {std::move(name), MixedRadix({node_count}),
          CyclicProduct::both_ways(std::array{node_count}, std::array{jumps})};
}

}  // namespace

ExtendedRing::ExtendedRing(std::uint64_t node_count, std::uint64_t reach)
    : CyclicProduct(definition(node_count, reach)), reach_(reach) {}

// rho more on either side at every distance; what is left at the last.
std::vector<std::uint64_t> ExtendedRing::level_sizes() const {
  if (diameter() > max_levels) return {};
  std::vector<std::uint64_t> levels{1};
  for (std::uint64_t rest = node_count() - 1; rest > 0; rest -= levels.back())
    levels.push_back(std::min(rest, 2 * reach_));
  return levels;
}

}  // namespace lockstep
