// SPDX-License-Identifier: Apache-2.0

/// The drawing of any network of switches that has levels: the processors in the last row.

#include <fmt/format.h>

#include <cmath>

#include "lockstep/core/errors.hpp"
#include "papers/paper.hpp"

namespace lockstep::papers {
namespace {

constexpr std::uint64_t max_drawn_nodes = 500;
constexpr double apart = 44;       // pixels between processors
constexpr double row_height = 90;  // between levels
constexpr double radius = 14;
constexpr double margin = 40;
constexpr double legend = 110;  // to the right

constexpr const char* document =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}">
<title>{2}</title>
<style>
text {{ font-family: sans-serif; font-size: 12px; text-anchor: middle; fill: #222222; }}
.level {{ text-anchor: start; }}
line {{ stroke: #1f78b4; }}
.processor {{ fill: #ffffff; stroke: #222222; }}
.switch {{ fill: #a6cee3; stroke: #1f78b4; }}
</style>
<rect width="{0:.0f}" height="{1:.0f}" fill="#ffffff"/>
{3}{4}</svg>
)";

/// Where nodes stand: those of a level spread over the width.
class Places {
 public:
  explicit Places(std::vector<Level> levels) : levels_(std::move(levels)) {}

  [[nodiscard]] double width() const {
    return 2 * margin + apart * static_cast<double>(levels_.front().nodes) + legend;
  }
  [[nodiscard]] double height() const {
    return 2 * margin + row_height * static_cast<double>(levels_.size() - 1);
  }
  [[nodiscard]] double x(std::size_t level, std::uint64_t number) const {
    const double share =
        (static_cast<double>(number) + 0.5) / static_cast<double>(levels_[level].nodes);
    return margin + share * apart * static_cast<double>(levels_.front().nodes);
  }
  [[nodiscard]] double y(std::size_t level) const {
    return height() - margin - row_height * static_cast<double>(level);
  }

 private:
  std::vector<Level> levels_;
};

}  // namespace

std::optional<std::string> drawing_of_levels(const AnyTopology& topology) {
  const std::vector<Level> levels = topology.levels();
  if (levels.empty()) return std::nullopt;
  if (topology.node_count() > max_drawn_nodes)
    throw InvalidParameter(fmt::format("{}: {} nodes, allowed {} with --format svg",
                                       topology.name(), topology.node_count(), max_drawn_nodes));
  const Places places(levels);
  std::vector<std::pair<double, double>> at;  // by node
  std::string nodes;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    for (std::uint64_t number = 0; number < levels[level].nodes; ++number) {
      const auto [x, y] = at.emplace_back(places.x(level, number), places.y(level));
      nodes += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n",
                           level == 0 ? "processor" : "switch", x, y, radius);
      nodes += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y + 4, number);
    }
    nodes += fmt::format("<text class=\"level\" x=\"{:.1f}\" y=\"{:.1f}\">level {}{}</text>\n",
                         places.width() - legend, places.y(level) + 4, level,
                         level == 0 ? "" : fmt::format(", lanes {}", levels[level].lanes));
  }
  std::string links;
  for (std::uint64_t u = 0; u < topology.node_count(); ++u)
    for (std::size_t p = 0; p < topology.degree(NodeId{u}); ++p) {
      const NodeId v = topology.neighbor(NodeId{u}, port(p));
      const bool lane = p != 0 && v == topology.neighbor(NodeId{u}, port(p - 1));
      if (index(v) < u || lane) continue;
      std::size_t lanes = 1;
      while (p + lanes < topology.degree(NodeId{u}) &&
             topology.neighbor(NodeId{u}, port(p + lanes)) == v)
        ++lanes;
      links += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
          "stroke-width=\"{:.1f}\"/>\n",
          at[u].first, at[u].second, at[index(v)].first, at[index(v)].second,
          1 + std::log2(static_cast<double>(lanes)));
    }
  return fmt::format(document, places.width(), places.height(), topology.name(), links, nodes);
}

}  // namespace lockstep::papers
