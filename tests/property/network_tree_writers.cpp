// SPDX-License-Identifier: Apache-2.0

/// GraphML and node-link JSON as other programs write them.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "property/network_file_writers.hpp"

namespace lockstep::test {
namespace {

using reference::Random;
using Pair = std::array<std::size_t, 2>;

[[nodiscard]] std::string replaced(std::string text, std::string_view old, std::string_view by) {
  for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
  return text;
}

/// Elements with the prefixes and quotes of a file.
class XmlWriter {
 public:
  XmlWriter(std::string_view prefix, bool single_quotes)
      : prefix_(prefix), single_(single_quotes) {}

  /// `attributes`: "id=n0 for=node"; values are escaped, and have no blanks.
  [[nodiscard]] std::string open(std::string_view name, std::string_view attributes) const {
    std::string text = fmt::format("<{}{}", prefix_, name);
    for (std::string_view rest = attributes; !rest.empty();) {
      const std::string_view one = rest.substr(0, rest.find(' '));
      const std::size_t equals = one.find('=');
      text += fmt::format(" {}={}{}{}", one.substr(0, equals), quote(), one.substr(equals + 1),
                          quote());
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    }
    return text + ">";
  }
  [[nodiscard]] std::string close(std::string_view name) const {
    return fmt::format("</{}{}>\n", prefix_, name);
  }
  [[nodiscard]] std::string element(std::string_view name, std::string_view attributes,
                                    std::string_view content) const {
    return fmt::format("{}{}{}", open(name, attributes), content, close(name));
  }

 private:
  [[nodiscard]] char quote() const { return single_ ? '\'' : '"'; }

  std::string prefix_;
  bool single_;
};

[[nodiscard]] bool has_lanes(const KnownNetwork& network) {
  auto links = network.links;
  std::ranges::sort(links);
  return std::ranges::adjacent_find(links) != links.end();
}

/// In the order of a writer: each link, or each link and its reverse.
[[nodiscard]] std::vector<Pair> listed(const KnownNetwork& network, bool both) {
  std::vector<Pair> list;
  for (const auto& [u, v] : network.links) {
    list.push_back({u, v});
    if (both) list.push_back({v, u});
  }
  return list;
}

class GraphmlWriter {
 public:
  GraphmlWriter(const KnownNetwork& network, const Habits& habits, Random& random)
      : network_(network),
        habits_(habits),
        random_(random),
        outer_(has("prefix") ? "g:" : "", has("single quotes")),
        xml_(has("prefix")          ? "g:"
             : has("prefix inside") ? "ns3:"
                                    : "",
             has("single quotes")) {}

  [[nodiscard]] std::string text() const {
    std::string text;
    if (!has("no declaration") || has("latin-1"))
      text += fmt::format("<?xml version=\"1.0\" encoding=\"{}\"?>\n",
                          has("latin-1") ? "ISO-8859-1" : "UTF-8");
    if (has("doctype"))
      text += "<!DOCTYPE graphml SYSTEM \"http://graphml.example/graphml.dtd\">\n";
    if (has("comments")) text += "<!-- written by hand: <graph> & <node id=\"x\"/> -->\n";
    text += outer_.open("graphml",
                        "xmlns=http://graphml.graphdrawing.org/xmlns "
                        "xmlns:g=http://graphml.graphdrawing.org/xmlns "
                        "xmlns:ns3=http://graphml.graphdrawing.org/xmlns "
                        "xmlns:y=http://www.yworks.com/xml/graphml") +
            "\n";
    const bool keys_last = has("keys last");
    if (!keys_last) text += keys();
    const bool directed = has("both arcs") || has("edges say undirected") || has("yed") ||
                          has("yed arrows") || has("one way");
    text += xml_.open("graph",
                      fmt::format("id=G edgedefault={}{}", directed ? "directed" : "undirected",
                                  has("parse attributes") ? " parse.order=free" : "")) +
            "\n";
    if (has("desc")) text += xml_.element("desc", "", "a graph");
    text += has("edges first") ? edges() + nodes() : nodes() + edges();
    text += xml_.close("graph");
    if (keys_last) text += keys();
    return text + outer_.close("graphml");
  }

