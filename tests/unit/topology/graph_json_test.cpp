// SPDX-License-Identifier: Apache-2.0

/// Node-link JSON of NetworkX 1 to 3, d3 and others: what is read, what is noted, what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

[[nodiscard]] FileNetwork json_network(const std::string& text, GraphReadOptions options = {}) {
  return read_graph_text("file:net", "net", text, GraphFormat::node_link, options);
}

[[nodiscard]] std::string json_refusal(const std::string& text, GraphReadOptions options = {}) {
  try {
    (void)json_network(text, options);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

/// "b-a c-b", of each link the later node first, in the order of the nodes.
[[nodiscard]] std::string json_links_of(const FileNetwork& network) {
  std::string text;
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      if (const NodeId v = network.neighbor(NodeId{u}, port(p)); index(v) < u)
        text += (text.empty() ? "" : " ") + network.label(NodeId{u}) + "-" + network.label(v);
  return text;
}

[[nodiscard]] std::string json_text(const std::string& nodes, const std::string& links,
                                    const std::string& more = {}) {
  return "{\"nodes\": [" + nodes + "], \"links\": [" + links + "]" + more + "}";
}

constexpr const char* json_nodes = R"({"id": "a"}, {"id": "b"})";
constexpr const char* json_link = R"({"source": "a", "target": "b"})";

TEST(GraphJson, NumbersThatJsonDoesNotHaveAreIgnoredInAttributes) {
  const FileNetwork network = json_network(
      json_text(R"({"id": "NaN", "x": NaN, "y": [-Infinity, {"z": Infinity}]}, {"id": "a\"NaN\\"})",
                R"({"source": "NaN", "target": "a\"NaN\\", "Infinity": -Infinity})"));
  EXPECT_EQ(network.label(NodeId{0}), "NaN");
  EXPECT_EQ(network.label(NodeId{1}), "a\"NaN\\");
  EXPECT_EQ(json_links_of(network), "a\"NaN\\-NaN");
  EXPECT_THAT(json_refusal(json_text("{\"id\": NaN}", "")), HasSubstr("'id' is null"));
  EXPECT_THAT(json_refusal(json_text(json_nodes, R"({"source": "a",
"target": Infinity})")),
              HasSubstr("net:2: 'target' is null"));
  EXPECT_THAT(json_refusal("{\"nodes\": [{\"id\": 1, \"x\": NaNa}]}"),
              HasSubstr("net:1: JSON: syntax error"));
}

