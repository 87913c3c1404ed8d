// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A network as the cartesian product of its prime factors, whatever its name and the numbers of
/// its nodes: torus:4x4 is hypercube:4, circulant:15,3,5 is torus:3x5. Every connected graph has
/// one prime factorization (Sabidussi 1960, Vizing 1963). Algorithms for products know networks by
/// it.
///
///     const PrimeForm* const form = AnyTopology("torus:4x4").prime_form();
///     form->network.name() == "hypercube:4";
///     form->nodes[5];                                      // the node of torus:4x4 that is 0101

#include <cstddef>
#include <optional>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

/// Networks of more nodes or links are not examined.
inline constexpr std::uint64_t most_factored_nodes = 512;
inline constexpr std::uint64_t most_factored_links = 4'096;

struct PrimeForm {
  ErasedTopology network;     ///< with the numbers of nodes that are usual for it
  std::vector<NodeId> nodes;  ///< node i of `network` is this node of the other one
  std::size_t factors = 1;
};

/// Rings, linear arrays and products. Empty for other prime graphs, for complete graphs, and for
/// those that are not examined: of switches, of several lanes, or too large.
[[nodiscard]] std::optional<PrimeForm> prime_form(const Network& network);

}  // namespace lockstep
