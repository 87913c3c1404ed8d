// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The one writer of SVG: callers say what lies where and of which kind, a style says the colours
/// of the kinds. Coordinates are pixels of the page: y counts downwards. Texts may hold any
/// character.
///
///     Picture picture("ring:6", 16);
///     picture.line(Layer::links, "link", {0, 0}, {44, 0});
///     picture.circle(Layer::nodes, "node", {0, 0}, 15, "node 0", "0");
///     picture.svg({.style = ".link { stroke: #bbbbbb; }\n"});

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::report::svg {

using Point = std::complex<double>;

/// A later one covers the earlier ones.
enum class Layer : std::uint8_t { areas, links, arcs, steps, nodes, legend };

/// The parts of a page beside its layers.
struct Page {
  std::string style;          ///< of the kinds, a line each
  std::string definitions{};  ///< that lines refer to
  Point legend{};             ///< its least width, and its height below the drawing
  /// Attributes of an element in a page of HTML, which has the styles; empty: a document of its
  /// own, white.
  std::string attributes{};
};

/// With the characters of markup as entities.
[[nodiscard]] std::string escaped(std::string_view text);

class Picture {
 public:
  /// `margin`: around everything that room is made for.
  Picture(std::string title, double margin) : title_(std::move(title)), margin_(margin) {}

  void line(Layer layer, std::string_view kind, Point from, Point to, std::string_view more = {});
  /// In the middle of its line. `more`: attributes.
  void text(Layer layer, std::string_view kind, Point at, std::string_view text,
            std::string_view more = {});
  /// `title` is what a viewer shows where the pointer rests; the label is written in the circle.
  void circle(Layer layer, std::string_view kind, Point at, double radius, std::string_view title,
              std::string_view label = {}, std::string_view label_kind = "label");
  void rectangle(Layer layer, std::string_view kind, Point corner, Point size,
                 std::string_view title, std::string_view more = {});
  /// `data` as in SVG: "M0,0 L6,3".
  void path(Layer layer, std::string_view kind, std::string_view data, std::string_view title = {});

  /// Makes the page larger, where it must be, for what lies so far around a place.
  void make_room(Point at, double around);
  /// Top left of everything that room was made for, and its bottom right.
  [[nodiscard]] Point least() const { return least_; }
  [[nodiscard]] Point most() const { return most_; }

  [[nodiscard]] std::string svg(const Page& page) const;

 private:
  [[nodiscard]] std::string& of(Layer layer) { return layers_[static_cast<std::size_t>(layer)]; }

  std::string title_;
  double margin_;
  Point least_;
  Point most_;
  std::array<std::string, 6> layers_;
};

}  // namespace lockstep::report::svg