 private:
  [[nodiscard]] bool has(std::string_view habit) const { return habits_.contains(habit); }
  [[nodiscard]] bool is_igraph() const { return has("igraph"); }
  [[nodiscard]] bool has_labels() const { return has("labels") || has("yed") || is_igraph(); }
  [[nodiscard]] std::string id(std::size_t u) const {
    return has_labels() ? fmt::format("n{}", network_.names.size() - u)
                        : escaped(network_.names[u]);
  }
  [[nodiscard]] static std::string escaped(const std::string& text) {
    return replaced(text, "&", "&amp;");
  }

  [[nodiscard]] std::string keys() const {
    std::string text = xml_.element(
        "key", "id=d0 for=node attr.name=switch attr.type=boolean",
        has("switch default") ? xml_.element("default", "", truth(true)) : std::string());
    if (has("labels")) text += xml_.element("key", "id=d1 for=node attr.name=label", "");
    if (is_igraph()) text += xml_.element("key", "id=v_name for=node attr.name=name", "");
    if (has("weights")) text += xml_.element("key", "id=w for=edge attr.name=weight", "");
    if (has("yed"))
      text +=
          "<key for=\"node\" id=\"d6\" yfiles.type=\"nodegraphics\"/>"
          "<key for=\"edge\" id=\"d10\" yfiles.type=\"edgegraphics\"/>\n";
    return text;
  }

  [[nodiscard]] std::string truth(bool value) const {
    if (has("booleans 1")) return value ? "1" : "0";
    if (has("booleans Python")) return value ? "True" : "False";
    if (has("blanks in booleans")) return value ? "\n true " : "\n false ";
    return value ? "true" : "false";
  }

  [[nodiscard]] std::string content(const std::string& text) const {
    return has("cdata") ? "<![CDATA[" + text + "]]>" : escaped(text);
  }

  [[nodiscard]] std::string node(std::size_t u) const {
    std::string data;
    const std::string& name = network_.names[u];
    const bool is_switch = network_.switches.contains(u);
    if (is_switch != has("switch default") || random_.happens(20))
      data += xml_.element("data", "key=d0", content(truth(is_switch)));
    if (has("labels")) data += xml_.element("data", "key=d1", content(name));
    if (has("label lines") && has("labels"))
      data = xml_.element("data", "key=d1", content("\n  " + name + "\n"));
    if (has("label lines") && has("labels") && is_switch != has("switch default"))
      data += xml_.element("data", "key=d0", content(truth(is_switch)));
    if (is_igraph()) data += xml_.element("data", "key=v_name", content(name));
    if (has("yed"))
      data += fmt::format(
          "<{0}data key=\"d6\"><y:ShapeNode><y:Fill color=\"#FF\"/><y:NodeLabel "
          "alignment=\"center\">{1}<y:LabelModel/></y:NodeLabel></y:ShapeNode>"
          "</{0}data>",
          prefix(), escaped(name));
    if (has("undeclared data")) data += xml_.element("data", "key=colour", "red");
    if (has("ports")) data += xml_.element("port", "name=north", "");
    return xml_.element("node", "id=" + id(u), data);
  }
  [[nodiscard]] std::string nodes() const {
    std::string text;
    for (std::size_t u = 0; u < network_.names.size(); ++u) text += node(u);
    return text;
  }

  [[nodiscard]] std::string edges() const {
    std::string text;
    std::size_t number = 0;
    for (const auto& [u, v] : listed(network_, has("both arcs") || has("both directions"))) {
      std::string attributes = fmt::format("source={} target={}", id(u), id(v));
      if (has("edge ids")) attributes = fmt::format("id=e{} ", number++) + attributes;
      if (has("edges say undirected")) attributes += " directed=false";
      std::string data;
      if (has("weights")) data += xml_.element("data", "key=w", "2.5");
      if (has("yed") || has("yed arrows"))
        data += fmt::format(
            "<{0}data key=\"d10\"><y:PolyLineEdge><y:Arrows source=\"none\" "
            "target=\"{1}\"/></y:PolyLineEdge></{0}data>",
            prefix(), has("yed arrows") ? "standard" : "none");
      if (has("comments")) data += "<!-- an edge -->";
      text += xml_.element("edge", attributes, data);
    }
    return text;
  }
  [[nodiscard]] std::string_view prefix() const {
    return has("prefix") ? "g:" : has("prefix inside") ? "ns3:" : "";
  }

