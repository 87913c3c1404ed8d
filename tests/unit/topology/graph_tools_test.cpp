// SPDX-License-Identifier: Apache-2.0

/// Network files and NetworkX: what Lockstep writes, NetworkX reads as the same graph; what it
/// writes then, Lockstep reads as the same network.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/metrics.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

/// Reads files of Lockstep's, holds them against figures, writes them again. A line of the list:
/// format, file, file to write, nodes, links, switches, diameter.
constexpr const char* program = R"(
import json, sys, networkx as nx
for line in open(sys.argv[1]):
    form, source, target, nodes, links, switches, diameter = line.split()
    if form == "edges": graph = nx.read_edgelist(source, create_using=nx.MultiGraph, data=False)
    if form == "graphml": graph = nx.read_graphml(source, force_multigraph=True)
    if form == "node-link":
        graph = nx.node_link_graph(json.load(open(source)))
    assert graph.number_of_nodes() == int(nodes), line
    assert graph.number_of_edges() == int(links), line
    assert nx.diameter(graph) == int(diameter), line
    if form != "edges":
        assert sum(data["switch"] for _, data in graph.nodes(data=True)) == int(switches), line
    if form == "edges": nx.write_edgelist(graph, target, data=False)
    if form == "graphml": nx.write_graphml(graph, target)
    if form == "node-link": json.dump(nx.node_link_data(graph), open(target, "w"))
)";

/// All that are built in, and two with more of what formats hold: labels, lanes.
std::vector<std::string> names() {
  std::vector<std::string> all{"star:5", "fat-tree:2^3"};
  for (const TopologyInfo& info : topology_catalog())
    if (!info.example.empty()) all.emplace_back(info.example);
  return all;
}

constexpr GraphFormat formats[] = {GraphFormat::edges, GraphFormat::graphml,
                                   GraphFormat::node_link};

/// Calls `visit(network, format, its word, the path of its files)` for all that are tried.
template <class Visit>
void for_each_file(const std::filesystem::path& folder, const Visit& visit) {
  std::size_t number = 0;
  for (const std::string& name : names())
    for (const GraphFormat format : formats) {
      const std::string form(graph_format_names[static_cast<std::size_t>(format)]);
      SCOPED_TRACE(name + " " + form);
      visit(AnyTopology(name), format, form, (folder / std::to_string(number++)).string());
    }
}

TEST(GraphTools, NetworkxReadsAndWritesTheSameNetworks) {
  if (std::system("python3 -c 'import networkx' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-networkx is not installed";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("lockstep_graphs_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "check.py") << program;
  std::ofstream list(folder / "list");
  for_each_file(folder, [&](const AnyTopology& network, GraphFormat format, const std::string& form,
                            const std::string& path) {
    std::ofstream(path) << graph_text(network, format);
    list << form << ' ' << path << ' ' << path << ".again " << network.node_count() << ' '
         << *network.link_count() << ' ' << network.node_count() - network.processor_count() << ' '
         << *network.diameter() << '\n';
  });
  list.close();
  const std::string command =
      "python3 '" + (folder / "check.py").string() + "' '" + (folder / "list").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  for_each_file(folder, [&](const AnyTopology& network, GraphFormat format, const std::string&,
                            const std::string& path) {
    const Network again = read_graph_file(network.name(), {path + ".again", format});
    ASSERT_EQ(again.node_count(), network.node_count());
    EXPECT_EQ(link_count(again), network.link_count());
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      ASSERT_EQ(again.degree(NodeId{u}), network.degree(NodeId{u}));
      if (format == GraphFormat::edges) continue;  // NetworkX drops ports there
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        ASSERT_EQ(again.neighbor(NodeId{u}, port(p)), network.neighbor(NodeId{u}, port(p)));
    }
  });
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep
