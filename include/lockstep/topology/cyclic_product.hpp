// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The Cayley graph of a product of cyclic groups in which every generator is a jump along one
/// dimension; its families are in cyclic_networks.hpp. Nodes are numbered by their coordinates,
/// dimension 1 most significant; a label lists them: "3,0".
///
/// Takes O(ports) memory; a neighbour costs no division.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class CyclicProduct {
 public:
  static constexpr Knows knows = Knows::find | Knows::port_label;
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 40;
  static constexpr std::size_t max_ports = 65'535;  // ports have 16 bits

  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return coordinates_.count(); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return moves_.size(); }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return moves_.size(); }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    const auto& [dimension, length, reverse] = moves_[index(p)];
    const std::uint64_t size = coordinates_.size(dimension);
    const std::uint64_t to = coordinates_.digit(index(u), dimension) + length;
    const std::uint64_t wrapped = to >= size ? size : 0;
    return NodeId{index(u) + (length - wrapped) * coordinates_.stride(dimension)};  // modulo 2^64
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept {
    return moves_[index(p)].reverse;
  }

  [[nodiscard]] std::string label(NodeId u) const { return coordinates_.text(index(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "dimension 2, +1"; "jump -3" where there is one dimension.
  [[nodiscard]] std::string port_label(NodeId, Port p) const;

  /// The group: addition, in every dimension modulo its size.
  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const noexcept;
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept;

 protected:
  /// Without ports yet. Precondition: sizes that MixedRadix takes.
  CyclicProduct(std::string name, const std::vector<std::uint64_t>& sizes)
      : name_(std::move(name)), coordinates_(sizes) {}

  [[nodiscard]] const MixedRadix& coordinates() const noexcept { return coordinates_; }

  /// Ports that lead so many nodes up in a dimension, counted from 0; down by s is up by size - s.
  /// Preconditions: 0 < length < size; no length twice, and with each its inverse.
  void add_jumps(std::size_t dimension, std::span<const std::uint64_t> lengths);
  /// Up by each of the lengths, in their order, then down; by half the size only up.
  void add_both_ways(std::size_t dimension, std::vector<std::uint64_t> lengths);

 private:
  struct Move {
    std::size_t dimension;
    std::uint64_t length;
    Port reverse;
  };

  std::string name_;
  MixedRadix coordinates_;
  std::vector<Move> moves_;
};

/// The name of a network of that family, "torus:3x4". Throws InvalidParameter unless there is a
/// size, every size is at least 2 and their product at most 2^40.
[[nodiscard]] std::string product_name(std::string_view family,
                                       std::span<const std::uint64_t> sizes);

}  // namespace lockstep
