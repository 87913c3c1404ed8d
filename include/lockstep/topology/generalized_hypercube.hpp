// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The generalized hypercube: the product of complete graphs; nodes are linked if they differ in
/// exactly one coordinate. Ports: +1, +2, .., +(size - 1) in dimension 1, then in dimension 2, ..
///
///     const GeneralizedHypercube cube({2, 3});
///     cube.label(cube.neighbor(NodeId{0}, Port{2})) == "0,2";
///
/// Source: L. N. Bhuyan, D. P. Agrawal, "Generalized hypercube and hyperbus structures for a
/// computer network", IEEE Transactions on Computers 33 (1984). Diameter: the number of dimensions.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/topology/cyclic_product.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class GeneralizedHypercube : public CyclicProduct {
 public:
  /// Throws InvalidParameter unless there is a size, every size is at least 2, their product at
  /// most 2^40, and a node has at most 65535 ports.
  explicit GeneralizedHypercube(const std::vector<std::uint64_t>& sizes);

  [[nodiscard]] std::size_t dimensions() const noexcept { return coordinates().digits(); }

  /// Closed forms; tests hold them against breadth-first search.
  [[nodiscard]] std::uint64_t diameter() const noexcept { return dimensions(); }
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const;
};

static_assert(CayleyTopology<GeneralizedHypercube>);

}  // namespace lockstep
