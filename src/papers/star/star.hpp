// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the tables and pictures of the star paper share with its text.

#include <array>
#include <cstdint>

#include "lockstep/core/fraction.hpp"
#include "papers/paper.hpp"

namespace lockstep::papers::star {

/// t_s/t_m, as the paper writes it.
struct Ratio {
  const char* text;
  std::uint64_t numerator;
  std::uint64_t denominator;

  [[nodiscard]] Fraction exact() const { return Fraction{numerator, denominator}; }
};

/// Of figures 2, 3 and 4, in this order.
inline constexpr std::array<Ratio, 3> ratios{{{"100", 100, 1}, {"1", 1, 1}, {"0.1", 1, 10}}};

/// The sizes drawn: 3..12.
inline constexpr std::size_t smallest_drawn = 3;
inline constexpr std::size_t largest_drawn = 12;

/// Execution time improved: packing with k against no packing.
[[nodiscard]] double packing_improvement(std::size_t n, std::size_t k, const Ratio& ratio);
/// The all-gather on the mesh against the Hamiltonian ring.
[[nodiscard]] double mesh_improvement(std::size_t n, const Ratio& ratio);

/// The figures in the text: claims about the tables and pictures, eq. (1), footnote 1.
[[nodiscard]] PaperRows claims();

}  // namespace lockstep::papers::star
