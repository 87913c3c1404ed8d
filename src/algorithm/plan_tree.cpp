// SPDX-License-Identifier: Apache-2.0
#include "algorithm/plan_tree.hpp"

#include <algorithm>
#include <limits>

#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

[[nodiscard]] NodeId farthest_processor(const ErasedTopology& network,
                                        const std::vector<std::uint32_t>& distances) {
  const auto end = distances.begin() + static_cast<std::ptrdiff_t>(network.processor_count());
  return NodeId{
      static_cast<std::uint64_t>(std::max_element(distances.begin(), end) - distances.begin())};
}

}  // namespace

/// Down the tree without recursion: of the children of a node, the one sent to last comes first.
void PlanTree::find_receptions(NodeId root) {
  std::vector<NodeId> waiting{root};
  nodes_[index(root)].in_tree = true;
  while (!waiting.empty()) {
    const NodeId u = waiting.back();
    waiting.pop_back();
    order_.push_back(u);
    for (const Send& send : plan_.sends_of(u)) {
      const NodeId below = child(u, send);
      nodes_[index(below)].in_tree = true;
      nodes_[index(below)].reception = {send.step, network_.reverse_port(u, send.port)};
      waiting.push_back(below);
    }
  }
}

void PlanTree::add_up() {
  std::uint32_t place = 0;
  for (const NodeId u : order_) {
    nodes_[index(u)].place = place;
    place += nodes_[index(u)].size;
  }
  for (std::size_t i = order_.size(); i-- > 0;)
    for (const Send& send : plan_.sends_of(order_[i]))
      nodes_[index(order_[i])].size += nodes_[index(child(order_[i], send))].size;
}

/// Every search from a far end says how far away nodes are at least from the processor that is
/// farthest; the least of these that proves true is the least there can be.
NodeId central_root(const ErasedTopology& network) {
  if (network.symmetric()) return NodeId{0};
  constexpr int most_searches = 16;
  std::vector<std::uint32_t> at_least(network.node_count());
  NodeId best{0};
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (int i = 0; i < most_searches; ++i) {
    const auto lowest = std::ranges::min_element(at_least);
    const NodeId u{static_cast<std::uint64_t>(lowest - at_least.begin())};
    const std::vector<std::uint32_t> from_u = distances_from(network, u);
    const NodeId far_end = farthest_processor(network, from_u);
    const std::uint32_t eccentricity = from_u[index(far_end)];
    if (eccentricity < least) {
      least = eccentricity;
      best = u;
    }
    if (least <= *lowest) break;
    const std::vector<std::uint32_t> from_end = distances_from(network, far_end);
    for (std::uint64_t v = 0; v < at_least.size(); ++v)
      at_least[v] = std::max(at_least[v], from_end[v]);
  }
  return best;
}

}  // namespace lockstep
