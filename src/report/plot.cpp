// SPDX-License-Identifier: Apache-2.0
#include "report/plot.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "report/plot_scale.hpp"
#include "report/svg.hpp"

namespace lockstep::report {
namespace {

using svg::Layer;
using svg::Point;

// Of a drawing that is read at its own size in a column of a page, and at half of it on a
// telephone.
constexpr double plot_width = 500;
constexpr double plot_height = 270;  // of the area between the axes
constexpr double text_height = 19;
constexpr double plot_letter = 7;  // mean width of a character
constexpr double plot_gap = 8;

/// Okabe and Ito's colours, which colour-blind readers tell apart; black becomes grey in the dark.
struct Colour {
  std::string_view light;
  std::string_view dark;
};
constexpr std::array<Colour, 8> plot_colours{{{"#0072b2", "#56a8e8"},
                                              {"#d55e00", "#ff8a3c"},
                                              {"#007f5f", "#2fc79a"},
                                              {"#b0468a", "#e68fc4"},
                                              {"#8a6d00", "#e6c229"},
                                              {"#3d3d3d", "#d0d0d0"},
                                              {"#2a9fd6", "#8fd3ff"},
                                              {"#9a3b26", "#e0846b"}}};

[[nodiscard]] double plotted_width(std::string_view text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not inside a code point
  });
  return plot_letter * static_cast<double>(letters);
}

constexpr std::size_t most_turned = 24;  // characters of a label that is turned

/// The mark of the place tells all of it. Names of networks and algorithms are ASCII.
[[nodiscard]] std::string shortened(const std::string& label) {
  return label.size() <= most_turned ? label : label.substr(0, most_turned - 2) + "..";
}

/// Its mark and its line, told apart without colours: eight colours, then other shapes and dashes.
[[nodiscard]] std::string kind_of(std::size_t curve) {
  return fmt::format("c{} d{}", curve % plot_colours.size(),
                     (curve / 2 + curve / plot_colours.size()) % 4);
}

/// Around the origin; the radius of a mark is 3.5.
constexpr std::array<std::string_view, 5> shapes{
    "m-3.5,0a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0z", "m-3.2,-3.2h6.4v6.4h-6.4z", "m0,-4.2l4,7h-8z",
    "m0,-4.5l4.5,4.5l-4.5,4.5l-4.5,-4.5z", "m0,4.2l4,-7h-8z"};

/// "A", "B", .. "Z", "27"
[[nodiscard]] std::string letter_of(std::size_t curve) {
  return curve < 26 ? std::string(1, static_cast<char>('A' + curve)) : fmt::format("{}", curve + 1);
}

class PlotWriter {
 public:
  explicit PlotWriter(const Plot& plot)
      : plot_(plot),
        picture_(plot.title, 0),
        x_(plot.x, values(&Mark::x), false),
        y_(plot.y, values(&Mark::y), has(Draw::bars)) {}

