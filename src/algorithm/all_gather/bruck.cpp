// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/bruck.hpp"

#include <algorithm>
#include <bit>

#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {
namespace {

/// The block of node 0: after `held` nodes have it, these are 0, -1, .. 1 - held.
[[nodiscard]] Transfers bruck_gather(std::uint64_t nodes) {
  Transfers plan = all_one_class(nodes);
  for (std::uint64_t held = 1; held < nodes; held *= 2, ++plan.steps)
    for (std::uint64_t i = 0; i < std::min(held, nodes - held); ++i)
      plan.move(plan.steps, 0, everyone, (nodes - i) % nodes, nodes - i - held,
                port(nodes - held - 1));
  return plan;
}

}  // namespace

BruckGather::BruckGather(const CompleteGraph& graph, const Settings&)
    : PlannedTransfers(info.name, any_cayley(graph), bruck_gather(graph.node_count())) {}

std::optional<Cost> BruckGather::promise() const {
  const std::uint64_t others = network().node_count() - 1;
  return Cost{static_cast<std::uint64_t>(std::bit_width(others)), others};
}

}  // namespace lockstep
