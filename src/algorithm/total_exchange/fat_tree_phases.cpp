// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/fat_tree_phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "algorithm/fat_tree/exchange_messages.hpp"
#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {
namespace {

/// Windows by first fit: a message goes to the first in which no branch on its way, below the node
/// where it turns, is full. All children send alike, so one stands for all; of the way down the
/// other ones' branches.
class Windows {
 public:
  Windows(const SwitchTree& tree, std::size_t level, std::uint64_t capacity)
      : tree_(tree), level_(level), messages_(checked(tree, level), level) {
    for (std::size_t i = 1; i < level; ++i) {
      const std::uint64_t nodes = messages_.leaves_of_child() / tree.leaves_below(i - 1);
      for (auto& way : ways_) way.push_back({.capacity = tree.capacity(i), .count = nodes});
    }
    for (auto& way : ways_) way.push_back({.capacity = capacity, .count = 1});
  }

  [[nodiscard]] std::vector<std::uint32_t> filled() {
    std::vector<std::uint32_t> windows;
    windows.reserve(messages_.count());
    std::uint32_t first_open = 0;  // of the child's own branch: none before has room
    for (std::uint64_t q = 0; q < messages_.count(); ++q) {
      const FatTreeLevelMessages::Message message = messages_.message(q);
      while (ways_[0].back().is_full(first_open, 0)) drop_windows(++first_open);
      std::uint32_t window = first_open;
      while (!fits(message, window)) ++window;
      for (std::size_t i = 0; i < level_; ++i) {
        ++ways_[0][i].place(window, message.source / tree_.leaves_below(i));
        ++ways_[1][i].place(window, message.destination / tree_.leaves_below(i));
      }
      windows.push_back(window);
    }
    return windows;
  }

 private:
  /// The window of each message; of branches in open windows there are fewer.
  [[nodiscard]] static const SwitchTree& checked(const SwitchTree& tree, std::size_t level) {
    constexpr std::uint64_t most = 256;  // MiB
    const WideCount leaves = tree.leaves_below(level - 1);
    const WideCount messages = (tree.arity(level) - 1) * leaves * leaves;
    if (const WideCount bytes = messages * sizeof(std::uint32_t); bytes >> 20U > most)
      throw ResourceExhausted(
          fmt::format("{}: planning needs {} MiB for phase {}; allowed: up to {}", tree.name(),
                      static_cast<std::uint64_t>(bytes >> 20U), level, most));
    return tree;
  }

  /// The branches of one level below a child, window by window, from the first open one on.
  struct Branches {
    std::uint64_t capacity = 0;
    std::uint64_t count = 0;
    std::uint64_t first = 0;
    std::deque<std::vector<std::uint32_t>> carried{};

    [[nodiscard]] std::uint32_t& place(std::uint64_t window, std::uint64_t branch) {
      while (carried.size() <= window - first) carried.emplace_back(count);
      return carried[window - first][branch];
    }
    [[nodiscard]] bool is_full(std::uint64_t window, std::uint64_t branch) {
      return place(window, branch) >= capacity;
    }
  };

  /// Those before.
  void drop_windows(std::uint64_t first) {
    for (auto& way : ways_)
      for (Branches& branches : way) {
        if (!branches.carried.empty()) branches.carried.pop_front();
        branches.first = first;
      }
  }

  [[nodiscard]] bool fits(const FatTreeLevelMessages::Message& message, std::uint64_t window) {
    for (std::size_t i = 0; i < level_; ++i)
      if (ways_[0][i].is_full(window, message.source / tree_.leaves_below(i)) ||
          ways_[1][i].is_full(window, message.destination / tree_.leaves_below(i)))
        return false;
    return true;
  }

  const SwitchTree& tree_;
  std::size_t level_;
  FatTreeLevelMessages messages_;
  std::array<std::vector<Branches>, 2> ways_;  // up, down; the last is the child's own branch
};

}  // namespace

FatTreePhasePlan::FatTreePhasePlan(const SwitchTree& tree, bool pipelined)
    : phases_(tree.height()) {
  check_countable(tree);
  std::uint64_t start = 0;
  for (std::size_t level = tree.height(); level >= 1; --level) {
    const std::uint64_t leaves = tree.leaves_below(level - 1);
    const std::uint64_t width = tree.effective_capacity(level);
    Phase& phase = phases_[level - 1];
    phase = {.start = start, .width = width};
    if (leaves % width == 0) {
      phase.windows = (tree.arity(level) - 1) * leaves * leaves / width;
    } else {
      phase.fitted = Windows(tree, level, width).filled();
      phase.windows = *std::max_element(phase.fitted.begin(), phase.fitted.end()) + 1;
    }
    steps_ = std::max(steps_, start + phase.windows + 2 * level - 1);
    start += phase.windows + (pipelined ? 2 : 2 * level - 1);
  }
}

std::uint64_t FatTreePhasePlan::bytes() const {
  std::uint64_t bytes = 0;
  for (const Phase& phase : phases_) bytes += phase.fitted.size() * sizeof(std::uint32_t);
  return bytes;
}

FatTreePhases::FatTreePhases(SwitchTree tree, const Settings& settings)
    : tree_(std::move(tree)),
      plan_(std::make_shared<FatTreePhasePlan>(tree_, is_pipelined(settings))) {}

std::optional<Cost> FatTreePhases::promise() const { return Cost{plan_->steps(), plan_->steps()}; }

Footprint FatTreePhases::footprint() const {
  const std::uint64_t leaves = tree_.processor_count();
  return Program::footprint(tree_, FatTreeColumns::first, plan_->steps(), leaves * (leaves - 1),
                            leaves * hops_from(tree_), plan_->bytes());
}

FatTreeDelivery FatTreePhases::program() const {
  return {tree_, FatTreeColumns::first,
          std::make_shared<InjectionTimes>([this](const InjectionTimes::Inject& inject) {
            for (std::size_t level = 1; level <= tree_.height(); ++level) {
              const FatTreePhasePlan::Phase& phase = plan_->phase(level);
              const FatTreeLevelMessages messages(tree_, level);
              for (std::uint64_t q = 0; q < messages.count(); ++q)
                messages.for_all_of(q,
                                    [&](std::uint64_t slot, std::uint64_t from, std::uint64_t to) {
                                      inject(phase.start + phase.window(slot), from, to);
                                    });
            }
          })};
}

}  // namespace lockstep
