// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The fat tree: processors are its leaves, all other nodes switches; the branch between a node of
/// level i - 1 and its parent on level i has capacity c_i, as many lanes. Level 0 are the leaves,
/// level h is the root; a node of level i has k_i children.
///
///     const FatTree tree({3, 2}, {.name = "constant"});        // "fat-tree:3x2"
///     tree.processor_count() == 6;                             // N_2 = 3 * 2
///     tree.place(NodeId{7}) == SwitchTree::Place{1, 1};        // behind the leaves, and (1,0)
///     tree.turning_level(1, 4) == 2;                           // the lowest common ancestor
///
/// A SwitchTree of one column. Nodes are numbered level by level, left to right: leaf x has number
/// x, the root the largest. The ports of a switch are the lanes to child 0, to child 1, .., then
/// those to its parent.
///
/// Source: thesis (Dimakopoulos 1996), section 6.1; arities that differ by level are not in it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// Lanes of the branches, by a name or as a list c_1, .., c_h.
struct FatTreeCapacities {
  /// constant: 1; exponential: N_(i-1), what is below; half: of that every second level, k_2 k_4
  /// ..; linear: i; steep: 1, N_2, N_3, .. Empty: the list holds.
  std::string name{};
  std::vector<std::uint64_t> list{};
};

class FatTree : public SwitchTree {
 public:
  static constexpr Knows knows = Knows::processors | Knows::find | Knows::port_label |
                                 Knows::diameter | Knows::link_count | Knows::levels;
  /// Arities from the bottom up. Throws InvalidParameter unless there is one, each is at least 2,
  /// nodes and links are at most 2^63, a node has at most 131071 ports, and there is a capacity for
  /// each level, at least 1 and not less than the one below.
  FatTree(const std::vector<std::uint64_t>& arities, const FatTreeCapacities& capacities);

  [[nodiscard]] std::string label(NodeId u) const;  ///< "(1,0)": level, number
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;  ///< "child 1, lane 0", "parent"

 private:
  [[nodiscard]] static Shape checked(const std::vector<std::uint64_t>& arities,
                                     const FatTreeCapacities& given);
};

static_assert(Topology<FatTree>);
template <>
inline constexpr bool laws_are_proven<FatTree> = true;

}  // namespace lockstep
