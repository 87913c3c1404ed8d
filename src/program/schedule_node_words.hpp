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
  /// As read_list(), of processors, one by one.
  [[nodiscard]] std::vector<std::uint32_t> read_processors(std::string_view text) {
    if (!nodes_.are_named()) return numbers_of(read_list(text));
    std::vector<std::uint32_t> numbers;
    for (const std::string& word : nodes_.words_of(text, max_region_blocks))
      numbers.push_back(static_cast<std::uint32_t>(index(read_processor(word))));
    if (numbers.empty())
      fail(fmt::format("{} is empty, too long, or both a range and a name", quoted(text)));
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
