// SPDX-License-Identifier: Apache-2.0

/// GraphML, read by pugixml. Elements are known by their names without a prefix.

#include <strings.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {
namespace {

using Number = GraphBuilder::Number;
using Owner = IgnoredAttributes::Owner;
using pugi::xml_node;

[[nodiscard]] std::string_view local_name(const xml_node& element) {
  const std::string_view name = element.name();
  return name.substr(name.find(':') + 1);
}

/// The text of an element without the elements in it.
[[nodiscard]] std::string text_of_element(const xml_node& element) {
  std::string text;
  for (const xml_node& child : element.children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      text += child.value();
  return text;
}

/// The offsets in a text where its lines end, to say in which line something is.
class LineEnds {
 public:
  explicit LineEnds(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
      ends_.push_back(at);
  }
  [[nodiscard]] std::size_t line_of(std::size_t offset) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(ends_, offset) - ends_.begin()) + 1;
  }

 private:
  std::vector<std::size_t> ends_;
};

/// "" without an XML declaration.
[[nodiscard]] std::string declared_encoding(std::string_view text) {
  const std::size_t end = text.find("?>");
  pugi::xml_document head;
  if (end == std::string_view::npos ||
      !head.load_buffer(text.data(), end + 2, pugi::parse_declaration | pugi::parse_fragment,
                        pugi::encoding_utf8))
    return {};
  return head.first_child().attribute("encoding").value();
}

/// Makes UTF-8 of a text in ISO-8859-1, and refuses other encodings.
void decode(const GraphBuilder& graph, std::string& text) {
  if (std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; })) return;
  const std::string encoding = declared_encoding(text);
  const auto is = [&](const char* other) { return strcasecmp(encoding.c_str(), other) == 0; };
  if (encoding.empty() || is("UTF-8") || is("UTF8")) return;
  if (!is("ISO-8859-1") && !is("latin1"))
    graph.fail(1, "encoding '{}'; allowed: UTF-8, ISO-8859-1", shown(encoding));
  std::string decoded;
  decoded.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x80) decoded += static_cast<char>(0xC0U | code >> 6U);
    decoded += code < 0x80 ? c : static_cast<char>(0x80U | (code & 0x3FU));
  }
  text = std::move(decoded);
}

/// The keys of the data of nodes, or of edges: which of them mean something.
class DataKeys {
 public:
  using Names = std::array<std::string_view, 3>;
  using Values = std::array<std::optional<std::string>, 3>;

  DataKeys(Owner owner, Names read) : owner_(owner), read_(read) {}

  void declare(const GraphBuilder& graph, const xml_node& element, std::size_t line) {
    const char* const id = element.attribute("id").value();
    Key key{element.attribute("attr.name").value(), 0};
    key.is_drawing = std::string_view(element.attribute("yfiles.type").value())
                         .ends_with("graphics");  // of yEd: labels and arrows are read elsewhere
    key.place = static_cast<std::size_t>(std::ranges::find(read_, key.name) - read_.begin());
    if (key.name.empty()) key = {id, read_.size(), key.is_drawing};
    for (const xml_node& child : element.children())
      if (local_name(child) == "default" && key.place < read_.size())
        defaults_[key.place] = text_of_element(child);
    if (!keys_.emplace(id, std::move(key)).second)
      graph.fail(line, "key '{}' is declared twice", shown(id));
  }

  [[nodiscard]] Values values_of(const GraphBuilder& graph, const xml_node& element,
                                 std::size_t line, IgnoredAttributes& ignored) const {
    Values values;
    for (const xml_node& data : element.children()) {
      if (local_name(data) != "data") continue;
      const std::string_view id = data.attribute("key").value();
      const auto key = keys_.find(id);
      const bool is_read = key != keys_.end() && key->second.place < read_.size();
      if (is_read && values[key->second.place])
        graph.fail(line, "data '{}' occurs twice", shown(key->second.name));
      if (is_read)
        values[key->second.place] = text_of_element(data);
      else if (data.first_child() && (key == keys_.end() || !key->second.is_drawing))
        ignored.add(owner_, key == keys_.end() ? id : key->second.name);
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!values[i]) values[i] = defaults_[i];
    return values;
  }

