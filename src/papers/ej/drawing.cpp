// SPDX-License-Identifier: Apache-2.0

/// The drawing of a network: ej.hpp says of what.

#include <fmt/format.h>

#include <array>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "papers/ej/ej.hpp"
#include "report/svg.hpp"

namespace lockstep::papers::ej {
namespace {

constexpr std::uint64_t max_drawn_nodes = 500;
constexpr double unit = 92;  // pixels between neighbours
constexpr double radius = 28;
constexpr double margin = 16;
constexpr double line_height = 22;

namespace svg = report::svg;
using svg::Layer;
using svg::Point;

/// Sector 0 is node 0 itself. The pairs of ColorBrewer's scheme "Paired".
struct Colours {
  std::string_view area;
  std::string_view line;
};
constexpr std::array<Colours, 7> colours{{{"#ffffff", "#222222"},
                                          {"#a6cee3", "#1f78b4"},
                                          {"#b2df8a", "#33a02c"},
                                          {"#fdbf6f", "#e06c00"},
                                          {"#fb9a99", "#e31a1c"},
                                          {"#cab2d6", "#6a3d9a"},
                                          {"#ffff99", "#b15928"}}};

constexpr std::string_view common_style =
    R"(text { font-family: sans-serif; text-anchor: middle; fill: #222222; }
.label { font-size: 13px; } .elsewhere { font-size: 11px; fill: #777777; }
.step { font-size: 12px; font-weight: bold; } .legend { font-size: 13px; text-anchor: start; }
.link { stroke: #bbbbbb; stroke-width: 1.5; }
.wrap { stroke: #bbbbbb; stroke-width: 1.2; stroke-dasharray: 4 4; }
.outside { fill: #ffffff; stroke: #bbbbbb; stroke-dasharray: 4 4; }
.under { fill: #ffffff; } .tree { stroke-width: 3; }
)";

/// 1 points right, rho up to the right.
[[nodiscard]] Point place_of(Eisenstein z) {
  const auto x = static_cast<double>(z.x);
  const auto y = static_cast<double>(z.y);
  return {unit * (x + y / 2), -unit * y * std::numbers::sqrt3 / 2};
}

/// "1-2rho^2" with the letter and the exponent.
[[nodiscard]] std::string in_letters(std::string text) {
  for (const auto& [ascii, letter] :
       {std::pair{"rho", "\u03c1"}, std::pair{"^2", "\u00b2"}, std::pair{"-", "\u2212"}})
    for (std::size_t at = text.find(ascii); at != std::string::npos; at = text.find(ascii, at))
      text.replace(at, std::string_view(ascii).size(), letter);
  return text;
}

/// And the last hop to it: from the parent, whose representative is its neighbour in the lattice.
void draw_node(svg::Picture& picture, const EisensteinJacobi& network,
               const EisensteinJacobiTree& tree, NodeId u) {
  const Eisenstein z = network.representative(u);
  const Point at = place_of(z);
  const std::string label = in_letters(network.label(u));
  const int sector = tree.sector(u);
  picture.make_room(at, radius);
  picture.circle(Layer::nodes, fmt::format("node sector{}", sector), at, radius,
                 fmt::format("node {}: {}, {} steps from 0", index(u), label, tree.weight(u)),
                 label);
  if (sector <= 0) return;
  const Point from = place_of(z - eisenstein_units[index(tree.parent_port(u))]);
  const auto on_the_way = [&](double share) { return from + share * (at - from); };
  constexpr double rim = radius / unit;
  picture.line(Layer::arcs, fmt::format("tree arc{}", sector), on_the_way(rim),
               on_the_way(1 - rim - 0.07), fmt::format(" marker-end=\"url(#tip{})\"", sector));
  const Point middle = on_the_way(0.47);
  picture.circle(Layer::steps, "under", middle, 8, fmt::format("step {}", tree.weight(u)),
                 fmt::format("{}", tree.weight(u)), fmt::format("step number{}", sector));
}

/// A link inside the drawing is met from both its ends, and drawn from one; one that wraps around
/// leaves the drawing at both, towards a dashed circle.
void draw_links(svg::Picture& picture, const EisensteinJacobi& network) {
  std::map<std::pair<std::int64_t, std::int64_t>, NodeId> outside;  // by place
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    const Eisenstein z = network.representative(NodeId{u});
    for (std::size_t p = 0; p < eisenstein_units.size(); ++p) {
      const NodeId v = network.neighbor(NodeId{u}, port(p));
      const Eisenstein end = z + eisenstein_units[p];
      const bool inside = network.representative(v) == end;
      if (inside && index(v) < u) continue;
      picture.line(Layer::links, inside ? "link" : "wrap", place_of(z), place_of(end));
      if (!inside) outside.emplace(std::pair{end.x, end.y}, v);
    }
  }
  for (const auto& [place, u] : outside) {
    const std::string label = in_letters(network.label(u));
    const Point at = place_of({place.first, place.second});
    picture.make_room(at, radius);
    picture.circle(Layer::links, "outside", at, radius * 0.8,
                   fmt::format("node {}: {}", index(u), label), label, "elsewhere");
  }
}

void draw_legend(svg::Picture& picture, const EisensteinJacobi& network) {
  Point at{picture.least().real(), picture.most().imag() + margin + line_height};
  picture.text(
      Layer::legend, "legend", at,
      in_letters(fmt::format("\u03b1 = {}+{}rho: {} nodes, diameter {}. A dashed circle is "
                             "the node it names.",
                             network.a(), network.b(), network.node_count(), network.diameter())));
  at += Point{0, line_height};
  picture.text(Layer::legend, "legend", at,
               "Arrows: the broadcast from 0, each with its step. Sectors:");
  for (std::size_t j = 1; j < colours.size(); ++j) {
    const Point middle = at + Point{10 + static_cast<double>(j - 1) * 2 * line_height, line_height};
    picture.circle(Layer::legend, fmt::format("key sector{}", j), middle, 10,
                   fmt::format("sector {}", j), fmt::format("{}", j));
  }
}

/// The kinds of all sectors, and the tips of their arrows.
[[nodiscard]] svg::Page page() {
  svg::Page page{.style = std::string(common_style), .legend = {400, 3 * line_height + margin}};
  for (std::size_t i = 0; i < colours.size(); ++i) {
    page.style += fmt::format(
        ".sector{0} {{ fill: {1}; stroke: {2}; stroke-width: 1.5; }} .arc{0} {{ stroke: {2}; }} "
        ".number{0}, .tip{0} {{ fill: {2}; }}\n",
        i, colours[i].area, colours[i].line);
    if (i == 0) continue;
    page.definitions += fmt::format(
        R"(<marker id="tip{0}" viewBox="0 0 6 6" refX="2" refY="3" markerWidth="3" )"
        R"(markerHeight="3" orient="auto"><path class="tip{0}" d="M0,0 L6,3 L0,6 Z"/></marker>)"
        "\n",
        i);
  }
  return page;
}

}  // namespace

std::string svg_of(const EisensteinJacobiNetwork& network) {
  if (network.dimensions() != 1)
    throw invalid("{}: {} dimensions; a drawing needs 1", network.name(), network.dimensions());
  if (network.node_count() > max_drawn_nodes)
    throw invalid("{}: {} nodes are too many for a drawing; allowed: up to {}", network.name(),
                  grouped(network.node_count()), grouped(max_drawn_nodes));
  const EisensteinJacobi& one = network.alpha();
  const EisensteinJacobiTree tree(one);
  svg::Picture picture(one.name(), margin);
  for (std::uint64_t u = 0; u < one.node_count(); ++u) draw_node(picture, one, tree, NodeId{u});
  draw_links(picture, one);
  draw_legend(picture, one);
  return picture.svg(page());
}

}  // namespace lockstep::papers::ej
