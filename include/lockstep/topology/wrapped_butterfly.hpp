// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The wrapped butterfly: 2^d columns x and d positions p. Node (x, p) is linked to (x, p + 1) by
/// port 0, to (x with bit p complemented, p + 1) by port 1, and by ports 2 and 3 back the same
/// ways: to (x, p - 1) and (x with bit p - 1 complemented, p - 1); positions modulo d.
///
///     const WrappedButterfly butterfly(4);
///     butterfly.label(butterfly.neighbor(butterfly.node(0b0110, 3), Port{1})) == "1110,0";
///
/// Source: textbook; F. T. Leighton, "Introduction to parallel algorithms and architectures", 1992.
/// Diameter floor(3d / 2).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "lockstep/topology/cube_cycle_group.hpp"

namespace lockstep {

class WrappedButterfly : public CubeCycleGroup {
 public:
  /// Throws InvalidParameter unless 3 <= dimensions <= 32.
  explicit WrappedButterfly(std::size_t dimensions) : CubeCycleGroup("butterfly", dimensions) {}

  [[nodiscard]] std::string name() const { return "butterfly:" + std::to_string(dimensions()); }
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
  [[nodiscard]] std::string port_label(Port p) const {
    constexpr std::array labels{"straight +1", "cross +1", "straight -1", "cross -1"};
    return labels[index(p)];
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept { return 3 * dimensions() / 2; }
};

static_assert(CayleyTopology<WrappedButterfly>);

}  // namespace lockstep
