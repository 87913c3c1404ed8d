// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The circulant graph of N nodes and jumps s1, s2, ..: node u is linked to u + s and u - s modulo
/// N for every jump s. Ports: up by every jump in the order given, then down by every jump; a jump
/// by N / 2 has one port.
///
///     const Circulant circulant(9, {1, 4});
///     circulant.neighbor(NodeId{3}, Port{3}) == NodeId{8};       // 3 - 4
///
/// Source: textbook. With the jumps 1..rho: the extended ring (extended_ring.hpp).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/topology/cyclic_product.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class Circulant : public CyclicProduct {
 public:
  static constexpr std::uint64_t min_nodes = 2;
  static constexpr std::size_t max_jumps = max_ports / 2;

  /// Throws InvalidParameter unless 2 <= node_count <= 2^40, every jump is in 1..node_count - 1, no
  /// two lead to the same nodes (5 is 4 the other way round, modulo 9), and all nodes are reached:
  /// the jumps and node_count have no common divisor.
  Circulant(std::uint64_t node_count, std::vector<std::uint64_t> jumps);

  [[nodiscard]] const std::vector<std::uint64_t>& jumps() const noexcept { return jumps_; }

 private:
  std::vector<std::uint64_t> jumps_;
};

static_assert(CayleyTopology<Circulant>);

}  // namespace lockstep
