// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Texts or whole numbers as one text, with a separator between them:
///
///     joined(std::vector{3, 1, 2}, ", ") == "3, 1, 2"
///
/// A projection says what to print of a part: joined(models, ", ", &PortModel::name).
///
/// fmt::join() prints the same, but compiles fmt's formatting of each type into each file.

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

namespace lockstep {

template <class Range, class Projection = std::identity>
[[nodiscard]] std::string joined(const Range& parts, std::string_view separator,
                                 Projection projection = {}) {
  std::string text;
  bool first = true;
  for (const auto& part : parts) {
    if (!first) text += separator;
    first = false;
    const auto& shown = std::invoke(projection, part);
    if constexpr (std::integral<std::remove_cvref_t<decltype(shown)>>)
      text += std::to_string(shown);
    else
      text += std::string_view(shown);
  }
  return text;
}

}  // namespace lockstep
