// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/fat_tree_counts.hpp"

#include <fmt/format.h>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

void check_countable(const SwitchTree& tree) {
  constexpr std::uint64_t most = std::uint64_t{1} << 28U;  // 8 h n^2 fit 64 bits
  if (tree.processor_count() > most)
    throw ResourceExhausted(fmt::format("{}: {} processors; allowed: up to {}", tree.name(),
                                        grouped(tree.processor_count()), grouped(most)));
}

void check_exchanged_through(const SwitchTree& tree) {
  for (std::size_t i = 1; i <= tree.height(); ++i)
    if (exchanged_through(tree, i) > max_region_blocks)
      throw ResourceExhausted(
          fmt::format("{}: {} messages pass through a switch of level {}; allowed: up to {}",
                      tree.name(), exchanged_through(tree, i), i, max_region_blocks));
}

std::vector<Level> levels_of_column_0(const SwitchTree& tree) {
  std::vector<Level> levels = tree.levels();
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels[i].nodes = tree.processor_count() / tree.leaves_below(i);
  return levels;
}

FatTreeLevelMessages::FatTreeLevelMessages(const SwitchTree& tree, std::size_t level)
    : all_leaves_(tree.processor_count()),
      arity_(tree.arity(level)),
      reversed_(tree.leaves_below(level - 1)) {
  count_ = (arity_ - 1) * leaves_of_child() * leaves_of_child();
  for (std::uint64_t u = 0; u < reversed_.size(); ++u) {
    std::uint64_t rest = u;
    for (std::size_t i = level - 1; i >= 1; --i) {
      reversed_[u] += rest % tree.arity(i) * tree.leaves_below(i - 1);
      rest /= tree.arity(i);
    }
  }
}

}  // namespace lockstep
