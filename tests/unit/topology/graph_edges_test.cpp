// SPDX-License-Identifier: Apache-2.0

/// Lists of edges as many programs write them: the same network, or one clear error.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/graph_texts.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

[[nodiscard]] ReadLinks edges(const std::string& text, GraphReadOptions options = {}) {
  return read_links(text, GraphFormat::edges, options);
}

constexpr const char* edge_ring = "0-1 0-3 1-2 2-3";

TEST(GraphEdges, TheRingOfFourInManyHands) {
  struct Case {
    const char* text;
    const char* notes;
  };
  for (const Case& writer : std::vector<Case>{
           {"0 1\n1 2\n2 3\n3 0\n", ""},
           {"0 1\r\n1 2\r\n2 3\r\n3 0\r\n", ""},
           {"0 1\r1 2\r2 3\r3 0\r", ""},
           {"0\t1\n1\t2\n2\t3\n3\t0\n", ""},
           {"0,1\n1,2\n2,3\n3,0\n", ""},
           {"0, 1\n1, 2\n2 , 3\n3,0\n", ""},
           {"0;1\n1;2\n2;3\n3;0", ""},
           {"\"0\",\"1\"\n\"1\",2\n2,3\n3,0\n", ""},
           {"0 1 {}\n1 2 {}\n2 3 {}\n3 0 {}\n", ""},
           {"0 1 {'weight': 3}\n1 2 {'w': {'a': 1}}\n2 3 {}\n3 0 {'c': ' #, ;'}\n",
            "ignored 3 attribute sets (first in line 1)"},
           {"0 1 2.5\n1 2 -1\n2 3 1e-3\n3 0 nan\n", "ignored 4 weights (first in line 1)"},
           {"0;1;0,5\n1;2;1,5\n2;3;2,5\n3;0;1\n", "ignored 4 weights (first in line 1)"},
           {"0 1\t1\t7\n1 2\t1\t8\n2 3\t1\t9\n3 0\t1\t9\n",
            "ignored 4 weights (first in line 1); ignored 4 further numbers (first in line 1)"},
           {"# a\n% b\n// c\n   # d\n0 1 # e\n1 2\t# f\n2 3\n\n3 0\n", ""},
           {"# ports are numbered from 1\n# nodes of the ring\n0 1\n1 2\n2 3\n3 0\n", ""},
           {"# directed by hand\n0 1\n1 2\n2 3\n3 0\n", ""},
           {"# Undirected graph: ring\n# Nodes: 4 Edges: 4\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n"
            "2\t3\n3\t0\n",
            ""},
           {"% sym unweighted\n% 4 4 4\n0 1\n1 2\n2 3\n3 0\n", ""},
           {"Source,Target\n0,1\n1,2\n2,3\n3,0\n", ""},
           {"Source;Target;Type;Id;Label;Weight\n0;1;Undirected;0;x y;1\n1;2;Undirected;1;;1\n"
            "2;3;Undirected;2;;1\n3;0;Undirected;3;;1\n",
            "ignored the columns 'Id', 'Label', 'Weight'"},
           {"weight,to,from\n5,1,0\n5,2,1\n5,3,2\n5,0,3\n", "ignored the column 'weight'"},
           {"4 4\n0 1\n1 2\n2 3\n3 0\n", "read line 1 as a header: 4 nodes, 4 links"},
           {"4,4\n0,1\n1,2\n2,3\n3,0\n", "read line 1 as a header: 4 nodes, 4 links"},
           {"# x\n4 4 4\n0 1\n1 2\n2 3\n3 0\n", "read line 2 as a header: 4 nodes, 4 links"},
           {"4\n0 1\n1 2\n2 3\n3 0\n", "read line 1 as a header: 4 nodes"},
           {"4\n4\n0 1\n1 2\n2 3\n3 0\n", "read line 1 as a header: 4 nodes, 4 links"},
           {"4 8\n0 1\n1 2\n2 3\n3 0\n", "read line 1 as a header: 4 nodes, 8 links"},
           {"0 1\n1 0\n1 2\n2 1\n2 3\n3 2\n3 0\n0 3\n", "joined the two directions of 4 links"},
           {"# Directed graph (each unordered pair of nodes is saved once): ring\n"
            "# Nodes: 4 Edges: 8\n0 1\n1 0\n1 2\n2 1\n2 3\n3 2\n3 0\n0 3\n",
            "made 4 links of 8 arcs, because every arc has its reverse"},
           {"% asym unweighted\n0 1\n1 0\n1 2\n2 1\n2 3\n3 2\n3 0\n0 3\n",
            "made 4 links of 8 arcs, because every arc has its reverse"}}) {
    const ReadLinks read = edges(writer.text);
    EXPECT_EQ(read.links, edge_ring) << writer.text << read.answer;
    EXPECT_EQ(read.answer, writer.notes) << writer.text;
    EXPECT_EQ(read.parallel, 0U);
  }
}

