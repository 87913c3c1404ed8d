// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A plot as data, and its one writer. Whoever has figures says what they are; scales, ticks,
/// colours, shapes and the legend follow from them.
///
///     Plot plot{.title = "ETI", .x = {"n"}, .y = {"ETI", "share of the time"}};
///     plot.curves.push_back({"k = 3", Draw::both, {{.x = 4, .y = 0.1}, {.x = 5, .y = 0.3}}});
///     write("eti.svg", svg_of(plot));
///
/// It writes SVG, in our own 400 lines: elements and attributes of SVG 1.1, which every browser and
/// editor has read for twenty years, and the same bytes on every host, so that tests can read them.
/// A library of plots would decide all that again with every version, could not give every mark
/// its text for the keyboard, and would still need this description of the data.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "report/fields.hpp"

namespace lockstep::report {

struct Axis {
  std::string label;                 ///< "block size"
  std::string unit{};                ///< "bytes"; empty: a number
  bool logarithmic = false;          ///< where every value is positive
  std::vector<std::string> names{};  ///< of the places 0, 1, ..; empty: a scale of numbers

  [[nodiscard]] std::string text() const;  ///< "block size (bytes)"
};

struct Mark {
  double x = 0;
  double y = 0;
  std::string name{};  ///< of what was measured; empty: its coordinates say all
  std::optional<double> least{};
  std::optional<double> most{};
};

enum class Draw : std::uint8_t {
  line,   ///< with a band from least to most
  marks,  ///< with a bar from least to most
  both,
  bars,  ///< beside those of other curves; the x axis has names
  cells  ///< of a map; both axes have names
};

struct Curve {
  std::string name{};
  Draw draw = Draw::both;
  std::vector<Mark> marks{};
  /// Marks beside those of this earlier curve, from another source: its colour, not filled.
  std::optional<std::size_t> beside{};
};

/// The curve of this name, added if it is missing.
[[nodiscard]] Curve& curve_named(std::vector<Curve>& curves, const std::string& name,
                                 Draw draw = Draw::both);

/// The place of this name on an axis, added if it is missing.
[[nodiscard]] double place_named(Axis& axis, const std::string& name);

struct Plot {
  std::string title;
  Axis x{};
  Axis y{};
  std::vector<Curve> curves{};
  bool diagonal = false;  ///< where x and y are equal
  bool is_scale = false;  ///< curves are steps of a scale, the best first: cells have its colours
  std::string beside{};   ///< what the marks beside curves are: "printed"
  std::string note{};     ///< how to read it, in a sentence

  [[nodiscard]] bool empty() const;
};

/// A place of this name on the x axis, with a bar of each curve whose value is known.
void add_bars(Plot& plot, const std::string& name,
              std::initializer_list<std::optional<double>> values);

/// Scales the values to the unit of seconds that suits the largest, and sets the unit of the axis.
/// Of y, `least` and `most` are scaled, too. Returns the factor.
double in_fitting_seconds(Axis& axis, std::vector<Curve>& curves, double Mark::*value);

/// A document of its own, for a paper.
[[nodiscard]] std::string svg_of(const Plot& plot);
/// For a page of HTML that has plot_style().
[[nodiscard]] std::string svg_element(const Plot& plot, bool hidden = false);
/// The same data on logarithmic axes, or on linear ones where they are logarithmic; empty where
/// that shows no more.
[[nodiscard]] std::optional<Plot> rescaled(const Plot& plot);
/// In light and dark; on paper light.
[[nodiscard]] std::string plot_style();
[[nodiscard]] std::string plot_style_on_paper();
/// Curves take the colours in turn. The steps of a scale take theirs in order; what lies beyond has
/// the last one.
inline constexpr std::size_t plot_colour_count = 8;
inline constexpr std::size_t scale_colour_count = 6;

/// All marks: a column per curve where the curves share the places of x, else a row per mark.
[[nodiscard]] Table data_of(const Plot& plot);

}  // namespace lockstep::report
