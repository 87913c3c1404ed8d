// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the tables and pictures of the star paper share with its text.

#include <array>

#include "papers/paper.hpp"
#include "study/best_choice.hpp"

namespace lockstep::papers::star {

using Ratio = study::NamedRatio;

/// t_s/t_m of figures 2, 3 and 4, in this order.
inline constexpr std::array<Ratio, 3> ratios{study::paper_ratios[2], study::paper_ratios[1],
                                             study::paper_ratios[0]};

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
