// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Names of nodes: how a network from a file keeps them, and the one way in which nodes are read
/// and written everywhere.
///
///     read_node(network, "b")->node == NodeId{1};
///     node_text(network, NodeId{1}) == "b (number 1)";
///
/// In networks from files, a word is a name first, and a number only if no node has that name. In
/// other networks, a word is a number first, and then a label; none of their labels is the number
/// of another node.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// The names in a file, by node.
class NodeNames {
 public:
  /// `ids`: what the file calls the nodes where `names` are their labels, which may be equal;
  /// empty: the names are all that there is.
  explicit NodeNames(std::vector<std::string> names, std::vector<std::string> ids = {});

  [[nodiscard]] const std::string& of(NodeId node) const { return names_[index(node)]; }
  /// The name, if there are no ids.
  [[nodiscard]] const std::string& id_of(NodeId node) const {
    return ids_.empty() ? of(node) : ids_[index(node)];
  }
  /// By name, else by id. Throws InvalidParameter if only labels fit and several nodes have them.
  /// The first call makes an index of all names.
  [[nodiscard]] std::optional<NodeId> find(std::string_view name) const;

 private:
  /// Hashes of names with their nodes, sorted: 8 bytes per node.
  using Index = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  std::vector<std::string> names_;
  std::vector<std::string> ids_;
  mutable std::once_flag indexed_;
  mutable Index by_name_;
  mutable Index by_id_;
};

/// Whether the network, or a factor of it, has names from a file.
[[nodiscard]] bool has_names(const ErasedTopology& network);

struct ReadNode {
  NodeId node{};
  bool is_number = false;  ///< of a network with names, none of which it is
};

/// Empty if the word is neither a name or label nor a number of a node. Throws InvalidParameter if
/// several nodes have that name.
[[nodiscard]] std::optional<ReadNode> read_node(const ErasedTopology& network,
                                                std::string_view word);
/// "WHERE: no node is named '2'; node number 2 is '10'": a note (core/notes.hpp).
void note_number(const ErasedTopology& network, NodeId node, std::string_view where);

/// A word that read_node() takes for this node: its label, its id or its number. Throws
/// InvalidParameter if each of them is a name of another node.
[[nodiscard]] std::string unambiguous_name(const ErasedTopology& network, NodeId node);

/// Words that read_node() accepts, for messages: "a number from 0 to 5 or a label such as '11'".
/// `count`: of the nodes that are allowed.
[[nodiscard]] std::string words_for_nodes(const ErasedTopology& network, std::uint64_t count);

/// "b (number 1)" in networks with names, or "b" if the name is the number; the number in others,
/// and without a network.
[[nodiscard]] std::string node_text(const ErasedTopology& network, NodeId node);
/// The same, with the label in networks without names: "5 (3214)".
[[nodiscard]] std::string node_and_label(const ErasedTopology& network, NodeId node);
/// The name, in networks with names.
[[nodiscard]] std::optional<std::string> name_of(const ErasedTopology& network, NodeId node);

}  // namespace lockstep
