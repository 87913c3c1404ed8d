// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The extended ring of N nodes and reach rho: node u is linked to u + 1, .., u + rho and
/// u - 1, .., u - rho modulo N, in this order of ports; the circulant with jumps 1..rho. With
/// rho = N / 2 the complete graph, whose jump by N / 2 has one port.
///
///     ExtendedRing(14, 2).neighbor(NodeId{0}, Port{3}) == NodeId{12};
///
/// Source: V. V. Dimakopoulos, "Collective communication problems in multiprocessors", PhD thesis,
/// University of Victoria 1996, section 2.2. Diameter ceil(floor(N / 2) / rho).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/topology/cyclic_product.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class ExtendedRing : public CyclicProduct {
 public:
  static constexpr std::uint64_t min_nodes = 2;
  static constexpr std::uint64_t max_reach = max_ports / 2;

  /// Throws InvalidParameter unless 2 <= node_count <= 2^40, 1 <= reach <= node_count / 2 and
  /// reach <= 32767.
  ExtendedRing(std::uint64_t node_count, std::uint64_t reach);

  [[nodiscard]] std::uint64_t reach() const noexcept { return reach_; }

  /// Closed forms; tests hold them against breadth-first search. No level sizes where there are
  /// more than max_levels.
  [[nodiscard]] std::uint64_t diameter() const noexcept {
    return (node_count() / 2 + reach_ - 1) / reach_;
  }
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const;

 private:
  std::uint64_t reach_;
};

static_assert(CayleyTopology<ExtendedRing>);

}  // namespace lockstep
