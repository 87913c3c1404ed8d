// SPDX-License-Identifier: Apache-2.0

/// Nodes as users write them: names, labels, ids and numbers.

#include "topology/node_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/notes.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

[[nodiscard]] ErasedTopology network_of(const std::string& text, GraphFormat format) {
  return ErasedTopology(topology_model(read_graph_text("file:net", "net", text, format)));
}
[[nodiscard]] ErasedTopology listed(const std::string& text) {
  return network_of(text, GraphFormat::edges);
}

/// The node's number, with a ! if the word is a number that is no name; -1 for none.
[[nodiscard]] std::string read(const ErasedTopology& network, const std::string& word) {
  const std::optional<ReadNode> node = read_node(network, word);
  if (!node) return "none";
  return std::to_string(index(node->node)) + (node->is_number ? "!" : "");
}

[[nodiscard]] std::string refusal(const ErasedTopology& network, const std::string& word) {
  try {
    return "accepted as " + read(network, word);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
}

TEST(ReadNode, TakesNamesThatAreNumbersFirst) {
  const ErasedTopology network = listed("1 2\n2 10\n10 20\n20 30\n30 40\n40 1\n");
  EXPECT_TRUE(has_names(network));
  EXPECT_EQ(read(network, "1"), "0");
  EXPECT_EQ(read(network, "2"), "1");
  EXPECT_EQ(read(network, "10"), "2");
  EXPECT_EQ(read(network, "40"), "5");
  for (const char* const number : {"0", "3", "4", "5"})
    EXPECT_EQ(read(network, number), std::string(number) + "!");
  for (const char* const wrong : {"6", "02", "2 ", "", "-1", "1.0", "x"})
    EXPECT_EQ(read(network, wrong), "none") << wrong;
}

TEST(ReadNode, KnowsWordsAndOtherAlphabets) {
  const ErasedTopology network = network_of(
      R"({"nodes": [{"id": "Zürich"}, {"id": "New York"}, {"id": "京都"}, {"id": "007"},
         {"id": "a:b"}], "links": [{"source": "Zürich", "target": "New York"},
         {"source": "New York", "target": "京都"}, {"source": "京都", "target": "007"},
         {"source": "007", "target": "a:b"}]})",
      GraphFormat::node_link);
  EXPECT_EQ(read(network, "Zürich"), "0");
  EXPECT_EQ(read(network, "New York"), "1");
  EXPECT_EQ(read(network, "京都"), "2");
  EXPECT_EQ(read(network, "007"), "3");
  EXPECT_EQ(read(network, "a:b"), "4");
  EXPECT_EQ(read(network, "3"), "3!");
  EXPECT_EQ(read(network, "zürich"), "none");
  EXPECT_EQ(node_text(network, NodeId{1}), "'New York' (number 1)");
  EXPECT_EQ(node_text(network, NodeId{2}), "京都 (number 2)");
}

/// A file whose names are the numbers has no names beside them.
TEST(ReadNode, NumbersAreNamesOfAPlainFile) {
  const ErasedTopology network = listed("0 1\n1 2\n2 0\n");
  EXPECT_FALSE(has_names(network));
  EXPECT_EQ(read(network, "2"), "2");
  EXPECT_EQ(read(network, "3"), "none");
  EXPECT_EQ(node_text(network, NodeId{2}), "2");
}

/// GraphML and JSON have ids, which are unique, and labels, which are not.
TEST(ReadNode, TakesLabelsThenIdsThenNumbers) {
  const ErasedTopology network = network_of(
      R"({"nodes": [{"id": "n3", "label": "Switch"}, {"id": "n1", "label": "Switch"},
         {"id": 4, "label": "1"}, {"id": 9}, {"id": 0, "label": ""}],
         "links": [{"source": "n3", "target": "n1"}, {"source": "n1", "target": 4},
         {"source": 4, "target": 9}, {"source": 9, "target": 0}]})",
      GraphFormat::node_link);
  EXPECT_EQ(read(network, "n3"), "0");
  EXPECT_EQ(read(network, "n1"), "1");
  EXPECT_EQ(read(network, "1"), "2") << "a label";
  EXPECT_EQ(read(network, "4"), "2") << "an id, before the number";
  EXPECT_EQ(read(network, "9"), "3");
  EXPECT_EQ(read(network, "0"), "4");
  EXPECT_EQ(read(network, "2"), "2!");
  EXPECT_THAT(refusal(network, "Switch"),
              HasSubstr("'Switch' is the label of several nodes, such as those with the ids 'n3' "
                        "and 'n1'; write an id"));
  EXPECT_EQ(unambiguous_name(network, NodeId{0}), "n3");
  EXPECT_EQ(unambiguous_name(network, NodeId{2}), "1");
}

