// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/exchange_messages.hpp"

namespace lockstep {

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
