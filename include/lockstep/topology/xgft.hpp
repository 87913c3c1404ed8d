// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The extended generalized fat tree XGFT(h; m_1, .., m_h; w_1, .., w_h), every switch a node of
/// its own and every link of one lane: a node of level i - 1 has w_i parents, one of level i has
/// m_i children. Processors are the leaves.
///
///     const Xgft tree({2, 2, 2}, {1, 2, 2});                     // "kary-tree:2^3"
///     tree.processor_count() == 8;
///     tree.place(NodeId{10}) == SwitchTree::Place{1, 2, 0};      // the third switch of level 1
///
/// A place is a level, which subtree of that level, and which of its top switches: W_i = w_1 .. w_i
/// of them, its columns. Column 0 of all subtrees is a spanning tree, the fat tree of capacities 1
/// with the same port numbers; all columns together are the fat tree of capacities W_i, taken
/// apart. Nodes are numbered level by level, subtree by subtree, column by column; the ports of a
/// switch are child 0, 1, .., then parent 0, 1, ...
///
/// The k-ary n-tree is XGFT(n; k, .., k; 1, k, .., k): whole capacity at every level.
///
/// Source: Oehring, Ibel, Das, Kumar 1995; k-ary n-trees: Petrini, Vanneschi 1997.

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class Xgft : public SwitchTree {
 public:
  static constexpr Knows knows = Knows::processors | Knows::find | Knows::port_label |
                                 Knows::diameter | Knows::link_count | Knows::levels;
  /// Children and parents from the bottom up. Throws InvalidParameter unless there are as many of
  /// the one as of the other, at least one, children are at least 2, parents at least 1, nodes and
  /// links at most 2^62, and a node has at most 131071 ports.
  Xgft(const std::vector<std::uint64_t>& children, const std::vector<std::uint64_t>& parents);

  [[nodiscard]] std::string port_label(NodeId u, Port p) const;  ///< "child 1", "parent 0"

 private:
  [[nodiscard]] static Shape checked(const std::vector<std::uint64_t>& children,
                                     const std::vector<std::uint64_t>& parents);
};

static_assert(Topology<Xgft>);
template <>
inline constexpr bool laws_are_proven<Xgft> = true;

}  // namespace lockstep
