// SPDX-License-Identifier: Apache-2.0

/// Node-link JSON, as NetworkX writes it, read piece by piece by nlohmann-json.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/joined.hpp"
#include "topology/graph_readers.hpp"
#include "topology/node_link_ends.hpp"

namespace lockstep::graph_readers {
namespace {

using Number = GraphBuilder::Number;

/// The position of the parser. It reads one character more than it needs, which may end a line.
struct Position {
  const char* at = nullptr;
  std::size_t line = 1;
};

/// Counts lines as it goes. All copies count together: only one of them is read.
class Character {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Character(const char* at, Position* position) : at_(at), position_(position) {}

  reference operator*() const { return *at_; }
  Character& operator++() {
    if (position_->at != nullptr && *position_->at == '\n') ++position_->line;
    position_->at = at_++;
    return *this;
  }
  Character operator++(int) {
    Character before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Character& a, const Character& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  Position* position_;
};

/// A value that is no object and no list.
struct JsonScalar {
  std::string text;
  bool is_number = false;
  std::optional<std::uint64_t> whole{};
  std::optional<bool> truth{};
  bool is_null = false;
};

/// The events of the parser, in its own words.
class NodeLinkReader {
 public:
  NodeLinkReader(GraphBuilder& graph, const Position& position)
      : graph_(graph), position_(position), ends_(graph) {}

  // Every value ends in one of these.
  bool null() { return scalar({.text = "null", .is_null = true}); }
  bool boolean(bool value) { return scalar({.text = value ? "true" : "false", .truth = value}); }
  bool number_integer(std::int64_t value) {
    return scalar({.text = fmt::format("{}", value), .is_number = true});
  }
  bool number_unsigned(std::uint64_t value) {
    return scalar({.text = fmt::format("{}", value), .is_number = true, .whole = value});
  }
  bool number_float(double, const std::string& text) {
    return scalar({.text = text, .is_number = true});
  }
  bool string(const std::string& text) { return scalar({.text = text}); }
  bool binary(const std::vector<std::uint8_t>&) { return scalar({.text = "binary"}); }
  bool key(const std::string& key) {
    if (depth_ == 1) section_ = key;
    if (depth_ == 1 && !is_list() && section_ != "graph" && section_ != "directed" &&
        section_ != "multigraph")
      unread_.push_back(shown(key));
    if (is_item()) {
      key_ = key;
      if (!is_read(key)) ignored_.add(in_nodes() ? Owner::node : Owner::link, key);
    }
    return true;
  }
  bool start_object(std::size_t) {
    ++depth_;
    if (depth_ == 2 && is_list()) graph_.fail(line(), "'{}' is not a list", section_);
    if (is_item()) item_ = {.link = {.line = line()}};
    if (depth_ > 3 && names_a_node())
      graph_.fail(line(), "'{}' of a node or link is an object", shown(key_));
    return true;
  }
  bool end_object() {
    if (is_item()) end_item();
    --depth_;
    return true;
  }
  /// A list may name a node: NetworkX's tuples.
  bool start_array(std::size_t) {
    ++depth_;
    if (depth_ == 1) graph_.fail(line(), "a list; allowed: an object with \"nodes\" and \"edges\"");
    if (depth_ == 2) start_list();
    if (is_list() && depth_ == 3) graph_.fail(line(), "a list in place of a node or link");
    if (depth_ > 4 && names_a_node()) graph_.fail(line(), "'{}' is a list of lists", shown(key_));
    tuple_.clear();
    return true;
  }
  bool end_array() {
    --depth_;
    if (is_item() && names_a_node()) set_name({"(" + joined(tuple_, ",") + ")"});
    if (depth_ == 1 && lists_of_links_ == 2 && again_ != links_.size()) fail_different(line());
    return true;
  }
  template <class Exception>
  bool parse_error(std::size_t, const std::string&, const Exception& problem) {
    std::string what = problem.what();
    if (const std::size_t colon = what.find("syntax error"); colon != std::string::npos)
      what.erase(0, colon);
    std::ranges::replace_if(
        what, [](unsigned char c) { return c < 0x20; }, ' ');
    graph_.fail(line(), "JSON: {}", what);
  }

