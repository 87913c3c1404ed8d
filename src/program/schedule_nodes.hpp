// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Nodes in schedules by node: numbers, or names in networks from files (topology/node_names.hpp).
///
/// Characters that separate words in a schedule are written in names as in a URL: "New York" is
/// New%20York, "10:2" is 10%3A2. A node that is named "0-2" is 0%2D2, because 0-2 is a range in
/// lists.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

class ScheduleNodes {
 public:
  /// `file`: begins a note.
  ScheduleNodes(const ErasedTopology& network, std::string file);

  [[nodiscard]] bool are_named() const noexcept { return named_; }
  /// Empty if there is no such node. The first number that is taken for a node makes a note.
  [[nodiscard]] std::optional<NodeId> find(std::string_view word, std::size_t line);
  /// Each number in it is a word.
  struct NumberRange {
    std::uint64_t first;
    std::uint64_t last;
  };
  /// "4-6"; it may also be the name of a node.
  [[nodiscard]] static std::optional<NumberRange> range(std::string_view word);
  [[nodiscard]] bool is_name(std::string_view word) const;
  /// Words for the first `count` nodes, for messages.
  [[nodiscard]] std::string allowed(std::uint64_t count) const;

  /// The word that find() takes for the node. Throws InvalidParameter if others have all its names.
  [[nodiscard]] std::string word(NodeId node) const;
  /// The list whose words are those of the nodes.
  [[nodiscard]] std::string list_of(const std::vector<std::uint64_t>& nodes) const;

 private:
  const ErasedTopology& network_;
  std::string file_;
  bool named_;
  bool noted_ = false;
};

}  // namespace lockstep
