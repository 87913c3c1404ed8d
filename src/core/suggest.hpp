// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a mistyped name was meant to be.
///
///     unknown("topology", "stra", {"ring", "star"})
///         == "no topology 'stra'; did you mean 'star'? Allowed: ring, star"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Insertions, deletions, replacements and exchanges of neighbours that lead from `a` to `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `names`, the first among equals; empty if none is near (more than a third of the
/// letters differ, and `given` is no beginning of it).
[[nodiscard]] std::string_view nearest(std::string_view given,
                                       const std::vector<std::string_view>& names);

/// One line for a name that does not exist. `meant`: the guess, empty for none.
[[nodiscard]] std::string unknown(std::string_view what, std::string_view given,
                                  const std::vector<std::string_view>& names,
                                  std::string_view meant);
/// The same, guessing the nearest.
[[nodiscard]] std::string unknown(std::string_view what, std::string_view given,
                                  const std::vector<std::string_view>& names);

}  // namespace lockstep
