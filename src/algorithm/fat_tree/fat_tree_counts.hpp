// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Counting formulas that algorithms on fat trees and XGFTs share: destinations by distance, and
/// the steps, links and memory that follow from their number.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lockstep/program/settings.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {

/// Throws ResourceExhausted where pairs of leaves are more than 64 bits count, or labels hold.
void check_countable(const SwitchTree& tree);

/// Messages go over column 0, or over all columns of an XGFT.
enum class FatTreeColumns : std::uint8_t { first, all };
/// The tree that those messages use: column 0 as a tree of its own, or all of it.
[[nodiscard]] inline SwitchTree used_tree(const SwitchTree& tree, FatTreeColumns columns) {
  return columns == FatTreeColumns::first ? tree.spanning_tree() : tree;
}

/// The i-th destination of a leaf, counted from 0, furthest first; of equally far ones the lowest.
[[nodiscard]] inline std::uint64_t furthest(const SwitchTree& tree, std::uint64_t leaf,
                                            std::uint64_t i) {
  std::size_t level = tree.height();
  while (i >= tree.leaves_below(level) - tree.leaves_below(level - 1)) {
    i -= tree.leaves_below(level) - tree.leaves_below(level - 1);
    --level;
  }
  const std::uint64_t first = leaf - leaf % tree.leaves_below(level);
  const std::uint64_t own = leaf - leaf % tree.leaves_below(level - 1);  // a subtree it leaves out
  return first + i + (first + i >= own ? tree.leaves_below(level - 1) : 0);
}

/// Steps in which a leaf sends a message to every other leaf, or receives one from each: one, or
/// as many as it has lanes, at a time.
inline constexpr std::string_view steps_with_leaf = "most('i', 1, h, 'N - below(i - 1) + 2*i - 1')";
inline constexpr std::string_view steps_with_leaf_by_lanes =
    "most('i', 1, h, 'ceil(N - below(i - 1), lanes(1)) + 2*i - 1')";

/// Links that a message to every other leaf goes over, all together.
[[nodiscard]] inline std::uint64_t hops_from(const SwitchTree& tree) {
  std::uint64_t hops = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i)
    hops += 2 * i * (tree.leaves_below(i) - tree.leaves_below(i - 1));
  return hops;
}

/// Messages of a total exchange that a switch of that level passes on: others' from outside and to
/// outside, and those that turn there.
[[nodiscard]] inline std::uint64_t exchanged_through(const SwitchTree& tree, std::size_t level) {
  const std::uint64_t inside = tree.leaves_below(level);
  return 2 * inside * (tree.processor_count() - inside) +
         inside * (inside - tree.leaves_below(level - 1));
}

/// Throws ResourceExhausted if more messages pass through a switch than a region holds.
void check_exchanged_through(const SwitchTree& tree);

/// Levels of the network, but with the switches of column 0 only: those that messages pass.
[[nodiscard]] std::vector<Level> levels_of_column_0(const SwitchTree& tree);

/// About how many bytes switches of a tree of one column keep for each of their branches.
[[nodiscard]] inline std::uint64_t branch_variables(const SwitchTree& tree) {
  constexpr std::uint64_t of_a_switch = 64;
  constexpr std::uint64_t of_a_branch = 8;
  return (tree.node_count() - tree.processor_count()) * of_a_switch +
         2 * tree.node_count() * of_a_branch;
}

/// The messages of a total exchange in a fat tree by the level at which they turn, spread over the
/// leaves: of e of them in a row, where e divides the leaves below a child, no branch gets more
/// than its share.
///
/// Those that turn at one level: the same for each of its nodes and each of the node's children.
class FatTreeLevelMessages {
 public:
  FatTreeLevelMessages(const SwitchTree& tree, std::size_t level);

  /// Messages that leave a child, (k - 1) K^2, where a child has K leaves.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t leaves_of_child() const noexcept { return reversed_.size(); }

  /// By which child of the node, counted from the sender's, which leaf of either.
  struct Message {
    std::uint64_t children_on = 0;
    std::uint64_t source = 0;
    std::uint64_t destination = 0;
  };
  /// Slot q of the list: spread over the leaves by the reversal of their digits.
  [[nodiscard]] Message message(std::uint64_t q) const {
    const std::uint64_t leaves = leaves_of_child();
    const std::uint64_t u = q % leaves;
    const std::uint64_t shift = q / leaves % leaves;
    return {1 + q / leaves / leaves, reversed_[u], reversed_[(u + shift) % leaves]};
  }

  /// visit(q, source, destination) for each message of slot q, all nodes of the level and their
  /// children.
  void for_all_of(std::uint64_t q, auto visit) const {
    const auto [children_on, source, destination] = message(q);
    const std::uint64_t leaves = leaves_of_child();
    for (std::uint64_t first = 0; first < all_leaves_; first += arity_ * leaves)
      for (std::uint64_t a = 0; a < arity_; ++a)
        visit(q, first + a * leaves + source,
              first + (a + children_on) % arity_ * leaves + destination);
  }

 private:
  std::uint64_t all_leaves_;
  std::uint64_t arity_;
  std::uint64_t count_;
  std::vector<std::uint64_t> reversed_;  ///< of leaf u of a child: its digits, the highest lowest
};

/// The parameter of algorithms in phases on a fat tree: whether these overlap.
inline constexpr std::array<std::string_view, 2> pipelined_words{"yes", "no"};

inline constexpr Parameter pipelined_parameter{.name = "pipelined",
                                               .kind = Parameter::Kind::word,
                                               .placeholder = "yes|no",
                                               .meaning = "Overlap consecutive phases",
                                               .noun = "pipelining",
                                               .phrase = ", pipelined {}",
                                               .words = pipelined_words,
                                               .fallback = "yes"};

inline constexpr std::array pipelined_parameters{pipelined_parameter};

[[nodiscard]] inline bool is_pipelined(const Settings& settings) {
  return settings.text(pipelined_parameter.name, pipelined_parameter.fallback) == "yes";
}

}  // namespace lockstep
