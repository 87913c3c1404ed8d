// SPDX-License-Identifier: Apache-2.0
#pragma once

/// SwitchTree: what fat trees and XGFTs have in common.
/// Processors are the leaves, level 0; all other nodes are switches. A node of level i - 1 has w_i
/// parents, and c_i lanes to each of them; a switch of level i has k_i children.
///
/// A place is a level, a subtree of that level and one of the W_i = w_1 .. w_i switches on top of
/// that subtree: its columns. Nodes are numbered level by level, subtree by subtree, column by
/// column. The branches of a switch are child 0, 1, .., then parent 0, 1, ..; its ports are the
/// lanes of branch 0, of branch 1, ..
///
///     const FatTree wide({3, 2}, {.list = {1, 3}});
///     wide.place(NodeId{7}) == SwitchTree::Place{1, 1, 0};  // the second switch of level 1
///     wide.branch_port(1, wide.arity(1)) == Port{3};        // behind three children: the parent
///     wide.lanes(1, wide.arity(1)) == 3;
///
/// Algorithms that are written for one parent per node use column 0 of all subtrees, a spanning
/// tree; switches of other columns are idle then.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/detail/divisor.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class ErasedTopology;

class SwitchTree {
 public:
  /// By level, from the bottom up.
  struct Shape {
    std::vector<std::uint64_t> arities;
    std::vector<std::uint64_t> parents;
    std::vector<std::uint64_t> lanes;
  };
  struct Place {
    std::size_t level = 0;
    std::uint64_t subtree = 0;  ///< from the left
    std::uint64_t column = 0;   ///< digit i of it, counted from 1, is the parent on level i

    friend bool operator==(const Place&, const Place&) = default;
  };

  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::uint64_t processor_count() const noexcept { return leaves_below(height()); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return max_degree_; }
  [[nodiscard]] std::size_t degree(NodeId u) const { return degree_of_level(place(u).level); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const;
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const;
  [[nodiscard]] std::string label(NodeId u) const;  ///< "(1,2,0)": level, subtree, column
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;

  [[nodiscard]] std::size_t height() const noexcept { return rows_.size() - 1; }
  /// Figures of level i, 1 <= i <= h: k_i; w_i and c_i belong to a node of the level below.
  [[nodiscard]] std::uint64_t arity(std::size_t i) const { return rows_[i].arity.value(); }
  [[nodiscard]] std::uint64_t parents(std::size_t i) const { return rows_[i - 1].parents.value(); }
  [[nodiscard]] std::uint64_t lanes(std::size_t i) const { return rows_[i].lanes_down; }
  /// W_i: switches on top of a subtree of level i.
  [[nodiscard]] std::uint64_t columns(std::size_t i) const { return rows_[i].columns.value(); }
  /// Whether no node has several parents.
  [[nodiscard]] bool has_one_column() const { return columns(height()) == 1; }
  /// W_i c_i: lanes above a subtree of level i - 1; as many as lower levels can fill of them.
  [[nodiscard]] std::uint64_t capacity(std::size_t i) const { return columns(i) * lanes(i); }
  [[nodiscard]] std::uint64_t effective_capacity(std::size_t i) const { return rows_[i].effective; }
  /// N_i: leaves below a node of level i, 0 <= i <= h.
  [[nodiscard]] std::uint64_t leaves_below(std::size_t i) const { return rows_[i].below.value(); }

  [[nodiscard, gnu::always_inline]] Place place(NodeId u) const noexcept {
    std::size_t level = 0;
    while (level + 1 < rows_.size() && rows_[level + 1].first <= index(u)) ++level;
    const Row& row = rows_[level];
    const std::uint64_t number = index(u) - row.first;
    if (row.columns.value() == 1) return {level, number, 0};
    const std::uint64_t subtree = row.columns.quotient(number);
    return {level, subtree, number - subtree * row.columns.value()};
  }
  [[nodiscard]] NodeId node(Place place) const {
    const Row& row = rows_[place.level];
    return NodeId{row.first + place.subtree * row.columns.value() + place.column};
  }
  [[nodiscard]] bool is_below(std::uint64_t leaf, Place place) const {
    return rows_[place.level].below.quotient(leaf) == place.subtree;
  }
  /// The level on which a message between two leaves turns.
  [[nodiscard]] std::size_t turning_level(std::uint64_t a, std::uint64_t b) const;

  /// The branch of a switch that leads to a leaf, upwards to a column above.
  [[nodiscard]] std::uint64_t branch_towards(std::uint64_t leaf, std::uint64_t column,
                                             Place place) const {
    const std::uint64_t child = rows_[place.level - 1].below.quotient(leaf);
    const Divisor& arity = rows_[place.level].arity;
    const std::uint64_t subtree = arity.quotient(child);
    if (subtree != place.subtree) return branch_up(column, place.level);
    return child - subtree * arity.value();
  }
  /// The branch of a node of that level that leads to a column above it.
  [[nodiscard]] std::uint64_t branch_up(std::uint64_t column, std::size_t level) const {
    const Row& row = rows_[level];
    const std::uint64_t above = row.columns.quotient(column);
    return row.children + above - row.parents.quotient(above) * row.parents.value();
  }
  /// Branches of a node of that level: children and parents.
  [[nodiscard]] std::uint64_t branches(std::size_t level) const {
    return rows_[level].children + (level == height() ? 0 : rows_[level].parents.value());
  }
  [[nodiscard]] std::uint64_t lanes(std::size_t level, std::uint64_t branch) const {
    return branch < rows_[level].children ? rows_[level].lanes_down : rows_[level].lanes_up;
  }
  /// Lane 0 of a branch of a node of that level.
  [[nodiscard]] Port branch_port(std::size_t level, std::uint64_t branch) const {
    const Row& row = rows_[level];
    if (branch <= row.children) return port(branch * row.lanes_down);
    return port(row.children * row.lanes_down + (branch - row.children) * row.lanes_up);
  }
  [[nodiscard]] Port parent_port(std::size_t level) const {
    return branch_port(level, rows_[level].children);
  }
  [[nodiscard]] std::size_t degree_of_level(std::size_t level) const noexcept;

  [[nodiscard]] std::uint64_t diameter() const noexcept { return 2 * height(); }
  [[nodiscard]] std::optional<std::uint64_t> link_count() const noexcept { return links_; }
  [[nodiscard]] std::vector<Level> levels() const;

  /// Column 0 as a tree of its own: leaves, levels, subtrees and ports have the same numbers.
  [[nodiscard]] SwitchTree spanning_tree() const;

 protected:
  /// Throws InvalidParameter where there are more than 2^`link_bits` links. Preconditions: as many
  /// numbers of each kind, none of them 0; at most 2^62 leaves; nodes have ports for all lanes.
  SwitchTree(std::string name, const Shape& shape, unsigned link_bits);

 private:
  /// Values that programs need in every step, without a division.
  struct Row {
    std::uint64_t first = 0;  // node
    Divisor below{1};         // N_i
    Divisor columns{1};       // W_i
    Divisor arity{1};         // k_i
    Divisor parents{1};       // w_(i+1)
    std::uint64_t children = 0;
    std::uint64_t lanes_down = 0;
    std::uint64_t lanes_up = 0;
    std::uint64_t effective = 0;
  };

  std::string name_;
  std::vector<Row> rows_;  // by level
  std::uint64_t node_count_ = 0;
  std::size_t max_degree_ = 0;
  std::uint64_t links_ = 0;
};

static_assert(Topology<SwitchTree>);

/// The tree, if the network is a fat tree or an XGFT.
[[nodiscard]] std::optional<SwitchTree> switch_tree(const ErasedTopology& network);

/// Lanes of the branches, by a name or as a list c_1, .., c_h.
struct FatTreeCapacities {
  /// constant: 1; exponential: N_(i-1), what is below; half: of that every second level, k_2 k_4
  /// ..; linear: i; steep: 1, N_2, N_3, .. Empty: the list holds.
  std::string name{};
  std::vector<std::uint64_t> list{};
};

/// The fat tree: processors are its leaves, all other nodes switches; the branch between a node of
/// level i - 1 and its parent on level i has capacity c_i, as many lanes. Level 0 are the leaves,
/// level h is the root; a node of level i has k_i children.
///
///     const FatTree tree({3, 2}, {.name = "constant"});        // "fat-tree:3x2"
///     tree.processor_count() == 6;                             // N_2 = 3 * 2
///     tree.place(NodeId{7}) == SwitchTree::Place{1, 1};        // behind the leaves, and (1,0)
///     tree.turning_level(1, 4) == 2;                           // the lowest common ancestor
///
/// A SwitchTree of one column: leaf x has number x, the root the largest.
///
/// Source: thesis (Dimakopoulos 1996), section 6.1; arities that differ by level are not in it.
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
};

