// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/rounds.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "algorithm/fat_tree/fat_tree_counts.hpp"

namespace lockstep {

FatTreeRoundTimes::FatTreeRoundTimes(const SwitchTree& tree, std::vector<Round> rounds,
                                     std::uint64_t steps)
    : rounds_(std::move(rounds)), begin_(steps + 1) {
  for (std::size_t level = 0; level <= tree.height(); ++level)
    below_.emplace_back(tree.leaves_below(level));
  std::ranges::sort(rounds_, [](const Round& a, const Round& b) {
    return std::pair(a.step, a.level) < std::pair(b.step, b.level);
  });
  for (const Round& round : rounds_) ++begin_.at(round.step + 1);
  for (std::uint64_t step = 0; step < steps; ++step) begin_[step + 1] += begin_[step];
}

FatTreeRoundPlan::FatTreeRoundPlan(const SwitchTree& tree, FatTreePhaseOrder order, bool pipelined)
    : tree_(tree), order_(order), starts_(tree.height()) {
  check_countable(tree);
  const std::size_t height = tree.height();
  std::uint64_t free = order == FatTreePhaseOrder::ascending ? 2 : 0;
  for (std::size_t i = 1; i <= height; ++i) {
    const bool ascends = order == FatTreePhaseOrder::ascending;
    const std::size_t level = ascends ? i : height + 1 - i;
    const std::uint64_t rounds = (tree.arity(level) - 1) * tree.leaves_below(level - 1);
    std::uint64_t& start = starts_[level - 1];
    if (ascends) {  // its first message comes in the first step in which leaves receive no more
      start = free - std::min<std::uint64_t>(free, 2 * level);
      free = start + 2 * level + rounds;
    } else {
      start = free;
      free = start + rounds + (pipelined ? 2 : 2 * level - 1);
    }
    steps_ = std::max(steps_, start + rounds + 2 * level - 1);
  }
}

/// The senders of each level, by round: one leaf below every child, by its number there.
std::vector<std::vector<std::uint64_t>> FatTreeRoundPlan::senders() const {
  std::vector<std::vector<std::uint64_t>> all;
  for (std::size_t level = 1; level <= tree_.height(); ++level) {
    const std::uint64_t leaves = tree_.leaves_below(level - 1);
    std::vector<std::uint64_t> own(leaves);
    std::iota(own.begin(), own.end(), std::uint64_t{0});
    if (order_ == FatTreePhaseOrder::descending || level == 1) {
      all.push_back(std::move(own));
      continue;
    }
    // A round that begins with one of the level below has the same sender, in its child 0.
    std::map<std::uint64_t, std::uint64_t> below;
    for (std::uint64_t r = 0; r < all.back().size(); ++r)
      below[step_of(level - 1, r)] = all.back()[r];
    std::vector<bool> is_taken(leaves);
    for (std::uint64_t r = 0; r < leaves; ++r)
      if (const auto same = below.find(step_of(level, r)); same != below.end())
        is_taken[same->second] = true;
    std::uint64_t next = 0;
    for (std::uint64_t r = 0; r < leaves; ++r) {
      if (const auto same = below.find(step_of(level, r)); same != below.end()) {
        own[r] = same->second;
        continue;
      }
      while (is_taken[next]) ++next;
      own[r] = next++;
    }
    all.push_back(std::move(own));
  }
  return all;
}

FatTreeRoundTimes FatTreeRoundPlan::times() const {
  std::vector<FatTreeRoundTimes::Round> rounds;
  const auto by_level = senders();
  for (std::size_t level = 1; level <= tree_.height(); ++level)
    for (std::uint64_t r = 0; r < by_level[level - 1].size(); ++r)
      rounds.push_back({step_of(level, r), static_cast<std::uint32_t>(level),
                        static_cast<std::uint32_t>(by_level[level - 1][r])});
  return {tree_, std::move(rounds), steps_};
}

std::uint64_t FatTreeRoundPlan::bytes() const {
  std::uint64_t rounds = 0;
  for (std::size_t level = 1; level <= tree_.height(); ++level)
    rounds += tree_.leaves_below(level - 1);
  return FatTreeRoundTimes::bytes(rounds, steps_);
}

}  // namespace lockstep
