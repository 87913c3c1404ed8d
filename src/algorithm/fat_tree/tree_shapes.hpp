// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Fat trees, XGFTs and k-ary n-trees, and the properties of them that algorithms need.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lockstep/topology/network_shapes.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {

/// Every branch has a lane for each leaf below; in an XGFT no links are missing on the way up, and
/// leaves have one.
[[nodiscard]] inline bool has_full_bandwidth(const SwitchTree& tree) {
  const bool one_column = tree.has_one_column();
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t ways = one_column ? tree.lanes(i) : tree.parents(i);
    const std::uint64_t below = i == 1       ? 1
                                : one_column ? tree.leaves_below(i - 1)
                                             : tree.arity(i - 1);
    if (ways < below) return false;
  }
  return tree.parents(1) == 1;
}

inline constexpr NetworkShape fat_trees{
    .text = "fat-tree, xgft, kary-tree",
    .plural = "fat trees, XGFTs and k-ary n-trees",
    .is = [](const ErasedTopology& network) { return switch_tree(network).has_value(); },
    .wider = &shapes::any_network,
    .family = "fat-tree, xgft, kary-tree"};

inline constexpr NetworkShape full_trees{.text = fat_trees.text,
                                         .plural = fat_trees.plural,
                                         .clause = " of full bandwidth at every level",
                                         .is =
                                             [](const ErasedTopology& network) {
                                               const std::optional<SwitchTree> tree =
                                                   switch_tree(network);
                                               return tree && has_full_bandwidth(*tree);
                                             },
                                         .wider = &fat_trees};

inline constexpr NetworkShape one_parent_trees{.text = fat_trees.text,
                                               .plural = fat_trees.plural,
                                               .clause = " with one parent per node",
                                               .is =
                                                   [](const ErasedTopology& network) {
                                                     const std::optional<SwitchTree> tree =
                                                         switch_tree(network);
                                                     return tree && tree->has_one_column();
                                                   },
                                               .wider = &fat_trees};

inline constexpr NetworkShape several_lane_trees{.text = "fat-tree",
                                                 .plural = "fat trees",
                                                 .clause = " with several lanes per leaf",
                                                 .is =
                                                     [](const ErasedTopology& network) {
                                                       const std::optional<SwitchTree> tree =
                                                           switch_tree(network);
                                                       return tree && tree->lanes(1) > 1;
                                                     },
                                                 .wider = &fat_trees};

}  // namespace lockstep
