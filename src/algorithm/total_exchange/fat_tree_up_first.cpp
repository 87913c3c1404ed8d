// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/fat_tree_up_first.hpp"

#include <fmt/format.h>

#include "lockstep/core/errors.hpp"

namespace lockstep {

FatTreeUpFirst::FatTreeUpFirst(SwitchTree tree, const Settings&) : tree_(std::move(tree)) {
  check_countable(tree_);
  for (std::size_t i = 1; i <= tree_.height(); ++i)
    if (exchanged_through(tree_, i) > max_region_blocks)
      throw ResourceExhausted(
          fmt::format("{}: {} messages pass through a switch of level {}; allowed: up to {}",
                      tree_.name(), exchanged_through(tree_, i), i, max_region_blocks));
}

Footprint FatTreeUpFirst::footprint() const {
  const std::uint64_t leaves = tree_.processor_count();
  return {.steps = steps(),
          .hops = leaves * hops_from(tree_),
          .blocks_per_processor = leaves * leaves,
          .blocks_of_all = program().blocks_of_all(),
          .plan_bytes = branch_variables(tree_.spanning_tree())};
}

std::uint64_t FatTreeUpFirst::steps() const {
  std::uint64_t steps = 0;
  for (std::size_t i = 1; i <= tree_.height(); ++i)
    steps = std::max(steps, exchanged_through(tree_, i) + 2 * i - 1);
  return steps;
}

}  // namespace lockstep
