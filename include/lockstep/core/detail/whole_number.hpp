// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Numbers as users write them.
///
///     whole_number("17") == 17;   whole_number("0110", 2) == 6;   !whole_number("17 ")

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace lockstep {

/// A whole number in that base, nothing before or behind it; empty if it is none, or exceeds 64
/// bits.
[[nodiscard]] inline std::optional<std::uint64_t> whole_number(std::string_view text,
                                                               int base = 10) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc{} || at != end) return std::nullopt;
  return value;
}

/// A decimal number with nothing before or behind it; it may be infinite or not a number. Empty if
/// the text is none.
[[nodiscard]] inline std::optional<double> decimal_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

}  // namespace lockstep
