// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Vertex-transitive graphs that are not Cayley graphs, and their relatives: what holds for every
/// node of a Cayley graph by translation has to be planned node by node on these. Diameter and
/// symmetry follow from one node of each class of nodes that see the same network (orbits).
///
///     petersen_graph().node_count() == 10;
///     odd_graph(4).max_degree() == 4;            // 35 nodes
///
/// Source: textbook. The Petersen graph is odd_graph(3), generalized_petersen_graph(5, 2), and the
/// dodecahedron generalized_petersen_graph(10, 2).

#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/topology/network.hpp"

namespace lockstep {

class NamedGraph : public Network {
 public:
  static constexpr Knows knows = Network::knows | Knows::orbits;

  NamedGraph(Network network, std::vector<NodeId> orbits)
      : Network(std::move(network)), orbits_(std::move(orbits)) {}

  [[nodiscard]] const std::vector<NodeId>& orbits() const noexcept { return orbits_; }

 private:
  std::vector<NodeId> orbits_;
};

[[nodiscard]] NamedGraph petersen_graph();
[[nodiscard]] NamedGraph dodecahedron_graph();

/// The subsets of k - 1 of the numbers 1..2k - 1, as rising binary numbers, linked if disjoint.
/// Distance-transitive. Throws InvalidParameter unless 2 <= k <= 10.
[[nodiscard]] NamedGraph odd_graph(std::uint64_t k);

/// Nodes 0..n - 1 are a ring; node i is linked to n + i, and n + i to n + (i + k modulo n).
/// Vertex-transitive for k^2 = 1 or -1 modulo n, and for n = 10, k = 2; else the nodes of the ring
/// and the inner nodes see different networks (Frucht, Graver, Watkins 1971).
/// Throws InvalidParameter unless 3 <= n <= 2^20 and 1 <= k < n / 2.
[[nodiscard]] NamedGraph generalized_petersen_graph(std::uint64_t n, std::uint64_t k);

}  // namespace lockstep
