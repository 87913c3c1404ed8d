// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The two classes of a bipartite network: every link leads from one to the other, so that two
/// nodes are at odd distance exactly if they are of different classes.
///
///     const Bipartition classes(StarGraph{4});
///     classes.is_odd(u) == (star.distance(NodeId{0}, u) % 2 == 1);

#include <concepts>
#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class Bipartition {
 public:
  /// Breadth-first search from node 0. Throws InvalidParameter if the network has a cycle of odd
  /// length. O(arcs); takes bytes(node_count) to keep, 8 bytes a node to make.
  // Not a copy constructor in disguise: concept checking would recurse.
  template <class T>
  requires(!std::same_as<T, Bipartition> && Topology<T>) explicit Bipartition(const T& network);

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t node_count) noexcept {
    return (node_count + 63) / 64 * sizeof(std::uint64_t);
  }

  [[nodiscard]] bool is_odd(NodeId u) const noexcept {
    return ((odd_[index(u) / 64] >> (index(u) % 64)) & 1U) != 0;
  }

 private:
  std::vector<std::uint64_t> odd_;
};

template <class T>
requires(!std::same_as<T, Bipartition> && Topology<T>) Bipartition::Bipartition(const T& network)
    : odd_((network.node_count() + 63) / 64) {
  std::vector<bool> seen(network.node_count());
  std::vector<NodeId> reached{NodeId{0}};
  seen[0] = true;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const NodeId u = reached[next];
    for (std::size_t p = 0; p < network.degree(u); ++p) {
      const NodeId v = network.neighbor(u, port(p));
      if (!seen[index(v)]) {
        seen[index(v)] = true;
        if (!is_odd(u)) odd_[index(v) / 64] |= std::uint64_t{1} << (index(v) % 64);
        reached.push_back(v);
      } else if (is_odd(u) == is_odd(v)) {
        throw InvalidParameter(network.name() +
                               ": a cycle of odd length, so no two classes of nodes; allowed "
                               "bipartite networks");
      }
    }
  }
}

}  // namespace lockstep