  [[nodiscard]] std::string written(const std::string& style, const std::string& attributes) {
    place_area();
    draw_axes();
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) draw_curve(i);
    if (plot_.diagonal) draw_diagonal();
    const double end = draw_legend();
    picture_.make_room({plot_width, end}, 0);
    return picture_.svg({.style = style, .attributes = attributes});
  }

 private:
  [[nodiscard]] std::vector<double> values(double Mark::*value) const {
    std::vector<double> all;
    for (const Curve& curve : plot_.curves)
      for (const Mark& mark : curve.marks) {
        all.push_back(mark.*value);
        if (value == &Mark::x && !plot_.diagonal) continue;
        if (plot_.diagonal) all.push_back(value == &Mark::x ? mark.y : mark.x);
        if (value != &Mark::y) continue;
        if (mark.least) all.push_back(*mark.least);
        if (mark.most) all.push_back(*mark.most);
      }
    return all;
  }
  [[nodiscard]] bool has(Draw draw) const {
    return std::any_of(plot_.curves.begin(), plot_.curves.end(),
                       [&](const Curve& curve) { return curve.draw == draw; });
  }
  [[nodiscard]] std::size_t bar_curves() const {
    return static_cast<std::size_t>(
        std::count_if(plot_.curves.begin(), plot_.curves.end(),
                      [](const Curve& curve) { return curve.draw == Draw::bars; }));
  }

  [[nodiscard]] double across(double place) const { return left_ + place * (right_ - left_); }
  [[nodiscard]] double down(double place) const { return top_ + (1 - place) * plot_height; }
  [[nodiscard]] Point at(double x, double y) const {
    return {across(x_.place(x)), down(y_.place(y))};
  }
  [[nodiscard]] bool shows(const Mark& mark) const { return x_.shows(mark.x) && y_.shows(mark.y); }

  /// Room for the labels of the ticks.
  void place_area() {
    double widest = 0;
    for (const Tick& tick : y_.ticks()) widest = std::max(widest, plotted_width(tick.label));
    left_ = text_height + plot_gap + std::min(widest, 0.45 * plot_width) + plot_gap;
    const std::vector<Tick> ticks = x_.ticks();
    const double last =
        ticks.empty() || !plot_.x.names.empty() ? 0 : plotted_width(ticks.back().label) / 2;
    right_ = plot_width - std::max(14.0, last + 2);
    double sum = 0;
    longest_ = 0;
    for (const Tick& tick : x_.ticks()) {
      sum += plotted_width(tick.label) + 1.5 * plot_gap;
      longest_ = std::max(longest_, plotted_width(tick.label));
    }
    turned_ = sum > right_ - left_;
    if (!turned_) return;
    longest_ = std::min(longest_, plot_letter * most_turned);
    left_ = std::max(left_, 0.77 * longest_);  // they lean to the left
  }

  void draw_axes() {
    picture_.rectangle(Layer::areas, "area", {left_, top_}, {right_ - left_, plot_height}, "");
    for (const Tick& tick : y_.ticks()) {
      if (!has(Draw::cells))
        picture_.line(Layer::links, "grid", {left_, down(tick.place)}, {right_, down(tick.place)});
      picture_.text(Layer::legend, "tick end", {left_ - plot_gap, down(tick.place)}, tick.label);
    }
    const double bottom = top_ + plot_height;
    for (const Tick& tick : x_.ticks()) {
      const double x = across(tick.place);
      if (plot_.x.names.empty()) picture_.line(Layer::links, "grid", {x, top_}, {x, bottom});
      if (turned_)
        picture_.text(
            Layer::legend, "tick end", {x, bottom + plot_gap + 4}, shortened(tick.label),
            fmt::format(" transform=\"rotate(-40 {:.1f} {:.1f})\"", x, bottom + plot_gap + 4));
      else
        picture_.text(Layer::legend, "tick", {x, bottom + plot_gap + 5}, tick.label);
    }
    below_ = bottom + plot_gap + (turned_ ? 0.65 * longest_ + 12 : text_height - 4);
    picture_.text(Layer::legend, "label", {(left_ + right_) / 2, below_ + plot_gap},
                  plot_.x.text());
    const double middle = top_ + plot_height / 2;
    picture_.text(Layer::legend, "label", {text_height / 2, middle}, plot_.y.text(),
                  fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", text_height / 2, middle));
    below_ += text_height + plot_gap;
  }

  void draw_diagonal() {
    const auto all = values(&Mark::x);
    std::vector<double> shown;
    std::ranges::copy_if(all, std::back_inserter(shown), [&](double v) { return x_.shows(v); });
    if (shown.empty()) return;
    const auto [least, most] = std::ranges::minmax(shown);
    picture_.line(Layer::arcs, "diagonal", at(least, least), at(most, most));
  }

  [[nodiscard]] std::string text_of(const Curve& curve, const Mark& mark) const {
    const auto value = [](const Axis& axis, double v) {
      if (axis.names.empty()) return fmt::format("{} {:.6g} {}", axis.label, v, axis.unit);
      const auto i = static_cast<std::size_t>(v);
      return fmt::format("{} {}", axis.label, i < axis.names.size() ? axis.names[i] : "");
    };
    std::string text = curve.name;
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
    if (!mark.name.empty()) add(mark.name);
    add(value(plot_.x, mark.x));
    if (curve.draw != Draw::cells) add(value(plot_.y, mark.y));
    if (curve.draw == Draw::cells) add(value(plot_.y, mark.y));
    if (mark.least && mark.most) add(fmt::format("{:.6g} to {:.6g}", *mark.least, *mark.most));
    return text;
  }

  void draw_curve(std::size_t i) {
    const Curve& curve = plot_.curves[i];
    if (curve.draw == Draw::bars) return draw_bars(i);
    if (curve.draw == Draw::cells) return draw_cells(i);
    if (curve.draw != Draw::marks) draw_line(i);
    for (const Mark& mark : curve.marks) {
      if (!shows(mark)) continue;
      const Point place = at(mark.x, mark.y);
      if (curve.draw == Draw::line) {
        picture_.circle(Layer::nodes, "hit " + kind_of(i), place, 3, text_of(curve, mark));
        continue;
      }
      if (mark.least && mark.most && y_.shows(*mark.least))
        picture_.line(Layer::arcs, "spread " + kind_of(i), at(mark.x, *mark.least),
                      at(mark.x, *mark.most));
      picture_.path(
          Layer::nodes, "mark " + kind_of(i),
          fmt::format("M{:.1f},{:.1f}{}", place.real(), place.imag(), shapes.at(i % shapes.size())),
          text_of(curve, mark));
    }
  }

  void draw_line(std::size_t i) {
    std::string line;
    std::string upper;
    std::string lower;
    for (const Mark& mark : plot_.curves[i].marks) {
      if (!shows(mark)) continue;
      const auto point = [&](double y) {
        const Point place = at(mark.x, y);
        return fmt::format("{:.1f},{:.1f} ", place.real(), place.imag());
      };
      line += (line.empty() ? "M" : "L") + point(mark.y);
      if (plot_.curves[i].draw != Draw::line || !mark.least || !mark.most) continue;
      upper += (upper.empty() ? "M" : "L") + point(y_.shows(*mark.most) ? *mark.most : mark.y);
      lower = "L" + point(y_.shows(*mark.least) ? *mark.least : mark.y) + lower;
    }
    if (!upper.empty()) picture_.path(Layer::areas, "band " + kind_of(i), upper + lower + "Z");
    if (!line.empty()) picture_.path(Layer::arcs, "line " + kind_of(i), line);
  }

  void draw_bars(std::size_t i) {
    const double room = 0.8 * x_.share_of_a_name() * (right_ - left_);
    const double width = room / static_cast<double>(bar_curves());
    std::size_t before = 0;
    for (std::size_t j = 0; j < i; ++j) before += plot_.curves[j].draw == Draw::bars ? 1U : 0U;
    for (const Mark& mark : plot_.curves[i].marks) {
      if (!shows(mark)) continue;
      const Point place = at(mark.x, mark.y);
      const double foot = down(y_.foot());
      picture_.rectangle(Layer::nodes, "bar " + kind_of(i),
                         {place.real() - room / 2 + static_cast<double>(before) * width,
                          std::min(place.imag(), foot)},
                         {width, std::abs(foot - place.imag())}, text_of(plot_.curves[i], mark));
    }
  }

  void draw_cells(std::size_t i) {
    const Point size{x_.share_of_a_name() * (right_ - left_), y_.share_of_a_name() * plot_height};
    for (const Mark& mark : plot_.curves[i].marks) {
      const Point middle = at(mark.x, mark.y);
      picture_.rectangle(Layer::nodes, "cell " + kind_of(i), middle - size / 2.0, size,
                         text_of(plot_.curves[i], mark));
      if (size.real() >= 12 && size.imag() >= 12)
        picture_.text(Layer::legend, "in-cell", middle, letter_of(i));
    }
  }

  /// Where it ends. One curve without a name needs none.
  [[nodiscard]] double draw_legend() {
    double x = left_;
    double y = below_ + text_height / 2;
    bool any = false;
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) {
      const Curve& curve = plot_.curves[i];
      if (curve.name.empty()) continue;
      any = true;
      const double room = 30 + plotted_width(curve.name) + 2 * plot_gap;
      if (x > left_ && x + room > plot_width) {
        x = left_;
        y += text_height;
      }
      draw_key(i, {x + 11, y});
      picture_.text(Layer::legend, "key", {x + 28, y}, curve.name);
      x += room;
    }
    return any ? y + text_height / 2 + 2 : below_;
  }

  void draw_key(std::size_t i, Point middle) {
    const Curve& curve = plot_.curves[i];
    if (curve.draw == Draw::bars || curve.draw == Draw::cells) {
      picture_.rectangle(Layer::legend, "bar " + kind_of(i), middle - Point{9, 7}, {18, 14}, "");
      if (curve.draw == Draw::cells) picture_.text(Layer::legend, "in-cell", middle, letter_of(i));
      return;
    }
    if (curve.draw != Draw::marks)
      picture_.line(Layer::legend, "line " + kind_of(i), middle - Point{11, 0},
                    middle + Point{11, 0});
    if (curve.draw != Draw::line)
      picture_.path(Layer::legend, "mark " + kind_of(i),
                    fmt::format("M{:.1f},{:.1f}{}", middle.real(), middle.imag(),
                                shapes.at(i % shapes.size())));
  }

  const Plot& plot_;
  svg::Picture picture_;
  PlotScale x_;
  PlotScale y_;
  double left_ = 0;
  double right_ = plot_width;
  double top_ = 10;
  double longest_ = 0;
  bool turned_ = false;
  double below_ = 0;
};

