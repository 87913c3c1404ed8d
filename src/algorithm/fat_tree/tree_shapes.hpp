// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Fat trees, XGFTs and k-ary n-trees: the properties that algorithms require, a helper for their
/// descriptions, and claims that are proved for some trees only, because the bound uses the only
/// switch above a subtree or the only link of a leaf.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "lockstep/program/algorithm.hpp"
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

/// Whether it is such a tree with this property.
template <bool (*property)(const SwitchTree& tree)>
[[nodiscard]] bool is_tree_with(const ErasedTopology& network) {
  const std::optional<SwitchTree> tree = switch_tree(network);
  return tree && property(*tree);
}
[[nodiscard]] inline bool has_one_parent(const SwitchTree& tree) { return tree.has_one_column(); }
[[nodiscard]] inline bool has_several_lanes(const SwitchTree& tree) { return tree.lanes(1) > 1; }
[[nodiscard]] inline bool has_one_link_per_leaf(const SwitchTree& tree) {
  return tree.capacity(1) == 1;
}

template <bool (*property)(const SwitchTree& tree)>
[[nodiscard]] constexpr NetworkShape trees_with(std::string_view clause) noexcept {
  return {.text = fat_trees.text,
          .plural = fat_trees.plural,
          .clause = clause,
          .is = is_tree_with<property>,
          .wider = &fat_trees};
}

inline constexpr NetworkShape full_trees =
    trees_with<has_full_bandwidth>(" of full bandwidth at every level");
inline constexpr NetworkShape one_parent_trees =
    trees_with<has_one_parent>(" with one parent per node");

inline constexpr NetworkShape several_lane_trees{.text = "fat-tree",
                                                 .plural = "fat trees",
                                                 .clause = " with several lanes per leaf",
                                                 .is = is_tree_with<has_several_lanes>,
                                                 .wider = &fat_trees};

inline constexpr Claims least_of_one_block{.startups = Among::one_block,
                                           .message_times = Among::undivided};

[[nodiscard]] constexpr Claims with_one_parent(Claims claims) noexcept {
  claims.where = "on trees with one parent per node";
  claims.holds = [](const ErasedTopology& network, const Settings&) {
    return is_tree_with<has_one_parent>(network);
  };
  return claims;
}

[[nodiscard]] constexpr Claims with_one_link_per_leaf(Claims claims) noexcept {
  claims.where = "on trees with one link per leaf";
  claims.holds = [](const ErasedTopology& network, const Settings&) {
    return is_tree_with<has_one_link_per_leaf>(network);
  };
  return claims;
}

/// `steps`: the formula of both start-ups and message times.
[[nodiscard]] constexpr AlgorithmInfo fat_tree_info(std::string_view name, Operation operation,
                                                    const PortModel& model, std::string_view source,
                                                    std::string_view steps, const Claims& claims,
                                                    std::string_view summary) noexcept {
  return {
      .name = name,
      .operation = operation,
      .model = model,
      .source = source,
      .startups = steps,
      .message_times = steps,
      .claims = claims,
      .summary = summary,
      .parameters = std::span<const Parameter>(root_parameters).first(has_root(operation) ? 1 : 0)};
}

}  // namespace lockstep
