// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Blanks around the words of a line.
///
///     trimmed(" a b\r") == "a b"

#include <string_view>

namespace lockstep {

inline constexpr std::string_view blank_characters = " \t\r\v\f";

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(blank_characters);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank_characters) - first + 1);
}

}  // namespace lockstep
