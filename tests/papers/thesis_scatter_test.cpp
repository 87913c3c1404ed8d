// SPDX-License-Identifier: Apache-2.0

/// V. V. Dimakopoulos, "Collective communication problems in multiprocessors", sections 3.3
/// and 3.4: scatter and gather with one port and with all, balanced trees of tori, and the trees of
/// chapter 3; steps counted by the machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "support/golden.hpp"
#include "topology/balanced_trees.hpp"
#include "topology/graph_file.hpp"
#include "topology/rule_trees.hpp"

namespace lockstep {
namespace {

using test::golden;
using test::GoldenRow;

/// The tables write ';' for the comma of a name.
[[nodiscard]] AnyTopology scatter_topology(const GoldenRow& row) {
  std::string name = row.text("topology");
  std::replace(name.begin(), name.end(), ';', ',');
  return make_topology(name);
}

/// Delivered, legal, and as it was predicted.
[[nodiscard]] std::uint64_t steps_of(const AnyTopology& topology, Operation operation,
                                     const std::string& algorithm, std::uint64_t root) {
  RunRequest request{.topology = topology,
                     .operation = operation,
                     .algorithm = algorithm,
                     .block_bytes = 8,
                     .executor = ExecutorKind::serial};
  request.settings["root"] = root;
  const RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok()) << result.judgement.sentence;
  EXPECT_EQ(result.record.startups, result.record.steps);
  EXPECT_EQ(result.record.startups, result.forecast.predicted->startups);
  return result.record.steps;
}

/// Theorem 3.6: N - 1 steps. Theorem 3.7: no schedule takes fewer on these networks.
TEST(ThesisScatter, OnePortAndAllPorts) {
  std::size_t optimal = 0;
  std::size_t all = 0;
  for (const GoldenRow& row : golden("thesis/scatter.csv")) {
    SCOPED_TRACE(row.text("topology") + " from " + row.text("root"));
    const AnyTopology topology = scatter_topology(row);
    const std::uint64_t root = row.number("root");
    EXPECT_EQ(steps_of(topology, Operation::scatter, "tree", root), row.number("scatter_single"));
    EXPECT_EQ(steps_of(topology, Operation::gather, "tree", root), row.number("gather_single"));
    const std::uint64_t steps = steps_of(topology, Operation::scatter, "balanced-tree", root);
    EXPECT_EQ(steps_of(topology, Operation::gather, "balanced-tree", root), steps);
    EXPECT_GE(steps, row.number("multiport_exact"));
    EXPECT_GE(row.number("multiport_exact"), row.number("multiport_bound"));
    optimal += steps == row.number("multiport_exact") ? 1U : 0U;
    if (topology.node_count() <= 64) {
      EXPECT_EQ(steps_of(topology, Operation::scatter, "flow", root),
                row.number("multiport_exact"));
      EXPECT_EQ(steps_of(topology, Operation::gather, "flow", root), row.number("multiport_exact"));
    }
    ++all;
  }
  EXPECT_EQ(all, 90U);
  EXPECT_EQ(optimal, all) << "no scatter takes fewer steps, over a tree or not";
}

[[nodiscard]] std::vector<std::uint64_t> subtrees_of(const AnyTopology& torus, NodeId root) {
  const SpanningTree tree = balanced_tree(torus, root);
  std::vector<std::uint64_t> sizes;
  for (const SpanningTree::Child& child : tree.children(root))
    sizes.push_back(tree.subtree_size(NodeId{child.node}));
  std::ranges::sort(sizes);
  return sizes;
}

/// Section 3.4.2, with the corrections E5 to E7.
TEST(ThesisScatter, BalancedTreesOfTori) {
  std::size_t rows = 0;
  for (const GoldenRow& row : golden("thesis/scatter_trees.csv")) {
    SCOPED_TRACE(row.text("topology"));
    EXPECT_EQ(subtrees_of(scatter_topology(row), NodeId{0}), row.numbers("subtrees"));
    if (!row.text("height").empty()) {
      EXPECT_EQ(balanced_tree(scatter_topology(row), NodeId{0}).height(), row.number("height"));
    }
    EXPECT_EQ(row.numbers("subtrees").back(), row.number("steps"));
    ++rows;
  }
  EXPECT_GE(rows, 150U);
}

/// From every 7th root, all sides up to 20: the bound ceil((nm - 1) / 4). The machine counts the
/// steps of some.
TEST(ThesisScatter, AllToriAreServedInTheFewestSteps) {
  for (std::uint64_t rows = 4; rows <= 20; ++rows)
    for (std::uint64_t columns = 4; columns <= 20; ++columns) {
      const AnyTopology torus("torus:" + std::to_string(rows) + "x" + std::to_string(columns));
      SCOPED_TRACE(torus.name());
      const std::uint64_t bound = (rows * columns + 2) / 4;
      for (std::uint64_t root = 0; root < torus.node_count(); root += 7)
        ASSERT_EQ(subtrees_of(torus, NodeId{root}).back(), bound);
      if ((rows + 3 * columns) % 11 != 0) continue;
      const std::uint64_t root = (rows * columns) / 2;
      EXPECT_EQ(steps_of(torus, Operation::scatter, "balanced-tree", root), bound);
      EXPECT_EQ(steps_of(torus, Operation::gather, "balanced-tree", root), bound);
    }
}

/// Networks on which no tree is as fast as the flow; and a case where the lower bound is not
/// attained.
TEST(ThesisScatter, AFlowNeedsNoTree) {
  const auto graph = [](const char* links) {
    return AnyTopology(ErasedTopology(std::make_shared<TopologyModel<Network>>(
        read_graph_text("figure", "figure", links, GraphFormat::edges))));
  };
  const AnyTopology b = graph("v a\nv b\na c\nb c\nc d\nc e\n");  // figure 3.4(b)
  EXPECT_EQ(steps_of(b, Operation::scatter, "balanced-tree", 0), 4U);
  EXPECT_EQ(steps_of(b, Operation::scatter, "flow", 0), 3U);
  EXPECT_EQ(steps_of(b, Operation::gather, "flow", 0), 3U);
  const AnyTopology a = graph("v a\nv b\nb c\nc d\n");  // as figure 3.4(a)
  EXPECT_EQ(steps_of(a, Operation::scatter, "flow", 0), 3U);
  EXPECT_EQ(steps_of("ccc:3", Operation::scatter, "flow", 1), 8U);
}

TEST(ThesisScatter, TheTorusOf5x12) {
  EXPECT_EQ(subtrees_of("torus:5x12", NodeId{0}), (std::vector<std::uint64_t>{14, 15, 15, 15}));
  EXPECT_EQ(steps_of("torus:5x12", Operation::scatter, "balanced-tree", 0), 15U);
}

/// Extended rings (section 3.1.1), hypercubes, hypercycles: as many steps as the paper's trees
/// take.
TEST(ThesisScatter, TreesOfChapter3) {
  for (const GoldenRow& row : golden("thesis/trees.csv")) {
    SCOPED_TRACE(row.text("topology"));
    const AnyTopology topology = scatter_topology(row);
    const std::uint64_t root = row.number("root");
    EXPECT_EQ(steps_of(topology, Operation::broadcast, "tree", root),
              row.number("broadcast_all_ports"));
    if (!row.text("broadcast_one_port").empty()) {
      EXPECT_EQ(steps_of(topology, Operation::broadcast, "single-port-tree", root),
                row.number("broadcast_one_port"));
    }
    EXPECT_EQ(rule_tree(topology, NodeId{root}).height(), row.number("broadcast_all_ports"));
    if (!row.text("scatter_all_ports").empty()) {
      EXPECT_EQ(steps_of(topology, Operation::scatter, "balanced-tree", root),
                row.number("scatter_all_ports"));
    }
  }
}

}  // namespace
}  // namespace lockstep
