// SPDX-License-Identifier: Apache-2.0
#include "topology/node_link_ends.hpp"

#include <fmt/format.h>

#include "lockstep/core/detail/whole_number.hpp"

namespace lockstep::graph_readers {

bool NodeLink::is_same(const NodeLink& other) const {
  return ends == other.ends && lower == other.lower && higher == other.higher &&
         directed == other.directed;
}

GraphBuilder::Number NodeLinkEnds::declare(const std::optional<JsonName>& id,
                                           const std::optional<std::string>& name,
                                           std::size_t line) {
  if (id_is_number_.empty()) has_ids_ = id.has_value();
  if (has_ids_ != id.has_value() || (!id && !name)) graph_.fail(line, "a node without an \"id\"");
  const bool is_number = id && id->is_number;
  const Number node = graph_.declare(id ? id->text : fmt::format("{}", id_is_number_.size()), line);
  id_is_number_.push_back(is_number);
  if (!id && !names_.emplace(*name, node).second) names_[*name] = none;
  return node;
}

GraphBuilder::Number NodeLinkEnds::by_name(const JsonName& end) const {
  if (has_ids_) return graph_.find(end.text).value_or(none);
  const auto found = names_.find(end.text);
  return found == names_.end() ? none : found->second;
}

GraphBuilder::Number NodeLinkEnds::by_position(const JsonName& end) const {
  const std::optional<std::uint64_t> number = end.is_number ? whole_number(end.text) : std::nullopt;
  return number && *number < id_is_number_.size() ? static_cast<Number>(*number) : none;
}

bool NodeLinkEnds::reads_positions(const std::vector<NodeLink>& links, bool are_positions) const {
  bool all_named = true;
  bool some_named = false;
  bool all_ids = has_ids_;  // of the JSON type of the ids
  std::optional<std::size_t> line_of_difference;
  const JsonName* different = nullptr;
  for (const NodeLink& link : links)
    for (const JsonName& end : link.ends) {
      const Number position = by_position(end);
      if (position == none) return false;
      const Number node = by_name(end);
      if (node != none && node != position && different == nullptr) {
        different = &end;
        line_of_difference = link.line;
      }
      all_named = all_named && node != none;
      some_named = some_named || node != none;
      all_ids = all_ids && node != none && id_is_number_[node] == end.is_number;
    }
  if (are_positions) return true;
  if (!all_named) return !has_ids_ || !some_named;
  if (different == nullptr) return false;
  if (all_ids) {
    graph_.note(
        "read the ends of links as ids of nodes; as positions in the list of nodes, they would "
        "give another network");
    return false;
  }
  graph_.fail(*line_of_difference,
              "'{}' is the {} of one node and the position of another one in \"nodes\"; "
              "write the ids of nodes as strings, or as numbers, in both lists",
              shown(different->text), has_ids_ ? "id" : "name");
}

std::vector<NodeLinkEnds::Ends> NodeLinkEnds::ends_of(const std::vector<NodeLink>& links,
                                                      bool are_positions) const {
  const bool positions = reads_positions(links, are_positions);
  std::vector<Ends> all;
  all.reserve(links.size());
  for (const NodeLink& link : links) {
    Ends& ends = all.emplace_back();
    for (std::size_t side = 0; side < ends.size(); ++side) {
      const JsonName& end = link.ends[side];
      ends[side] = positions ? by_position(end) : by_name(end);
      if (ends[side] == none) graph_.fail(link.line, "unknown node '{}'", shown(end.text));
    }
  }
  if (positions && has_ids_)
    graph_.note(
        "read the ends of links as positions in the list of nodes, as NetworkX 1 wrote them");
  return all;
}

}  // namespace lockstep::graph_readers