  void finish() {
    if (lists_of_nodes_ == 0) fail_without("\"nodes\"");
    if (lists_of_links_ == 0) fail_without("\"edges\" or \"links\"");
    const std::vector<NodeLinkEnds::Ends> ends = ends_.ends_of(links_, says_positions_);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const auto& [u, v] = ends[i];
      const NodeLink& link = links_[i];
      const auto ports = graph_.ports_of(u, v, link.lower, link.higher, link.line);
      graph_.add_link(u, v, link.line, ports, link.directed.value_or(directed_));
    }
    graph_.set_repeats(multigraph_ ? Repeats::both_ways : Repeats::once);
    if (!unread_.empty()) graph_.note("ignored {}", quoted(unread_));
    ignored_.note_in(graph_);
  }

 private:
  using Owner = IgnoredAttributes::Owner;

  /// Data of a node or a link, until its object ends.
  struct Item {
    NodeLink link{};
    std::array<std::optional<JsonName>, 3> names{};  // id, source, target
    std::optional<std::string> label{};
    std::optional<std::string> name{};
    bool is_switch = false;
  };
  static constexpr std::array<std::string_view, 3> node_keys{"id", "source", "target"};

  [[nodiscard]] static std::string quoted(const std::vector<std::string>& keys) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(keys.size(), most); ++i)
      text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", keys[i]);
    return keys.size() > most ? text + ", .." : text;
  }
  [[nodiscard]] std::size_t line() const noexcept { return position_.line; }
  [[nodiscard]] bool in_nodes() const { return section_ == "nodes"; }
  [[nodiscard]] bool is_list() const {
    return in_nodes() || section_ == "edges" || section_ == "links";
  }
  /// In the object of a node or link, and not deeper.
  [[nodiscard]] bool is_item() const { return depth_ == 3 && is_list(); }
  [[nodiscard]] bool names_a_node() const {
    return is_list() && (in_nodes() ? key_ == "id" : key_ == "source" || key_ == "target");
  }
  /// Identifiers of links ("id", "key") tell nothing about the network.
  [[nodiscard]] bool is_read(std::string_view key) const {
    static constexpr std::array<std::string_view, 4> of_nodes{"id", "label", "name", "switch"};
    static constexpr std::array<std::string_view, 7> of_links{
        "source", "target", "lower_port", "higher_port", "directed", "id", "key"};
    return in_nodes() ? std::ranges::find(of_nodes, key) != of_nodes.end()
                      : std::ranges::find(of_links, key) != of_links.end();
  }

  /// One that belongs to the outermost object.
  void start_list() {
    says_positions_ = says_positions_ || section_ == "graph";  // NetworkX 1.10 and before
    if (in_nodes() && ++lists_of_nodes_ > 1) graph_.fail(line(), "\"nodes\" occurs twice");
    if (is_list() && !in_nodes() && ++lists_of_links_ > 2)
      graph_.fail(line(), "more than two lists of links; allowed: \"edges\", \"links\"");
  }

  [[noreturn]] void fail_without(std::string_view list) const {
    graph_.fail(1,
                "no list {}{}{}; allowed: node-link JSON, with \"nodes\" and with "
                "\"edges\" or \"links\"",
                list, unread_.empty() ? "" : ", but ", quoted(unread_));
  }
  [[noreturn]] void fail_different(std::size_t where) const {
    graph_.fail(where, "\"edges\" and \"links\" differ; allowed: one of them, or equal lists");
  }

  void set_name(JsonName name) {
    for (std::size_t i = 0; i < node_keys.size(); ++i)
      if (key_ == node_keys[i]) item_.names[i] = std::move(name);
  }

  bool scalar(JsonScalar value) {
    if (depth_ == 0) graph_.fail(line(), "no object with \"nodes\" and \"edges\"");
    if (depth_ == 1 && section_ == "directed") directed_ = truth_of(value, false);
    if (depth_ == 1 && section_ == "multigraph") multigraph_ = truth_of(value, true);
    if (depth_ <= 2 && is_list())
      graph_.fail(line(), "'{}' in place of a {}", shown(value.text),
                  depth_ == 1 ? "list" : "node or link");
    if (depth_ == 4 && names_a_node()) tuple_.push_back(std::move(value.text));
    if (is_item()) set_attribute(std::move(value));
    return true;
  }

