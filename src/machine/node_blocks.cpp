// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/node_blocks.hpp"

#include <bit>

namespace lockstep::detail {

NodeBlocks::NodeBlocks(std::span<const std::uint64_t> crossing, std::uint64_t task_size,
                       std::uint64_t most)
    : task_size_(task_size) {
  const std::uint64_t nodes = crossing.size();
  for (std::uint64_t first = 0; first < nodes;) {
    const std::uint64_t end_of_task = std::min(nodes, (first / task_size + 1) * task_size);
    std::uint64_t end = std::min(end_of_task, first + most);
    for (std::uint64_t node = end; end != end_of_task && node > first + most / 4; --node)
      if (std::popcount(crossing[node]) < std::popcount(crossing[end])) end = node;
    ends_.push_back(end);
    crossing_.push_back(end == nodes ? 0 : crossing[end]);
    first = end;
  }
}

std::uint64_t NodeBlocks::better_task_size(std::span<const std::uint64_t> crossing,
                                           std::uint64_t task_size) {
  const std::uint64_t nodes = crossing.size();
  const auto tasks = [nodes](std::uint64_t size) { return (nodes + size - 1) / size; };
  const auto ports_between = [&](std::uint64_t size) {
    std::uint64_t ports = 0;
    for (std::uint64_t node = size; node < nodes; node += size) ports |= crossing[node];
    return std::popcount(ports);
  };
  std::uint64_t best = task_size;
  for (std::uint64_t size = task_size; size <= task_size + task_size / 16; ++size)
    if (tasks(size) == tasks(task_size) && ports_between(size) < ports_between(best)) best = size;
  return best;
}

std::uint64_t NodeBlocks::largest(std::uint64_t ports) {
  const auto [at, is_new] = largest_.try_emplace(ports, 0);
  if (!is_new) return at->second;
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if ((crossing_[i] & ports) == 0) {
      at->second = std::max(at->second, ends_[i] - first);
      first = ends_[i];
    } else if (ends_[i] % task_size_ == 0) {
      return at->second = ~std::uint64_t{0};
    }
  }
  return at->second;
}

}  // namespace lockstep::detail
