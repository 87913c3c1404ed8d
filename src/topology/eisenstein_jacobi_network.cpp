// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/eisenstein_jacobi_network.hpp"

#include <fmt/format.h>

#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string name_of(const EisensteinJacobi& alpha, std::size_t dimensions) {
  return dimensions == 1 ? alpha.name() : fmt::format("{}^{}", alpha.name(), dimensions);
}

/// Throws InvalidParameter where there are none, or too many.
[[nodiscard]] std::vector<EisensteinJacobi> factors(const EisensteinJacobi& alpha,
                                                    std::size_t dimensions) {
  const std::string name = name_of(alpha, dimensions);
  if (dimensions < 1)
    throw InvalidParameter(fmt::format("{}: 0 dimensions, allowed 1 or more", name));
  std::uint64_t nodes = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {  // some twenty times at most
    if (nodes > EisensteinJacobi::max_nodes / alpha.node_count())
      throw InvalidParameter(fmt::format("{}: more than 2^63 = {} nodes, allowed up to that", name,
                                         EisensteinJacobi::max_nodes));
    nodes *= alpha.node_count();
  }
  std::vector<EisensteinJacobi> all(dimensions, alpha);
  return all;
}

}  // namespace

EisensteinJacobiNetwork::EisensteinJacobiNetwork(std::uint64_t a, std::uint64_t b,
                                                 std::size_t dimensions)
    : CartesianProduct(factors(EisensteinJacobi(a, b), dimensions),
                       FirstDimension::least_significant) {}

std::string EisensteinJacobiNetwork::name() const { return name_of(alpha(), dimensions()); }

std::uint64_t EisensteinJacobiNetwork::distance(NodeId u, NodeId v) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < dimensions(); ++d)
    sum += alpha().distance(coordinate(u, d), coordinate(v, d));
  return sum;
}

}  // namespace lockstep
