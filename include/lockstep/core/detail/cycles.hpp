// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Permutations of up to 255 points in cycle notation, as group theory writes them: "(1 2)(3 4)"
/// takes 1 to 2, 2 to 1, 3 to 4 and 4 to 3. Text counts points from 1, code from 0.
///
///     permutation_from_cycles("(1 2)(3 4)")     // 1 0 3 2
///     to_cycles(permutation_from_cycles("(3,1,2)")) == "(1 2 3)"
///     to_cycles(permutation_from_cycles("(7)")) == "()"
///
/// For permutations of few symbols that are ranked: core/permutation.hpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Entry i is what point i goes to. Points at the end that stay may be left out.
using PointImages = std::vector<std::uint8_t>;

inline constexpr std::size_t max_points = 255;

/// Points in a cycle are separated by spaces or commas, cycles share no point; points that are not
/// named stay. Throws InvalidParameter: what is wrong, and where.
[[nodiscard]] PointImages permutation_from_cycles(std::string_view text);

/// Every cycle of two points or more with its smallest point first, the cycles in the order of
/// these; "()" where every point stays.
[[nodiscard]] std::string to_cycles(std::span<const std::uint8_t> images);

/// Precondition: a permutation.
[[nodiscard]] PointImages inverse(std::span<const std::uint8_t> images);

}  // namespace lockstep
