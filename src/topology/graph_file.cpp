// SPDX-License-Identifier: Apache-2.0
#include "topology/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>
#include <utility>

#include "core/input_file.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/words.hpp"
#include "topology/graph_readers.hpp"
#include "topology/graph_shapes.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t most_links = std::uint64_t{1} << 26U;
constexpr std::uint64_t max_file_bytes = std::uint64_t{4} << 30U;
constexpr std::string_view undirected_word = "undirected";
constexpr std::string_view drop_self_loops_word = "drop-self-loops";

/// Visits every link once: its lower end, the port there, the higher end, the port there.
template <class Visit>
void for_every_link(const ErasedTopology& topology, const Visit& visit) {
  for (std::uint64_t u = 0; u < topology.node_count(); ++u)
    for (std::size_t p = 0; p < topology.degree(NodeId{u}); ++p) {
      const NodeId v = topology.neighbor(NodeId{u}, port(p));
      if (index(v) > u) visit(u, p, index(v), index(topology.reverse_port(NodeId{u}, port(p))));
    }
}

[[nodiscard]] std::string edges_text(const ErasedTopology& topology) {
  const std::uint64_t nodes = topology.node_count();
  std::string text = fmt::format("# {}\n# nodes {}\n", topology.name(), nodes);
  constexpr std::uint64_t per_line = 16;
  for (std::uint64_t first = topology.processor_count(); first < nodes; first += per_line) {
    text += "# switches";
    for (std::uint64_t u = first; u < std::min(first + per_line, nodes); ++u)
      text += fmt::format(" {}", u);
    text += '\n';
  }
  text += "# ports\n";
  for_every_link(topology, [&](auto u, auto p, auto v, auto q) {
    text += fmt::format("{} {} {} {}\n", u, v, p, q);
  });
  return text;
}

/// As a JSON text; what is no UTF-8 is replaced.
[[nodiscard]] std::string quoted_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Written link by link: a tree of all values would take many times as much memory.
[[nodiscard]] std::string node_link_text(const ErasedTopology& topology) {
  std::string text = fmt::format(
      "{{\"directed\": false, \"multigraph\": {}, \"graph\": {{\"name\": {}}},\n"
      "\"nodes\": [",
      has_lanes(topology), quoted_json(topology.name()));
  for (std::uint64_t u = 0; u < topology.node_count(); ++u)
    text += fmt::format("{}\n{{\"id\": {}, \"label\": {}, \"switch\": {}}}", u == 0 ? "" : ",", u,
                        quoted_json(topology.label(NodeId{u})), u >= topology.processor_count());
  text += "]";
  // NetworkX reads "links" before version 3.6, and "edges" since.
  for (const char* const key : {"links", "edges"}) {
    text += fmt::format(",\n\"{}\": [", key);
    bool first = true;
    for_every_link(topology, [&](auto u, auto p, auto v, auto q) {
      text += fmt::format(
          "{}\n{{\"source\": {}, \"target\": {}, \"lower_port\": {}, \"higher_port\": {}}}",
          std::exchange(first, false) ? "" : ",", u, v, p, q);
    });
    text += "]";
  }
  text += "}\n";
  return text;
}

/// Lines may end in a carriage return alone.
void end_lines_with_newline(std::string& text) {
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1))
    if (at + 1 == text.size() || text[at + 1] != '\n') text[at] = '\n';
}

void add_key(pugi::xml_node graphml, const char* owner, const char* name, const char* type) {
  pugi::xml_node key = graphml.append_child("key");
  key.append_attribute("id") = name;
  key.append_attribute("for") = owner;
  key.append_attribute("attr.name") = name;
  key.append_attribute("attr.type") = type;
}

template <class Value>
void add_data(pugi::xml_node element, const char* name, const Value& value) {
  pugi::xml_node data = element.append_child("data");
  data.append_attribute("key") = name;
  data.text() = value;
}

