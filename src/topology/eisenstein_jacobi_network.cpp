// SPDX-License-Identifier: Apache-2.0

/// Eisenstein-Jacobi networks of several dimensions.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::string name_of(const EisensteinJacobi& alpha, std::size_t dimensions) {
  return dimensions == 1 ? alpha.name() : fmt::format("{}^{}", alpha.name(), dimensions);
}

/// Throws InvalidParameter where there are none.
[[nodiscard]] std::vector<EisensteinJacobi> copies(const EisensteinJacobi& alpha,
                                                   std::size_t dimensions) {
  if (dimensions < 1)
    throw invalid("{}: 0 dimensions; allowed: 1 or more", name_of(alpha, dimensions));
  constexpr std::size_t too_many = 64;  // for any alpha: refused as more than 2^63 nodes
  return std::vector<EisensteinJacobi>(std::min(dimensions, too_many), alpha);
}

}  // namespace

EisensteinJacobiNetwork::EisensteinJacobiNetwork(std::uint64_t a, std::uint64_t b,
                                                 std::size_t dimensions)
    : EisensteinJacobiNetwork(EisensteinJacobi(a, b), dimensions) {}

EisensteinJacobiNetwork::EisensteinJacobiNetwork(const EisensteinJacobi& alpha,
                                                 std::size_t dimensions)
    : CartesianProduct(copies(alpha, dimensions), FirstDimension::least_significant,
                       name_of(alpha, dimensions)) {}

std::uint64_t EisensteinJacobiNetwork::distance(NodeId u, NodeId v) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < dimensions(); ++d)
    sum += alpha().distance(coordinate(u, d), coordinate(v, d));
  return sum;
}

}  // namespace lockstep
