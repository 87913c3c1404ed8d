// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The group behind cube-connected cycles and wrapped butterflies: pairs (x, p) of d bits and a
/// position modulo d, with (x, p)(y, q) = (x xor y rotated left by p, p + q). Node number x * d +
/// p; a label is the bits, highest first, and the position: "0110,2".
///
/// Source: V. V. Dimakopoulos, "Collective communication problems in multiprocessors", PhD thesis,
/// University of Victoria 1996, section 4.4 (the semidirect product of Z_2^d and Z_d).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class CubeCycleGroup {
 public:
  static constexpr std::size_t min_dimensions = 3;  // with two, both ways round are one
  static constexpr std::size_t max_dimensions = 32;

  [[nodiscard]] std::size_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept {
    return std::uint64_t{dimensions_} << dimensions_;
  }
  [[nodiscard]] NodeKind kind(NodeId) const noexcept { return NodeKind::processor; }

  [[nodiscard]] NodeId node(std::uint64_t bits, std::size_t position) const noexcept {
    return NodeId{bits * dimensions_ + position};
  }
  [[nodiscard]] std::uint64_t bits(NodeId u) const noexcept { return index(u) / dimensions_; }
  [[nodiscard]] std::size_t position(NodeId u) const noexcept { return index(u) % dimensions_; }

  [[nodiscard]] std::string label(NodeId u) const;
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;

  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const noexcept {
    return node(bits(u) ^ rotated_left(bits(v), position(u)), after(position(u), position(v)));
  }
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept {
    const std::size_t back = position(u) == 0 ? 0 : dimensions_ - position(u);
    return node(rotated_left(bits(u), back), back);
  }

 protected:
  /// Throws InvalidParameter, in the name of the family, unless 3 <= dimensions <= 32.
  CubeCycleGroup(std::string_view family, std::size_t dimensions);

  /// Position p moved on by q < d.
  [[nodiscard]] std::size_t after(std::size_t p, std::size_t q) const noexcept {
    return p + q >= dimensions_ ? p + q - dimensions_ : p + q;
  }
  /// Within d bits. Precondition: by < d.
  [[nodiscard]] std::uint64_t rotated_left(std::uint64_t bits, std::size_t by) const noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << dimensions_) - 1;
    return ((bits << by) | (bits >> (dimensions_ - by))) & mask;
  }

 private:
  std::size_t dimensions_;
};

}  // namespace lockstep