TEST(GraphEdges, NamesHoldWhatOtherFormatsSeparate) {
  EXPECT_EQ(edges("http://a/root http://a/owl#Act\nhttp://a/root http://a/owl#Agent\n").links,
            "http://a/root-http://a/owl#Act http://a/root-http://a/owl#Agent");
  EXPECT_EQ(edges("\"New York\",Boston\nBoston,\"a \"\"b\"\"\"\n").links,
            "Boston-a \"b\" New York-Boston");
  EXPECT_EQ(edges("(0, 0) (0, 1) {}\n(0, 1) (1, 1) {}\n").links, "(0, 0)-(0, 1) (0, 1)-(1, 1)");
  EXPECT_EQ(edges("Source,Target\nNew York,Boston\n").links, "New York-Boston");
}

TEST(GraphEdges, BipartiteNetworksOfKonectHaveTwoSetsOfNodes) {
  const ReadLinks read = edges("% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 2\n");
  EXPECT_EQ(read.links, "u1-v1 u1-v2 v2-u2");
  EXPECT_THAT(read.answer, HasSubstr("(bipartite network)"));
}

TEST(GraphEdges, TheFormWithPortsBeginsWithItsOwnLineOnly) {
  EXPECT_EQ(edges("# ports\na b 0 0\nb c 1 0\n").links, "a-b b-c");
  EXPECT_EQ(edges("# ports of a and b\na b 0 0\nb c 1 0\n").answer,
            "ignored 2 weights (first in line 2); ignored 2 further numbers (first in line 2)");
  EXPECT_EQ(edges("a b # ports\nb c # switches a\n").links, "a-b b-c");
  EXPECT_THAT(edges("a b\n# ports\nb c 1 0\n").answer, HasSubstr("net:2: '# ports' behind"));
}

