// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/queue_program.hpp"

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
    most = std::max(most, blocks_of(tree_.node(above_root(level)), room));
  return {most};
}

std::uint32_t FatTreeQueues::blocks_of(NodeId node, Region) const {
  const SwitchTree::Place place = tree_.place(node);
  const std::size_t level = place.level;
  if (place.column != 0) return 0;
  if (level == 0) return 2;
  if (operation_ == Operation::broadcast) return 1;
  const std::uint64_t leaves = tree_.processor_count();
  if (operation_ == Operation::all_gather) return static_cast<std::uint32_t>(leaves);
  const std::uint64_t inside = tree_.leaves_below(level);
  if (operation_ == Operation::gather)
    return static_cast<std::uint32_t>(
        place == above_root(level) ? leaves - tree_.leaves_below(level - 1) : inside);
  return static_cast<std::uint32_t>(exchanged_through(tree_, level));
}

std::uint64_t FatTreeQueues::blocks_of_all() const {
  std::uint64_t blocks = 0;
  for (std::size_t level = 0; level <= tree_.height(); ++level) {
    const std::uint64_t nodes = tree_.processor_count() / tree_.leaves_below(level);
    const SwitchTree::Place above = above_root(level);
    const SwitchTree::Place other{level, (above.subtree + 1) % nodes, 0};
    blocks += blocks_of(tree_.node(above), room) + (nodes - 1) * blocks_of(tree_.node(other), room);
  }
  return blocks;
}

}  // namespace lockstep
