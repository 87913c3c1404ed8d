// SPDX-License-Identifier: Apache-2.0

/// GraphML of NetworkX, igraph, Gephi and yEd: what is read, what is noted, what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

[[nodiscard]] FileNetwork xml_network(const std::string& text, GraphReadOptions options = {}) {
  return read_graph_text("file:net", "net", text, GraphFormat::graphml, options);
}

[[nodiscard]] std::string xml_refusal(const std::string& text, GraphReadOptions options = {}) {
  try {
    (void)xml_network(text, options);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

/// Two nodes, "a" and "b", in a graph with these attributes.
[[nodiscard]] std::string xml_pair(const std::string& graph, const std::string& edges,
                                   const std::string& keys = {}) {
  return "<graphml>" + keys + "<graph " + graph + "><node id='a'/><node id='b'/>" + edges +
         "</graph></graphml>";
}

[[nodiscard]] std::string xml_of_node(const std::string& data) {
  return "<graphml><key id='s' for='node' attr.name='switch'/><key id='l' for='node' "
         "attr.name='label'/><key id='v_name' for='node' attr.name='name'/><graph>"
         "<node id='a'/><node id='b'>" +
         data + "</node><edge source='a' target='b'/></graph></graphml>";
}

TEST(GraphXml, ElementsMayHaveAnyPrefix) {
  for (const char* const text :
       {"<g:graphml xmlns:g='x'><g:graph edgedefault='undirected'><g:node id='a'/><g:node id='b'/>"
        "<g:edge source='a' target='b'/></g:graph></g:graphml>",
        "<graphml xmlns:ns3='x'><ns3:graph><ns3:node id='a'/><ns3:node id='b'/>"
        "<ns3:edge source='b' target='a'/></ns3:graph></graphml>",
        "<graphml><ns0:graph xmlns:ns0='x'><node id='a'/><ns1:node id='b'/>"
        "<ns0:edge source='b' target='a'/></ns0:graph></graphml>"}) {
    const FileNetwork network = xml_network(text);
    EXPECT_EQ(network.node_count(), 2U) << text;
    EXPECT_EQ(network.label(NodeId{1}), "b");
    EXPECT_EQ(network.degree(NodeId{0}), 1U);
  }
}

TEST(GraphXml, ADefaultHoldsForElementsWithoutData) {
  const std::string tail =
      "</key><graph edgedefault='undirected'><node id='p'><data key='k'>false</data></node>"
      "<node id='s'/><node id='t'><data key='k'>1</data></node><edge source='p' target='s'/>"
      "<edge source='p' target='t'/></graph></graphml>";
  const std::string key = "<graphml><key id='k' for='node' attr.name='switch' attr.type='boolean'>";
  EXPECT_EQ(xml_network(key + "<default>true</default>" + tail).processor_count(), 1U);
  EXPECT_EQ(xml_network(key + "<default> 1\n</default>" + tail).processor_count(), 1U);
  EXPECT_EQ(xml_network(key + "<default>false</default>" + tail).processor_count(), 2U);
  EXPECT_EQ(xml_network(key + tail).processor_count(), 2U);
  EXPECT_THAT(xml_refusal(key + "<default>maybe</default>" + tail), HasSubstr("'maybe' given"));
}

TEST(GraphXml, BooleansAreThoseOfXmlSchema) {
  for (const char* const value :
       {"true", "1", " true\n", "\t1 ", "True", "TRUE", "<![CDATA[true]]>"})
    EXPECT_EQ(xml_network(xml_of_node(std::string("<data key='s'>") + value + "</data>"))
                  .processor_count(),
              1U)
        << value;
  for (const char* const value : {"false", "0", " 0\n", "False"})
    EXPECT_EQ(xml_network(xml_of_node(std::string("<data key='s'>") + value + "</data>"))
                  .processor_count(),
              2U)
        << value;
  for (const char* const value : {"yes", "2", "tr ue", "", "01"})
    EXPECT_THAT(xml_refusal(xml_of_node(std::string("<data key='s'>") + value + "</data>")),
                HasSubstr("given; allowed: true, false, 1, 0"))
        << value;
}

TEST(GraphXml, DirectionIsThatOfTheEdgeThenOfItsArrowsThenOfTheGraph) {
  const auto edge = [](const std::string& attributes, const std::string& arrows = {}) {
    return "<edge " + attributes + "><data key='d'>" +
           (arrows.empty() ? "" : "<y:Line><y:Arrows " + arrows + "/></y:Line>") + "</data></edge>";
  };
  const std::string there = "source='a' target='b'";
  const std::string back = "source='b' target='a'";
  const std::string directed = "edgedefault='directed'";
  const std::string none = "source='none' target='none'";
  const std::vector<std::string> one_link{
      xml_pair("edgedefault='undirected'", edge(there)),
      xml_pair("", edge(there)),
      xml_pair(directed, edge(there) + edge(back)),
      xml_pair(directed, edge(there + " directed='false'")),
      xml_pair(directed, edge(there + " directed='0'")),
      xml_pair("", edge(there + " directed='true'") + edge(back + " directed='1'")),
      xml_pair(directed, edge(there, none)),
      xml_pair(directed, edge(there, "source='standard' target='delta'")),
      xml_pair(directed,
               edge(there, "source='none' target='t'") + edge(there, "source='t' target='none'")),
      xml_pair("", edge(there, "source='none' target='standard'"))};
  for (const std::string& text : one_link) {
    SCOPED_TRACE(text);
    EXPECT_EQ(xml_network(text).degree(NodeId{0}), 1U);
  }
  for (const std::string& text :
       {xml_pair(directed, edge(there)), xml_pair("", edge(there + " directed='true'")),
        xml_pair(directed, edge(there, "source='none' target='standard'")),
        xml_pair(directed, edge(there) + edge(back + " directed='false'"))}) {
    SCOPED_TRACE(text);
    EXPECT_THAT(xml_refusal(text), HasSubstr("no arc back from 'b' to 'a'"));
    EXPECT_EQ(xml_network(text, {.undirected = true}).node_count(), 2U);
  }
  // An undirected edge beside a pair of arcs is another lane.
  EXPECT_EQ(xml_network(xml_pair(directed, edge(there) + edge(back) + edge(there, none)))
                .degree(NodeId{0}),
            2U);
  EXPECT_THAT(xml_refusal(xml_pair("edgedefault='both'", "")), HasSubstr("edgedefault 'both'"));
  EXPECT_THAT(xml_refusal(xml_pair("", "<edge source='a' target='b' directed='no'/>")),
              HasSubstr("directed: 'no' given"));
}

TEST(GraphXml, NamesAreLabelsThenNamesThenIds) {
  const auto name = [](const std::string& data) {
    return xml_network(xml_of_node(data)).label(NodeId{1});
  };
  EXPECT_EQ(name(""), "b");
  EXPECT_EQ(name("<data key='v_name'>core 1</data>"), "core 1");
  EXPECT_EQ(name("<data key='v_name'>x</data><data key='l'>y</data>"), "y");
  EXPECT_EQ(name("<data key='l'>switch\n   <![CDATA[of]]>\r\n\tlevel&#10;2\n</data>"),
            "switch of level 2");
  EXPECT_EQ(name("<data key='l'> \n </data>"), "b");
  EXPECT_EQ(name("<data key='g'><y:ShapeNode><y:Fill color='#F'/><y:NodeLabel x='1'>two\nlines"
                 "<y:LabelModel><y:Smart/></y:LabelModel></y:NodeLabel></y:ShapeNode></data>"),
            "two lines");
  EXPECT_THAT(xml_refusal(xml_of_node("<data key='l'>a&#1;b</data>")), HasSubstr("control"));
}

TEST(GraphXml, TwoNodesMayHaveOneLabel) {
  const FileNetwork network = xml_network(xml_of_node("<data key='l'>a</data>"));
  EXPECT_EQ(network.label(NodeId{0}), "a");
  EXPECT_EQ(network.label(NodeId{1}), "a");
  EXPECT_THAT(network.reading().notes, ElementsAre(HasSubstr("label of the node with the id 'b'")));
}

TEST(GraphXml, ALabelThatIsTheIdOfAnotherNodeIsNoted) {
  const auto notes = [](const std::string& label) {
    return xml_network(xml_of_node("<data key='l'>" + label + "</data>")).reading().notes;
  };
  const FileNetwork network = xml_network(xml_of_node("<data key='l'>x</data>"));
  EXPECT_EQ(network.label(NodeId{1}), "x");
  EXPECT_THAT(notes("x"), ElementsAre());
  EXPECT_THAT(notes("b"), ElementsAre());  // its own id
  EXPECT_THAT(notes("a"),
              ElementsAre("read 'a' as the label of the node with the id 'b', although it is the "
                          "id of another node"));
}

TEST(GraphXml, IgnoredDataIsNoted) {
  const std::string keys =
      "<key id='w' for='edge' attr.name='weight' attr.type='double'/><key id='c' for='all' "
      "attr.name='colour'/><key id='d' for='edge' yfiles.type='edgegraphics'/>";
  const auto notes = [&](const std::string& edges) {
    return xml_network(xml_pair("", edges, keys)).reading().notes;
  };
  EXPECT_THAT(notes("<edge source='a' target='b'><data key='w'>2</data></edge>"),
              ElementsAre("ignored the attribute 'weight' of 1 link"));
  EXPECT_THAT(notes("<edge source='a' target='b' sourceport='n'><data key='c'>red</data>"
                    "<data key='x'>1</data></edge>"),
              ElementsAre("ignored the attributes 'colour' of 1 link, 'sourceport' of 1 link, 'x' "
                          "of 1 link"));
  EXPECT_THAT(
      notes("<edge source='a' target='b'><data key='w'/><data key='d'><y:L/></data></edge>"),
      IsEmpty());
}

TEST(GraphXml, EncodingsOtherThanUtf8) {
  const auto text = [](const std::string& encoding, const std::string& name) {
    return "<?xml version='1.0' encoding='" + encoding + "'?>\n<graphml><graph><node id='" + name +
           "'/>\n</graph></graphml>";
  };
  EXPECT_EQ(xml_network(text("ISO-8859-1", "Z\xFCrich")).label(NodeId{0}), "Z\u00fcrich");
  EXPECT_EQ(xml_network(text("utf-8", "Z\u00fcrich")).label(NodeId{0}), "Z\u00fcrich");
  EXPECT_EQ(xml_network(text("windows-1252", "Bern")).label(NodeId{0}), "Bern");
  EXPECT_THAT(xml_refusal(text("windows-1252", "Z\xFCrich")),
              HasSubstr("net:1: encoding 'windows-1252'; allowed: UTF-8, ISO-8859-1"));
  EXPECT_THAT(xml_refusal(text("UTF-8", "Z\xFCrich")), HasSubstr("net:2: node 'Z?rich': its name"));
  // Lines are those of the file.
  EXPECT_THAT(
      xml_refusal("<?xml version='1.0' encoding='latin1'?>\n<graphml><graph>\n<node id='\xE9"
                  "\xE9\xE9'/>\n<node id='\xE9\xE9\xE9'/></graph></graphml>"),
      HasSubstr("net:4: node"));
}

TEST(GraphXml, PartsThatChangeTheNetworkAreRefused) {
  struct Case {
    const char* text;
    const char* refusal;
  };
  for (const Case& wrong : std::vector<Case>{
           {"<graphml><graph>\n<node id='a'><graph/></node></graph></graphml>",
            "net:2: <graph> in a node is not supported"},
           {"<graphml><graph>\n<hyperedge/></graph></graphml>",
            "net:2: <hyperedge> in a graph is not supported"},
           {"<graphml><graph><node id='a'/><node id='b'/>\n<edge source='a' "
            "target='b'><graph/></edge>"
            "</graph></graphml>",
            "net:2: <graph> in an edge is not supported"},
           {"<graphml><graph/>\n<graph/></graphml>", "net:2: more than one element <graph>"},
           {"<graphml><graph/></graphml>\n<graphml/>", "net:2: more than one element <graphml>"},
           {"<gexf><graph/></gexf>", "net:1: no element <graphml>"},
           {"<!DOCTYPE graphml [<!ENTITY e 'x'>]>\n<graphml><graph/></graphml>",
            "net:1: XML: declarations of entities are not supported"},
           {"<graphml><key id='k' for='node' attr.name='label'/>\n<key id='k' attr.name='switch'/>"
            "<graph/></graphml>",
            "net:2: key 'k' is declared twice"},
           {"<graphml><key id='k' for='node' attr.name='label'/><graph>\n<node id='a'>"
            "<data key='k'>x</data><data key='k'>y</data></node></graph></graphml>",
            "net:2: data 'label' occurs twice"}})
    EXPECT_THAT(xml_refusal(wrong.text), HasSubstr(wrong.refusal)) << wrong.text;
}

TEST(GraphXml, BothDirectionsOfEveryUndirectedEdgeAreOneLink) {
  const FileNetwork network = xml_network(xml_pair(
      "edgedefault='undirected'", "<edge source='a' target='b'/><edge source='b' target='a'/>"));
  EXPECT_EQ(network.degree(NodeId{0}), 1U);
  EXPECT_THAT(network.reading().notes,
              ElementsAre(HasSubstr("joined the two directions of 1 link")));
  EXPECT_EQ(xml_network(xml_pair("", "<edge source='a' target='b'/><edge source='a' target='b'/>"))
                .degree(NodeId{0}),
            2U);
}

}  // namespace
}  // namespace lockstep
