// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Vertex-transitive graphs that are not Cayley graphs, and their relatives: what holds for every
/// node of a Cayley graph by translation has to be planned node by node on these.
///
///     petersen_graph().node_count() == 10;
///     odd_graph(4).max_degree() == 4;            // 35 nodes
///
/// Source: textbook. The Petersen graph is odd_graph(3), generalized_petersen_graph(5, 2), and the
/// dodecahedron generalized_petersen_graph(10, 2).

#include <cstdint>

#include "lockstep/topology/network.hpp"

namespace lockstep {

[[nodiscard]] Network petersen_graph();
[[nodiscard]] Network dodecahedron_graph();

/// The subsets of k - 1 of the numbers 1..2k - 1, as rising binary numbers, linked if disjoint.
/// Throws InvalidParameter unless 2 <= k <= 10.
[[nodiscard]] Network odd_graph(std::uint64_t k);

/// Nodes 0..n - 1 are a ring; node i is linked to n + i, and n + i to n + (i + k modulo n).
/// Throws InvalidParameter unless 3 <= n <= 2^20 and 1 <= k < n / 2.
[[nodiscard]] Network generalized_petersen_graph(std::uint64_t n, std::uint64_t k);

}  // namespace lockstep
