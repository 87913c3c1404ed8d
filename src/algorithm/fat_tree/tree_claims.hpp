// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Claims that are proved for some fat trees and XGFTs only: where the bound goes by the one switch
/// above a subtree, or by the only link of a leaf.

#include <optional>

#include "lockstep/program/claims.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {

[[nodiscard]] constexpr Claims with_one_parent(Claims claims) noexcept {
  claims.where = "on trees with one parent per node";
  claims.holds = [](const ErasedTopology& network, const Settings&) {
    const std::optional<SwitchTree> tree = switch_tree(network);
    return tree && tree->has_one_column();
  };
  return claims;
}

[[nodiscard]] constexpr Claims with_one_link_per_leaf(Claims claims) noexcept {
  claims.where = "on trees with one link per leaf";
  claims.holds = [](const ErasedTopology& network, const Settings&) {
    const std::optional<SwitchTree> tree = switch_tree(network);
    return tree && tree->capacity(1) == 1;
  };
  return claims;
}

}  // namespace lockstep