static_assert(Topology<FatTree>);
template <>
inline constexpr bool laws_are_proven<FatTree> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(FatTree);

/// The extended generalized fat tree XGFT(h; m_1, .., m_h; w_1, .., w_h), every switch a node of
/// its own and every link of one lane: a node of level i - 1 has w_i parents, one of level i has
/// m_i children. Processors are the leaves.
///
///     const Xgft tree({2, 2, 2}, {1, 2, 2});                     // "kary-tree:2^3"
///     tree.processor_count() == 8;
///     tree.place(NodeId{10}) == SwitchTree::Place{1, 2, 0};      // the third switch of level 1
///
/// Column 0 of all subtrees is a spanning tree, the fat tree of capacities 1 with the same port
/// numbers; all columns together are the fat tree of capacities W_i, taken apart.
///
/// The k-ary n-tree is XGFT(n; k, .., k; 1, k, .., k): whole capacity at every level.
///
/// Source: Oehring, Ibel, Das, Kumar 1995; k-ary n-trees: Petrini, Vanneschi 1997.
class Xgft : public SwitchTree {
 public:
  static constexpr Knows knows = Knows::processors | Knows::find | Knows::port_label |
                                 Knows::diameter | Knows::link_count | Knows::levels;
  /// Children and parents from the bottom up. Throws InvalidParameter unless there are as many of
  /// the one as of the other, at least one, children are at least 2, parents at least 1, nodes and
  /// links at most 2^62, and a node has at most 131071 ports.
  Xgft(const std::vector<std::uint64_t>& children, const std::vector<std::uint64_t>& parents);

  [[nodiscard]] std::string port_label(NodeId u, Port p) const;  ///< "child 1", "parent 0"
};

static_assert(Topology<Xgft>);
template <>
inline constexpr bool laws_are_proven<Xgft> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(Xgft);

}  // namespace lockstep
