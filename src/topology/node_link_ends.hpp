// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The nodes that links of node-link JSON name. Today's files give ids; NetworkX before 2.0 and d3
/// before 4 gave positions in the list of nodes.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "topology/graph_builder.hpp"

namespace lockstep::graph_readers {

/// An id, or an end of a link: 1 and "1" are different in JSON.
struct JsonName {
  std::string text;
  bool is_number = false;
  friend bool operator==(const JsonName&, const JsonName&) = default;
};

struct NodeLink {
  std::size_t line = 0;
  std::array<JsonName, 2> ends{};  // source, target
  std::optional<GraphBuilder::Number> lower{};
  std::optional<GraphBuilder::Number> higher{};
  std::optional<bool> directed{};

  /// Wherever they are in the file.
  [[nodiscard]] bool is_same(const NodeLink& other) const;
};

class NodeLinkEnds {
 public:
  using Number = GraphBuilder::Number;
  using Ends = std::array<Number, 2>;

  explicit NodeLinkEnds(GraphBuilder& graph) : graph_(graph) {}

  /// The next node of the list. A node without an id is named by its position.
  Number declare(const std::optional<JsonName>& id, const std::optional<std::string>& name,
                 std::size_t line);

  /// The ends of all links. Refuses unknown nodes, and links that mean one network by ids and
  /// another one by positions. `are_positions`: the file says so.
  [[nodiscard]] std::vector<Ends> ends_of(const std::vector<NodeLink>& links,
                                          bool are_positions) const;

 private:
  static constexpr Number none = GraphBuilder::no_port;

  [[nodiscard]] bool reads_positions(const std::vector<NodeLink>& links, bool are_positions) const;
  [[nodiscard]] Number by_name(const JsonName& end) const;
  [[nodiscard]] Number by_position(const JsonName& end) const;

  GraphBuilder& graph_;
  std::vector<bool> id_is_number_;  // of every node
  bool has_ids_ = true;
  std::unordered_map<std::string, Number> names_;  // of nodes without ids; none: not unique
};

}  // namespace lockstep::graph_readers
