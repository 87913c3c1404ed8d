// SPDX-License-Identifier: Apache-2.0
#pragma once

/// EJ_alpha^(n), the Eisenstein-Jacobi network of n dimensions: the cartesian product of n networks
/// of alpha = a + b rho. Node (c_n, ..., c_1) is number c_1 + c_2 N + c_3 N^2 + ..; port 6 (d-1) +
/// k adds rho^k in dimension d, counted from 1.
///
///     const EisensteinJacobiNetwork network(3, 4, 2);              // 1369 nodes of degree 12
///     const NodeId u = *network.find("(1-rho^2, 2rho)");
///     network.label(network.neighbor(u, Port{8})) == "(1, 2rho)";   // dimension 2, +rho^2
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018, section 2.2.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

class EisensteinJacobiNetwork : public CartesianProduct<EisensteinJacobi> {
 public:
  /// Throws InvalidParameter unless a <= b, 7 <= a^2 + ab + b^2, n >= 1 and there are at most 2^63
  /// nodes. Named "ej:3+4^2", "ej:3+4" of one dimension.
  EisensteinJacobiNetwork(std::uint64_t a, std::uint64_t b, std::size_t dimensions = 1);

  /// The network of one dimension.
  [[nodiscard]] const EisensteinJacobi& alpha() const noexcept { return factor(0); }

  /// From one node to another, the coordinates' distances added up.
  [[nodiscard]] std::uint64_t distance(NodeId u, NodeId v) const noexcept;

  [[nodiscard]] std::uint64_t diameter() const noexcept {
    return dimensions() * alpha().diameter();
  }
  /// As those of CartesianProduct, the same from every node.
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const {
    return CartesianProduct::level_sizes(NodeId{0});
  }

 private:
  EisensteinJacobiNetwork(const EisensteinJacobi& alpha, std::size_t dimensions);
};

static_assert(CayleyTopology<EisensteinJacobiNetwork>);
template <>
inline constexpr bool laws_are_proven<EisensteinJacobiNetwork> = true;

}  // namespace lockstep
