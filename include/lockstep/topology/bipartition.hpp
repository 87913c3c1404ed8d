// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The two classes of a bipartite network: every link leads from one to the other, so that two
/// nodes are at odd distance exactly if they are of different classes.
///
///     const Bipartition classes(StarGraph{4});
///     classes.is_odd(u) == (star.distance(NodeId{0}, u) % 2 == 1);

#include <bit>
#include <concepts>
#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
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

  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] bool is_odd(NodeId u) const noexcept {
    return ((odd_[index(u) / 64] >> (index(u) % 64)) & 1U) != 0;
  }
  /// Among nodes 0..count - 1. Precondition: count <= nodes().
  [[nodiscard]] std::uint64_t odd_among(std::uint64_t count) const noexcept {
    std::uint64_t odd = 0;
    for (std::uint64_t word = 0; word < count / 64; ++word)
      odd += static_cast<std::uint64_t>(std::popcount(odd_[word]));
    for (std::uint64_t u = count / 64 * 64; u < count; ++u) odd += is_odd(NodeId{u}) ? 1U : 0U;
    return odd;
  }

 private:
  std::uint64_t nodes_;
  std::vector<std::uint64_t> odd_;
};

template <class T>
requires(!std::same_as<T, Bipartition> && Topology<T>) Bipartition::Bipartition(const T& network)
    : nodes_(network.node_count()), odd_((nodes_ + 63) / 64) {
  const std::vector<std::uint32_t> distances = distances_from(network, NodeId{0});
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    odd_[u / 64] |= std::uint64_t{distances[u] % 2} << (u % 64);
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      if (distances[index(network.neighbor(NodeId{u}, port(p)))] % 2 == distances[u] % 2)
        throw InvalidParameter(network.name() + " is not bipartite: it has a cycle of odd length");
  }
}

}  // namespace lockstep
