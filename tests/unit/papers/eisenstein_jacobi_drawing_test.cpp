// SPDX-License-Identifier: Apache-2.0

/// The drawings of networks are well-formed, and show every node, link and arc of the tree once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "papers/ej/ej.hpp"

namespace lockstep {
namespace {

using boost::property_tree::ptree;
using testing::HasSubstr;

[[nodiscard]] ptree parsed(const std::string& xml) {
  std::istringstream text(xml);
  ptree tree;
  boost::property_tree::read_xml(text, tree);
  return tree;
}

/// The elements of that name whose class begins with `kind`.
[[nodiscard]] std::vector<ptree> elements(const ptree& tree, const std::string& name,
                                          const std::string& kind) {
  std::vector<ptree> found;
  for (const auto& [key, element] : tree.get_child("svg"))
    if (key == name && element.get<std::string>("<xmlattr>.class").rfind(kind, 0) == 0)
      found.push_back(element);
  return found;
}

[[nodiscard]] std::string attribute(const ptree& element, const std::string& name) {
  return element.get<std::string>("<xmlattr>." + name);
}

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

/// Whether every element is closed by its own name, attributes are quoted and only characters that
/// mean nothing stand in texts; the parser above forgives most of that.
[[nodiscard]] bool well_formed(std::string_view xml) {
  std::vector<std::string_view> open;
  std::size_t roots = 0;
  while (!xml.empty()) {
    const std::size_t tag = xml.find('<');
    const std::string_view text = xml.substr(0, tag);
    if (text.find_first_of(">&") != std::string_view::npos) return false;
    if (open.empty() && text.find_first_not_of('\n') != std::string_view::npos) return false;
    if (tag == std::string_view::npos) break;
    const std::size_t end = xml.find('>', tag);
    if (end == std::string_view::npos) return false;
    const std::string_view inner = xml.substr(tag + 1, end - tag - 1);
    const std::string_view name = inner.substr(0, inner.find(' '));
    xml.remove_prefix(end + 1);
    if (inner.find_first_of("<&") != std::string_view::npos) return false;
    if (std::count(inner.begin(), inner.end(), '"') % 2 != 0) return false;
    if (inner.front() == '?') continue;
    if (inner.front() == '/') {
      if (open.empty() || open.back() != inner.substr(1)) return false;
      open.pop_back();
      continue;
    }
    if (open.empty() && ++roots > 1) return false;
    if (inner.back() != '/') open.push_back(name);
  }
  return open.empty() && roots == 1;
}

TEST(EisensteinJacobiDrawing, IsWellFormed) {
  for (const EisensteinJacobiNetwork& network : networks())
    EXPECT_TRUE(well_formed(papers::ej::svg_of(network))) << network.name();
}

/// What the check stands on.
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
