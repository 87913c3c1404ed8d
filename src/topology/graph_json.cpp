// SPDX-License-Identifier: Apache-2.0

/// Node-link JSON, as NetworkX writes it, read piece by piece by nlohmann-json.

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {
namespace {

using Number = GraphBuilder::Number;

/// Where the parser is: it reads one character more than it needs, which may end a line.
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

/// The events of the parser, in its own words.
class NodeLinkReader {
 public:
  NodeLinkReader(GraphBuilder& graph, const Position& position)
      : graph_(graph), position_(position) {}

  // Every value ends in one of these.
  bool null() { return scalar("null"); }
  bool boolean(bool value) {
    truth_ = value;
    return scalar(value ? "true" : "false");
  }
  bool number_integer(std::int64_t value) { return scalar(fmt::format("{}", value)); }
  bool number_unsigned(std::uint64_t value) {
    number_ = value;
    return scalar(fmt::format("{}", value));
  }
  bool number_float(double, const std::string& text) { return scalar(text); }
  bool string(const std::string& text) { return scalar(text); }
  bool binary(const std::vector<std::uint8_t>&) { return scalar("binary"); }
  bool key(const std::string& key) {
    if (depth_ == 1) section_ = key;
    if (is_item()) key_ = key;
    return true;
  }
  bool start_object(std::size_t) {
    ++depth_;
    if (depth_ == 2 && (is_list())) graph_.fail(line(), fmt::format("'{}' is no list", section_));
    if (is_item()) item_ = {.line = line()};
    if (depth_ > 3 && names_a_node())
      graph_.fail(line(), fmt::format("'{}' of a node or link is an object", shown(key_)));
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
    if (is_list() && depth_ == 2 && section_ != "nodes") ++lists_of_links_;
    if (is_list() && depth_ == 3) graph_.fail(line(), "a list in place of a node or link");
    if (depth_ > 4 && names_a_node())
      graph_.fail(line(), fmt::format("'{}' is a list of lists", shown(key_)));
    tuple_.clear();
    return true;
  }
  bool end_array() {
    --depth_;
    if (is_item() && names_a_node()) {
      std::string name = "(";
      for (const std::string& part : tuple_) name += (name.size() == 1 ? "" : ",") + part;
      set_name(name + ")");
    }
    return true;
  }
  template <class Exception>
  bool parse_error(std::size_t, const std::string&, const Exception& problem) {
    std::string what = problem.what();
    if (const std::size_t colon = what.find("syntax error"); colon != std::string::npos)
      what.erase(0, colon);
    graph_.fail(line(), fmt::format("JSON: {}", shown_all(what)));
  }

  void finish() {
    if (lists_of_links_ > 1) graph_.fail(1, "links twice; allowed: \"edges\" or \"links\"");
    for (const Link& link : links_) {  // all nodes are known: their list may come last
      const Number source = known(link.source, link.line);
      const Number target = known(link.target, link.line);
      graph_.add_link(source, target, link.lower, link.higher, link.line);
    }
  }

 private:
  /// Of a node or a link, until its object ends.
  struct Item {
    std::size_t line = 0;
    std::array<std::optional<std::string>, 3> names{};  // id, source, target
    std::optional<std::string> label{};
    bool is_switch = false;
    std::optional<Number> lower{};
    std::optional<Number> higher{};
  };
  struct Link {
    std::size_t line;
    std::string source;
    std::string target;
    std::optional<Number> lower;
    std::optional<Number> higher;
  };
  static constexpr std::array<std::string_view, 3> node_keys{"id", "source", "target"};

  [[nodiscard]] static std::string shown_all(const std::string& text) {
    std::string line;
    for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return line;
  }
  [[nodiscard]] std::size_t line() const noexcept { return position_.line; }
  [[nodiscard]] bool is_list() const {
    return section_ == "nodes" || section_ == "edges" || section_ == "links";
  }
  /// In the object of a node or link, and not deeper.
  [[nodiscard]] bool is_item() const { return depth_ == 3 && is_list(); }
  [[nodiscard]] bool names_a_node() const {
    return is_list() && (section_ == "nodes" ? key_ == "id" : key_ == "source" || key_ == "target");
  }

  void set_name(std::string name) {
    for (std::size_t i = 0; i < node_keys.size(); ++i)
      if (key_ == node_keys[i]) item_.names[i] = std::move(name);
  }

  bool scalar(std::string text) {
    const std::optional<std::uint64_t> number = std::exchange(number_, std::nullopt);
    const std::optional<bool> truth = std::exchange(truth_, std::nullopt);
    if (depth_ == 0) graph_.fail(line(), "no object with \"nodes\" and \"edges\"");
    if (depth_ == 1 && section_ == "directed" && truth == true)
      graph_.fail(line(), "directed graphs are not supported");
    if (depth_ <= 2 && is_list())
      graph_.fail(line(), fmt::format("'{}' in place of a {}", shown(text),
                                      depth_ == 1 ? "list" : "node or link"));
    if (depth_ == 4 && names_a_node()) tuple_.push_back(std::move(text));
    if (!is_item()) return true;
    if (names_a_node()) return set_name(std::move(text)), true;
    if (key_ == "label") item_.label = std::move(text);
    if (key_ == "switch") set_switch(truth);
    if (key_ == "lower_port") item_.lower = port_of(number);
    if (key_ == "higher_port") item_.higher = port_of(number);
    return true;
  }

  void set_switch(const std::optional<bool>& truth) {
    if (!truth) graph_.fail(line(), "switch: allowed true, false");
    item_.is_switch = *truth;
  }

  [[nodiscard]] Number port_of(const std::optional<std::uint64_t>& number) const {
    if (!number || *number >= GraphBuilder::no_port)
      graph_.fail(line(), fmt::format("{} is not a whole number", key_));
    return static_cast<Number>(*number);
  }

  void end_item() {
    auto& [id, source, target] = item_.names;
    if (section_ == "nodes") {
      if (!id) graph_.fail(item_.line, "a node without an id");
      const Number node = graph_.declare(*id, item_.line);
      if (item_.is_switch) graph_.set_switch(node);
      if (item_.label) graph_.set_label(node, *item_.label, item_.line);
      return;
    }
    if (!source || !target) graph_.fail(item_.line, "a link without source or target");
    links_.push_back(
        {item_.line, std::move(*source), std::move(*target), item_.lower, item_.higher});
  }

  [[nodiscard]] Number known(const std::string& name, std::size_t line) const {
    if (const std::optional<Number> node = graph_.find(name)) return *node;
    graph_.fail(line, fmt::format("unknown node '{}'", shown(name)));
  }

  GraphBuilder& graph_;
  const Position& position_;
  std::size_t depth_ = 0;
  std::size_t lists_of_links_ = 0;
  std::string section_;  // key of the outermost object
  std::string key_;      // of a node or link
  Item item_;
  std::vector<std::string> tuple_;
  std::optional<std::uint64_t> number_;
  std::optional<bool> truth_;
  std::vector<Link> links_;
};

}  // namespace

void read_node_link(GraphBuilder& graph, std::string_view text) {
  Position position;
  NodeLinkReader reader(graph, position);
  (void)nlohmann::json::sax_parse(Character(text.data(), &position),
                                  Character(text.data() + text.size(), &position), &reader);
  reader.finish();
}

}  // namespace lockstep::graph_readers
