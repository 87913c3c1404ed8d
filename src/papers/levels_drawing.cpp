// SPDX-License-Identifier: Apache-2.0

/// The drawing of any network of switches that has levels: the processors in the last row.

#include <fmt/format.h>

#include <cmath>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "papers/paper.hpp"
#include "report/svg.hpp"

namespace lockstep::papers {
namespace {

namespace svg = report::svg;
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
    throw invalid("{}: {} nodes are too many for --format svg; allowed: up to {}", topology.name(),
                  grouped(topology.node_count()), grouped(max_drawn_nodes));
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
