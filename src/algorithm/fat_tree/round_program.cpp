// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/round_program.hpp"

namespace lockstep {

FatTreeRoundTimes::FatTreeRoundTimes(const SwitchTree& tree, std::vector<Round> rounds,
                                     std::uint64_t steps)
    : rounds_(std::move(rounds)), begin_(steps + 1) {
  for (std::size_t level = 0; level <= tree.height(); ++level)
    below_.emplace_back(tree.leaves_below(level));
  std::sort(rounds_.begin(), rounds_.end(), [](const Round& a, const Round& b) {
    return std::pair(a.step, a.level) < std::pair(b.step, b.level);
  });
  for (const Round& round : rounds_) ++begin_.at(round.step + 1);
  for (std::uint64_t step = 0; step < steps; ++step) begin_[step + 1] += begin_[step];
}

}  // namespace lockstep
