// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Four spanning trees of an n x n torus, all with root P(0,0), no two of which have an arc in
/// common: of the 4 n^2 arcs they use all but those into the root. Trees 1, 2 and 3 are tree 0
/// turned about the root once, twice and three times: x = j, y = i, (x, y) -> (-y, x).
///
///     const EdstTrees trees(Torus({5, 5}), EdstTrees::Form::table);
///     trees.height() == 6;
///     const NodeId place = trees.place(3, u);     // of u in tree 3, as if that were tree 0
///     trees.parent_port(3, place);                // of u
///     for (const SpanningTree::Child& child : trees.children(place))
///       EdstTrees::turned(child.port, 3);         // to a child of u
///
/// Source: the trees that Y.-S. Chen and C.-Y. Chen compare with in section 4; "edge-disjoint" is
/// meant of arcs there.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

class EdstTrees {
 public:
  enum class Form : std::uint8_t {
    table,  ///< for n = 3..30 and 50; height 2 floor(n/2) + 2, 3 for n = 3
    odd,    ///< for odd n; height n - 1 + floor(n/2)
    any     ///< height 2n - 2
  };
  /// As users write them, in this order.
  static constexpr std::array<std::string_view, 3> forms{"table", "odd", "any"};
  static constexpr std::size_t count = 4;
  static constexpr std::uint64_t bytes_per_node = 28 + 8;  ///< of one SpanningTree

  /// The trees of a torus of that side: one letter per orbit of the quarter turns (four nodes; two
  /// or one at half of an even side), in the order of its smallest node. The letter is the rank, a
  /// to x, of the permutation of ports that lead that node to its parents in trees 0, 1, 2 and 3.
  /// Empty where there are none.
  [[nodiscard]] static std::string_view table(std::uint64_t side) noexcept;
  /// The form of least height.
  [[nodiscard]] static Form lowest(std::uint64_t side) noexcept;

  /// Throws InvalidParameter where there is no such form of that side. Precondition: both sides are
  /// the same, 3 or more.
  EdstTrees(const Torus& torus, Form form);

  [[nodiscard]] Form form() const noexcept { return form_; }
  [[nodiscard]] std::uint64_t height() const noexcept { return first_.height(); }
  [[nodiscard]] const SpanningTree& first() const noexcept { return first_; }

  /// The node of tree 0 that stands where `u` stands in that tree.
  [[nodiscard]] NodeId place(std::size_t tree, NodeId u) const noexcept {
    return place(side_, tree, u);
  }
  [[nodiscard]] static NodeId place(std::uint64_t side, std::size_t tree, NodeId u) noexcept {
    std::uint64_t x = index(u) % side;
    std::uint64_t y = index(u) / side;
    for (std::size_t turn = 0; turn < tree; ++turn) {
      const std::uint64_t before = x;
      x = y;
      y = before == 0 ? 0 : side - before;
    }
    return NodeId{y * side + x};
  }
  /// A port of tree 0 as that tree has it.
  [[nodiscard]] static constexpr Port turned(Port port, std::size_t tree) noexcept {
    constexpr std::array<std::uint16_t, 4> once{
        3, 2, 0, 1};  // down to left, up to right, right to down, left to up
    for (std::size_t turn = 0; turn < tree; ++turn) port = Port{once[index(port)]};
    return port;
  }
  /// In tree 0. Precondition: not the root.
  [[nodiscard]] NodeId parent(NodeId place) const noexcept {
    const std::uint64_t row = index(place) / side_ * side_;
    const std::uint64_t x = index(place) - row;
    switch (index(first_.parent_port(place))) {
      case 0:
        return NodeId{row + side_ == side_ * side_ ? x : index(place) + side_};
      case 1:
        return NodeId{row == 0 ? side_ * (side_ - 1) + x : index(place) - side_};
      case 2:
        return NodeId{x + 1 == side_ ? row : index(place) + 1};
      default:
        return NodeId{x == 0 ? row + side_ - 1 : index(place) - 1};
    }
  }
  /// Precondition: not the root's place.
  [[nodiscard]] Port parent_port(std::size_t tree, NodeId place) const noexcept {
    return turned(first_.parent_port(place), tree);
  }
  /// Their ports are those of tree 0.
  [[nodiscard]] std::span<const SpanningTree::Child> children(NodeId place) const noexcept {
    return first_.children(place);
  }

 private:
  std::uint64_t side_;
  Form form_;
  SpanningTree first_;
};

}  // namespace lockstep
