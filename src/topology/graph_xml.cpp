// SPDX-License-Identifier: Apache-2.0

/// GraphML, read by pugixml.

#include <fmt/format.h>

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>

#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {
namespace {

using Number = GraphBuilder::Number;

class GraphmlReader {
 public:
  GraphmlReader(GraphBuilder& graph, std::string& text) : graph_(graph), ends_(text) {
    const pugi::xml_parse_result result =
        document_.load_buffer_inplace(text.data(), text.size(), pugi::parse_default);
    if (!result)
      graph_.fail(ends_.line_of(static_cast<std::size_t>(result.offset)),
                  fmt::format("XML: {}", result.description()));
  }

  void read() {
    const pugi::xml_node root = document_.child("graphml");
    if (!root) graph_.fail(1, "no element <graphml>");
    for (const pugi::xml_node key : root.children("key"))
      meaning_[key.attribute("id").value()] = key.attribute("attr.name").value();
    const pugi::xml_node graph = root.child("graph");
    if (!graph) graph_.fail(line_of(root), "no element <graph>");
    if (root.select_nodes("graph").size() > 1)
      graph_.fail(line_of(root), "more than one element <graph>");
    if (graph.attribute("edgedefault").value() == std::string_view("directed"))
      graph_.fail(line_of(graph), "directed graphs are not supported");
    for (const pugi::xml_node child : graph.children()) {
      const std::string_view name = child.name();
      if (name == "node")
        read_node(child);
      else if (name != "edge" && name != "data" && name != "desc")
        graph_.fail(line_of(child), fmt::format("<{}> is not supported", shown(name)));
    }
    for (const pugi::xml_node edge : graph.children("edge")) read_edge(edge);
  }

 private:
  [[nodiscard]] std::size_t line_of(const pugi::xml_node& node) const {
    return ends_.line_of(
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
  }
  [[nodiscard]] std::string_view meaning(const pugi::xml_node& data) const {
    const auto found = meaning_.find(data.attribute("key").value());
    return found == meaning_.end() ? std::string_view() : found->second;
  }

  void read_node(const pugi::xml_node& element) {
    if (element.child("graph")) graph_.fail(line_of(element), "a graph in a node is not supported");
    const Number node = graph_.declare(element.attribute("id").value(), line_of(element));
    for (const pugi::xml_node data : element.children("data")) {
      const std::string_view value = data.child_value();
      if (meaning(data) == "label") graph_.set_label(node, std::string(value), line_of(data));
      if (meaning(data) == "switch" && is_true(value, line_of(data))) graph_.set_switch(node);
    }
  }

  [[nodiscard]] bool is_true(std::string_view value, std::size_t line) const {
    if (value == "true" || value == "True" || value == "1") return true;
    if (value != "false" && value != "False" && value != "0")
      graph_.fail(line, fmt::format("switch: '{}' given; allowed: true, false", shown(value)));
    return false;
  }

  void read_edge(const pugi::xml_node& element) {
    const std::size_t line = line_of(element);
    if (element.attribute("directed").value() == std::string_view("true"))
      graph_.fail(line, "directed graphs are not supported");
    const Number u = end_of(element, "source", line);
    const Number v = end_of(element, "target", line);
    std::optional<Number> lower;
    std::optional<Number> higher;
    for (const pugi::xml_node data : element.children("data")) {
      if (meaning(data) == "lower_port") lower = port_in(data.child_value(), line);
      if (meaning(data) == "higher_port") higher = port_in(data.child_value(), line);
    }
    graph_.add_link(u, v, lower, higher, line);
  }

  [[nodiscard]] Number end_of(const pugi::xml_node& element, const char* side,
                              std::size_t line) const {
    const std::string_view name = element.attribute(side).value();
    if (const std::optional<Number> node = graph_.find(name)) return *node;
    graph_.fail(line, fmt::format("unknown node '{}' as {} of an edge", shown(name), side));
  }

  [[nodiscard]] Number port_in(std::string_view text, std::size_t line) const {
    const std::optional<std::uint64_t> number = whole_number(text);
    if (!number || *number >= GraphBuilder::no_port)
      graph_.fail(line, fmt::format("port '{}' is not a whole number", shown(text)));
    return static_cast<Number>(*number);
  }

  GraphBuilder& graph_;
  LineEnds ends_;
  pugi::xml_document document_;
  std::map<std::string_view, std::string_view> meaning_;  // of the keys of data
};

}  // namespace

void read_graphml(GraphBuilder& graph, std::string& text) { GraphmlReader(graph, text).read(); }

}  // namespace lockstep::graph_readers
