// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The fat tree: processors are its leaves, all other nodes switches; the branch between a node of
/// level i - 1 and its parent on level i has capacity c_i, as many lanes. Level 0 are the leaves,
/// level h is the root; a node of level i has k_i children.
///
///     const FatTree tree({3, 2}, {.name = "constant"});        // "fat-tree:3x2"
///     tree.processor_count() == 6;                             // N_2 = 3 * 2
///     tree.place(NodeId{7}) == FatTree::Place{1, 1};           // behind the leaves, and (1,0)
///     tree.turning_level(1, 4) == 2;                           // the lowest common ancestor
///
/// Nodes are numbered level by level, left to right: leaf x has number x, the root the largest. The
/// ports of a switch are the lanes to child 0, to child 1, .., then those to its parent.
///
/// Source: thesis (Dimakopoulos 1996), section 6.1; arities that differ by level are not in it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// Lanes of the branches, by a name or as a list c_1, .., c_h.
struct FatTreeCapacities {
  /// constant: 1; exponential: N_(i-1), what is below; half: of that every second level, k_2 k_4
  /// ..; linear: i; steep: 1, N_2, N_3, .. Empty: the list holds.
  std::string name{};
  std::vector<std::uint64_t> list{};
};

class FatTree {
 public:
  static constexpr Knows knows = Knows::processors | Knows::find | Knows::port_label |
                                 Knows::diameter | Knows::link_count | Knows::levels;
  /// Level, and number on it from the left.
  struct Place {
    std::size_t level = 0;
    std::uint64_t number = 0;

    friend bool operator==(const Place&, const Place&) = default;
  };

  /// Arities from the bottom up. Throws InvalidParameter unless there is one, each is at least 2,
  /// nodes and links are at most 2^63, a node has at most 131071 ports, and there is a capacity for
  /// each level, at least 1 and not less than the one below.
  FatTree(std::vector<std::uint64_t> arities, FatTreeCapacities capacities);

  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return first_.back() + 1; }
  [[nodiscard]] std::uint64_t processor_count() const noexcept { return below_.back(); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return max_degree_; }
  [[nodiscard]] std::size_t degree(NodeId u) const { return degree_of_level(place(u).level); }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const;
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const;
  [[nodiscard]] std::string label(NodeId u) const;  ///< "(1,0)": level, number
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;  ///< "child 1, lane 0", "parent"

  [[nodiscard]] std::size_t height() const noexcept { return arities_.size(); }
  /// Of level i, 1 <= i <= h: k_i, c_i, and e_i = min(c_i, k_(i-1) e_(i-1)), which lower levels can
  /// fill.
  [[nodiscard]] std::uint64_t arity(std::size_t i) const { return arities_[i - 1]; }
  [[nodiscard]] std::uint64_t capacity(std::size_t i) const { return capacities_[i - 1]; }
  [[nodiscard]] std::uint64_t effective_capacity(std::size_t i) const { return effective_[i - 1]; }
  /// N_i: leaves below a node of level i, 0 <= i <= h.
  [[nodiscard]] std::uint64_t leaves_below(std::size_t i) const { return below_[i]; }
  [[nodiscard]] const std::vector<std::uint64_t>& arities() const noexcept { return arities_; }

  [[nodiscard]] Place place(NodeId u) const noexcept {
    std::size_t level = height();
    while (first_[level] > index(u)) --level;
    return {level, index(u) - first_[level]};
  }
  [[nodiscard]] NodeId node(Place place) const {
    return NodeId{first_[place.level] + place.number};
  }
  [[nodiscard]] bool is_below(std::uint64_t leaf, Place place) const {
    return leaf / below_[place.level] == place.number;
  }
  /// The branch of a switch that leads to a leaf: a child's, or, k_level, the parent's.
  [[nodiscard]] std::uint64_t branch_towards(std::uint64_t leaf, Place place) const {
    if (!is_below(leaf, place)) return arities_[place.level - 1];
    return leaf / below_[place.level - 1] % arities_[place.level - 1];
  }
  /// Of such a branch.
  [[nodiscard]] std::uint64_t lanes(std::size_t level, std::uint64_t branch) const {
    return capacities_[branch == arities_[level - 1] ? level : level - 1];
  }
  /// Level of the lowest common ancestor; 0 where the leaves are one.
  [[nodiscard]] std::size_t turning_level(std::uint64_t a, std::uint64_t b) const noexcept {
    std::size_t level = 0;
    for (; a != b; ++level) {
      a /= arities_[level];
      b /= arities_[level];
    }
    return level;
  }

  /// Lane 0 of such a branch; to a child, to the parent.
  [[nodiscard]] Port branch_port(std::size_t level, std::uint64_t branch) const {
    return port(branch * capacities_[level - 1]);
  }
  [[nodiscard]] Port parent_port(std::size_t level) const {
    return level == 0 ? Port{0} : branch_port(level, arities_[level - 1]);
  }
  [[nodiscard]] std::size_t degree_of_level(std::size_t level) const noexcept;

  [[nodiscard]] std::uint64_t diameter() const noexcept { return 2 * height(); }
  [[nodiscard]] std::optional<std::uint64_t> link_count() const noexcept { return links_; }
  [[nodiscard]] std::vector<Level> levels() const;

 private:
  std::string name_;
  std::vector<std::uint64_t> arities_;
  std::vector<std::uint64_t> capacities_;
  std::vector<std::uint64_t> effective_;
  std::vector<std::uint64_t> below_;  ///< N_0, .., N_h
  std::vector<std::uint64_t> first_;  ///< node of each level
  std::size_t max_degree_ = 0;
  std::uint64_t links_ = 0;
};

static_assert(Topology<FatTree>);
template <>
inline constexpr bool laws_are_proven<FatTree> = true;

}  // namespace lockstep
