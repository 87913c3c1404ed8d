// SPDX-License-Identifier: Apache-2.0
#include "papers/svg.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "papers/paper.hpp"

namespace lockstep::papers::svg {
namespace {

constexpr const char* document =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="{2:.1f} {3:.1f} {0:.1f} {1:.1f}">
<title>{4}</title>
<style>
{5}</style>
<defs>
{6}</defs>
<rect x="{2:.1f}" y="{3:.1f}" width="{0:.1f}" height="{1:.1f}" fill="#ffffff"/>
{7}</svg>
)";

}  // namespace

void Picture::line(Layer layer, std::string_view kind, Point from, Point to,
                   std::string_view more) {
  of(layer) += fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", kind,
      from.real(), from.imag(), to.real(), to.imag(), more);
}

void Picture::text(Layer layer, std::string_view kind, Point at, std::string_view text) {
  of(layer) += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" dy=\"0.35em\">{}</text>\n",
                           kind, at.real(), at.imag(), text);
}

void Picture::circle(Layer layer, std::string_view kind, Point at, double radius,
                     std::string_view title, std::string_view label, std::string_view label_kind) {
  of(layer) += fmt::format(
      "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
      kind, at.real(), at.imag(), radius, title);
  text(layer, label_kind, at, label);
}

void Picture::square(Layer layer, std::string_view kind, Point corner, double side,
                     std::string_view title) {
  of(layer) += fmt::format(
      "<rect class=\"{0}\" x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" height=\"{3:.1f}\" "
      "rx=\"10\"><title>{4}</title></rect>\n",
      kind, corner.real(), corner.imag(), side, title);
}

void Picture::make_room(Point at, double around) {
  least_ = {std::min(least_.real(), at.real() - around),
            std::min(least_.imag(), at.imag() - around)};
  most_ = {std::max(most_.real(), at.real() + around), std::max(most_.imag(), at.imag() + around)};
}

std::string Picture::svg(const Page& page) const {
  const Point corner = least_ - Point{margin_, margin_};
  const Point size = most_ + Point{margin_, margin_} - corner;
  return fmt::format(document, std::max(size.real(), page.legend.real()),
                     size.imag() + page.legend.imag(), corner.real(), corner.imag(), title_,
                     page.style, page.definitions, fmt::join(layers_, ""));
}

}  // namespace lockstep::papers::svg

/// The drawing of any network of switches that has levels: the processors in the last row.

namespace lockstep::papers {
namespace {

using svg::Layer;
using svg::Point;

constexpr std::uint64_t max_drawn_nodes = 500;
constexpr double node_distance = 44;  // pixels between processors
constexpr double level_height = 90;   // between levels
constexpr double node_radius = 14;
constexpr double drawing_margin = 40;
constexpr double legend_width = 110;  // to the right

constexpr const char* levels_style =
    R"(text { font-family: sans-serif; font-size: 12px; text-anchor: middle; fill: #222222; }
.level { text-anchor: start; }
.link { stroke: #1f78b4; }
.processor { fill: #ffffff; stroke: #222222; }
.switch { fill: #a6cee3; stroke: #1f78b4; }
)";

}  // namespace

/// The nodes of a level are spread over the width.
std::optional<std::string> drawing_of_levels(const AnyTopology& topology) {
  const std::vector<Level> levels = topology.levels();
  if (levels.empty()) return std::nullopt;
  if (topology.node_count() > max_drawn_nodes)
    throw InvalidParameter(
        fmt::format("{}: {} nodes are too many for --format svg; allowed: up to {}",
                    topology.name(), grouped(topology.node_count()), grouped(max_drawn_nodes)));
  const double width = node_distance * static_cast<double>(levels.front().nodes);
  const double height = level_height * static_cast<double>(levels.size() - 1);
  svg::Picture picture(topology.name(), 0);
  picture.make_room({2 * drawing_margin + width + legend_width, 2 * drawing_margin + height}, 0);
  std::vector<Point> places;  // by node
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const double y = drawing_margin + height - level_height * static_cast<double>(level);
    for (std::uint64_t number = 0; number < levels[level].nodes; ++number) {
      const double share =
          (static_cast<double>(number) + 0.5) / static_cast<double>(levels[level].nodes);
      const Point at = places.emplace_back(drawing_margin + share * width, y);
      picture.circle(Layer::nodes, level == 0 ? "processor" : "switch", at, node_radius,
                     fmt::format("node {}", places.size() - 1), fmt::format("{}", number));
    }
    picture.text(Layer::nodes, "level", {2 * drawing_margin + width, y},
                 fmt::format("level {}{}", level,
                             level == 0 ? "" : fmt::format(", lanes {}", levels[level].lanes)));
  }
  for (std::uint64_t u = 0; u < topology.node_count(); ++u)
    for (std::size_t p = 0; p < topology.degree(NodeId{u}); ++p) {
      const NodeId v = topology.neighbor(NodeId{u}, port(p));
      const bool lane = p != 0 && v == topology.neighbor(NodeId{u}, port(p - 1));
      if (index(v) < u || lane) continue;
      std::size_t lanes = 1;
      while (p + lanes < topology.degree(NodeId{u}) &&
             topology.neighbor(NodeId{u}, port(p + lanes)) == v)
        ++lanes;
      picture.line(
          Layer::links, "link", places[u], places[index(v)],
          fmt::format(" stroke-width=\"{:.1f}\"", 1 + std::log2(static_cast<double>(lanes))));
    }
  return picture.svg({.style = levels_style});
}

}  // namespace lockstep::papers
