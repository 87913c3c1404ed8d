// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A narrow cut of a small network of which no family says how it is cut best.
///
///     searched_cut(any_topology("ccc:4")) == Cut{.nodes = 32, .links = 8};
///
/// Spectral: the nodes are sorted by an eigenvector of one of the smallest eigenvalues of the
/// Laplacian matrix (Fiedler), and cut where most pairs of nodes are separated for each link. Then
/// nodes change sides one by one as long as this pays (Fiduccia and Mattheyses). A narrower cut may
/// exist; as every cut is a bound for a total exchange, the result can be weak, but not wrong.

#include <cstdint>

#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {

/// Larger networks would take more than some milliseconds.
inline constexpr std::uint64_t most_nodes_of_searched_cuts = 256;
inline constexpr std::uint64_t most_ports_of_searched_cuts = 4'096;

/// No cut of larger networks. Deterministic.
[[nodiscard]] Cut searched_cut(const ErasedTopology& network);

}  // namespace lockstep
