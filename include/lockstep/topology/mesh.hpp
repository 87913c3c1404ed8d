// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The mesh of any number of dimensions: the product of linear arrays. Ports, where these exist:
/// -1 and +1 in dimension 1, then in dimension 2, ..
///
///     const Mesh mesh({3, 4});
///     mesh.label(NodeId{7}) == "1,3";
///     mesh.label(mesh.neighbor(NodeId{7}, Port{2})) == "1,2";      // no +1 in dimension 2
///
/// Source: textbook. Diameter: the sum of size - 1.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/linear_array.hpp"

namespace lockstep {

class Mesh : public CartesianProduct<LinearArray> {
 public:
  /// Throws InvalidParameter unless there is a size, every size is at least 2 and their product at
  /// most 2^40.
  explicit Mesh(const std::vector<std::uint64_t>& sizes);

  [[nodiscard]] std::string label(NodeId u) const { return coordinates().text(index(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "dimension 2, +1".
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;

 private:
  Mesh(std::string name, const std::vector<std::uint64_t>& sizes);  ///< sizes that are allowed
};

static_assert(Topology<Mesh>);
template <>
inline constexpr bool laws_are_proven<Mesh> = true;

}  // namespace lockstep
