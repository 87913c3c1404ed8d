// SPDX-License-Identifier: Apache-2.0
#pragma once

/// NodeBlocks: where the nodes of a network can be cut so that messages through some ports stay on
/// one side. Internal.
///
///     NodeBlocks blocks(crossing_ports(network), task_size, 512);
///     blocks.for_each(first, last, ports, 2048, [](std::uint64_t from, std::uint64_t to) { ... });

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep::detail {

/// For each node a bit per port: whether a link through it leads from a lower node to this one or a
/// higher one. Precondition: every node has every port, of 64 at most. O(arcs).
template <Topology Net>
[[nodiscard]] std::vector<std::uint64_t> crossing_ports(const Net& network) {
  const std::uint64_t nodes = network.node_count();
  std::vector<std::uint64_t> crossing(nodes);
  std::vector<std::int32_t> change(nodes + 1);  // of the number of links, from node to node
  for (std::size_t p = 0; p < network.max_degree(); ++p) {
    std::ranges::fill(change, 0);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      const std::uint64_t v = index(network.neighbor(NodeId{u}, port(p)));
      ++change[std::min(u, v) + 1];
      if (std::max(u, v) + 1 < nodes) --change[std::max(u, v) + 1];
    }
    std::int64_t links = 0;
    for (std::uint64_t u = 0; u < nodes; ++u) {
      links += change[u];
      crossing[u] |= std::uint64_t{links != 0} << p;
    }
  }
  return crossing;
}

class NodeBlocks {
 public:
  /// Groups of consecutive nodes, `most` at most and mostly a quarter of that at least, which end
  /// where links through few ports cross, and with every task of `task_size` nodes. `crossing`: as
  /// crossing_ports() says.
  NodeBlocks(std::span<const std::uint64_t> crossing, std::uint64_t task_size, std::uint64_t most);

  /// A size for the same number of tasks: this one, or one up to a sixteenth larger, if links
  /// through fewer ports lead from task to task.
  [[nodiscard]] static std::uint64_t better_task_size(std::span<const std::uint64_t> crossing,
                                                      std::uint64_t task_size);

  /// The ends of the groups from that of the node on. Precondition: a group begins there.
  [[nodiscard]] const std::uint64_t* group_ends(std::uint64_t first) const {
    return &*std::ranges::upper_bound(ends_, first);
  }
  /// The blocks of the nodes first..last - 1, which messages through these ports do not leave:
  /// groups that cannot be parted, and as many more as make at least that many nodes. visit(from,
  /// to). Precondition: groups begin at first and last, and no such message leaves the nodes.
  template <class Visit>
  void for_each(std::uint64_t first, std::uint64_t last, std::uint64_t ports, std::uint64_t least,
                const Visit& visit) const {
    auto group = static_cast<std::size_t>(group_ends(first) - ends_.data());
    for (std::uint64_t from = first; from < last; ++group) {
      const std::uint64_t end = ends_[group];
      const bool can_end = end - from >= least && (crossing_[group] & ports) == 0;
      if (end != last && !can_end) continue;
      visit(from, end);
      from = end;
    }
  }
  /// The nodes of the largest group or of the largest groups that cannot be parted; more than all
  /// if messages through these ports leave a task.
  [[nodiscard]] std::uint64_t largest(std::uint64_t ports);

 private:
  std::uint64_t task_size_;
  std::vector<std::uint64_t> ends_;                           // of groups
  std::vector<std::uint64_t> crossing_;                       // there
  std::unordered_map<std::uint64_t, std::uint64_t> largest_;  // by ports
};

}  // namespace lockstep::detail
