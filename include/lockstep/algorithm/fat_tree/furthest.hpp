// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the algorithms on fat trees share: destinations by distance, and what follows from how many
/// there are.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lockstep/topology/fat_tree.hpp"
#include "lockstep/topology/xgft.hpp"

namespace lockstep {

/// Throws ResourceExhausted where pairs of leaves are more than 64 bits count, or labels hold.
void check_countable(const FatTree& tree);
/// The spanning tree of one of which that holds; else throws in its name.
[[nodiscard]] const FatTree& countable_tree(const Xgft& tree);

/// The i-th destination of a leaf, counted from 0, furthest first; of equally far ones the lowest.
[[nodiscard]] inline std::uint64_t furthest(const FatTree& tree, std::uint64_t leaf,
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

/// Steps in which a leaf sends a message to every other, or receives one from every other,
/// `width` in a step: those that turn at level i or above are n - N_(i-1), on their way for 2 i
/// steps.
[[nodiscard]] inline std::uint64_t steps_with_leaf(const FatTree& tree, std::uint64_t width) {
  const std::uint64_t leaves = tree.processor_count();
  std::uint64_t steps = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i)
    steps = std::max(steps, (leaves - tree.leaves_below(i - 1) + width - 1) / width + 2 * i - 1);
  return steps;
}

/// Links that a message to every other leaf goes over, all together.
[[nodiscard]] inline std::uint64_t hops_from(const FatTree& tree) {
  std::uint64_t hops = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i)
    hops += 2 * i * (tree.leaves_below(i) - tree.leaves_below(i - 1));
  return hops;
}

/// Messages of a total exchange that a switch of that level passes on: others' from outside and to
/// outside, and those that turn there.
[[nodiscard]] inline std::uint64_t exchanged_through(const FatTree& tree, std::size_t level) {
  const std::uint64_t inside = tree.leaves_below(level);
  return 2 * inside * (tree.processor_count() - inside) +
         inside * (inside - tree.leaves_below(level - 1));
}

/// Bytes of what the switches' programs keep for each of their branches, about.
[[nodiscard]] inline std::uint64_t branch_variables(const FatTree& tree) {
  constexpr std::uint64_t of_a_switch = 64;
  constexpr std::uint64_t of_a_branch = 8;
  return (tree.node_count() - tree.processor_count()) * of_a_switch +
         2 * tree.node_count() * of_a_branch;
}

}  // namespace lockstep
