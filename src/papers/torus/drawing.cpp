// SPDX-License-Identifier: Apache-2.0

/// A torus of two sides cut into subtori (DDN) and blocks (DCN): torus.hpp says what is shown.

#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "algorithm/torus_rings.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "papers/torus/torus.hpp"
#include "report/svg.hpp"

namespace lockstep::papers::torus {
namespace {

namespace svg = report::svg;
using svg::Layer;
using svg::Point;

constexpr std::uint64_t max_drawn_nodes = 2'500;
constexpr double unit = 44;  // pixels between neighbours
constexpr double radius = 15;
constexpr double overhang = 30;  // of a ring, behind its last node
constexpr double margin = 12;
constexpr double line_height = 22;

struct Cut {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t h;

  [[nodiscard]] std::uint64_t common() const { return std::gcd(rows, columns); }
  /// j - i modulo both sides' common divisor.
  [[nodiscard]] std::uint64_t diagonal(std::uint64_t i, std::uint64_t j) const {
    return (j % common() + common() - i % common()) % common();
  }
  [[nodiscard]] bool in_a_ddn(std::uint64_t i, std::uint64_t j) const { return i % h == j % h; }
};

/// The cut of "h=5". Throws InvalidParameter.
[[nodiscard]] Cut cut_of(const Torus& torus, std::string_view how) {
  const std::vector<TorusRing> rings = rings_of(torus);
  if (rings.size() != 2)
    throw invalid("{}: {} sides; a partition needs 2", torus.name(), rings.size());
  const Cut cut{rings[0].side, rings[1].side,
                how.starts_with("h=") ? whole_number(how.substr(2)).value_or(0) : 0};
  if (cut.h == 0 || cut.common() % cut.h != 0)
    throw invalid(
        "partition: '{}' is not valid; expected h=H with a divisor H of both sides, {} and {}", how,
        cut.rows, cut.columns);
  if (torus.node_count() > max_drawn_nodes)
    throw invalid("{}: {} nodes are too many for a partition; allowed: up to {}", torus.name(),
                  grouped(torus.node_count()), grouped(max_drawn_nodes));
  return cut;
}

/// A character or more for every node, of the same width, and what lies between blocks.
template <class Cell>
[[nodiscard]] std::string map_of(const Cut& cut, std::string_view name, std::size_t width,
                                 Cell cell) {
  std::string text;
  for (std::uint64_t i = 0; i < cut.rows; ++i) {
    std::string line;
    for (std::uint64_t j = 0; j < cut.columns; ++j) {
      if (j != 0 && j % cut.h == 0) line += " |";
      line += fmt::format(" {:>{}}", cell(i, j), width);
    }
    if (i != 0 && i % cut.h == 0) {
      std::string between = line;
      for (char& c : between) c = c == '|' ? '+' : '-';
      text += fmt::format("{:<12} {}\n", "", between.substr(1));
    }
    text += fmt::format("{:<12} {}\n", i == 0 ? name : "", line.substr(1));
  }
  return text;
}

[[nodiscard]] std::size_t digits(std::uint64_t number) { return fmt::format("{}", number).size(); }

[[nodiscard]] std::string sentence_of(const Cut& cut) {
  return fmt::format("h = {}: {} subtori (DDN) of {} x {} nodes, {} blocks (DCN) of {} x {}", cut.h,
                     cut.h, cut.rows / cut.h, cut.columns / cut.h,
                     cut.rows / cut.h * (cut.columns / cut.h), cut.h, cut.h);
}

[[nodiscard]] std::string text_of(const Cut& cut) {
  return fmt::format("partition    {}\n", sentence_of(cut)) +
         map_of(cut, "subtori", digits(cut.h - 1),
                [&](std::uint64_t i, std::uint64_t j) {
                  return cut.in_a_ddn(i, j) ? fmt::format("{}", i % cut.h) : ".";
                }) +
         map_of(cut, "diagonals", digits(cut.common() - 1), [&](std::uint64_t i, std::uint64_t j) {
           return fmt::format("{}", cut.diagonal(i, j));
         });
}

[[nodiscard]] Point place(std::uint64_t i, std::uint64_t j) {
  return {unit * static_cast<double>(j), unit * static_cast<double>(i)};
}

void draw_blocks(svg::Picture& picture, const Cut& cut) {
  constexpr double around = 0.42 * unit;
  const double side = unit * static_cast<double>(cut.h - 1) + 2 * around;
  for (std::uint64_t a = 0; a < cut.rows / cut.h; ++a)
    for (std::uint64_t b = 0; b < cut.columns / cut.h; ++b)
      picture.rectangle(Layer::areas, "block", place(a * cut.h, b * cut.h) - Point{around, around},
                        {side, side}, fmt::format("DCN({},{})", a, b), " rx=\"10\"");
}

/// It leaves the drawing at both ends.
void draw_ring(svg::Picture& picture, std::uint64_t ddn, Point first, Point last) {
  const Point out = (last - first) / std::abs(last - first) * overhang;
  picture.line(Layer::links, fmt::format("ring link{}", ddn), first, last);
  picture.line(Layer::links, fmt::format("wrap link{}", ddn), first - out, first);
  picture.line(Layer::links, fmt::format("wrap link{}", ddn), last, last + out);
}

/// All of row k and column k modulo h are links of DDN k, and of no other.
void draw_rings(svg::Picture& picture, const Cut& cut) {
  for (std::uint64_t i = 0; i < cut.rows; ++i)
    draw_ring(picture, i % cut.h, place(i, 0), place(i, cut.columns - 1));
  for (std::uint64_t j = 0; j < cut.columns; ++j)
    draw_ring(picture, j % cut.h, place(0, j), place(cut.rows - 1, j));
}

/// Its number is its diagonal's.
void draw_node(svg::Picture& picture, const Cut& cut, std::uint64_t i, std::uint64_t j) {
  const std::uint64_t diagonal = cut.diagonal(i, j);
  const bool owned = cut.in_a_ddn(i, j);
  picture.circle(
      Layer::nodes,
      owned ? fmt::format("node ddn{}{}", i % cut.h, diagonal == 0 ? " main" : "")
            : std::string("node"),
      place(i, j), radius,
      fmt::format("P({},{}): {}DCN({},{}), diagonal {}", i, j,
                  owned ? fmt::format("DDN {}, ", i % cut.h) : "", i / cut.h, j / cut.h, diagonal),
      fmt::format("{}", diagonal), owned ? "own" : "label");
}

[[nodiscard]] std::string style_of(const Cut& cut) {
  std::string text =
      R"(text { font-family: sans-serif; text-anchor: middle; fill: #222222; font-size: 12px; }
.own { fill: #ffffff; font-weight: bold; } .legend { font-size: 13px; text-anchor: start; }
.block { fill: #f2f2f2; stroke: #888888; stroke-dasharray: 6 4; }
.ring { stroke-width: 2; } .wrap { stroke-width: 2; stroke-dasharray: 3 4; }
.node { fill: #ffffff; stroke: #aaaaaa; } .main { stroke: #000000; stroke-width: 3; }
)";
  for (std::uint64_t k = 0; k < cut.h; ++k)
    text += fmt::format(
        ".ddn{0} {{ fill: hsl({1}, 65%, 42%); }} .link{0} {{ stroke: hsl({1}, 55%, 65%); }}\n", k,
        360 * k / cut.h);
  return text;
}

[[nodiscard]] std::string svg_of(const std::string& name, const Cut& cut) {
  svg::Picture picture(name, margin);
  draw_blocks(picture, cut);
  draw_rings(picture, cut);
  for (std::uint64_t i = 0; i < cut.rows; ++i)
    for (std::uint64_t j = 0; j < cut.columns; ++j) draw_node(picture, cut, i, j);
  picture.make_room(place(0, 0), overhang);
  picture.make_room(place(cut.rows - 1, cut.columns - 1), overhang);
  constexpr double gap = margin + line_height / 2;
  Point at = Point{picture.least().real(), picture.most().imag() + gap};
  for (const std::string& sentence :
       {name + ", " + sentence_of(cut),
        std::string("Colours: DDN k, its nodes and its links, rows and columns k modulo h."),
        std::string("Dashed: a DCN. Numbers: diagonals j - i; those of 0 (bold rim) are M.")}) {
    picture.text(Layer::legend, "legend", at, sentence);
    at += Point{0, line_height};
  }
  return picture.svg({.style = style_of(cut), .legend = {520, 3.5 * line_height}});
}

}  // namespace

std::optional<Partition> partition_of(const AnyTopology& topology, std::string_view how) {
  const auto* const network = topology.as<Torus>();
  if (network == nullptr) return std::nullopt;
  const Cut cut = cut_of(*network, how);
  return Partition{.text = text_of(cut), .svg = svg_of(network->name(), cut)};
}

}  // namespace lockstep::papers::torus
