// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/total_exchange/fat_tree_up_first.hpp"

#include <fmt/format.h>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

/// Of a switch of that level: others' from outside and to outside, and those that turn there.
std::uint64_t sends_of(const FatTree& tree, std::size_t level) {
  const std::uint64_t inside = tree.leaves_below(level);
  return 2 * inside * (tree.processor_count() - inside) +
         inside * (inside - tree.leaves_below(level - 1));
}

}  // namespace

FatTreeUpFirst::FatTreeUpFirst(FatTree tree, const Settings&) : tree_(std::move(tree)) {
  check_countable(tree_);
  for (std::size_t i = 1; i <= tree_.height(); ++i)
    if (sends_of(tree_, i) > max_region_blocks)
      throw ResourceExhausted(
          fmt::format("{}: {} messages pass a switch of level {}, which keeps them; allowed {}",
                      tree_.name(), sends_of(tree_, i), i, max_region_blocks));
}

Footprint FatTreeUpFirst::footprint() const {
  const std::uint64_t leaves = tree_.processor_count();
  return {.steps = steps(),
          .hops = leaves * hops_from(tree_),
          .blocks_per_processor = leaves * leaves,
          .blocks_of_all = program().blocks_of_all(),
          .plan_bytes = branch_variables(tree_)};
}

std::uint64_t FatTreeUpFirst::steps() const {
  std::uint64_t steps = 0;
  for (std::size_t i = 1; i <= tree_.height(); ++i)
    steps = std::max(steps, sends_of(tree_, i) + 2 * i - 1);
  return steps;
}

}  // namespace lockstep
