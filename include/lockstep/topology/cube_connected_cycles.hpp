// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Cube-connected cycles: every corner of the d-cube is a ring of d nodes, one for each of its
/// links. Node (x, p) is linked to (x, p + 1) by port 0, to (x, p - 1) by port 1, and to (x with
/// bit p complemented, p) by port 2; positions modulo d.
///
///     const CubeConnectedCycles ccc(4);
///     ccc.label(ccc.neighbor(ccc.node(0b0110, 2), Port{2})) == "0010,2";
///
/// Source: F. P. Preparata, J. Vuillemin, "The cube-connected cycles: a versatile network for
/// parallel computation", CACM 24 (1981). Diameter 2d + floor(d / 2) - 2, and 6 for d = 3.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "lockstep/topology/cube_cycle_group.hpp"

namespace lockstep {

class CubeConnectedCycles : public CubeCycleGroup {
 public:
  /// Throws InvalidParameter unless 3 <= dimensions <= 32.
  explicit CubeConnectedCycles(std::size_t dimensions) : CubeCycleGroup("ccc", dimensions) {}

  [[nodiscard]] std::string name() const { return "ccc:" + std::to_string(dimensions()); }
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
  [[nodiscard]] std::string port_label(Port p) const {
    constexpr std::array labels{"position +1", "position -1", "cube"};
    return labels[index(p)];
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept {
    return dimensions() == 3 ? 6 : 2 * dimensions() + dimensions() / 2 - 2;
  }
};

static_assert(CayleyTopology<CubeConnectedCycles>);

}  // namespace lockstep
