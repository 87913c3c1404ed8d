// SPDX-License-Identifier: Apache-2.0
#include "verify/tree_load.hpp"

#include <algorithm>
#include <vector>

#include "verify/message_time_bounds.hpp"

namespace lockstep {

std::optional<std::uint64_t> tree_load(const ErasedTopology& network) {
  const std::uint64_t n = network.node_count();
  if (n < 2 || network.link_count() != n - 1) return std::nullopt;
  // Nodes behind their parents; the sizes of the subtrees, the last first.
  std::vector<std::uint64_t> order{0};
  std::vector<std::uint64_t> parents(n, 0);
  for (std::uint64_t i = 0; i < order.size(); ++i)
    for (std::size_t p = 0; p < network.degree(NodeId{order[i]}); ++p)
      if (const std::uint64_t v = index(network.neighbor(NodeId{order[i]}, port(p)));
          i == 0 || v != parents[order[i]]) {
        parents[v] = order[i];
        order.push_back(v);
      }
  std::vector<std::uint64_t> sizes(n, 1);
  std::vector<std::uint64_t> pairs_within(n, 0);  // ordered pairs in one branch of the node
  for (std::uint64_t i = n; i-- > 1;) {
    const std::uint64_t u = order[i];
    sizes[parents[u]] += sizes[u];
    pairs_within[parents[u]] += sizes[u] * sizes[u];
  }
  std::uint64_t most = 0;
  for (std::uint64_t u = 0; u < n; ++u) {
    const std::uint64_t above = n - sizes[u];
    const std::uint64_t others = n - 1;  // pairs of two branches pass through the node
    most = std::max(most, others + others * others - pairs_within[u] - above * above);
  }
  return most;
}

LowerBound with_tree_load(LowerBound bound, const ErasedTopology& network, const PortModel& model) {
  if (model.switching != Switching::packet || std::min(model.sends, model.receptions) != 1)
    return bound;
  if (const std::optional<std::uint64_t> load = tree_load(network))
    detail::raise_message_times(bound, *load, "load of a node");
  return bound;
}

}  // namespace lockstep
