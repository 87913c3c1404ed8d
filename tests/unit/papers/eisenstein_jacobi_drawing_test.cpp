// SPDX-License-Identifier: Apache-2.0

/// The drawings of networks are well-formed, and show every node, link and arc of the tree once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "papers/ej/ej.hpp"
#include "support/svg.hpp"

namespace lockstep {
namespace {

using test::attribute;
using test::elements;
using test::parsed;
using test::ptree;
using test::well_formed;
using testing::HasSubstr;

[[nodiscard]] std::vector<EisensteinJacobiNetwork> networks() {
  return {{1, 2}, {0, 3}, {2, 2}, {1, 3}, {2, 4}, {3, 4}, {1, 5}, {0, 22}, {11, 12}};
}

TEST(EisensteinJacobiDrawing, ShowsEveryNodeOnceWhereItIs) {
  for (const EisensteinJacobiNetwork& network : networks()) {
    SCOPED_TRACE(network.name());
    const ptree tree = parsed(papers::ej::svg_of(network));
    EXPECT_EQ(tree.get<std::string>("svg.title"), network.name());
    std::set<std::pair<std::string, std::string>> places;
    for (const ptree& circle : elements(tree, "circle", "node "))
      places.emplace(attribute(circle, "cx"), attribute(circle, "cy"));
    EXPECT_EQ(places.size(), network.node_count());
    EXPECT_EQ(elements(tree, "circle", "node ").size(), network.node_count());
  }
}

TEST(EisensteinJacobiDrawing, NumbersTheStepsOfTheTree) {
  for (const EisensteinJacobiNetwork& network : networks()) {
    SCOPED_TRACE(network.name());
    const ptree tree = parsed(papers::ej::svg_of(network));
    EXPECT_EQ(elements(tree, "line", "tree ").size(), network.node_count() - 1);
    std::vector<std::uint64_t> levels(network.diameter() + 1, 0);
    levels[0] = 1;
    for (const ptree& step : elements(tree, "text", "step ")) ++levels.at(std::stoul(step.data()));
    EXPECT_EQ(levels, network.level_sizes());
  }
}

/// Inside links are drawn once, links that wrap around from both ends.
TEST(EisensteinJacobiDrawing, ShowsEveryLink) {
  for (const EisensteinJacobiNetwork& network : networks()) {
    SCOPED_TRACE(network.name());
    const ptree tree = parsed(papers::ej::svg_of(network));
    const std::size_t inside = elements(tree, "line", "link").size();
    const std::size_t halves = elements(tree, "line", "wrap").size();
    EXPECT_EQ(2 * inside + halves, 6 * network.node_count());
    EXPECT_GT(halves, 0U);
    for (const ptree& line : elements(tree, "line", "link")) {
      const double x = std::stod(attribute(line, "x2")) - std::stod(attribute(line, "x1"));
      const double y = std::stod(attribute(line, "y2")) - std::stod(attribute(line, "y1"));
      EXPECT_NEAR(std::hypot(x, y), 92, 0.2);
    }
  }
}

TEST(EisensteinJacobiDrawing, ColoursTheSectors) {
  const ptree tree = parsed(papers::ej::svg_of({3, 4}));
  std::map<std::string, std::size_t> sizes;
  for (const ptree& circle : elements(tree, "circle", "node "))
    ++sizes[attribute(circle, "class").substr(5)];
  EXPECT_EQ(sizes.size(), 7U);
  for (const auto& [sector, size] : sizes) EXPECT_EQ(size, sector == "sector0" ? 1U : 6U) << sector;
}

TEST(EisensteinJacobiDrawing, WritesTheLettersOfThePaper) {
  const std::string svg = papers::ej::svg_of({3, 4});
  EXPECT_THAT(svg, HasSubstr(">1\u22122\u03c1\u00b2</text>"));
  EXPECT_THAT(svg, HasSubstr("node 0: 0, 0 steps from 0"));
}

TEST(EisensteinJacobiDrawing, IsWellFormed) {
  for (const EisensteinJacobiNetwork& network : networks())
    EXPECT_TRUE(well_formed(papers::ej::svg_of(network))) << network.name();
}

/// The check itself finds broken documents.
TEST(EisensteinJacobiDrawing, BrokenDocumentsAreNotWellFormed) {
  const std::string svg = papers::ej::svg_of({1, 2});
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string broken = svg;
    return broken.replace(broken.find(part), part.size(), other);
  };
  EXPECT_FALSE(well_formed(svg.substr(0, svg.size() - 3)));
  EXPECT_FALSE(well_formed(svg + svg));
  EXPECT_FALSE(well_formed(with("</title>", "</style>")));
  EXPECT_FALSE(well_formed(with("</defs>", "")));
  EXPECT_FALSE(well_formed(with("class=\"link\"", "class=\"link")));
  EXPECT_FALSE(well_formed(with("<title>ej:1+2", "<title>ej & 1+2")));
  EXPECT_FALSE(well_formed(with("/>", ">")));
}

TEST(EisensteinJacobiDrawing, RefusesWhatNobodyCouldRead) {
  EXPECT_THROW((void)papers::ej::svg_of({3, 4, 2}), InvalidParameter);
  EXPECT_THROW((void)papers::ej::svg_of({13, 13}), InvalidParameter);  // 507 nodes
  EXPECT_NO_THROW((void)papers::ej::svg_of({0, 22}));                  // 484
}

}  // namespace
}  // namespace lockstep
