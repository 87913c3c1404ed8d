// SPDX-License-Identifier: Apache-2.0
#pragma once

/// product(A,B,..): the cartesian product of topologies that were named at run time.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/cartesian_product.hpp"

namespace lockstep::catalog {

/// A topology with the operations of its group.
class AnyGroup : public AnyTopology {
 public:
  AnyGroup(AnyTopology topology, AnyCayley group)
      : AnyTopology(std::move(topology)), group_(std::move(group)) {}

  [[nodiscard]] NodeId identity() const { return group_.identity(); }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const { return group_.product(u, v); }
  [[nodiscard]] NodeId inverse(NodeId u) const { return group_.inverse(u); }

 private:
  AnyCayley group_;
};

static_assert(CayleyTopology<AnyGroup>);

/// What a factor does not know in closed form, it searches where that is affordable: both of these
/// are empty where one of the factors says nothing.
template <Topology Factor>
class NamedProduct : public CartesianProduct<Factor> {
 public:
  explicit NamedProduct(std::vector<Factor> factors)
      : CartesianProduct<Factor>(std::move(factors), FirstDimension::most_significant) {}

  [[nodiscard]] std::optional<std::uint64_t> diameter() const;
  [[nodiscard]] std::vector<std::uint64_t> level_sizes(NodeId from) const;
};

/// The factors of "A,B,..)", what stands behind "product(". A comma before a letter begins the next
/// factor, unless parentheses are open; blanks before a factor do not count. Throws
/// InvalidParameter where the parentheses do not match.
[[nodiscard]] std::vector<std::string> factor_arguments(const std::string& argument);

/// A Cayley graph where all factors are. Throws InvalidParameter as CartesianProduct does.
[[nodiscard]] AnyTopology product_of(std::vector<AnyTopology> factors);

}  // namespace lockstep::catalog