 private:
  struct Key {
    std::string name;
    std::size_t place;  // in read_, or after it
    bool is_drawing = false;
  };
  Owner owner_;
  Names read_;
  std::map<std::string, Key, std::less<>> keys_;  // by id
  Values defaults_;
};

class GraphmlReader {
 public:
  GraphmlReader(GraphBuilder& graph, std::string& text)
      : graph_(graph), ends_((decode(graph, text), text)) {
    const pugi::xml_parse_result result = document_.load_buffer_inplace(
        text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
    if (!result)
      graph_.fail(ends_.line_of(static_cast<std::size_t>(result.offset)), "XML: {}",
                  result.description());
  }

  void read() {
    for (const xml_node& child : document_.children())
      if (child.type() == pugi::node_doctype &&
          std::string_view(child.value()).find("<!ENTITY") != std::string_view::npos)
        graph_.fail(line_of(child), "XML: declarations of entities are not supported");
    const xml_node root = only_child(document_, "graphml");
    const xml_node graph = only_child(root, "graph");
    read_keys(root);
    read_keys(graph);
    read_direction(graph);
    for (const xml_node& child : graph.children())
      if (local_name(child) == "node")
        read_node(child);
      else
        check_name(child, {"edge", "key"}, "in a graph");
    for (const xml_node& child : graph.children())
      if (local_name(child) == "edge") read_edge(child);
    graph_.set_repeats(Repeats::both_ways);
    ignored_.note_in(graph_);
  }

 private:
  enum class Direction : std::uint8_t { none, forward, backward };

  [[nodiscard]] std::size_t line_of(const xml_node& node) const {
    return ends_.line_of(
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
  }

  [[nodiscard]] xml_node only_child(const xml_node& parent, std::string_view name) const {
    xml_node found;
    for (const xml_node& child : parent.children()) {
      if (local_name(child) != name) continue;
      if (found) graph_.fail(line_of(child), "more than one element <{}>", name);
      found = child;
    }
    if (!found) graph_.fail(line_of(parent), "no element <{}>", name);
    return found;
  }

  /// Refuses elements that are not of this list, and no data.
  void check_name(const xml_node& element, std::array<std::string_view, 2> allowed,
                  std::string_view where) const {
    const std::string_view name = local_name(element);
    if (element.type() != pugi::node_element || name == "data" || name == "desc" ||
        std::ranges::find(allowed, name) != allowed.end())
      return;
    graph_.fail(line_of(element), "<{}> {} is not supported", shown(name), where);
  }

  void read_keys(const xml_node& parent) {
    for (const xml_node& key : parent.children()) {
      if (local_name(key) != "key") continue;
      const std::string_view domain = key.attribute("for").value();
      const bool both = domain.empty() || domain == "all";
      if (both || domain == "node") node_keys_.declare(graph_, key, line_of(key));
      if (both || domain == "edge") edge_keys_.declare(graph_, key, line_of(key));
    }
  }

  void read_direction(const xml_node& graph) {
    const std::string given = one_line(graph.attribute("edgedefault").value());
    if (!given.empty() && given != "directed" && given != "undirected")
      graph_.fail(line_of(graph), "edgedefault '{}'; allowed: directed, undirected", shown(given));
    directed_ = given == "directed";
  }

  void read_node(const xml_node& element) {
    const std::size_t line = line_of(element);
    for (const xml_node& child : element.children()) {
      check_name(child, {"port", "port"}, "in a node");
      if (local_name(child) == "port") ignored_.add(Owner::node, "port");
    }
    const Number node = graph_.declare(element.attribute("id").value(), line);
    auto [label, name, is_switch] = node_keys_.values_of(graph_, element, line, ignored_);
    const xml_node drawn = descendant(element, "NodeLabel");  // of yEd
    if (drawn && !label) label = text_of_element(drawn);
    if (!label) label = std::move(name);
    if (label && !one_line(*label).empty()) graph_.set_label(node, one_line(*label), line);
    if (is_switch && truth(*is_switch, "switch", line)) graph_.set_switch(node);
  }

  [[nodiscard]] static xml_node descendant(const xml_node& element, std::string_view name) {
    return element.find_node([&](const xml_node& node) { return local_name(node) == name; });
  }

  /// As XML Schema has them, and as Python writes them.
  [[nodiscard]] bool truth(std::string_view text, std::string_view what, std::size_t line) const {
    const std::string word = one_line(text);
    const auto is = [&](const char* other) { return strcasecmp(word.c_str(), other) == 0; };
    if (is("true") || is("1")) return true;
    if (is("false") || is("0")) return false;
    graph_.fail(line, "{}: '{}' given; allowed: true, false, 1, 0", what, shown(text));
  }

  void read_edge(const xml_node& element) {
    const std::size_t line = line_of(element);
    for (const xml_node& child : element.children()) check_name(child, {}, "in an edge");
    for (const char* const port : {"sourceport", "targetport"})
      if (element.attribute(port)) ignored_.add(Owner::link, port);
    Number u = end_of(element, "source", line);
    Number v = end_of(element, "target", line);
    const auto [low, high, unused] = edge_keys_.values_of(graph_, element, line, ignored_);
    const std::optional<Number> lower = port_in(low, line);
    const std::optional<Number> higher = port_in(high, line);
    const Direction direction = direction_of(element, line);
    if (direction == Direction::backward) std::swap(u, v);
    const auto ports = graph_.ports_of(u, v, lower, higher, line);
    graph_.add_link(u, v, line, ports, direction != Direction::none);
  }

  /// yEd calls every graph directed; its users see arrows, or none.
  [[nodiscard]] Direction direction_of(const xml_node& edge, std::size_t line) const {
    if (const pugi::xml_attribute own = edge.attribute("directed"))
      return truth(own.value(), "directed", line) ? Direction::forward : Direction::none;
    if (!directed_) return Direction::none;
    const xml_node arrows = descendant(edge, "Arrows");
    if (!arrows) return Direction::forward;
    const auto has_arrow = [&](const char* side) {
      const std::string_view kind = arrows.attribute(side).value();
      return !kind.empty() && kind != "none";
    };
    if (has_arrow("source") == has_arrow("target")) return Direction::none;
    return has_arrow("target") ? Direction::forward : Direction::backward;
  }

  [[nodiscard]] Number end_of(const xml_node& element, const char* side, std::size_t line) const {
    const std::string_view name = element.attribute(side).value();
    if (const std::optional<Number> node = graph_.find(name)) return *node;
    graph_.fail(line, "unknown node '{}' as {} of an edge", shown(name), side);
  }

  [[nodiscard]] std::optional<Number> port_in(const std::optional<std::string>& text,
                                              std::size_t line) const {
    if (!text) return {};
    const std::optional<std::uint64_t> number = whole_number(one_line(*text));
    if (!number || *number >= GraphBuilder::no_port)
      graph_.fail(line, "port '{}' is not a whole number", shown(*text));
    return static_cast<Number>(*number);
  }

  GraphBuilder& graph_;
  LineEnds ends_;
  pugi::xml_document document_;
  DataKeys node_keys_{Owner::node, {"label", "name", "switch"}};
  DataKeys edge_keys_{Owner::link, {"lower_port", "higher_port", ""}};
  IgnoredAttributes ignored_;
  bool directed_ = false;
};

}  // namespace

void read_graphml(GraphBuilder& graph, std::string& text) { GraphmlReader(graph, text).read(); }

}  // namespace lockstep::graph_readers
