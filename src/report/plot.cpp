// SPDX-License-Identifier: Apache-2.0
#include "report/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "report/plot_scale.hpp"
#include "report/svg.hpp"

namespace lockstep::report {
namespace {

using svg::Layer;
using svg::Point;

// The width of a drawing that is read at its own size in a column of a page, and at half of it on a
// telephone.
constexpr double plot_width = 500;
constexpr double plot_height = 270;  // of the area between the axes, if it has room for all names
constexpr double text_height = 19;
constexpr double plot_letter = 7;  // mean width of a character
constexpr double plot_gap = 8;
constexpr double steep = 1.3;  // 75 degrees

[[nodiscard]] double plotted_width(std::string_view text) {
  const auto letters = std::ranges::count_if(text, [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not inside a code point
  });
  return plot_letter * static_cast<double>(letters);
}

constexpr std::size_t most_turned = 28;  // characters of a label that is turned

/// Without its middle: the mark of the place tells all of it. Names of networks and algorithms are
/// ASCII.
[[nodiscard]] std::string shortened(const std::string& label) {
  if (label.size() <= most_turned) return label;
  constexpr std::size_t front = 11;
  return label.substr(0, front) + ".." + label.substr(label.size() - (most_turned - front - 2));
}

/// The lines of a label along the y axis, cut between words.
[[nodiscard]] std::vector<std::string> lines_of(std::string label) {
  std::vector<std::string> lines;
  constexpr double letter = 7.8;  // of a label
  constexpr auto most = static_cast<std::size_t>(plot_height / letter);
  while (label.size() > most) {
    const std::size_t end = std::min(label.rfind(' ', most), most);
    lines.push_back(label.substr(0, end));
    label.erase(0, end + (label[end] == ' ' ? 1 : 0));
  }
  lines.push_back(std::move(label));
  return lines;
}

/// Its mark and its line, told apart without colours: eight colours, then other shapes and dashes.
[[nodiscard]] std::string style_of(std::size_t curve) {
  return fmt::format("c{} d{}", curve % plot_colour_count,
                     (curve / 2 + curve / plot_colour_count) % 4);
}

/// Around the origin; the radius of a mark is 3.5.
constexpr std::array<std::string_view, 5> shapes{
    "m-3.5,0a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0z", "m-3.2,-3.2h6.4v6.4h-6.4z", "m0,-4.2l4,7h-8z",
    "m0,-4.5l4.5,4.5l-4.5,4.5l-4.5,-4.5z", "m0,4.2l4,-7h-8z"};
constexpr std::string_view ring = "m-6.5,0a6.5,6.5 0 1 0 13,0a6.5,6.5 0 1 0 -13,0z";

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
  [[nodiscard]] std::string kind_of(std::size_t curve) const {
    if (plot_.is_scale) return fmt::format("s{}", std::min(curve, scale_colour_count - 1));
    const auto& of = plot_.curves[curve].beside;
    return style_of(number_of(of.value_or(curve))) + (of ? " beside" : "");
  }
  [[nodiscard]] std::string_view shape_of(std::size_t curve) const {
    return plot_.curves[curve].beside ? ring : shapes.at(number_of(curve) % shapes.size());
  }
  /// Among the curves that stand beside no other.
  [[nodiscard]] std::size_t number_of(std::size_t curve) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        std::span(plot_.curves).first(curve), [](const Curve& one) { return !one.beside; }));
  }
  [[nodiscard]] std::vector<double> values(double Mark::*value) const {
    std::vector<double> all;
    for (const Curve& curve : plot_.curves)
      for (const Mark& mark : curve.marks) {
        all.push_back(mark.*value);
        if (plot_.diagonal) all.push_back(value == &Mark::x ? mark.y : mark.x);
        if (value != &Mark::y) continue;
        if (mark.least) all.push_back(*mark.least);
        if (mark.most) all.push_back(*mark.most);
      }
    return all;
  }
  [[nodiscard]] bool has(Draw draw) const {
    return std::ranges::find(plot_.curves, draw, &Curve::draw) != plot_.curves.end();
  }
  /// Among the first curves, or all.
  [[nodiscard]] std::size_t bar_curves(std::size_t first) const {
    const auto drawn = std::span(plot_.curves).first(first);
    return static_cast<std::size_t>(std::ranges::count(drawn, Draw::bars, &Curve::draw));
  }

  [[nodiscard]] double across(double place) const { return left_ + place * (right_ - left_); }
  [[nodiscard]] double down(double place) const { return top_ + (1 - place) * height_; }
  [[nodiscard]] Point at(double x, double y) const {
    return {across(x_.place(x)), down(y_.place(y))};
  }
  [[nodiscard]] bool shows(const Mark& mark) const { return x_.shows(mark.x) && y_.shows(mark.y); }

  /// Room for the labels of the ticks.
  void place_area() {
    double widest = 0;
    for (const Tick& tick : y_.ticks()) widest = std::max(widest, plotted_width(tick.label));
    y_label_ = lines_of(plot_.y.text());
    left_ = (text_height - 2) * static_cast<double>(y_label_.size()) + 2 + plot_gap +
            std::min(widest, 0.45 * plot_width) + plot_gap;
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
    const double room = (right_ - left_) / static_cast<double>(x_.ticks().size());
    if (room * std::sin(angle_) < 13) angle_ = steep;
  }

  void draw_axes() {
    picture_.rectangle(Layer::areas, "area", {left_, top_}, {right_ - left_, height_}, "");
    for (const Tick& tick : y_.ticks()) {
      if (!has(Draw::cells))
        picture_.line(Layer::links, "grid", {left_, down(tick.place)}, {right_, down(tick.place)});
      picture_.text(Layer::legend, "tick end", {left_ - plot_gap, down(tick.place)}, tick.label);
    }
    const double bottom = top_ + height_;
    for (const Tick& tick : x_.ticks()) {
      const double x = across(tick.place);
      if (plot_.x.names.empty()) picture_.line(Layer::links, "grid", {x, top_}, {x, bottom});
      if (turned_)
        picture_.text(Layer::legend, "tick end", {x, bottom + plot_gap + 4}, shortened(tick.label),
                      fmt::format(" transform=\"rotate({:.0f} {:.1f} {:.1f})\"",
                                  -angle_ * 180 / std::numbers::pi, x, bottom + plot_gap + 4));
      else
        picture_.text(Layer::legend, "tick", {x, bottom + plot_gap + 5}, tick.label);
    }
    below_ = bottom + plot_gap + (turned_ ? std::sin(angle_) * longest_ + 12 : text_height - 4);
    picture_.text(Layer::legend, "label", {(left_ + right_) / 2, below_ + plot_gap},
                  plot_.x.text());
    Point at{text_height / 2, top_ + height_ / 2};
    for (const std::string& line : y_label_) {
      picture_.text(Layer::legend, "label", at, line,
                    fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", at.real(), at.imag()));
      at += text_height - 2;
    }
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
    add(value(plot_.y, mark.y));
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
      if (mark.least && mark.most)  // a bar from 0 ends where a logarithmic axis does
        picture_.line(
            Layer::arcs, "spread " + kind_of(i),
            y_.shows(*mark.least) ? at(mark.x, *mark.least) : Point{place.real(), down(0)},
            at(mark.x, *mark.most));
      picture_.path(Layer::nodes, "mark " + kind_of(i),
                    fmt::format("M{:.1f},{:.1f}{}", place.real(), place.imag(), shape_of(i)),
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
    const double width = room / static_cast<double>(bar_curves(plot_.curves.size()));
    const double before = width * static_cast<double>(bar_curves(i));
    for (const Mark& mark : plot_.curves[i].marks) {
      if (!shows(mark)) continue;
      const Point place = at(mark.x, mark.y);
      const double foot = down(y_.foot());
      picture_.rectangle(Layer::nodes, "bar " + kind_of(i),
                         {place.real() - room / 2 + before, std::min(place.imag(), foot)},
                         {width, std::abs(foot - place.imag())}, text_of(plot_.curves[i], mark));
    }
  }

  void draw_cells(std::size_t i) {
    const Point size{x_.share_of_a_name() * (right_ - left_), y_.share_of_a_name() * height_};
    for (const Mark& mark : plot_.curves[i].marks) {
      const Point middle = at(mark.x, mark.y);
      picture_.rectangle(Layer::nodes, "cell " + kind_of(i), middle - size / 2.0, size,
                         text_of(plot_.curves[i], mark));
    }
    draw_letters(i, size);
  }

  /// In every cell that is wide enough; else in the middle of neighbours of the same kind.
  void draw_letters(std::size_t i, Point size) {
    constexpr double least = 12;
    std::vector<std::pair<double, double>> cells;  // rows, one after the other
    for (const Mark& mark : plot_.curves[i].marks) cells.emplace_back(mark.y, mark.x);
    std::ranges::sort(cells);
    for (std::size_t first = 0; first < cells.size();) {
      std::size_t last = first + 1;
      if (size.real() < least)
        while (last < cells.size() &&
               cells[last] == std::pair(cells[first].first, cells[last - 1].second + 1))
          ++last;
      if (static_cast<double>(last - first) * size.real() >= least && size.imag() >= least)
        picture_.text(Layer::legend, "in-cell",
                      at((cells[first].second + cells[last - 1].second) / 2, cells[first].first),
                      letter_of(i));
      first = last;
    }
  }

  /// Draws the legend and returns where it ends. One curve without a name needs none.
  [[nodiscard]] double draw_legend() {
    double x = left_;
    double y = below_ + text_height / 2;
    bool any = false;
    const auto place_for = [&](const std::string& name) {
      any = true;
      const double room = 30 + plotted_width(name) + 2 * plot_gap;
      if (x > left_ && x + room > plot_width) {
        x = left_;
        y += text_height;
      }
      picture_.text(Layer::legend, "key", {x + 28, y}, name);
      x += room;
      return Point{x - room + 11, y};
    };
    for (std::size_t i = 0; i < plot_.curves.size(); ++i)
      if (const Curve& curve = plot_.curves[i]; !curve.name.empty() && !curve.beside)
        draw_key(i, place_for(curve.name));
    if (std::ranges::any_of(plot_.curves, [](const Curve& curve) { return bool(curve.beside); })) {
      const Point middle = place_for(plot_.beside);
      picture_.path(Layer::legend, "mark beside",
                    fmt::format("M{:.1f},{:.1f}{}", middle.real(), middle.imag(), ring));
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
                    fmt::format("M{:.1f},{:.1f}{}", middle.real(), middle.imag(), shape_of(i)));
  }

  const Plot& plot_;
  svg::Picture picture_;
  PlotScale x_;
  PlotScale y_;
  double left_ = 0;
  double right_ = plot_width;
  double top_ = 10;
  double height_ = std::max(plot_height, 15 * static_cast<double>(plot_.y.names.size()));
  double longest_ = 0;
  std::vector<std::string> y_label_{};
  bool turned_ = false;
  double angle_ = 0.7;  ///< of the labels that are turned: 40 degrees
  double below_ = 0;
};

}  // namespace

std::string svg_of(const Plot& plot) { return PlotWriter(plot).written(plot_style_on_paper(), ""); }

std::string svg_element(const Plot& plot, bool hidden) {
  return PlotWriter(plot).written(
      "", fmt::format(
              "class=\"plot\" role=\"img\" tabindex=\"0\" data-scale=\"{}\" aria-label=\"{}\"{}",
              plot.x.logarithmic || plot.y.logarithmic ? "logarithmic" : "linear",
              svg::escaped(plot.title), hidden ? " hidden=\"\"" : ""));
}

}  // namespace lockstep::report
