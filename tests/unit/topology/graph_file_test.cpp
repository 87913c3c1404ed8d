// SPDX-License-Identifier: Apache-2.0

/// Networks from files: every format, every refusal, and every built-in network out and in again.

#include "topology/graph_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

[[nodiscard]] Network read(const std::string& text, GraphFormat format) {
  return read_graph_text("file:net", "net", text, format);
}

[[nodiscard]] std::string refusal(const std::string& text, GraphFormat format) {
  try {
    (void)read(text, format);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

/// Port by port.
void expect_same(const AnyTopology& expected, const Network& network, bool labels) {
  SCOPED_TRACE(expected.name());
  ASSERT_EQ(network.node_count(), expected.node_count());
  EXPECT_EQ(network.processor_count(), expected.processor_count());
  for (std::uint64_t i = 0; i < network.node_count(); ++i) {
    const NodeId u{i};
    ASSERT_EQ(network.degree(u), expected.degree(u));
    if (labels) {
      EXPECT_EQ(network.label(u), expected.label(u));
    }
    for (std::size_t p = 0; p < network.degree(u); ++p) {
      EXPECT_EQ(network.neighbor(u, port(p)), expected.neighbor(u, port(p)));
      EXPECT_EQ(network.reverse_port(u, port(p)), expected.reverse_port(u, port(p)));
    }
  }
}

/// A square with a diagonal, in each format; node 3 is a switch where the format has switches.
const std::vector<std::pair<GraphFormat, std::string>>& squares() {
  static const std::vector<std::pair<GraphFormat, std::string>> all{
      {GraphFormat::edges, "# a square\n0 1\n1 2\n\n2 3 # a remark\n3 0\n0\t2\n# switches 3\n"},
      {GraphFormat::dimacs, "c a square\np edge 4 5\ne 1 2\ne 2 3\ne 3 4\ne 4 1\ne 1 3\n"},
      {GraphFormat::dimacs,
       "c arcs\np sp 4 10\na 1 2 7\na 2 1 7\na 2 3 1\na 3 2 1\na 3 4 1\na 4 3 2\na 4 1 1\na 1 4 1\n"
       "a 1 3 1\na 3 1 1\n"},
      {GraphFormat::graphml,
       "<?xml version='1.0' encoding='utf-8'?>\n"
       "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
       "<key id=\"d0\" for=\"node\" attr.name=\"switch\" attr.type=\"boolean\"/>\n"
       "<graph edgedefault=\"undirected\">\n"
       "<node id=\"a\"/>\n<node id=\"b\"/>\n<node id=\"c\"/>\n"
       "<node id=\"d\"><data key=\"d0\">true</data></node>\n"
       "<edge source=\"a\" target=\"b\"/>\n<edge source=\"b\" target=\"c\"/>\n"
       "<edge source=\"c\" target=\"d\"/>\n<edge source=\"d\" target=\"a\"/>\n"
       "<edge source=\"a\" target=\"c\"/>\n</graph>\n</graphml>\n"},
      {GraphFormat::matrix,
       "%%MatrixMarket matrix coordinate pattern symmetric\n% a square\n4 4 5\n2 1\n3 2\n4 3\n4 1\n"
       "3 1\n"},
      {GraphFormat::matrix,
       "%%MatrixMarket matrix coordinate pattern general\n4 4 10\n2 1\n1 2\n3 2\n2 3\n4 3\n3 4\n4 "
       "1\n1 4\n3 1\n1 3\n"},
      {GraphFormat::node_link,
       "{\"directed\": false, \"multigraph\": false, \"graph\": {\"name\": [[1]]},\n"
       "\"nodes\": [{\"id\": [0, 1], \"x\": {\"id\": 5}}, {\"id\": \"b\"}, {\"id\": 2},\n"
       "{\"switch\": true, \"id\": 3}],\n"
       "\"links\": [{\"source\": [0, 1], \"target\": \"b\"}, {\"source\": \"b\", \"target\": 2},\n"
       "{\"source\": 2, \"target\": 3}, {\"target\": [0, 1], \"source\": 3},\n"
       "{\"source\": [0, 1], \"target\": 2, \"weight\": 1.5}]}\n"}};
  return all;
}

TEST(GraphFile, EveryFormatIsRead) {
  for (const auto& [format, text] : squares()) {
    SCOPED_TRACE(text);
    const Network square = read(text, format);
    const bool has_switch = format != GraphFormat::dimacs && format != GraphFormat::matrix;
    EXPECT_EQ(square.node_count(), 4U);
    EXPECT_EQ(square.processor_count(), has_switch ? 3U : 4U);
    EXPECT_EQ(square.neighbor(NodeId{0}, Port{0}), NodeId{1});
    EXPECT_EQ(square.neighbor(NodeId{0}, Port{1}), NodeId{3});
    EXPECT_EQ(square.neighbor(NodeId{0}, Port{2}), NodeId{2});
    EXPECT_EQ(square.reverse_port(NodeId{0}, Port{2}), Port{2});
    EXPECT_EQ(square.degree(NodeId{1}), 2U);
  }
}

TEST(GraphFile, NamesAreLabelsAndNumbersAreInOrder) {
  const Network names = read("b a\na c\n", GraphFormat::edges);
  EXPECT_EQ(names.label(NodeId{0}), "b");
  EXPECT_EQ(names.label(NodeId{2}), "c");
  const Network numbers = read("30 7\n7 100\n", GraphFormat::edges);
  EXPECT_EQ(numbers.label(NodeId{0}), "7");
  EXPECT_EQ(numbers.label(NodeId{2}), "100");
  EXPECT_EQ(numbers.degree(NodeId{0}), 2U);
  const Network tuples = read(squares().back().second, GraphFormat::node_link);
  EXPECT_EQ(tuples.label(NodeId{0}), "(0,1)");
  const Network empty_part = read(
      R"({"nodes": [{"id": ["", "x"]}, {"id": ["x"]}], "links": [{"source": ["", "x"], "target": ["x"]}]})",
      GraphFormat::node_link);
  EXPECT_EQ(empty_part.label(NodeId{0}), "(,x)");
  EXPECT_EQ(empty_part.label(NodeId{1}), "(x)");
}

TEST(GraphFile, ARepeatedLineIsAnotherLane) {
  const Network lanes = read("a b\na b\nb c\n", GraphFormat::edges);
  EXPECT_EQ(lanes.degree(NodeId{0}), 2U);
  EXPECT_EQ(lanes.neighbor(NodeId{0}, Port{1}), NodeId{1});
  EXPECT_EQ(lanes.reverse_port(NodeId{0}, Port{1}), Port{1});
  // A graph to be coloured has no parallel edges.
  const Network once = read("p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", GraphFormat::dimacs);
  EXPECT_EQ(once.degree(NodeId{1}), 2U);
  const Network twice = read("p edge 3 3\ne 1 2\ne 2 1\ne 2 3\n", GraphFormat::dimacs);
  EXPECT_EQ(twice.degree(NodeId{1}), 2U);
}

TEST(GraphFile, SwitchesComeBehindProcessors) {
  const Network tree = read("hub a\nhub b\n# switches hub\n", GraphFormat::edges);
  EXPECT_EQ(tree.processor_count(), 2U);
  EXPECT_EQ(tree.label(NodeId{2}), "hub");
  EXPECT_EQ(tree.degree(NodeId{2}), 2U);
}

TEST(GraphFile, RefusalsNameTheLine) {
  struct Case {
    GraphFormat format;
    const char* text;
    const char* refusal;
  };
  using enum GraphFormat;
  for (const Case& wrong : std::vector<Case>{
           {edges, "", "net:1: a graph without nodes"},
           {edges, "a b\nb b\n", "net:2: self-loop at node 'b'"},
           {edges, "a b\nc d\n",
            "net:2: the network is not connected: no path from node 'a' to node 'c'"},
           {edges, "a\n", "net:1: 1 word; expected two names"},
           {edges, "a b\n# switches x\n", "net:2: unknown node 'x'"},
           {edges, "a b\n# switches a b\n", "every node is a switch"},
           {edges, "# nodes 2\n0 2\n", "net:2: unknown node '2'; allowed: 0..1"},
           {edges, "# nodes 3\n0 1\n", "not connected: no path from node '0' to node '2'"},
           {edges, "# ports\na b 0 1\n", "net:2: port 1 of node 'b'"},
           {edges, "# ports\na b 0 x\n", "net:2: 'x' is not a whole number"},
           {edges, "a\x01 b\n", "net:1: node 'a?': control characters"},
           {edges, "a b\nb \xFE\n", "net:2: node '?': its name is not valid UTF-8"},
           {edges,
            "a b\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\u20ac \"\n",  // cut between characters
            "net:2: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..': the closing"},
           {dimacs, "c\n", "net:1: the problem line is missing"},
           {dimacs, "e 1 2\n", "net:1: 'e 1 2' comes before the problem line"},
           {dimacs, "p edge 2 1\np edge 2 1\n", "net:2: the problem line 'p ..' occurs twice"},
           {dimacs, "p max 2 1\n", "net:1: not a problem line"},
           {dimacs, "p edge 3 1\n", "net:1: not connected: 3 nodes, but only 1 links"},
           {dimacs, "p edge 0 0\n", "net:1: a graph without nodes"},
           {dimacs, "c\np sp 166232268838 1166232268838\na 1 2 7\n",
            "net:2: 583,116,134,419 links or more expected, which do not fit in 42 bytes"},
           {edges, "# nodes 268435456\n0 1\n",
            "net:1: 268,435,455 links or more expected, which do not fit in 22 bytes"},
           {matrix, "%%MatrixMarket matrix coordinate pattern symmetric\n90000 90000 90000\n2 1\n",
            "net:2: 45,000 links or more expected, which do not fit in"},
           {dimacs, "p edge 2 1\ne 1 3\n", "net:2: unknown node 3; allowed: 1..2"},
           {dimacs, "p edge 2 1\ne 1 1\n", "net:2: self-loop at node '1'"},
           {dimacs, "p edge 2 1\na 1 2 5\n", "net:2: 'a 1 2 5' is not valid; expected 'e u v'"},
           {dimacs, "p edge 2 3\ne 1 2\n", "net:1: 1 edge listed, but the file states 3"},
           {dimacs, "p sp 3 3\na 1 2 1\na 2 1 1\na 2 3 1\n", "net:4: no arc back from '3' to '2'"},
           {graphml, "<graph/>", "net:1: no element <graphml>"},
           {graphml, "<graphml>\n</graphml>", "net:1: no element <graph>"},
           {graphml, "<graphml>\n<graph>\n<node id='a'>\n", "net:"},
           {graphml,
            "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/>\n"
            "<edge source='a' target='b'/></graph></graphml>",
            "net:2: no arc back from 'b' to 'a'"},
           {graphml, "<graphml><graph>\n<node/></graph></graphml>", "net:2: a node without a name"},
           {graphml, "<graphml><graph>\n<node id='a'/>\n<node id='a'/></graph></graphml>",
            "net:3: node 'a' is declared twice"},
           {graphml,
            "<graphml><graph><node id='a'/>\n<edge source='a' target='b'/></graph></graphml>",
            "net:2: unknown node 'b' as target of an edge"},
           {graphml, "<graphml><graph>\n<hyperedge/></graph></graphml>",
            "net:2: <hyperedge> in a graph is not"},
           {matrix, "%%MatrixMarket matrix array real general\n",
            "net:1: a dense matrix ('array')"},
           {matrix, "%%MatrixMarket matrix coordinate pattern symmetric\n2 3 1\n",
            "a square matrix"},
           {matrix, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n1 1\n",
            "net:3: self-loop at node '1'"},
           {matrix, "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
            "net:3: no arc back from '2' to '1'"},
           {node_link, "[]", "net:1: a list; allowed: an object"},
           {node_link, "{\n\"nodes\": [{\"id\": 1}", "net:2: JSON: syntax error"},
           {node_link, "{\"directed\": true}", "net:1: no list \"nodes\""},
           {node_link, "{\"nodes\": [{\"id\": 1},\n{}]}", "net:2: a node without an \"id\""},
           {node_link, "{\"nodes\": [1]}", "'1' in place of a node or link"},
           {node_link, "{\"nodes\": {}}", "'nodes' is not a list"},
           {node_link, "{\"nodes\": [{\"id\": 1}],\n\"links\": [{\"source\": 1}]}",
            "net:2: a link without source or target"},
           {node_link, "{\"nodes\": [{\"id\": 1}],\n\"links\": [\n{\"source\": 1, \"target\": 2}]}",
            "net:3: unknown node '2'"}}) {
    EXPECT_THAT(refusal(wrong.text, wrong.format), HasSubstr(wrong.refusal)) << wrong.text;
  }
}

TEST(GraphFile, EveryBuiltInNetworkGoesOutAndInAgain) {
  std::vector<AnyTopology> networks{"linear:1", "star:5", "fat-tree:2^3", "fat-tree:2^3,2.4.8"};
  for (const TopologyInfo& info : topology_catalog())
    if (!info.example.empty()) networks.emplace_back(std::string(info.example));
  for (const AnyTopology& network : networks)
    for (const GraphFormat format :
         {GraphFormat::edges, GraphFormat::graphml, GraphFormat::node_link})
      expect_same(network, read(graph_text(network, format), format), format != GraphFormat::edges);
}

TEST(GraphFile, FormatsByExtension) {
  EXPECT_EQ(format_of_file("a/b.gr"), GraphFormat::dimacs);
  EXPECT_EQ(format_of_file("b.col"), GraphFormat::dimacs);
  EXPECT_EQ(format_of_file("b.graphml"), GraphFormat::graphml);
  EXPECT_EQ(format_of_file("b.mtx"), GraphFormat::matrix);
  EXPECT_EQ(format_of_file("b.json"), GraphFormat::node_link);
  EXPECT_EQ(format_of_file("b.txt"), GraphFormat::edges);
  EXPECT_EQ(format_of_file("b.graphml.gz"), GraphFormat::graphml);
  EXPECT_EQ(format_of_file("b.gz"), GraphFormat::edges);
}

TEST(GraphFile, TheNameSaysHowTheFileIsRead) {
  const GraphFileName plain = parse_graph_file_name("a=b.txt");
  EXPECT_EQ(plain.path, "a=b.txt");
  EXPECT_FALSE(plain.format || plain.options.undirected || plain.options.drop_self_loops);
  const GraphFileName all = parse_graph_file_name("drop-self-loops+dimacs+undirected=a=b");
  EXPECT_EQ(all.path, "a=b");
  EXPECT_EQ(all.format, GraphFormat::dimacs);
  EXPECT_TRUE(all.options.undirected && all.options.drop_self_loops);
  EXPECT_EQ(text_of(all), "dimacs+undirected+drop-self-loops=a=b");
  for (const char* path : {"edges+edges=a", "edges+=a", "edges=", "=a", "undirected"})
    EXPECT_EQ(parse_graph_file_name(path).path, path);
}

/// One random mistake, or a few: bytes changed, left out, or copied from elsewhere in the text.
[[nodiscard]] std::string broken(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t most) { return static_cast<std::size_t>(random() % most); };
  const std::string alphabet = "0123456789 \n\t#<>\"'{}[]:,/=-ep%\\a\x01\xFF";
  const std::size_t mistakes = 1 + below(4);
  for (std::size_t i = 0; i < mistakes && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    const std::size_t count = 1 + below(std::min<std::size_t>(text.size() - at, 12));
    switch (below(4)) {
      case 0:
        text[at] = alphabet[below(alphabet.size())];
        break;
      case 1:
        text.erase(at, count);
        break;
      case 2:
        text.insert(below(text.size()), text.substr(at, count));
        break;
      default:
        text.insert(at, 1, alphabet[below(alphabet.size())]);
    }
  }
  return text;
}

/// A clear error or a legal graph, nothing else.
TEST(GraphFile, FiveHundredBrokenFilesPerFormat) {
  for (const GraphFormat format : {GraphFormat::edges, GraphFormat::dimacs, GraphFormat::graphml,
                                   GraphFormat::matrix, GraphFormat::node_link}) {
    std::vector<std::string> seeds;
    for (const auto& [of, text] : squares())
      if (of == format) seeds.push_back(text);
    if (format != GraphFormat::dimacs && format != GraphFormat::matrix)
      seeds.push_back(graph_text(AnyTopology("fat-tree:2^2,2.2"), format));
    std::mt19937_64 random(23);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < 500; ++i) {
      const std::string text = broken(seeds[i % seeds.size()], random);
      SCOPED_TRACE(text);
      const std::string answer = refusal(text, format);
      if (answer == "accepted") continue;
      ++refused;
      EXPECT_THAT(answer, StartsWith("net:"));
      EXPECT_EQ(answer.find('\n'), std::string::npos) << answer;
      EXPECT_LT(answer.size(), 300U) << answer;
    }
    EXPECT_GT(refused, 200U);
  }
}

}  // namespace
}  // namespace lockstep
