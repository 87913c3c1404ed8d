// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Suggestions for a mistyped name.
///
///     unknown("topology", "stra", {"ring", "star"})
///         == "unknown topology 'stra'; did you mean 'star'? Allowed: ring, star"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep {

/// Insertions, deletions, replacements and exchanges of neighbours that lead from `a` to `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `names`, the first among equals; empty if none is near (more than a third of the
/// letters differ, and `given` is no beginning of it). Capitals and dashes before it do not matter.
[[nodiscard]] std::string_view nearest(std::string_view given,
                                       const std::vector<std::string_view>& names);

/// One line for a name that does not exist. `meant`: the guess, empty for none.
[[nodiscard]] std::string unknown(std::string_view what, std::string_view given,
                                  const std::vector<std::string_view>& names,
                                  std::string_view meant);
/// The same, guessing the nearest.
[[nodiscard]] std::string unknown(std::string_view what, std::string_view given,
                                  const std::vector<std::string_view>& names);

/// The one of `list` that has this name; `name_of` says them. Throws InvalidParameter where none
/// has: unknown().
template <class List, class NameOf = std::identity>
[[nodiscard]] const auto& named(std::string_view what, std::string_view given, const List& list,
                                NameOf name_of = {}) {
  std::vector<std::string_view> names;
  for (const auto& item : list) {
    names.push_back(std::invoke(name_of, item));
    if (names.back() == given) return item;
  }
  throw InvalidParameter(unknown(what, given, names));
}

}  // namespace lockstep
