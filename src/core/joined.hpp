// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Texts or whole numbers as one text, with a separator between them:
///
///     joined(std::vector{3, 1, 2}, ", ") == "3, 1, 2"
///
/// fmt::join() prints the same, but compiles fmt's formatting of each type into each file.

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace lockstep {

template <class Range>
[[nodiscard]] std::string joined(const Range& parts, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& part : parts) {
    if (!first) text += separator;
    first = false;
    if constexpr (std::integral<std::remove_cvref_t<decltype(part)>>)
      text += std::to_string(part);
    else
      text += std::string_view(part);
  }
  return text;
}

}  // namespace lockstep
