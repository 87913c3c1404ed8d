// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The factors of a cartesian product, each with the place of its coordinate in a node's number.
///
///     for (const ProductFactor& factor : product_factors(AnyTopology("torus:3x4")))
///       factor.coordinate(u);                                  // u / 4, u % 4

#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

struct ProductFactor {
  ErasedTopology topology;
  std::uint64_t stride;

  [[nodiscard]] NodeId coordinate(NodeId u) const {
    return NodeId{index(u) / stride % topology.node_count()};
  }
  /// The node with another coordinate.
  [[nodiscard]] NodeId with(NodeId u, NodeId other) const {
    return NodeId{index(u) + (index(other) - index(coordinate(u))) * stride};  // modulo 2^64
  }
};

/// The most significant coordinate first; none where the network is no product. Factors that are
/// products themselves are taken apart.
[[nodiscard]] inline std::vector<ProductFactor> product_factors(const ErasedTopology& network) {
  std::vector<ProductFactor> all;
  std::uint64_t stride = network.node_count();
  for (const ErasedTopology& factor : network.factors()) {
    stride /= factor.node_count();
    std::vector<ProductFactor> own = product_factors(factor);
    if (own.size() < 2) own = {{factor, 1}};
    for (ProductFactor& part : own) all.push_back({std::move(part.topology), part.stride * stride});
  }
  return all;
}

}  // namespace lockstep
