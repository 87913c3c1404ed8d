// SPDX-License-Identifier: Apache-2.0
#include "topology/relative_routes.hpp"

#include <algorithm>
#include <numeric>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {

RelativeRoutes::RelativeRoutes(const AnyCayley& group) : identity_(group.identity()) {
  if (group.node_count() > max_nodes)
    throw invalid("{}: {} are too many for tabulated routes; allowed: up to {}", group.name(),
                  counted(group.node_count(), "node"), grouped(max_nodes));
  distances_.assign(group.node_count(), unreachable);
  first_ports_.resize(group.node_count());
  search(group);
  find_rests(group);
  status_ = std::accumulate(distances_.begin(), distances_.end(), std::uint64_t{0});
}

/// The least port of all shortest paths to a node is the least of its predecessors' least ports,
/// which are known when the search comes to the node itself. Nodes of the last level lead nowhere.
void RelativeRoutes::search(const AnyCayley& group) {
  std::vector<std::uint32_t> reached{static_cast<std::uint32_t>(index(identity_))};
  reached.reserve(group.node_count());
  distances_[index(identity_)] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const NodeId u{reached[next]};
    const bool all_reached = reached.size() == group.node_count();
    if (all_reached && distance(u) == distances_[reached.back()]) break;
    for (std::size_t p = 0; p < group.degree(u); ++p) {
      const std::uint64_t v = index(group.neighbor(u, port(p)));
      const Port first = u == identity_ ? port(p) : first_ports_[index(u)];
      if (distances_[v] == unreachable) {
        distances_[v] = distance(u) + 1;
        first_ports_[v] = first;
        reached.push_back(static_cast<std::uint32_t>(v));
      } else if (distances_[v] == distance(u) + 1) {
        first_ports_[v] = std::min(first_ports_[v], first);
      }
    }
  }
  expects(reached.size() == group.node_count(), "the generators of a Cayley graph reach all of it");
}

void RelativeRoutes::find_rests(const AnyCayley& group) {
  std::vector<NodeId> back;  // the inverse of every generator
  for (std::size_t p = 0; p < group.degree(identity_); ++p)
    back.push_back(group.inverse(group.neighbor(identity_, port(p))));
  rests_.resize(group.node_count());
  for (std::uint64_t g = 0; g < group.node_count(); ++g) {
    const NodeId rest =
        NodeId{g} == identity_ ? identity_ : group.product(back[index(first_ports_[g])], NodeId{g});
    rests_[g] = static_cast<std::uint32_t>(index(rest));
  }
}

}  // namespace lockstep
