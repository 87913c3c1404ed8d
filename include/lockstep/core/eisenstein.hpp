// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Eisenstein-Jacobi integers x + y rho, rho = (1 + i sqrt 3) / 2: the points of the hexagonal
/// lattice. rho^2 = rho - 1, rho^3 = -1; the six units are the powers of rho.
///
///     const Eisenstein z{2, -1};                  // 1 - rho^2
///     length(z) == 2;                             // two units away from 0
///     sector_of(z).sector == 6;                   // between -rho^2 and 1
///     to_paper(z) == "1-rho^2";   eisenstein_from_text("1 - rho^2") == z;
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018, section 2.1.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

struct Eisenstein {
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend constexpr bool operator==(const Eisenstein&, const Eisenstein&) = default;
};

[[nodiscard]] constexpr Eisenstein operator+(Eisenstein z, Eisenstein w) noexcept {
  return {z.x + w.x, z.y + w.y};
}
[[nodiscard]] constexpr Eisenstein operator-(Eisenstein z, Eisenstein w) noexcept {
  return {z.x - w.x, z.y - w.y};
}
[[nodiscard]] constexpr Eisenstein operator-(Eisenstein z) noexcept { return {-z.x, -z.y}; }

/// Entry k is rho^k; -rho^k is entry k + 3 modulo 6.
inline constexpr std::array<Eisenstein, 6> eisenstein_units{
    {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}};

/// How many units, at least, sum up to z.
[[nodiscard]] constexpr std::int64_t length(Eisenstein z) noexcept {
  const std::int64_t x = z.x < 0 ? -z.x : z.x;
  const std::int64_t y = z.y < 0 ? -z.y : z.y;
  if ((z.x < 0) == (z.y < 0)) return x + y;
  return x > y ? x : y;
}

/// The position of z: z = minor_count rho^(sector-1) + major_count rho^sector with minor_count >= 0
/// and major_count >= 1, their sum its length. The axis of rho^j belongs to sector j. Sector 0: z =
/// 0.
struct Sector {
  int sector = 0;  ///< 1..6
  std::int64_t minor_count = 0;
  std::int64_t major_count = 0;

  friend constexpr bool operator==(const Sector&, const Sector&) = default;
};

[[nodiscard]] constexpr Sector sector_of(Eisenstein z) noexcept {
  if (z == Eisenstein{}) return {};
  // The half plane of the sectors 1, 2, 3; the other one is its negative, three sectors on.
  const bool upper = z.y > 0 || (z.y == 0 && z.x < 0);
  const auto [x, y] = upper ? z : -z;
  const int first = upper ? 1 : 4;
  if (x >= 0) return {first, x, y};
  if (x + y >= 0) return {first + 1, x + y, -x};
  return {first + 2, y, -x - y};
}

/// As the paper writes a node: the two neighbouring powers of rho it lies between, the lower power
/// of 1, rho, rho^2 first; "0", "1-rho^2", "2rho+3rho^2".
[[nodiscard]] std::string to_paper(Eisenstein z);

/// Reads any sum of up to three multiples of 1, rho and rho^2, in any order: "3+rho". Empty if it
/// is none, or a coefficient exceeds 10^18.
[[nodiscard]] std::optional<Eisenstein> eisenstein_from_text(std::string_view text);

}  // namespace lockstep
