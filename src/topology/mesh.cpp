// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/mesh.hpp"

#include <fmt/format.h>

#include "lockstep/topology/cyclic_product.hpp"

namespace lockstep {

Mesh::Mesh(const std::vector<std::uint64_t>& sizes)
    : coordinates_(product_sizes("mesh", sizes)), max_degree_(0) {
  for (const std::uint64_t size : sizes) max_degree_ += size > 2 ? 2 : 1;
}

bool Mesh::exists(NodeId u, Move move) const noexcept {
  const std::uint64_t digit = coordinates_.digit(index(u), move.dimension);
  return move.way == Way::up ? digit + 1 < coordinates_.size(move.dimension) : digit > 0;
}

NodeId Mesh::moved(NodeId u, Move move) const noexcept {
  const std::uint64_t stride = coordinates_.stride(move.dimension);
  return NodeId{move.way == Way::up ? index(u) + stride : index(u) - stride};
}

std::size_t Mesh::degree(NodeId u) const noexcept {
  std::size_t degree = 0;
  for (std::size_t i = 0; i < dimensions(); ++i)
    for (const Way way : {Way::down, Way::up}) degree += exists(u, {i, way}) ? 1U : 0U;
  return degree;
}

Mesh::Move Mesh::move_of(NodeId u, Port p) const noexcept {
  std::size_t before = index(p);
  for (std::size_t i = 0;; ++i)  // ends: p < degree(u)
    for (const Way way : {Way::down, Way::up})
      if (exists(u, {i, way}) && before-- == 0) return {i, way};
}

NodeId Mesh::neighbor(NodeId u, Port p) const noexcept { return moved(u, move_of(u, p)); }

Port Mesh::reverse_port(NodeId u, Port p) const noexcept {
  const Move move = move_of(u, p);
  const NodeId v = moved(u, move);
  std::size_t before = 0;
  for (std::size_t i = 0; i < move.dimension; ++i)
    for (const Way way : {Way::down, Way::up}) before += exists(v, {i, way}) ? 1U : 0U;
  // Back is the other way: down comes first, up behind a down that exists.
  if (move.way == Way::down && exists(v, {move.dimension, Way::down})) ++before;
  return port(before);
}

std::optional<NodeId> Mesh::find(const std::string& label) const {
  const std::optional<std::uint64_t> number = coordinates_.number(label);
  if (!number) return std::nullopt;
  return NodeId{*number};
}

std::string Mesh::port_label(NodeId u, Port p) const {
  const Move move = move_of(u, p);
  return fmt::format("dimension {}, {}1", move.dimension + 1, move.way == Way::up ? '+' : '-');
}

std::uint64_t Mesh::diameter() const noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : coordinates_.sizes()) sum += size - 1;
  return sum;
}

std::uint64_t Mesh::link_count() const noexcept {
  std::uint64_t links = 0;
  for (const std::uint64_t size : coordinates_.sizes()) links += node_count() / size * (size - 1);
  return links;
}

}  // namespace lockstep
