// SPDX-License-Identifier: Apache-2.0
#include "topology/node_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/invalid.hpp"
#include "core/notes.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_builder.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::uint32_t hash_of(std::string_view name) noexcept {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
}

using NameIndex = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // hashes, nodes

[[nodiscard]] NameIndex index_of(const std::vector<std::string>& names) {
  NameIndex index;
  index.reserve(names.size());
  for (std::uint32_t u = 0; u < names.size(); ++u) index.emplace_back(hash_of(names[u]), u);
  std::sort(index.begin(), index.end());
  return index;
}

/// The nodes of that name, as many as two.
[[nodiscard]] std::vector<NodeId> found_in(const NameIndex& index,
                                           const std::vector<std::string>& names,
                                           std::string_view name) {
  std::vector<NodeId> found;
  const std::uint32_t hash = hash_of(name);
  for (auto entry = std::lower_bound(index.begin(), index.end(), std::pair(hash, 0U));
       entry != index.end() && entry->first == hash && found.size() < 2; ++entry)
    if (names[entry->second] == name) found.push_back(NodeId{entry->second});
  return found;
}

/// As numbers are written: 0011 is a label.
[[nodiscard]] std::optional<std::uint64_t> number_of_node(std::string_view word,
                                                          std::uint64_t nodes) {
  const bool padded = word.size() > 1 && word.front() == '0';
  const std::optional<std::uint64_t> number = padded ? std::nullopt : whole_number(word);
  return number && *number < nodes ? number : std::nullopt;
}

/// In quotation marks where it could be taken for several words; labels of products are in
/// brackets.
[[nodiscard]] std::string as_one_word(const std::string& name) {
  if (name.starts_with('(') && name.ends_with(')')) return name;
  const bool one = !name.empty() && name.find_first_of(" \t,;:()'\"") == std::string::npos;
  return one ? name : fmt::format("'{}'", name);
}

}  // namespace

NodeNames::NodeNames(std::vector<std::string> names, std::vector<std::string> ids)
    : names_(std::move(names)), ids_(std::move(ids)) {}

std::optional<NodeId> NodeNames::find(std::string_view name) const {
  std::call_once(indexed_, [this] {
    by_name_ = index_of(names_);
    by_id_ = index_of(ids_);
  });
  const std::vector<NodeId> named = found_in(by_name_, names_, name);
  if (named.size() == 1) return named.front();
  if (const auto called = found_in(by_id_, ids_, name); !called.empty()) return called.front();
  if (named.empty()) return std::nullopt;
  throw invalid(
      "'{}' is the label of several nodes, such as those with the ids '{}' and '{}'; write an id",
      shown(name), shown(id_of(named[0])), shown(id_of(named[1])));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as products are nested
bool has_names(const ErasedTopology& network) {
  if (!network) return false;
  return network.names() != nullptr || std::ranges::any_of(network.factors(), has_names);
}

std::optional<ReadNode> read_node(const ErasedTopology& network, std::string_view word) {
  const bool named = has_names(network);
  const auto number = number_of_node(word, network.node_count());
  if (number && !named) return ReadNode{NodeId{*number}};
  const std::string text(word);
  // A number that is too large may be a label such as 3241; but not another way to write a label,
  // such as 37 for 0 in an Eisenstein-Jacobi network.
  const std::optional<NodeId> found = network.find(text);
  if (found && (named || !whole_number(word) || network.label(*found) == word))
    return ReadNode{*found};
  if (number) return ReadNode{NodeId{*number}, true};
  return std::nullopt;
}

void note_number(const ErasedTopology& network, NodeId node, std::string_view where) {
  note(fmt::format("{}: no node is named '{}'; node number {} is '{}'", where, index(node),
                   index(node), shown(network.label(node))));
}

std::string unambiguous_name(const ErasedTopology& network, NodeId node) {
  std::vector<std::string> names{network.label(node)};
  if (network.names() != nullptr) names.push_back(network.names()->id_of(node));
  names.push_back(fmt::format("{}", index(node)));
  for (const std::string& name : names) try {
      if (const auto read = read_node(network, name); read && read->node == node) return name;
    } catch (const InvalidParameter&) {
      continue;  // the label of several nodes
    }
  throw invalid("{}: label, id and number of node number {} are names of other nodes",
                network.name(), index(node));
}

std::string words_for_nodes(const ErasedTopology& network, std::uint64_t count) {
  const std::string label = shown(network.label(NodeId{count - 1}));
  return has_names(network)
             ? fmt::format("a name such as '{}' or a number from 0 to {}", label, count - 1)
             : fmt::format("a number from 0 to {} or a label such as '{}'", count - 1, label);
}

std::string node_text(const ErasedTopology& network, NodeId node) {
  const std::string number = fmt::format("{}", index(node));
  if (!has_names(network) || index(node) >= network.node_count()) return number;
  const std::string name = network.label(node);
  return name == number ? number : fmt::format("{} (number {})", as_one_word(name), number);
}

std::string node_and_label(const ErasedTopology& network, NodeId node) {
  std::string text = node_text(network, node);
  if (!network || has_names(network) || index(node) >= network.node_count()) return text;
  const std::string label = network.label(node);
  if (label == text) return text;
  const bool is_a_tuple = label.starts_with('(');
  return is_a_tuple ? fmt::format("{} {}", text, label) : fmt::format("{} ({})", text, label);
}

std::optional<std::string> name_of(const ErasedTopology& network, NodeId node) {
  if (!has_names(network) || index(node) >= network.node_count()) return std::nullopt;
  return network.label(node);
}

}  // namespace lockstep
