// SPDX-License-Identifier: Apache-2.0
#include "report/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/document.hpp"
#include "report/plot_scale.hpp"
#include "support/svg.hpp"

namespace lockstep {
namespace {

using report::Axis;
using report::Curve;
using report::Draw;
using report::Plot;
using report::PlotScale;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

[[nodiscard]] std::vector<std::string> tick_labels(const Axis& axis, std::vector<double> values) {
  std::vector<std::string> labels;
  const PlotScale scale(axis, std::move(values), false);
  for (const report::Tick& tick : scale.ticks()) labels.push_back(tick.label);
  return labels;
}

TEST(PlotTest, TicksAreRoundNumbersAroundAllValues) {
  EXPECT_THAT(tick_labels({"x"}, {0, 9}), ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_THAT(tick_labels({"x"}, {8, 10}), ElementsAre("8", "8.5", "9", "9.5", "10"));
  EXPECT_THAT(tick_labels({"x"}, {1'200, 61'000}),
              ElementsAre("0", "20,000", "40,000", "60,000", "80,000"));
  EXPECT_THAT(tick_labels({"x"}, {0, 25e6}),
              ElementsAre("0", "5 M", "10 M", "15 M", "20 M", "25 M"));
  EXPECT_THAT(tick_labels({"x"}, {3}), ElementsAre("0", "1", "2", "3"));
  EXPECT_THAT(tick_labels({"x", "", true}, {1, 10'000}),
              ElementsAre("1", "10", "100", "1,000", "10,000"));
  EXPECT_THAT(tick_labels({"x", "", true}, {0, 20, 90}), ElementsAre("20", "50", "100"));
  EXPECT_THAT(tick_labels({.label = "x", .names = {"a", "b"}}, {0, 1}), ElementsAre("a", "b"));
}

[[nodiscard]] Plot two_curves() {
  return {.title = "a < b & \"c\"",
          .x = {"block length", "bytes", true},
          .y = {"wall time", "ms", true},
          .curves = {{"k = 1", Draw::both, {{8, 1}, {64, 2, "", 1.5, 2.5}, {512, 9}}},
                     {"k = 2", Draw::line, {{8, 0.5}, {64, 0}, {512, 30}}}},
          .note = "Medians."};
}

/// Values that a logarithmic axis cannot show are left out; everything else is there once.
TEST(PlotTest, EveryMarkIsDrawnAndNamed) {
  const std::string svg = svg_of(two_curves());
  const test::ptree tree = test::parsed(svg);
  EXPECT_EQ(tree.get<std::string>("svg.title"), two_curves().title);
  EXPECT_EQ(test::elements(tree, "path", "mark").size(), 4U);  // and one in the legend
  EXPECT_EQ(test::elements(tree, "circle", "hit").size(), 2U);
  EXPECT_EQ(test::elements(tree, "line", "spread").size(), 1U);
  EXPECT_EQ(test::elements(tree, "path", "line").size(), 2U);
  EXPECT_THAT(svg, HasSubstr("k = 1; block length 64 bytes; wall time 2 ms; 1.5 to 2.5"));
  EXPECT_THAT(svg, HasSubstr(">block length (bytes)<"));
  EXPECT_THAT(svg, HasSubstr(">wall time (ms)<"));
}

TEST(PlotTest, BarsAndCellsCoverTheirPlaces) {
  Plot plot{.title = "queues", .x = {"level"}, .y = {"queue", "messages"}};
  plot.x.names = {"1", "2", "3"};
  plot.curves = {{"held", Draw::bars, {{0, 3}, {1, 5}, {2, 4}}},
                 {"up", Draw::bars, {{0, 1}, {1, 0}, {2, 2}}}};
  EXPECT_EQ(test::elements(test::parsed(svg_of(plot)), "rect", "bar").size(), 6U + 2U);
  Plot map{.title = "winners", .x = {"t_s/t_m"}, .y = {"network"}};
  map.x.names = {"0.1", "1"};
  map.y.names = {"star:4", "star:5"};
  map.curves = {{"k = 1", Draw::cells, {{0, 0}, {0, 1}, {1, 0}}}, {"k = 2", Draw::cells, {{1, 1}}}};
  const test::ptree cells = test::parsed(svg_of(map));
  EXPECT_EQ(test::elements(cells, "rect", "cell").size(), 4U);
  EXPECT_TRUE(test::well_formed(svg_of(map)));
}

/// Steps of a scale have its colours; a map with many rows has room for their names.
TEST(PlotTest, MapsOfAScale) {
  Plot map{.title = "gap", .x = {"operation"}, .y = {"network"}, .is_scale = true};
  map.x.names = {"scan"};
  map.curves = {{"optimal", Draw::cells, {{0, 0}}}, {"at most 2", Draw::cells, {{0, 1}}}};
  map.y.names = {"star:4", "star:5"};
  const auto height_of = [&] {
    return test::parsed(svg_of(map)).get<double>("svg.<xmlattr>.height");
  };
  const double usual = height_of();
  EXPECT_THAT(svg_of(map), HasSubstr("class=\"cell s0\""));
  EXPECT_THAT(svg_of(map), HasSubstr("class=\"cell s1\""));
  EXPECT_THAT(svg_of(map), HasSubstr(".s1.bar, .s1.cell {"));
  for (int i = 0; i < 40; ++i) map.y.names.push_back(std::to_string(i));
  EXPECT_GT(height_of(), usual + 200);
}

TEST(PlotTest, OtherScalesWhereTheyShowMore) {
  const auto linear = rescaled(two_curves());
  ASSERT_TRUE(linear);
  EXPECT_FALSE(linear->x.logarithmic || linear->y.logarithmic);
  Plot narrow{
      .title = "", .x = {"n"}, .y = {"ETI"}, .curves = {{"", Draw::both, {{4, 1}, {5, 2}}}}};
  EXPECT_FALSE(rescaled(narrow));
  narrow.curves.front().marks.push_back({6, 200});
  ASSERT_TRUE(rescaled(narrow));
  EXPECT_TRUE(rescaled(narrow)->y.logarithmic);
  EXPECT_FALSE(rescaled(narrow)->x.logarithmic);
}

TEST(PlotTest, TheDataAreATable) {
  Plot plot{.title = "", .x = {"n"}, .y = {"ETI"}};
  plot.curves = {{"k = 1", Draw::both, {{4, 0.5}, {5, 0.25}}}, {"k = 2", Draw::both, {{5, 0.125}}}};
  EXPECT_EQ(data_of(plot).csv(), "n,k = 1,k = 2\n4,0.5,\n5,0.25,0.125\n");
  EXPECT_THAT(data_of(two_curves()).csv(), HasSubstr("k = 1,,64,2,1.5,2.5\n"));
}

TEST(PlotTest, SecondsInAFittingUnit) {
  Axis axis{"wall time"};
  std::vector<Curve> curves{{"", Draw::both, {{1, 0.002}, {2, 0.0005, "", 0.0004, 0.0006}}}};
  in_fitting_seconds(axis, curves, &report::Mark::y);
  EXPECT_EQ(axis.text(), "wall time (ms)");
  EXPECT_DOUBLE_EQ(curves[0].marks[0].y, 2);
  EXPECT_DOUBLE_EQ(*curves[0].marks[1].most, 0.6);
}

/// Nothing that the page holds can become markup, and nothing is loaded.
TEST(PlotTest, APageHoldsAllAndLoadsNothing) {
  report::Document document{.title = "<b>&", .verdict = "ok"};
  document.provenance.command = "run \"x\"";
  document.sections.push_back({.heading = "First", .plots = {two_curves()}, .text = "a < b\n"});
  document.sections.push_back(
      {.heading = "Second",
       .rows = {
           {{"topology", "star:5"}, {"startups", std::uint64_t{1'229}, report::Unit::count}}}});
  const std::string html = html_of(document);
  EXPECT_THAT(html, HasSubstr("<h1>&lt;b&gt;&amp;</h1>"));
  EXPECT_THAT(html, HasSubstr("<pre>a &lt; b\n</pre>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\" data-value=\"1229\">1,229</td>"));
  EXPECT_THAT(html, HasSubstr("<summary>data</summary>"));
  for (const char* const loader : {"src=", "href=\"http", "url(", "@import", "<link", "fetch("})
    EXPECT_THAT(html, Not(HasSubstr(loader)));
}

}  // namespace
}  // namespace lockstep
