// SPDX-License-Identifier: Apache-2.0

/// Which lines of a file are the same link, and what the options change.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/graph_texts.hpp"
#include "topology/graph_builder.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

[[nodiscard]] ReadLinks listed(const std::string& text, GraphReadOptions options = {}) {
  return read_links(text, GraphFormat::edges, options);
}

TEST(GraphLinks, UndirectedMakesAnArcAndItsReverseOneLink) {
  const GraphReadOptions undirected{.undirected = true};
  const ReadLinks read = listed("# directed\na b\nb a\nb c\nd c\n", undirected);
  EXPECT_EQ(read.links, "a-b b-c c-d");
  EXPECT_EQ(read.answer, "made 3 links of 4 arcs (--undirected)");
  // Two arcs one way and one back are two lanes.
  EXPECT_EQ(listed("# directed\na b\na b\nb a\n", undirected).links, "a-b a-b");
  EXPECT_EQ(listed("a b\nb c\n", undirected).answer, "");             // nothing to do
  EXPECT_EQ(listed("a b\nb a\nb c\n", undirected).links, "a-b b-c");  // refused without
  EXPECT_EQ(listed("a b\nb a\na b\n", undirected).links, "a-b a-b");
  EXPECT_EQ(listed("Source,Target,Type\na,b,Directed\nb,c,Undirected\n", undirected).links,
            "a-b b-c");
}

TEST(GraphLinks, TheFirstArcWithoutReverseIsNamed) {
  EXPECT_THAT(listed("# directed\na b\nb a\nc b\nb d\n").answer,
              HasSubstr("net:4: no arc back from 'b' to 'c'"));
}

TEST(GraphLinks, SelfLoopsAreDroppedOnRequest) {
  const std::string text = "a b\nb b\nb c\nc c\n";
  EXPECT_THAT(listed(text).answer, HasSubstr("net:2: self-loop at node 'b'; links join two "
                                             "different nodes; --drop-self-loops drops"));
  const ReadLinks read = listed(text, {.drop_self_loops = true});
  EXPECT_EQ(read.links, "a-b b-c");
  EXPECT_EQ(read.answer, "dropped 2 self-loops (first in line 2)");
  EXPECT_EQ(listed("a b\nb b\n", {.drop_self_loops = true}).answer, "dropped 1 self-loop (line 2)");
  EXPECT_THAT(listed("a b\nc c\n", {.drop_self_loops = true}).answer, HasSubstr("not connected"));
}

TEST(GraphLinks, PortsOfAnArcAndItsReverseAgree) {
  const auto joined = [](std::array<std::uint32_t, 2> back) {
    GraphBuilder graph("net", {});
    graph.links_are_arcs();
    const auto a = graph.node("a", 1);
    const auto b = graph.node("b", 1);
    const auto c = graph.node("c", 1);
    graph.add_link(a, b, 1, {{0, 1}});
    graph.add_link(b, a, 2, back);
    graph.add_link(b, c, 3, {{0, 0}});
    graph.add_link(c, b, 4, {{0, 0}});
    return graph.network("net");
  };
  EXPECT_EQ(joined({1, 0}).neighbor(NodeId{1}, Port{1}), NodeId{0});
  EXPECT_THROW((void)joined({0, 1}), InvalidParameter);
}

/// The ports of links follow their order in the file, whatever is joined.
TEST(GraphLinks, JoiningKeepsTheOrderOfTheFile) {
  const FileNetwork network =
      read_graph_text("net", "net", "c a\nb a\na b\nd a\na c\na d\n", GraphFormat::edges);
  ASSERT_EQ(network.degree(NodeId{1}), 3U);  // a
  EXPECT_EQ(network.label(network.neighbor(NodeId{1}, Port{0})), "c");
  EXPECT_EQ(network.label(network.neighbor(NodeId{1}, Port{1})), "b");
  EXPECT_EQ(network.label(network.neighbor(NodeId{1}, Port{2})), "d");
}

/// Random connected multigraphs: listed both ways, in any order, they are the same network.
TEST(GraphLinks, BothDirectionsInAnyOrderAreTheNetworkListedOnce) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::uint64_t nodes = 2 + random() % 20;
    std::vector<std::string> there;
    std::vector<std::string> back;
    const auto add = [&](std::uint64_t u, std::uint64_t v) {
      there.push_back(std::to_string(u) + " " + std::to_string(v) + "\n");
      back.push_back(std::to_string(v) + " " + std::to_string(u) + "\n");
    };
    for (std::uint64_t v = 1; v < nodes; ++v) add(random() % v, v);
    for (std::uint64_t i = 0; i < 20; ++i) {
      const std::uint64_t v = 1 + random() % (nodes - 1);
      add(random() % v, v);
    }
    std::string once;
    for (const std::string& line : there) once += line;
    std::vector<std::string> both = there;
    both.insert(both.end(), back.begin(), back.end());
    std::ranges::shuffle(both, random);
    std::string twice = "# a list\n";
    for (const std::string& line : both) twice += line;
    EXPECT_EQ(listed(twice).links, listed(once).links) << twice;
    both.pop_back();
    std::string mixed;
    for (const std::string& line : both) mixed += line;
    EXPECT_EQ(listed(mixed).links, "refused") << mixed;
  }
}

}  // namespace
}  // namespace lockstep
