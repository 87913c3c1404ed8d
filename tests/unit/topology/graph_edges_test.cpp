// SPDX-License-Identifier: Apache-2.0

/// Lists of edges as many programs write them: the same network, or one clear error.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
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
           {"4 8\n0 1\n1 2\n2 3\n3 0\n",
            "read line 1 as a header: 4 nodes, 8 links; accepted 4 links, where the file states 8: "
            "it "
            "counts both directions"},
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
  EXPECT_THAT(edges("a b\n# ports\nb c 1 0\n").answer, HasSubstr("net:2: '# ports' after"));
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
           {"Source,Target,Type\na,b\n", "net:2: 2 columns; expected 3, as in the header (line 1)"},
           {"Source,Target\na,b\nb,Source\n", "net:1: 'Source' names a column here"},
           {"a b c\n", "net:1: 'c' after the two names"},
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
           {"# Nodes: 3 Edges: 9\n0 1\n1 2\n", "net:1: 2 links listed, but the file states 9"},
           {"% sym\n% 3 3 3\n0 1\n1 2\n", "net:2: 2 links listed, but the file states 3"}}) {
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

/// "4 3" above a list of three links of four nodes may be a link, or count both.
TEST(GraphEdges, AFirstLineThatMayBeALinkOrCountsIsRefused) {
  for (const char* const text : {"5 4\n4 3\n3 2\n2 1\n1 5\n", "3 2\n2 1\n3 1\n",
                                 "5,4\n4,3\n3,2\n2,1\n1,5\n", "# ring\n4 3\n3 2\n2 1\n1 4\n",
                                 "6 5\n1 2\n2 3\n3 4\n4 5\n5 6\n", "4 3 1\n1 2 7\n2 3 7\n3 4 7\n",
                                 "5 4 0\n1 2\n2 3\n3 4\n4 5\n", "4 3 1.5\n1 2 7\n2 3 7\n3 4 7\n"}) {
    const ReadLinks read = edges(text);
    EXPECT_EQ(read.links, "refused") << text;
    EXPECT_THAT(read.answer, HasSubstr(" may be a link, or state ")) << text;
  }
  // With the remedy, both meanings.
  EXPECT_EQ(edges("4 3\n3 2\n2 1\n1 5\n").links, "1-2 1-5 2-3 3-4");
  EXPECT_EQ(edges("4 3\n3 2\n2 1\n1 5\n5 4\n").links, "1-2 1-5 2-3 3-4 4-5");
  EXPECT_EQ(edges("# nodes 3\n2 1\n1 0\n0 2\n").links, "0-1 0-2 1-2");
  EXPECT_EQ(edges("1 3 7\n1 2 7\n2 3 7\n3 4 7\n").links, "1-2 1-3 2-3 3-4");  // weights
}

/// The first line cannot be a link: a self-loop, a node that no other line has, other columns, or
/// one direction among links in both.
TEST(GraphEdges, AFirstLineThatCannotBeALinkIsAHeader) {
  EXPECT_EQ(edges("4 3\n0 1\n1 2\n2 3\n").links, "0-1 1-2 2-3");
  EXPECT_EQ(edges("4 3\n1 2 7\n2 3 7\n3 4 7\n").links, "1-2 2-3 3-4");
  EXPECT_EQ(edges("3 3\n1 2\n2 3\n3 1\n").links, "1-2 1-3 2-3");
  EXPECT_EQ(edges("4 6\n1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n").links, "1-2 2-3 3-4");
  EXPECT_EQ(edges("4 3\n1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n").links, "1-2 2-3 3-4");
  EXPECT_EQ(edges("3 2\na b\nb c\n").links, "a-b b-c");
  EXPECT_EQ(edges("4 6\na b\nb c\nc d\n").answer,
            "read line 1 as a header: 4 nodes, 6 links; accepted 3 links, where the file states 6: "
            "it counts both directions");
}

TEST(GraphEdges, OtherFormatsAreRefused) {
  struct Case {
    const char* text;
    const char* refusal;
  };
  for (const Case& wrong : std::vector<Case>{
           {"0 -> 1\n1 -> 2\n2 -> 0\n", "net:1: '->' in place of a name; write each link as"},
           {"0 -- 1\n0 -- 2\n", "net:1: '--' in place of a name"},
           {"0 - 1\n", "'-' in place of a name"},
           {"0 <-> 1\n", "'<->' in place of a name"},
           {"0 : 1\n", "':' in place of a name"},
           {"0,=>,1\n", "'=>' in place of a name"},
           {"a b 3\na -> 2\n", "net:2: '->' in place of a name"},
           {"0 \u2192 1\n1 \u2192 2\n", "net:1: the lines may be links of '\u2192' with weights"},
           {"e 1 2\ne 2 3\ne 3 1\n", "net:1: the lines may be links of 'e' with weights, or"},
           {"3 2\ne 1 2\ne 2 3\n", "may be links of 'e' with weights"},
           {"0 to 1 5\n1 to 2 5\n", "may be links of 'to' with weights"},
           {"1 edge 0 1\n2 edge 1 2\n", "may be links of 'edge' with weights"},
           {"0: 1\n0: 2\n", "net:1: '0:' begins a list of neighbours"},
           {"0: 1 2\n1: 0 2\n2: 0 1\n", "net:1: '0:' begins a list of neighbours"},
           {"[0, 1]\n[0, 2]\n", "net:1: '[0': only one of the brackets []"},
           {"[0 1]\n[0 2]\n", "only one of the brackets []"},
           {"<0,1>\n<0,2>\n", "only one of the brackets <>"},
           {"0 1)\n0 2)\n", "only one of the brackets ()"},
           {"from,to\n[0,1]\n", "net:2: '[0': only one of the brackets []"},
           {"*Vertices 3\n*Edges 2\n1 2\n", "net:1: '*Vertices' begins a Pajek file"},
           {"1 a\n2 b\n3 c\n#\n1 2\n2 3\n", "net:4: the lines above '#' may be links, or nodes"},
           {"*Network\na b\n", "net:1: '*Network' begins a Pajek file"},
           {"from to\nNew York Boston\n", "net:2: 3 columns; expected 2, as in the header"},
           {"\"from\",\"to\"\n\"1\",\"a\",\"b\"\n", "net:2: 3 columns; expected 2"},
           {"label from to weight\na b 5\n", "net:2: 3 columns; expected 4"},
           {"0 1 2 4 3\n1 2 3 0 4\n2 3 4 1 0\n3 4 0 2 1\n4 0 1 3 2\n", "lists of neighbours"},
           {"1 2 4\n2 1 3\n3 2 4\n4 3 1\n", "links with weights, or lists of neighbours"},
           {"1 0 1\n2 1 2\n3 2 3\n4 3 0\n", "or numbered links; write one link per line as"},
           {"0 1 2 5\n1 2 3 5\n2 3 1 5\n", "or numbered links"}}) {
    const ReadLinks read = edges(wrong.text);
    EXPECT_EQ(read.links, "refused") << wrong.text;
    EXPECT_THAT(read.answer, HasSubstr(wrong.refusal)) << wrong.text;
  }
  // Like these, but clear.
  EXPECT_EQ(edges("a b\nb c\n#\nc a\n").links, "a-b a-c b-c");
  EXPECT_EQ(edges("#\n# ring\n#\na b\n#\nb c\nc a\n#\n").links, "a-b a-c b-c");
  EXPECT_EQ(edges("1 2 1\n2 3 1\n3 4 1\n").links, "1-2 2-3 3-4");
  EXPECT_EQ(edges("1 2 3\n2 3 1\n3 4 1\n4 1 2\n").links, "1-2 1-4 2-3 3-4");
  EXPECT_EQ(edges("hub a 1\nhub b 2\n").links, "hub-a hub-b");
  EXPECT_EQ(edges("[a] <b>\n<b> x>y\n").links, "<b>-x>y [a]-<b>");
  EXPECT_EQ(edges("fe80::1 10:2\n\"[q\" 10:2\n").links, "10:2-[q fe80::1-10:2");
}

/// A file that was cut must not pass for one that counts both directions.
TEST(GraphEdges, StatedCountsOfLinksHoldInTheDirectionsOfTheFile) {
  const std::string ring = "0 1\n1 2\n2 3\n3 0\n";
  const std::string both = "0 1\n1 0\n1 2\n2 1\n2 3\n3 2\n3 0\n0 3\n";
  const std::string twice = "accepted 4 links, where the file states 8: it counts both directions";
  EXPECT_EQ(edges("# Nodes: 4 Edges: 8\n" + ring).answer, twice);
  EXPECT_EQ(edges("% sym\n% 8 4 4\n" + ring).answer, twice);
  EXPECT_THAT(edges("# Nodes: 4 Edges: 4\n" + both).answer,
              HasSubstr("accepted 8 links, where the file states 4: it counts one direction"));
  EXPECT_EQ(edges("# Nodes: 4 Edges: 16\n" + both).answer,
            "net:1: 8 links listed, all in both directions, but the file states 16");
  for (const char* const kind : {"# Directed graph\n", "% asym\n"})
    EXPECT_THAT(edges(std::string(kind) + "# Nodes: 4 Edges: 16\n" + both).answer,
                HasSubstr("net:2: 8 links listed, but the file states 16"));
  EXPECT_THAT(edges("# Directed graph\n# Nodes: 4 Edges: 8\n" + ring, {.undirected = true}).answer,
              HasSubstr("net:2: 4 links listed, but the file states 8"));
  EXPECT_THAT(edges("# Directed graph\n# Nodes: 4 Edges: 2\n" + ring, {.undirected = true}).answer,
              HasSubstr("net:2: 4 links listed, not all in both directions, but the file states"));
}

TEST(GraphEdges, RemarksThatResembleDirectivesAreNoted) {
  EXPECT_EQ(edges("# switches: b\na b\nb c\n").answer,
            "ignored the remark '# switches: b'; the directive is '# switches NAME..'");
  EXPECT_EQ(edges("# nodes = 3\n# directed=1\na b\nb c\n").answer,
            "ignored the remark '# nodes = 3'; the directive is '# nodes N'; ignored the remark '# "
            "directed=1'; the directive is '# directed'");
  // A remark may follow a directive.
  EXPECT_EQ(edges("# nodes 3 # the path\n0 1\n1 2\n").links, "0-1 1-2");
  EXPECT_EQ(edges("# directed # arcs\na b\n").links, "refused");
  EXPECT_EQ(edges("a b\n# switches b # the spine\n").links, "a-b");
}

}  // namespace
}  // namespace lockstep
