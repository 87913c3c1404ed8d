// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Words of a schedule by node that name nodes, and lists of them.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/topology/detail/erased_topology.hpp"
#include "program/schedule_nodes.hpp"
#include "program/schedule_words.hpp"

namespace lockstep {

class ScheduleNodeWords : protected ScheduleWords {
 protected:
  ScheduleNodeWords(const std::string& file, const ErasedTopology& network)
      : ScheduleWords(file), network_(network), nodes_(network, file) {}

  [[nodiscard]] NodeId read_node(std::string_view text) {
    return read_node(text, "node", network_.node_count());
  }
  [[nodiscard]] NodeId read_processor(std::string_view text) {
    return read_node(text, "processor", network_.processor_count());
  }
  /// As read_list(), of processors, one by one. A range ends at the first number that is no node.
  [[nodiscard]] std::vector<std::uint32_t> read_processors(std::string_view text) {
    if (!nodes_.are_named()) return numbers_of(read_list(text));
    std::vector<std::uint32_t> numbers;
    const auto add = [&](std::string_view word) {
      numbers.push_back(static_cast<std::uint32_t>(index(read_processor(word))));
    };
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view piece = next_piece(rest, ",");
      const auto range = nodes_.range(piece);
      if (range && nodes_.is_name(piece))
        fail(
            fmt::format("{} is both a range and the name of a node; write '%2D' for the '-' of a "
                        "name, or the nodes of the range one by one",
                        quoted(piece)));
      const std::uint64_t more = range ? range->last - range->first : 0;
      if (more >= max_region_blocks - numbers.size())
        fail(fmt::format("{} names more than {} nodes", quoted(text), max_region_blocks));
      count_listed(more + 1);
      if (!range) add(piece);
      for (std::uint64_t i = 0; range && i <= more; ++i) add(fmt::format("{}", range->first + i));
    }
    if (numbers.empty()) fail("a list of nodes is empty");
    return numbers;
  }

  const ErasedTopology& network_;

 private:
  [[nodiscard]] NodeId read_node(std::string_view text, std::string_view kind,
                                 std::uint64_t count) {
    const std::optional<NodeId> node = nodes_.find(text, line_);
    if (!node || index(*node) >= count)
      fail(fmt::format("{} {} is not valid; expected {}", kind, quoted(text),
                       nodes_.allowed(count)));
    return *node;
  }

  ScheduleNodes nodes_;
};

}  // namespace lockstep
