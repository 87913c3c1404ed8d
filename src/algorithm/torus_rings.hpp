// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The rings of a torus through a node, a dimension each: what algorithms go by that work ring by
/// ring.
///
///     for (const TorusRing& ring : rings_of(torus)) ring.place(u);    // u's coordinates

#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

struct TorusRing {
  std::uint64_t side;
  std::uint64_t stride;  ///< between the numbers of neighbours
  Port up;
  Port down;  ///< the same port where there are two nodes

  /// Of u in its ring.
  [[nodiscard]] std::uint64_t place(NodeId u) const noexcept { return index(u) / stride % side; }
};

/// In the order of the dimensions; of the last one the stride is 1.
[[nodiscard]] inline std::vector<TorusRing> rings_of(const Torus& torus) {
  std::vector<TorusRing> rings;
  std::uint64_t nodes = torus.node_count();  // of the dimensions that are left
  for (std::size_t p = 0; p < torus.max_degree();) {
    const Port up = port(p);
    const Port down = torus.reverse_port(torus.identity(), up);
    const std::uint64_t stride = index(torus.neighbor(torus.identity(), up));
    rings.push_back({nodes / stride, stride, up, down});
    nodes = stride;
    p += up == down ? 1 : 2;
  }
  return rings;
}

}  // namespace lockstep