TEST(GraphJson, EndsAreIdsOrPositions) {
  struct Case {
    const char* nodes;
    const char* links;
    const char* more;
    const char* read;  // the links, or a part of the refusal
  };
  constexpr const char* ab = R"({"id": "x"}, {"id": "a"}, {"id": "b"})";
  constexpr const char* by_position = R"({"source": 0, "target": 1}, {"source": 1, "target": 2})";
  constexpr const char* permuted = R"({"id": 2}, {"id": 0}, {"id": 1})";
  constexpr const char* from_one = R"({"id": 1}, {"id": 2}, {"id": 3})";
  constexpr const char* named = R"({"name": "x"}, {"name": "a"}, {"name": "b"})";
  for (const Case& each : std::vector<Case>{
           {ab, by_position, "", "a-x b-a"},                        // NetworkX 1.11
           {ab, by_position, R"(, "graph": [])", "a-x b-a"},        // NetworkX 1.10 and before
           {permuted, by_position, "", "1-0 1-2"},                  // ids: 0-1, 1-2
           {permuted, by_position, R"(, "graph": {})", "1-0 1-2"},  //
           {permuted, by_position, R"(, "graph": [])", "0-2 1-0"},
           {from_one, by_position, R"(, "graph": [["name", "g"]])", "2-1 3-2"},
           {from_one, by_position, "", "unknown node '0'"},
           {named, by_position, "", "a-x b-a"},  // d3 before version 4
           {named, R"({"source": "b", "target": "a"}, {"source": "b", "target": "x"})", "",
            "b-a b-x"},
           {R"({"name": 3}, {"name": 4}, {"name": 5})", by_position, "", "4-3 5-4"},
           {R"({"name": 2}, {"name": 0}, {"name": 1})", by_position, "",
            "is the name of one node and the position of another one"},
           {R"({"id": "0"}, {"id": "1"}, {"id": "2"})", by_position, "", "1-0 2-1"},
           {R"({"id": "2"}, {"id": "0"}, {"id": "1"})", by_position, "",
            "is the id of one node and the position of another one"},
           {from_one, R"({"source": "1", "target": "2"}, {"source": "2", "target": "3"})", "",
            "2-1 3-2"},
           {ab, R"({"source": 0, "target": 3}, {"source": 1, "target": 2})", "",
            "unknown node '0'"},
           {ab, R"({"source": 0, "target": "a"}, {"source": 1, "target": 2})", "",
            "unknown node '0'"},
           {ab, R"({"source": 0, "target": -1}, {"source": 1, "target": 2})", "",
            "unknown node '0'"},
           {R"({"id": "x"}, {"name": "a"})", by_position, "", "a node without an \"id\""},
           {"{}, {}, {}", by_position, "", "a node without an \"id\""}}) {
    const std::string text = json_text(each.nodes, each.links, each.more);
    SCOPED_TRACE(text);
    const std::string refusal = json_refusal(text);
    EXPECT_THAT(refusal == "accepted" ? json_links_of(json_network(text)) : refusal,
                HasSubstr(each.read));
  }
  EXPECT_THAT(json_network(json_text(ab, by_position)).reading().notes,
              Contains(HasSubstr("as positions")));
  // If both readings are possible and differ, a note says which one was taken.
  EXPECT_THAT(json_network(json_text(permuted, by_position)).reading().notes,
              ElementsAre(HasSubstr("read the ends of links as ids of nodes; as positions")));
  EXPECT_THAT(json_network(json_text(permuted, by_position, R"(, "graph": [])")).reading().notes,
              Contains(HasSubstr("as positions in the list of nodes, as NetworkX 1")));
  EXPECT_THAT(
      json_network(json_text(R"({"id": 0}, {"id": 1}, {"id": 2})", by_position)).reading().notes,
      ElementsAre());
}

TEST(GraphJson, BothListsOfLinksMayBeThereIfTheyAreEqual) {
  const auto text = [](const std::string& links, const std::string& edges) {
    return json_text(json_nodes, links, ", \"edges\": [" + edges + "]");
  };
  EXPECT_EQ(json_network(text(json_link, json_link)).degree(NodeId{0}), 1U);
  EXPECT_EQ(json_network("{\"nodes\": [{\"id\": 1}], \"edges\": [], \"links\": []}").node_count(),
            1U);
  for (const std::string& other : {std::string(), std::string(R"({"source": "b", "target": "a"})"),
                                   std::string(json_link) + ", " + json_link,
                                   std::string(R"({"source": "a", "target": "a"})")})
    EXPECT_THAT(json_refusal(text(json_link, other)), HasSubstr("\"edges\" and \"links\" differ"))
        << other;
  EXPECT_THAT(json_refusal(json_text(json_nodes, json_link, ", \"nodes\": []")),
              HasSubstr("\"nodes\" occurs twice"));
}

TEST(GraphJson, DirectionsAndRepeatedLinks) {
  const std::string there = json_link;
  const std::string back = R"({"source": "b", "target": "a"})";
  const auto degree = [&](const std::string& links, const std::string& more) {
    return json_network(json_text(json_nodes, links, more)).degree(NodeId{0});
  };
  EXPECT_EQ(degree(there + "," + back, R"(, "directed": true)"), 1U);
  EXPECT_EQ(degree(there + "," + back, ""), 1U);
  EXPECT_EQ(degree(there + "," + there, ""), 2U);
  EXPECT_EQ(degree(there + "," + there, R"(, "multigraph": true)"), 2U);
  EXPECT_EQ(degree(there + "," + there + "," + back, R"(, "multigraph": false)"), 1U);
  EXPECT_EQ(degree(there, R"(, "directed": null)"), 1U);
  const std::string one_way = json_text(json_nodes, there, R"(, "directed": true)");
  EXPECT_THAT(json_refusal(one_way), HasSubstr("net:1: no arc back from 'b' to 'a'"));
  EXPECT_EQ(json_network(one_way, {.undirected = true}).degree(NodeId{0}), 1U);
  EXPECT_THAT(
      json_refusal(json_text(json_nodes, R"({"source": "a", "target": "b", "directed": true})")),
      HasSubstr("no arc back"));
  EXPECT_THAT(json_refusal(json_text(json_nodes, there, R"(, "directed": "no")")),
              HasSubstr("directed: 'no' given; allowed: true, false"));
}

