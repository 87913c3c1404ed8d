// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Cube-connected cycles and wrapped butterflies, and the group behind both.
///
///     const CubeConnectedCycles ccc(4);
///     ccc.label(ccc.neighbor(ccc.node(0b0110, 2), Port{2})) == "0010,2";
///     const WrappedButterfly butterfly(4);
///     butterfly.label(butterfly.neighbor(butterfly.node(0b0110, 3), Port{1})) == "1110,0";

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// Pairs (x, p) of d bits and a position modulo d, with (x, p)(y, q) = (x xor y rotated left by p,
/// p + q). Node number x * d + p; a label is the bits, highest first, and the position: "0110,2".
/// Source: V. V. Dimakopoulos, "Collective communication problems in multiprocessors", PhD thesis,
/// University of Victoria 1996, section 4.4 (the semidirect product of Z_2^d and Z_d).
class CubeCycleGroup {
 public:
  static constexpr Knows knows = Knows::find;
  static constexpr std::size_t min_dimensions = 3;  // with two, both ways round are one
  static constexpr std::size_t max_dimensions = 32;

  /// "ccc:4".
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::size_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept {
    return std::uint64_t{dimensions_} << dimensions_;
  }

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
  std::string_view family_;  // a literal
  std::size_t dimensions_;
};

/// Cube-connected cycles: every corner of the d-cube is a ring of d nodes, one for each of its
/// links. Node (x, p) is linked to (x, p + 1) by port 0, to (x, p - 1) by port 1, and to (x with
/// bit p complemented, p) by port 2; positions modulo d.
/// Source: F. P. Preparata, J. Vuillemin, "The cube-connected cycles: a versatile network for
/// parallel computation", CACM 24 (1981). Diameter 2d + floor(d / 2) - 2, and 6 for d = 3.
class CubeConnectedCycles : public CubeCycleGroup {
 public:
  static constexpr Knows knows = CubeCycleGroup::knows | Knows::port_label | Knows::diameter;
  /// Throws InvalidParameter unless 3 <= dimensions <= 32.
  explicit CubeConnectedCycles(std::size_t dimensions) : CubeCycleGroup("ccc", dimensions) {}

  [[nodiscard]] std::size_t max_degree() const noexcept { return 3; }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return 3; }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    const std::size_t at = position(u);
    if (p == Port{2}) return node(bits(u) ^ (std::uint64_t{1} << at), at);
    return node(bits(u), after(at, p == Port{0} ? 1 : dimensions() - 1));
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept {
    constexpr std::array back{Port{1}, Port{0}, Port{2}};
    return back[index(p)];
  }
  [[nodiscard]] std::string port_label(NodeId, Port p) const {
    constexpr std::array labels{"position +1", "position -1", "cube"};
    return labels[index(p)];
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept {
    return dimensions() == 3 ? 6 : 2 * dimensions() + dimensions() / 2 - 2;
  }
};

/// The wrapped butterfly: 2^d columns x and d positions p. Node (x, p) is linked to (x, p + 1) by
/// port 0, to (x with bit p complemented, p + 1) by port 1, and by ports 2 and 3 back the same
/// ways: to (x, p - 1) and (x with bit p - 1 complemented, p - 1); positions modulo d.
/// Source: textbook; F. T. Leighton, "Introduction to parallel algorithms and architectures", 1992.
/// Diameter floor(3d / 2).
class WrappedButterfly : public CubeCycleGroup {
 public:
  static constexpr Knows knows = CubeCycleGroup::knows | Knows::port_label | Knows::diameter;
  /// Throws InvalidParameter unless 3 <= dimensions <= 32.
  explicit WrappedButterfly(std::size_t dimensions) : CubeCycleGroup("butterfly", dimensions) {}

  [[nodiscard]] std::size_t max_degree() const noexcept { return 4; }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return 4; }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    const std::size_t at = position(u);
    const bool up = index(p) < 2;
    const std::size_t to = after(at, up ? 1 : dimensions() - 1);
    const std::uint64_t crossing = index(p) % 2;  // complements the bit between the two positions
    return node(bits(u) ^ (crossing << (up ? at : to)), to);
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept { return port(index(p) ^ 2U); }
  [[nodiscard]] std::string port_label(NodeId, Port p) const {
    constexpr std::array labels{"straight +1", "cross +1", "straight -1", "cross -1"};
    return labels[index(p)];
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept { return 3 * dimensions() / 2; }
};

static_assert(CayleyTopology<CubeConnectedCycles>);
template <>
inline constexpr bool laws_are_proven<CubeConnectedCycles> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(CubeConnectedCycles);
static_assert(CayleyTopology<WrappedButterfly>);
template <>
inline constexpr bool laws_are_proven<WrappedButterfly> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(WrappedButterfly);

}  // namespace lockstep
