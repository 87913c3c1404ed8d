// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Counts in sentences:
///
///     grouped(1048576) == "1,048,576";
///     counted(1, "symbol") == "1 symbol";   counted(5040, "node") == "5,040 nodes";

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

[[nodiscard]] inline std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  constexpr std::size_t group = 3;
  for (std::size_t at = text.size(); at > group; at -= group) text.insert(at - group, 1, ',');
  return text;
}

/// The plural of `noun` ends in `ending`, that of "switch" in "es".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view noun,
                                         std::string_view ending = "s") {
  return (grouped(count) + ' ').append(noun).append(count == 1 ? "" : ending);
}

}  // namespace lockstep