TEST(GraphJson, NamesAreLabelsThenNamesThenIds) {
  const auto name = [](const std::string& attributes) {
    return json_network("{\"nodes\": [{\"id\": 7" + attributes + "}], \"links\": []}")
        .label(NodeId{0});
  };
  EXPECT_EQ(name(""), "7");
  EXPECT_EQ(name(R"(, "name": "x")"), "x");
  EXPECT_EQ(name(R"(, "name": "x", "label": "two\n  lines")"), "two lines");
  EXPECT_EQ(name(R"(, "label": null)"), "7");
  EXPECT_EQ(name(R"(, "label": "")"), "7");
  EXPECT_EQ(name(R"(, "label": 12)"), "12");
  EXPECT_EQ(name(R"(, "label": {"x": 1}, "name": ["y"])"), "7");
}

TEST(GraphJson, IgnoredAttributesAreNoted) {
  const auto notes = [](const std::string& nodes, const std::string& links,
                        const std::string& more) {
    return json_network(json_text(nodes, links, more)).reading().notes;
  };
  EXPECT_THAT(notes(json_nodes, R"({"source": "a", "target": "b", "key": 0, "id": 5})",
                    R"(, "graph": {"name": "x"})"),
              IsEmpty());
  EXPECT_THAT(notes(R"({"id": "a", "x": {"id": 1}}, {"id": "b", "x": null})",
                    R"({"source": "a", "target": "b", "weight": NaN})", ""),
              ElementsAre("ignored the attributes 'weight' of 1 link, 'x' of 2 nodes"));
  EXPECT_THAT(notes(json_nodes, json_link, R"(, "hyperedges": [1, {"nodes": []}], "n": 3)"),
              ElementsAre("ignored \"hyperedges\", \"n\""));
}

TEST(GraphJson, OtherJsonIsRefused) {
  struct Case {
    const char* text;
    const char* refusal;
  };
  for (const Case& wrong : std::vector<Case>{
           {R"({"elements": {"nodes": [{"data": {"id": "a"}}]}, "data": []})",  // Cytoscape
            "net:1: no list \"nodes\", but \"elements\", \"data\"; allowed: node-link JSON"},
           {R"({"nodes": [{"id": 1}], "adjacency": [[]]})",  // NetworkX, adjacency_data
            "net:1: no list \"edges\" or \"links\", but \"adjacency\"; allowed: node-link JSON"},
           {R"({"id": 1, "children": [{"id": 2}]})", "no list \"nodes\", but \"id\", \"children\""},
           {"{}", "no list \"nodes\"; allowed"},
           {R"({"nodes": [{"key": "a", "attributes": {}}], "edges": []})",  // graphology
            "a node without an \"id\""},
           {R"({"nodes": [{"id": "a"}], "links": [{"source": {"id": "a"}, "target": "a"}]})",
            "'source' of a node or link is an object"},
           {R"({"nodes": [{"id": "a", "switch": 1}], "links": []})", "switch: '1' given"},
           {R"({"nodes": {"a": {}}, "links": []})", "'nodes' is not a list"},
           {R"({"nodes": [{"id": null}], "links": []})", "'id' is null"}})
    EXPECT_THAT(json_refusal(wrong.text), HasSubstr(wrong.refusal)) << wrong.text;
}

/// NetworkX 2.8 reads "links", NetworkX 3.6 "edges".
TEST(GraphJson, WhatIsWrittenHasBothLists) {
  const nlohmann::json written =
      nlohmann::json::parse(graph_text(AnyTopology("fat-tree:2^2,2.2"), GraphFormat::node_link));
  EXPECT_EQ(written["links"], written["edges"]);
  EXPECT_EQ(written["links"].size(), 12U);
  EXPECT_EQ(written["multigraph"], true);
}

}  // namespace
}  // namespace lockstep
