// SPDX-License-Identifier: Apache-2.0
#include "cli/graph_dot.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "topology/node_names.hpp"

namespace lockstep::cli {
namespace {

/// For a string of Graphviz.
[[nodiscard]] std::string in_quotes(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string dot_of(const ErasedTopology& topology) {
  constexpr std::uint64_t most_nodes = 5'040;
  if (topology.node_count() > most_nodes)
    throw invalid("{}: {} nodes are too many for --format dot; allowed: up to {}", topology.name(),
                  grouped(topology.node_count()), grouped(most_nodes));
  // Names in a file may be equal: the nodes are their numbers, and the names are labels.
  const bool named = has_names(topology);
  const auto node_of_graph = [&](NodeId u) {
    return named ? fmt::format("{}", index(u)) : fmt::format("\"{}\"", topology.label(u));
  };
  std::string text = fmt::format("graph \"{}\" {{\n", in_quotes(topology.name()));
  for (std::uint64_t u = 0; u < topology.node_count(); ++u) {
    if (named)
      text += fmt::format("  {} [label=\"{}\"];\n", u, in_quotes(topology.label(NodeId{u})));
    else if (topology.degree(NodeId{u}) == 0)
      text += fmt::format("  {};\n", node_of_graph(NodeId{u}));
    for (std::size_t p = 0; p < topology.degree(NodeId{u}); ++p) {
      const NodeId v = topology.neighbor(NodeId{u}, port(p));
      if (index(v) > u)
        text += fmt::format("  {} -- {} [label=\"{}\"];\n", node_of_graph(NodeId{u}),
                            node_of_graph(v), topology.port_label(NodeId{u}, port(p)));
    }
  }
  return text + "}\n";
}

}  // namespace lockstep::cli
