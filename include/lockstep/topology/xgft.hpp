// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The extended generalized fat tree XGFT(h; m_1, .., m_h; w_1, .., w_h), every switch a node of
/// its own and every link of one lane: a node of level i - 1 has w_i parents, one of level i has
/// m_i children. Processors are the leaves.
///
///     const Xgft tree({2, 2, 2}, {1, 2, 2});                     // "kary-tree:2^3"
///     tree.processor_count() == 8;
///     tree.place(NodeId{10}) == Xgft::Place{1, 2, 0};            // the third switch of level 1
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
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/fat_tree.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class Xgft {
 public:
  static constexpr Knows knows = Knows::processors | Knows::find | Knows::port_label |
                                 Knows::diameter | Knows::link_count | Knows::levels;
  struct Place {
    std::size_t level = 0;
    std::uint64_t subtree = 0;  ///< from the left
    std::uint64_t column = 0;   ///< digit i of it, counted from 1, is the way up to level i

    friend bool operator==(const Place&, const Place&) = default;
  };

  /// Children and parents from the bottom up. Throws InvalidParameter unless there are as many of
  /// the one as of the other, at least one, children are at least 2, parents at least 1, nodes and
  /// links at most 2^62, and a node has at most 131071 ports.
  Xgft(const std::vector<std::uint64_t>& children, std::vector<std::uint64_t> parents);

  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return first_.back(); }
  [[nodiscard]] std::uint64_t processor_count() const noexcept { return tree_.processor_count(); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return max_degree_; }
  [[nodiscard]] std::size_t degree(NodeId u) const { return degree_of_level(place(u).level); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const;
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const;
  [[nodiscard]] std::string label(NodeId u) const;  ///< "(1,2,0)": level, subtree, column
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;  ///< "child 1", "parent 0"

  [[nodiscard]] std::size_t height() const noexcept { return tree_.height(); }
  /// Of level i, 1 <= i <= h: m_i; w_i, of a node of the level below.
  [[nodiscard]] std::uint64_t arity(std::size_t i) const { return tree_.arity(i); }
  [[nodiscard]] std::uint64_t parents(std::size_t i) const { return parents_[i - 1]; }
  /// Links above a subtree of level i - 1, W_i; as many as lower levels can fill of them.
  [[nodiscard]] std::uint64_t capacity(std::size_t i) const { return columns_[i]; }
  [[nodiscard]] std::uint64_t effective_capacity(std::size_t i) const { return effective_[i - 1]; }
  /// W_i: switches on top of a subtree of level i.
  [[nodiscard]] std::uint64_t columns(std::size_t i) const { return columns_[i]; }
  [[nodiscard]] std::uint64_t leaves_below(std::size_t i) const { return tree_.leaves_below(i); }
  /// Column 0: leaves and ports have the same numbers, as far as it has them.
  [[nodiscard]] const FatTree& spanning_tree() const noexcept { return tree_; }

  [[nodiscard]] Place place(NodeId u) const noexcept {
    std::size_t level = height();
    while (first_[level] > index(u)) --level;
    const std::uint64_t number = index(u) - first_[level];
    return {level, number / columns_[level], number % columns_[level]};
  }
  [[nodiscard]] NodeId node(Place place) const {
    return NodeId{first_[place.level] + place.subtree * columns_[place.level] + place.column};
  }
  [[nodiscard]] bool is_below(std::uint64_t leaf, Place place) const {
    return leaf / leaves_below(place.level) == place.subtree;
  }
  /// Precondition: the leaf is below.
  [[nodiscard]] Port port_down(std::uint64_t leaf, std::size_t level) const {
    return port(leaf / leaves_below(level - 1) % arity(level));
  }
  /// On the way from a node of that level to a column above it.
  [[nodiscard]] Port port_up(std::uint64_t column, std::size_t level) const {
    const std::uint64_t children = level == 0 ? 0 : arity(level);
    return port(children + column / columns_[level] % parents_[level]);
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept { return 2 * height(); }
  [[nodiscard]] std::optional<std::uint64_t> link_count() const noexcept { return links_; }
  [[nodiscard]] std::vector<Level> levels() const;

 private:
  [[nodiscard]] std::size_t degree_of_level(std::size_t level) const noexcept;

  std::string name_;
  FatTree tree_;
  std::vector<std::uint64_t> parents_;
  std::vector<std::uint64_t> columns_{1};  ///< W_0, .., W_h
  std::vector<std::uint64_t> effective_;
  std::vector<std::uint64_t> first_{0};  ///< node of each level, and behind the last
  std::size_t max_degree_ = 0;
  std::uint64_t links_ = 0;
};

static_assert(Topology<Xgft>);
template <>
inline constexpr bool laws_are_proven<Xgft> = true;

}  // namespace lockstep