TEST(ReadNode, RefusesToNameWhatCannotBeNamed) {
  // Label, id and number of node 0 are taken: by a twin, and by the labels of nodes 2 and 3.
  const ErasedTopology network = network_of(
      R"({"nodes": [{"id": "a", "label": "twin"}, {"id": "b", "label": "twin"},
         {"id": "c", "label": "a"}, {"id": "d", "label": "0"}],
         "links": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"},
         {"source": "c", "target": "d"}]})",
      GraphFormat::node_link);
  EXPECT_EQ(unambiguous_name(network, NodeId{1}), "b");
  EXPECT_THROW((void)unambiguous_name(network, NodeId{0}), InvalidParameter);
}

/// Numbers first, as ever; a label that is no number of a node comes next.
TEST(ReadNode, OfOtherNetworksTakesNumbersThenLabels) {
  EXPECT_EQ(read(AnyTopology("star:4"), "5"), "5");
  EXPECT_EQ(read(AnyTopology("star:4"), "1234"), "0");
  EXPECT_EQ(read(AnyTopology("hypercube:4"), "11"), "11");
  EXPECT_EQ(read(AnyTopology("hypercube:4"), "0011"), "3");
  EXPECT_EQ(read(AnyTopology("ej:2+2"), "7"), "7");
  EXPECT_EQ(read(AnyTopology("ej:3+4"), "37"), "none");
  EXPECT_EQ(read(AnyTopology("ej:3+4"), "-rho^2"), "11");
  EXPECT_EQ(node_text(AnyTopology("star:4"), NodeId{5}), "5");
  EXPECT_EQ(node_and_label(AnyTopology("star:4"), NodeId{5}), "5 (3214)");
  EXPECT_EQ(node_and_label(AnyTopology("fat-tree:2^2"), NodeId{4}), "4 (1,0)");
  EXPECT_EQ(node_and_label({}, NodeId{5}), "5");
}

/// The rule of the networks of the catalogue is safe: none of their labels is the number of
/// another node.
TEST(ReadNode, NoLabelOfTheCatalogueIsTheNumberOfAnotherNode) {
  for (const char* const name : {"star:4",
                                 "pancake:4",
                                 "bubble-sort:4",
                                 "ring:7",
                                 "linear:5",
                                 "mesh:12",
                                 "mesh:3x4",
                                 "torus:4x5",
                                 "hypercube:1",
                                 "hypercube:5",
                                 "ej:2+2",
                                 "ej:2+4",
                                 "ej:3+4",
                                 "ej:1+2^2",
                                 "ccc:3",
                                 "butterfly:3",
                                 "petersen",
                                 "odd-graph:3",
                                 "complete:5",
                                 "circulant:9,1,4",
                                 "fat-tree:2^2",
                                 "xgft:2;2,2;1,2",
                                 "cayley:(1 2)(3 4);(1 2 3 4 5)",
                                 "product(ring:3,star:3)",
                                 "random-regular:10,3,1",
                                 "generalized-hypercube:3x4"}) {
    const AnyTopology network{std::string(name)};
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      EXPECT_EQ(read(network, network.label(NodeId{u})), std::to_string(u)) << name;
      EXPECT_EQ(read(network, std::to_string(u)), std::to_string(u)) << name;
    }
  }
}

/// A product has the names of its factors.
TEST(ReadNode, KnowsNamesInProducts) {
  const ErasedTopology file = listed("1 2\n2 10\n10 1\n");
  const ErasedTopology product(topology_model(CartesianProduct<AnyTopology>(
      {AnyTopology(file), AnyTopology("ring:3")}, FirstDimension::most_significant)));
  EXPECT_TRUE(has_names(product));
  EXPECT_EQ(product.label(NodeId{7}), "(10, 1)");
  EXPECT_EQ(read(product, "(10, 1)"), "7");
  EXPECT_EQ(read(product, "(10,1)"), "7");
  EXPECT_EQ(read(product, "7"), "7!");
  EXPECT_EQ(node_text(product, NodeId{7}), "(10, 1) (number 7)");
}

TEST(NoteNumber, SaysWhichNodeItIs) {
  std::vector<std::string> notes;
  set_note_handler([&](const std::string& text) { notes.push_back(text); });
  const ErasedTopology network = listed("1 2\n2 10\n10 1\n");
  note_number(network, NodeId{2}, "file:e.txt");
  note_number(network, NodeId{2}, "file:e.txt");
  set_note_handler({});
  note_number(network, NodeId{2}, "dropped");
  EXPECT_THAT(notes, ElementsAre("file:e.txt: no node is named '2'; node number 2 is '10'"));
}

/// Every name finds its node, whatever the order.
TEST(NodeNames, FindsEachOfManyNames) {
  constexpr std::uint32_t nodes = 20'000;
  std::vector<std::string> names;
  for (std::uint32_t u = 0; u < nodes; ++u) names.push_back(std::to_string(7 * u));
  std::mt19937 random(5);
  std::shuffle(names.begin(), names.end(), random);
  const NodeNames all(names);
  for (std::uint32_t u = 0; u < nodes; ++u) ASSERT_EQ(all.find(names[u]), NodeId{u});
  EXPECT_EQ(all.find("8"), std::nullopt);
}

}  // namespace
}  // namespace lockstep
