// SPDX-License-Identifier: Apache-2.0

/// The style of plots: colours of curves, letters, lines.

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "report/plot.hpp"

namespace lockstep::report {
namespace {

/// Okabe and Ito's colours, which colour-blind readers tell apart; black becomes grey in the dark.
struct Colour {
  std::string_view light;
  std::string_view dark;
};
constexpr std::array<Colour, plot_colour_count> plot_colours{{{"#0072b2", "#56a8e8"},
                                                              {"#d55e00", "#ff8a3c"},
                                                              {"#007f5f", "#2fc79a"},
                                                              {"#b0468a", "#e68fc4"},
                                                              {"#8a6d00", "#e6c229"},
                                                              {"#3d3d3d", "#d0d0d0"},
                                                              {"#2a9fd6", "#8fd3ff"},
                                                              {"#9a3b26", "#e0846b"}}};

/// From good to bad; the last one is for what has no place on the scale. Letters tell the steps
/// apart without colours.
constexpr std::array<Colour, scale_colour_count> scale_colours{{{"#1a7f4b", "#7ee2a8"},
                                                                {"#4d7a1f", "#b5d46a"},
                                                                {"#8a6d00", "#e6c229"},
                                                                {"#b5520a", "#ff9d4d"},
                                                                {"#a0202f", "#ff7d78"},
                                                                {"#57606a", "#9aa4ad"}}};

/// A line per kind of element; `dark`: of colours alone.
[[nodiscard]] std::string rules(bool dark) {
  std::string text = fmt::format(
      "text {{ fill: {0}; }} .grid {{ stroke: {1}; }} .area {{ stroke: {2}; }}\n"
      ".diagonal, .mark.beside {{ stroke: {0}; }} .in-cell {{ fill: {3}; stroke: none; }}\n",
      dark ? "#e0e0e0" : "#222222", dark ? "#3a3f44" : "#dddddd", dark ? "#8a8f94" : "#666666",
      dark ? "#000000" : "#ffffff");
  for (std::size_t i = 0; i < plot_colours.size(); ++i)
    text += fmt::format(
        ".c{0}.mark, .c{0}.bar, .c{0}.cell, .c{0}.band {{ fill: {1}; }} .c{0}.line, "
        ".c{0}.spread {{ stroke: {1}; }} .c{0}.beside {{ fill: none; stroke: {1}; }}\n",
        i, dark ? plot_colours.at(i).dark : plot_colours.at(i).light);
  for (std::size_t i = 0; i < scale_colours.size(); ++i)
    text += fmt::format(".s{0}.bar, .s{0}.cell {{ fill: {1}; }}\n", i,
                        dark ? scale_colours.at(i).dark : scale_colours.at(i).light);
  return text;
}

constexpr std::string_view shapes_style =
    R"(text { font-family: sans-serif; font-size: 13px; text-anchor: middle; }
.end { text-anchor: end; } .key { text-anchor: start; } .label { font-size: 14px; }
.area { fill: none; } .line { fill: none; stroke-width: 1.8; } .spread { stroke-width: 1.2; }
.band { fill-opacity: 0.25; } .hit { fill-opacity: 0; stroke: none; }
.diagonal { stroke-width: 1.2; stroke-dasharray: 6 4; } .in-cell { font-size: 11px; }
.mark.beside { fill: none; stroke-width: 1.5; }
.line.d1 { stroke-dasharray: 7 3; } .line.d2 { stroke-dasharray: 2 3; }
.line.d3 { stroke-dasharray: 8 3 2 3; }
)";

}  // namespace

std::string plot_style_on_paper() { return std::string(shapes_style) + rules(false); }

std::string plot_style() {
  return fmt::format("{}{}@media screen and (prefers-color-scheme: dark) {{\n{}}}\n", shapes_style,
                     rules(false), rules(true));
}

}  // namespace lockstep::report
