// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/fat_tree/queue_program.hpp"

#include <algorithm>

namespace lockstep {

std::vector<NodeId> FatTreeQueues::starts() const {
  if (operation_ == Operation::broadcast) return {NodeId{root_}};
  std::vector<NodeId> all;
  for (std::uint64_t leaf = 0; leaf < tree_.processor_count(); ++leaf)
    if (operation_ != Operation::gather || leaf != root_) all.push_back(NodeId{leaf});
  return all;
}

std::vector<std::uint32_t> FatTreeQueues::regions() const {
  std::uint32_t most = 0;
  for (std::size_t level = 0; level <= tree_.height(); ++level)
    most = std::max(most, blocks_of(tree_.node({level, 0}), room));
  return {most};
}

std::uint32_t FatTreeQueues::blocks_of(NodeId node, Region) const {
  const std::size_t level = tree_.place(node).level;
  if (level == 0) return 2;
  if (operation_ == Operation::broadcast) return 1;
  const std::uint64_t leaves = tree_.processor_count();
  if (operation_ != Operation::total_exchange) return static_cast<std::uint32_t>(leaves);
  const std::uint64_t inside = tree_.leaves_below(level);
  return static_cast<std::uint32_t>(2 * inside * (leaves - inside) +
                                    inside * (inside - tree_.leaves_below(level - 1)));
}

std::uint64_t FatTreeQueues::blocks_of_all() const {
  std::uint64_t blocks = 0;
  for (std::size_t level = 0; level <= tree_.height(); ++level)
    blocks += tree_.processor_count() / tree_.leaves_below(level) *
              blocks_of(tree_.node({level, 0}), room);
  return blocks;
}

}  // namespace lockstep
