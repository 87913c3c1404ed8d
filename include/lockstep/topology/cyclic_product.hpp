// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What circulants, tori and generalized hypercubes share: the Cayley graph of a product of cyclic
/// groups in which every generator is a jump along one dimension. Nodes are numbered by their
/// coordinates, dimension 1 most significant; a label lists them: "3,0".
///
/// Takes O(ports) memory; a neighbour costs two divisions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class CyclicProduct {
 public:
  static constexpr std::uint64_t max_nodes = MixedRadix::max_count;
  static constexpr std::size_t max_ports = 65'535;  // ports have 16 bits

  /// A generator: that many nodes up in one dimension, counted from 0. 0 < length < its size; a
  /// jump down by s is a jump up by size - s.
  struct Jump {
    std::size_t dimension;
    std::uint64_t length;
  };

  /// Preconditions: the jumps differ, and with each its inverse is among them.
  struct Definition {
    std::string name;
    MixedRadix coordinates;
    std::vector<Jump> jumps;
  };

  /// Dimension after dimension: jumps up by each of its lengths, in their order, then down; by half
  /// the size only up.
  [[nodiscard]] static std::vector<Jump> both_ways(
      std::span<const std::uint64_t> sizes, std::span<const std::vector<std::uint64_t>> lengths);

  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return coordinates_.count(); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return moves_.size(); }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return moves_.size(); }
  [[nodiscard]] NodeKind kind(NodeId) const noexcept { return NodeKind::processor; }
  [[nodiscard]] const MixedRadix& coordinates() const noexcept { return coordinates_; }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    const Move& move = moves_[index(p)];
    const std::uint64_t to = index(u) / move.stride % move.size + move.length;
    const std::uint64_t wrapped = to >= move.size ? move.size : 0;
    return NodeId{index(u) + move.length * move.stride - wrapped * move.stride};
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept {
    return moves_[index(p)].reverse;
  }
  [[nodiscard]] Jump jump(Port p) const noexcept {
    return {moves_[index(p)].dimension, moves_[index(p)].length};
  }

  [[nodiscard]] std::string label(NodeId u) const { return coordinates_.text(index(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "dimension 2, +1"; "jump -3" where there is one dimension.
  [[nodiscard]] std::string port_label(Port p) const;

  /// The group: addition, in every dimension modulo its size.
  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const noexcept;
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept;

 protected:
  explicit CyclicProduct(Definition definition);

 private:
  struct Move {
    std::uint64_t stride;
    std::uint64_t size;
    std::uint64_t length;
    std::size_t dimension;
    Port reverse;
  };

  std::string name_;
  MixedRadix coordinates_;
  std::vector<Move> moves_;
};

/// For networks named by their sizes, such as "torus:3x4". Throws InvalidParameter, in the name of
/// the family, unless there is a size, every size is at least 2 and their product at most 2^40.
[[nodiscard]] MixedRadix product_sizes(std::string_view family, std::vector<std::uint64_t> sizes);

}  // namespace lockstep
