// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The broadcast tree of an Eisenstein-Jacobi network of one dimension, rooted at node 0: first so
/// many hops along the major direction of a sector, then so many along its minor one.
///
///     const EisensteinJacobiTree tree(EisensteinJacobi{3, 4});
///     tree.depth() == 3;  tree.child_mask(NodeId{0}) == 0b111111;
///     tree.parent_port(*network.find("1-2rho^2")) == Port{5};   // its last hop is -rho^2
///
/// Laws (tests hold every 0 <= a <= b <= 25 to them): a spanning tree in which a node's depth is
/// its distance from node 0; the sector is the same all along a path; node 0 has six children,
/// every other node at most two. Where a class has several shortest representatives, the one in the
/// lowest sector decides; then the sectors differ in size.
///
/// O(nodes) to build, 5 bytes per node; every answer is a look-up.
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional
/// Eisenstein-Jacobi networks", 2018, section 3, which
/// has it for b = a + 1.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

class EisensteinJacobiTree {
 public:
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 30;

  /// Throws InvalidParameter where there are more nodes.
  explicit EisensteinJacobiTree(const EisensteinJacobi& network);
  /// The same check alone: for those who build their tree later.
  static void check_size(const EisensteinJacobi& network);

  [[nodiscard]] std::uint64_t node_count() const noexcept { return child_masks_.size(); }
  [[nodiscard]] std::uint64_t depth() const noexcept { return depth_; }

  /// The distance from node 0.
  [[nodiscard]] std::uint64_t weight(NodeId u) const noexcept { return weights_[index(u)]; }
  /// 1..6; 0 for node 0.
  [[nodiscard]] int sector(NodeId u) const noexcept { return sectors_[index(u)]; }
  /// The last hop of the path to u: the parent sends through this port. Precondition: u is not 0.
  [[nodiscard]] Port parent_port(NodeId u) const noexcept { return Port{parent_ports_[index(u)]}; }
  /// Bit k: there is a child through port k.
  [[nodiscard]] std::uint8_t child_mask(NodeId u) const noexcept { return child_masks_[index(u)]; }
  [[nodiscard]] bool is_leaf(NodeId u) const noexcept { return child_mask(u) == 0; }

  [[nodiscard]] static std::uint64_t bytes(const EisensteinJacobi& network) noexcept {
    return network.node_count() * (sizeof(std::uint16_t) + 3);
  }

 private:
  std::vector<std::uint16_t> weights_;
  std::vector<std::uint8_t> sectors_;
  std::vector<std::uint8_t> parent_ports_;
  std::vector<std::uint8_t> child_masks_;
  std::uint64_t depth_;
};

}  // namespace lockstep
