// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The torus of any number of dimensions: the product of rings. Ports: +1 and -1 in dimension 1,
/// then in dimension 2, ..; a dimension of size 2 is a single link and has one port.
///
///     const Torus torus({3, 4});
///     torus.label(NodeId{7}) == "1,3";
///     torus.label(torus.neighbor(NodeId{7}, Port{2})) == "1,0";
///
/// Source: textbook; k-ary n-cube where all sizes are equal. Diameter: the sum of floor(size / 2).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/topology/cyclic_product.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class Torus : public CyclicProduct {
 public:
  /// Throws InvalidParameter unless there is a size, every size is at least 2 and their product at
  /// most 2^40.
  explicit Torus(const std::vector<std::uint64_t>& sizes);

  [[nodiscard]] std::size_t dimensions() const noexcept { return coordinates().digits(); }

  /// Closed forms; tests hold them against breadth-first search. No level sizes where there are
  /// more than max_levels.
  [[nodiscard]] std::uint64_t diameter() const noexcept;
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const;
};

static_assert(CayleyTopology<Torus>);

}  // namespace lockstep