  void set_attribute(JsonScalar value) {
    if (names_a_node()) {
      if (value.is_null) graph_.fail(line(), "'{}' is null", key_);
      return set_name({std::move(value.text), value.is_number});
    }
    if (value.is_null) return;
    if (in_nodes()) {
      if (key_ == "switch") item_.is_switch = truth_of(value, false);
      if (key_ == "label") item_.label = std::move(value.text);
      if (key_ == "name") item_.name = std::move(value.text);
    } else {
      if (key_ == "directed") item_.link.directed = truth_of(value, false);
      if (key_ == "lower_port") item_.link.lower = port_of(value);
      if (key_ == "higher_port") item_.link.higher = port_of(value);
    }
  }

  /// `otherwise`: of null.
  [[nodiscard]] bool truth_of(const JsonScalar& value, bool otherwise) const {
    if (value.is_null) return otherwise;
    if (value.truth) return *value.truth;
    graph_.fail(line(), "{}: '{}' given; allowed: true, false", depth_ == 1 ? section_ : key_,
                shown(value.text));
  }

  [[nodiscard]] Number port_of(const JsonScalar& value) const {
    if (!value.whole || *value.whole >= GraphBuilder::no_port)
      graph_.fail(line(), "{} is not a whole number", key_);
    return static_cast<Number>(*value.whole);
  }

  void end_item() {
    auto& [id, source, target] = item_.names;
    NodeLink& link = item_.link;
    if (in_nodes()) {
      const Number node = ends_.declare(id, item_.name, link.line);
      if (item_.is_switch) graph_.set_switch(node);
      const std::string label = one_line(item_.label.value_or(item_.name.value_or("")));
      if (!label.empty()) graph_.set_label(node, label, link.line);
      return;
    }
    if (!source || !target) graph_.fail(link.line, "a link without source or target");
    link.ends = {std::move(*source), std::move(*target)};
    if (lists_of_links_ < 2)
      links_.push_back(std::move(link));
    else if (again_ == links_.size() || !links_[again_++].is_same(link))
      fail_different(link.line);
  }

  GraphBuilder& graph_;
  const Position& position_;
  NodeLinkEnds ends_;
  std::size_t depth_ = 0;
  std::size_t lists_of_nodes_ = 0;
  std::size_t lists_of_links_ = 0;
  std::string section_;  // key of the outermost object
  std::string key_;      // of a node or link
  Item item_;
  std::vector<std::string> tuple_;
  std::vector<NodeLink> links_;
  std::size_t again_ = 0;            // links of the second list
  std::vector<std::string> unread_;  // keys of the outermost object
  IgnoredAttributes ignored_;
  bool directed_ = false;
  bool multigraph_ = true;  // as NetworkX takes it where the file does not say it
  bool says_positions_ = false;
};

/// Python writes NaN, Infinity and -Infinity, which JSON does not have, in attributes: null here.
[[nodiscard]] std::string without_nan(std::string_view text) {
  std::string kept;
  kept.reserve(text.size() + 64);
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\' && i + 1 < text.size()) kept += text[i++];
    if (c == '"') in_string = !in_string;
    std::size_t length = 0;
    if (!in_string)
      for (const std::string_view word : {"NaN", "Infinity", "-Infinity"})
        if (c == word[0] && text.substr(i).starts_with(word)) length = word.size();
    kept += length > 0 ? std::string_view("null") : text.substr(i, 1);
    i += length > 0 ? length - 1 : 0;
  }
  return kept;
}

}  // namespace

void read_node_link(GraphBuilder& graph, std::string& text) {
  if (text.find("NaN") != text.npos || text.find("Infinity") != text.npos) text = without_nan(text);
  Position position;
  NodeLinkReader reader(graph, position);
  (void)nlohmann::json::sax_parse(Character(text.data(), &position),
                                  Character(text.data() + text.size(), &position), &reader);
  reader.finish();
}

}  // namespace lockstep::graph_readers