[[nodiscard]] std::string graphml_text(const ErasedTopology& topology) {
  pugi::xml_document document;
  pugi::xml_node graphml = document.append_child("graphml");
  graphml.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
  add_key(graphml, "node", "label", "string");
  add_key(graphml, "node", "switch", "boolean");
  add_key(graphml, "edge", "lower_port", "int");
  add_key(graphml, "edge", "higher_port", "int");
  pugi::xml_node graph = graphml.append_child("graph");
  graph.append_attribute("id") = topology.name().c_str();
  graph.append_attribute("edgedefault") = "undirected";
  for (std::uint64_t u = 0; u < topology.node_count(); ++u) {
    pugi::xml_node node = graph.append_child("node");
    node.append_attribute("id") = static_cast<unsigned long long>(u);
    add_data(node, "label", topology.label(NodeId{u}).c_str());
    add_data(node, "switch", u >= topology.processor_count());
  }
  for_every_link(topology, [&](auto u, auto p, auto v, auto q) {
    pugi::xml_node edge = graph.append_child("edge");
    edge.append_attribute("source") = static_cast<unsigned long long>(u);
    edge.append_attribute("target") = static_cast<unsigned long long>(v);
    add_data(edge, "lower_port", static_cast<unsigned>(p));
    add_data(edge, "higher_port", static_cast<unsigned>(q));
  });
  std::ostringstream text;
  document.save(text, " ");
  return std::move(text).str();
}

}  // namespace

GraphFileName parse_graph_file_name(std::string_view text) {
  GraphFileName name{.path = std::string(text)};
  const std::size_t end = text.find('=');
  if (end == std::string_view::npos || end + 1 == text.size()) return name;
  GraphFileName prefixed{.path = std::string(text.substr(end + 1))};
  for (const std::string_view word : pieces_of(text.substr(0, end), '+')) {
    const auto format = std::ranges::find(graph_format_names, word);
    if (word == undirected_word)
      prefixed.options.undirected = true;
    else if (word == drop_self_loops_word)
      prefixed.options.drop_self_loops = true;
    else if (format != graph_format_names.end() && !prefixed.format)
      prefixed.format = static_cast<GraphFormat>(format - graph_format_names.begin());
    else
      return name;
  }
  return prefixed;
}

std::string text_of(const GraphFileName& name) {
  std::vector<std::string_view> words;
  if (name.format) words.push_back(graph_format_names[static_cast<std::size_t>(*name.format)]);
  if (name.options.undirected) words.push_back(undirected_word);
  if (name.options.drop_self_loops) words.push_back(drop_self_loops_word);
  return words.empty() ? name.path : fmt::format("{}={}", joined(words, "+"), name.path);
}

GraphFormat format_of_file(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, GraphFormat>, 6> endings{
      {{".gr", GraphFormat::dimacs},
       {".col", GraphFormat::dimacs},
       {".graphml", GraphFormat::graphml},
       {".xml", GraphFormat::graphml},
       {".mtx", GraphFormat::matrix},
       {".json", GraphFormat::node_link}}};
  constexpr std::string_view compressed = ".gz";
  if (path.ends_with(compressed)) path.remove_suffix(compressed.size());
  for (const auto& [ending, format] : endings)
    if (path.ends_with(ending)) return format;
  return GraphFormat::edges;
}

FileNetwork read_graph_text(std::string name, const std::string& path, std::string text,
                            GraphFormat format, GraphReadOptions options) {
  using namespace graph_readers;  // NOLINT(google-build-using-namespace)
  end_lines_with_newline(text);
  GraphBuilder graph(path, options);
  graph.expect_numbers_below(text.size() / sizeof(GraphBuilder::Number));
  // In the order of the enumeration.
  constexpr std::array readers{read_edges, read_dimacs, read_graphml, read_matrix, read_node_link};
  readers.at(static_cast<std::size_t>(format))(graph, text);
  text = {};  // its memory is needed for the network
  return graph.network(std::move(name));
}

FileNetwork read_graph_file(std::string name, const GraphFileName& file) {
  std::string text = input_text(file.path, max_file_bytes);
  if (text.empty()) throw invalid("{}:1: the file is empty", file.path);
  return read_graph_text(std::move(name), file.path, std::move(text),
                         file.format.value_or(format_of_file(file.path)), file.options);
}

std::string graph_text(const ErasedTopology& topology, GraphFormat format) {
  const std::optional<std::uint64_t> links = topology.link_count();
  if (!links || *links > most_links)
    throw invalid("{}: more than {} links, the allowed maximum in a file", topology.name(),
                  most_links);
  if (format == GraphFormat::edges) return edges_text(topology);
  if (format == GraphFormat::graphml) return graphml_text(topology);
  if (format == GraphFormat::node_link) return node_link_text(topology);
  throw invalid("format: '{}' is read, but not written; allowed edges, graphml, node-link",
                graph_format_names[static_cast<std::size_t>(format)]);
}

}  // namespace lockstep