  const KnownNetwork& network_;
  const Habits& habits_;
  Random& random_;
  XmlWriter outer_;
  XmlWriter xml_;
};

/// A name as a string, or as a number where it is one.
[[nodiscard]] std::string json_name(const std::string& name, bool as_number, bool ascii) {
  const bool is_number = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  return is_number && as_number ? name : nlohmann::json(name).dump(-1, ' ', ascii);
}

[[nodiscard]] std::string json_list(std::string_view key, const std::vector<std::string>& items,
                                    std::string_view between) {
  std::string text = fmt::format("\"{}\": [", key);
  for (std::size_t i = 0; i < items.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? std::string_view() : between, items[i]);
  return text + "]";
}

}  // namespace

std::string graphml(const KnownNetwork& network, const Habits& habits, Random& random) {
  const std::string text = GraphmlWriter(network, habits, random).text();
  return habits.contains("latin-1") ? replaced(text, "\u00e9", "\xE9") : text;
}

std::string node_link_json(const KnownNetwork& network, const Habits& habits, Random& random) {
  const auto has = [&](std::string_view habit) { return habits.contains(habit); };
  const bool positions = has("positions") || has("positions unmarked") || has("d3 positions");
  const bool no_ids = has("d3 positions") || has("d3 names");
  const auto name = [&](std::size_t u) {
    return json_name(network.names[u], has("number ids"), has("escapes"));
  };
  const auto id = [&](std::size_t u) {
    return has("labels") ? fmt::format("\"n{}\"", network.names.size() - u) : name(u);
  };
  std::vector<std::string> nodes;
  for (std::size_t u = 0; u < network.names.size(); ++u) {
    const bool is_switch = network.switches.contains(u);
    std::string node =
        fmt::format("{{\"{}\": {}", no_ids ? "name" : "id", no_ids ? name(u) : id(u));
    if (is_switch || has("switch everywhere")) node += fmt::format(", \"switch\": {}", is_switch);
    if (has("labels")) node += fmt::format(", \"label\": {}", name(u));
    if (has("nan")) node += ", \"load\": NaN, \"x\\\"NaN\": -Infinity";
    if (has("nested")) node += R"(, "pos": [1.5, {"id": 7, "source": [0]}], "data": {"id": "x"})";
    if (has("nulls")) node += ", \"colour\": null";
    nodes.push_back(node + "}");
  }
  std::vector<std::string> links;
  for (const auto& [u, v] : listed(network, has("both arcs"))) {
    std::string link = fmt::format("\"source\": {}, \"target\": {}",
                                   positions ? std::to_string(u)
                                   : no_ids  ? name(u)
                                             : id(u),
                                   positions ? std::to_string(v)
                                   : no_ids  ? name(v)
                                             : id(v));
    if (has("weights")) link += ", \"weight\": 2.5e-1, \"value\": 1";
    if (has("nan")) link += ", \"weight\": Infinity";
    if (has("nested")) link += R"(, "path": {"source": 9, "nodes": [{"id": 1}]})";
    if (has("keys")) link = "\"key\": 0, \"id\": \"e\", " + link;
    links.push_back("{" + link + "}");
    if (has("repeated") && !has_lanes(network) && random.happens(50)) links.push_back(links.back());
  }
  const std::string_view between = has("one line") ? ", " : ",\n  ";
  std::vector<std::string> parts{json_list("nodes", nodes, between)};
  if (!has("edges key")) parts.push_back(json_list("links", links, between));
  if (has("edges key") || has("both keys")) parts.push_back(json_list("edges", links, between));
  if (has("links first")) std::swap(parts[0], parts[1]);
  const bool directed = has("both arcs") || has("one way");
  if (directed || !has("short head")) parts.push_back(fmt::format("\"directed\": {}", directed));
  if (!has("short head") || has("repeated"))
    parts.push_back(fmt::format("\"multigraph\": {}", has_lanes(network)));
  if (has("positions") || !has("short head"))
    parts.push_back(has("positions") ? "\"graph\": []" : R"("graph": {"name": "x", "y": [[1]]})");
  std::string text = "{";
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? std::string_view() : between, parts[i]);
  return text + "}\n";
}

}  // namespace lockstep::test
