// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scatters under one port, in a line, which may be a dimension of a product, and in products.
///
///     line_scatter(network, root);              // the best one known for this graph
///     scatter_by_dimensions(network, root);     // rows along one dimension, then inside rows

#include "lockstep/core/ids.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// A complete graph: the owner of n nodes keeps the first ceil(n/2) and sends the rest; ceil(log2
/// N) start-ups, N - 1 message times (Chan et al. 2007).
[[nodiscard]] Transfers binomial_scatter(std::uint64_t nodes, std::uint64_t root);
/// A cycle, from place 0: the root sends the two furthest blocks of one side and of the other in
/// turn, and nodes relay them at once; ceil(N/2) start-ups, N - 1 message times.
[[nodiscard]] Transfers alternating_bundles(std::uint64_t nodes);
/// Any graph, over a breadth-first tree, the furthest first: N - 1 start-ups and message times.
[[nodiscard]] Transfers furthest_first_scatter(const ErasedTopology& network, NodeId root);

/// The one of the fewest start-ups that is known for a graph.
[[nodiscard]] Transfers line_scatter(const ErasedTopology& line, NodeId root);
/// N - 1 message times; the start-ups of the dimensions add up.
[[nodiscard]] Transfers scatter_by_dimensions(const ErasedTopology& network, NodeId root);

}  // namespace lockstep
