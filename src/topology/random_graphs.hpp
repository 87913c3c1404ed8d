// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random connected graphs, the same for the same seed on every platform.
///
///     const Network cubic = random_regular_graph(100, 3, 1);   // name "random-regular:100,3,1"
///     const Network sparse = erdos_renyi_graph(100, 300, 1);   // name "erdos-renyi:100,300,1"

#include <cstdint>

#include "lockstep/topology/network.hpp"

namespace lockstep {

/// Every node has `degree` links: stubs of nodes are joined in random pairs, and pairs that would
/// be loops or repeated links are drawn again (Steger, Wormald 1999). The first connected graph of
/// the seed. Throws InvalidParameter where there is no such graph, or none of 100 is connected.
[[nodiscard]] Network random_regular_graph(std::uint64_t nodes, std::uint64_t degree,
                                           std::uint64_t seed);

/// So many links between random pairs of nodes, none repeated: G(n, m) of Erdos and Renyi 1959, by
/// boost::generate_random_graph. The first connected graph of the seed. Throws as above.
[[nodiscard]] Network erdos_renyi_graph(std::uint64_t nodes, std::uint64_t links,
                                        std::uint64_t seed);

}  // namespace lockstep
