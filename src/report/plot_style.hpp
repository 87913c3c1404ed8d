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

/// In light colours alone; plot_style() of plot.hpp has both.
[[nodiscard]] std::string plot_style_on_paper();

}  // namespace lockstep::report
