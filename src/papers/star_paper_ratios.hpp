// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the star paper's pictures range over.

#include <array>
#include <cstddef>
#include <cstdint>

#include "lockstep/core/fraction.hpp"
#include "lockstep/cost/model.hpp"

namespace lockstep::star_paper {

/// t_s/t_m, as the paper writes it.
struct Ratio {
  const char* text;
  std::uint64_t numerator;
  std::uint64_t denominator;

  [[nodiscard]] Fraction exact() const { return Fraction{numerator, denominator}; }
  [[nodiscard]] CostParameters host() const { return {.t_s = exact().value(), .t_m = 1}; }
};

/// Of figures 2, 3 and 4, in this order.
inline constexpr std::array<Ratio, 3> ratios{{{"100", 100, 1}, {"1", 1, 1}, {"0.1", 1, 10}}};

/// The sizes drawn: 3..12.
inline constexpr std::size_t smallest_drawn = 3;
inline constexpr std::size_t largest_drawn = 12;

}  // namespace lockstep::star_paper