TEST(GraphEdges, WhatIsNotClearIsRefused) {
  struct Case {
    const char* text;
    const char* refusal;
  };
  for (const Case& wrong : std::vector<Case>{
           {"# directed\na b\n",
            "net:2: no arc back from 'b' to 'a': directed graphs are not "
            "supported; --undirected makes each arc a link"},
           {"# Directed graph (SNAP)\na b\n", "net:2: no arc back from 'b' to 'a'"},
           {"% asym\n1 2\n", "net:2: no arc back from '2' to '1'"},
           {"Source,Target,Type\na,b,Directed\n", "net:2: no arc back from 'b' to 'a'"},
           {"Source,Target,Type\na,b,Mutual\n", "net:2: type 'mutual' given; allowed: Directed"},
           {"Source,Target,Type\na,b\n", "net:2: 2 columns; expected 3 or more"},
           {"Source,Target\na,b\nb,Source\n", "net:1: 'Source' names a column here"},
           {"a b c\n", "net:1: 'c' behind the two names"},
           {"0 1 3\n1 2\n2 3\n3\n", "net:2: 2 words; expected two names"},  // lists of neighbours
           {"0 1\n1 2 3\n", "net:2: 3 words; expected two names"},
           {"New York,Boston\n", "net:1: 'New York' has both blanks and commas"},
           {"0,0 0,1\n", "has both blanks and commas"},
           {"a b\nc,d e\n", "net:2: 'd e' has both blanks and commas"},
           {"x 1\t2\n", "net:1: 'x 1?2' has both tabs and blanks"},
           {"\"a b\n", "net:1: '\"a b': the closing \" is missing"},
           {"a b {'x': 1\n", "the closing } is missing"},
           {"0 1\n1 0\n1 2\n",
            "net:2: the link of '0' and '1' (line 1) is listed in both "
            "directions, but the link of '1' and '2' only in one (line 3)"},
           {"0 1\n1 0\n0 1\n",
            "net:2: the link of '0' and '1' (line 1) is listed more often in one"},
           {"4 9\n0 1\n1 2\n2 3\n3 0\n1 3\n", "net:1: '4 9' may state 4 nodes and 9 links, but 5"},
           {"5\n0 1\n1 2\n", "net:1: 5 nodes stated; the list has 3 nodes and 2 links"},
           {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
            "net:1: a Matrix Market file; name it .mtx"},
           {"5 5\n2 5\n1 3\n2 4\n3 5\n1 4\n", "net:1: the lines below may be links or lists of"},
           {"5 10\n2 3 4 5\n3 4 5 1\n4 5 1 2\n5 1 2 3\n1 2 3 4\n", "lists of neighbours (METIS)"},
           {"0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", "net:1: the lines may be links or the rows"},
           {"0 2\n1 {}\n2 {}\n1 1\n2 {}\n", "net:2: '1 {}': braces in place of a name"},
           {"graph {\na -- b\n}\n", "net:1: 'graph {': the closing } is missing"},
           {"# Nodes: 5 Edges: 2\n0 1\n1 2\n", "net:1: 5 nodes stated, but 3 occur in links"},
           {"# Nodes: 3 Edges: 9\n0 1\n1 2\n", "net:1: 9 stated, but 2 links listed"},
           {"% sym\n% 3 3 3\n0 1\n1 2\n", "net:2: 3 stated, but 2 links listed"}}) {
    const ReadLinks read = edges(wrong.text);
    EXPECT_EQ(read.links, "refused") << wrong.text;
    EXPECT_THAT(read.answer, HasSubstr(wrong.refusal)) << wrong.text;
  }
}

/// Numbers of nodes that look like counts.
TEST(GraphEdges, ALinkIsNoHeader) {
  EXPECT_EQ(edges("3 100\n3 7\n7 30\n").links, "3-100 3-7 7-30");
  EXPECT_EQ(edges("2 3\n1 2\n").links, "1-2 2-3");
  EXPECT_EQ(edges("0 1 5\n1 2 5\n2 0 5\n").links, "0-1 0-2 1-2");  // no matrix
  EXPECT_EQ(edges("5 5\n1 2\n2 3\n3 4\n4 5\n5 1\n").links, "1-2 1-5 2-3 3-4 4-5");
  EXPECT_EQ(edges("4 5\n1 2\n2 3\n3 4\n").links, "1-2 2-3 3-4 4-5");
  EXPECT_EQ(edges("2 1\n3 2\n").links, "1-2 2-3");
  EXPECT_EQ(edges("2 1\n2 1\n2 1\n").links, "1-2 1-2 1-2");
  EXPECT_EQ(edges("3 4\n1 2\n2 3\n").links, "1-2 2-3 3-4");
}

TEST(GraphEdges, RepeatedLinesAreLanesAndAreNoted) {
  const ReadLinks read = edges("a b\nb c\na b\na b\n");
  EXPECT_EQ(read.links, "a-b a-b a-b b-c");
  EXPECT_EQ(read.parallel, 2U);
  EXPECT_EQ(read.answer, "read 2 repeated links as further lanes (first in line 3)");
}

}  // namespace
}  // namespace lockstep
