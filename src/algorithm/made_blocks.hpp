// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which blocks a processor makes, of operations in which every block goes to all others: its own
/// block of an all-gather, or those that the pattern of a many-to-all gives it.

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "lockstep/collective/pattern.hpp"
#include "lockstep/core/ids.hpp"

namespace lockstep {

class MadeBlocks {
 public:
  /// `pattern`: of a many-to-all; without homes every processor makes one block. Nodes from
  /// `processors` on are switches.
  MadeBlocks(const Pattern& pattern, std::uint64_t processors, std::uint64_t nodes)
      : origins_(pattern.origins(processors)), begin_(nodes + 1) {
    for (std::uint64_t j = 0; j < origins_.size(); ++j)
      ++begin_[index(pattern.home(Origin{j})) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint64_t j = 0; j < origins_.size(); ++j)
      origins_[next[index(pattern.home(Origin{j}))]++] = NodeId{j};
  }

  [[nodiscard]] std::uint32_t count() const noexcept { return begin_.back(); }
  [[nodiscard]] std::uint32_t count_of(NodeId u) const noexcept {
    return begin_[index(u) + 1] - begin_[index(u)];
  }
  /// Their numbers as a schedule's elements, rising.
  [[nodiscard]] std::span<const NodeId> of(NodeId u) const noexcept {
    return std::span(origins_).subspan(begin_[index(u)], count_of(u));
  }

 private:
  std::vector<NodeId> origins_;  // by maker
  std::vector<std::uint32_t> begin_;
};

}  // namespace lockstep
