// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The style of plots: colours of curves, letters, lines.
///
///     picture.svg({.style = plot_style_on_paper()})

#include <cstddef>
#include <string>

namespace lockstep::report {

/// Curves take them in turn.
inline constexpr std::size_t plot_colour_count = 8;
/// Steps of a scale take them in order; what lies beyond has the last one.
inline constexpr std::size_t scale_colour_count = 6;

/// In light colours alone; plot_style() of plot.hpp has both.
[[nodiscard]] std::string plot_style_on_paper();

}  // namespace lockstep::report
