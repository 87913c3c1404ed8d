// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/mesh.hpp"

#include <fmt/format.h>

#include <utility>

#include "lockstep/topology/cyclic_product.hpp"

namespace lockstep {

Mesh::Mesh(const std::vector<std::uint64_t>& sizes) : Mesh(product_name("mesh", sizes), sizes) {}

Mesh::Mesh(std::string name, const std::vector<std::uint64_t>& sizes)
    : CartesianProduct({sizes.begin(), sizes.end()}, FirstDimension::most_significant,
                       std::move(name)) {}

std::optional<NodeId> Mesh::find(const std::string& label) const {
  const std::optional<std::uint64_t> number = coordinates().number(label);
  return number ? std::optional(NodeId{*number}) : std::nullopt;
}

std::string Mesh::port_label(NodeId u, Port p) const {
  return fmt::format("dimension {}, {}1", place(u, p).dimension + 1,
                     neighbor(u, p) > u ? '+' : '-');
}

}  // namespace lockstep