/// A line per kind of element; `dark`: of colours alone.
[[nodiscard]] std::string rules(bool dark) {
  std::string text = fmt::format(
      "text {{ fill: {0}; }} .grid {{ stroke: {1}; }} .area {{ stroke: {2}; }}\n"
      ".diagonal {{ stroke: {0}; }} .in-cell {{ fill: {3}; stroke: none; }}\n",
      dark ? "#e0e0e0" : "#222222", dark ? "#3a3f44" : "#dddddd", dark ? "#8a8f94" : "#666666",
      dark ? "#000000" : "#ffffff");
  for (std::size_t i = 0; i < plot_colours.size(); ++i)
    text += fmt::format(
        ".c{0}.mark, .c{0}.bar, .c{0}.cell, .c{0}.band {{ fill: {1}; }} .c{0}.line, "
        ".c{0}.spread {{ stroke: {1}; }}\n",
        i, dark ? plot_colours.at(i).dark : plot_colours.at(i).light);
  return text;
}

constexpr std::string_view shapes_style =
    R"(text { font-family: sans-serif; font-size: 13px; text-anchor: middle; }
.end { text-anchor: end; } .key { text-anchor: start; } .label { font-size: 14px; }
.area { fill: none; } .line { fill: none; stroke-width: 1.8; } .spread { stroke-width: 1.2; }
.band { fill-opacity: 0.25; } .hit { fill-opacity: 0; stroke: none; }
.diagonal { stroke-width: 1.2; stroke-dasharray: 6 4; } .in-cell { font-size: 11px; }
.line.d1 { stroke-dasharray: 7 3; } .line.d2 { stroke-dasharray: 2 3; }
.line.d3 { stroke-dasharray: 8 3 2 3; }
)";

}  // namespace

std::string svg_of(const Plot& plot) {
  return PlotWriter(plot).written(std::string(shapes_style) + rules(false), "");
}

std::string svg_element(const Plot& plot, bool hidden) {
  return PlotWriter(plot).written(
      "", fmt::format(
              "class=\"plot\" role=\"img\" tabindex=\"0\" data-scale=\"{}\" aria-label=\"{}\"{}",
              plot.x.logarithmic || plot.y.logarithmic ? "logarithmic" : "linear",
              svg::escaped(plot.title), hidden ? " hidden=\"\"" : ""));
}

std::string plot_style() {
  return fmt::format("{}{}@media screen and (prefers-color-scheme: dark) {{\n{}}}\n", shapes_style,
                     rules(false), rules(true));
}

}  // namespace lockstep::report
