// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/delivered_exchanges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/deliveries.hpp"
#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

namespace {

constexpr std::uint64_t word_bits = 64;

/// One direction of a branch: which steps are full, how many messages pass in each.
class Lanes {
 public:
  explicit Lanes(std::uint64_t capacity) : capacity_(capacity) {}

  /// 64 steps from `step` on, a bit for each that is full.
  [[nodiscard]] std::uint64_t full_from(std::uint64_t step) const noexcept {
    const std::uint64_t at = step / word_bits;
    const std::uint64_t shift = step % word_bits;
    const std::uint64_t low = word(at) >> shift;
    return shift == 0 ? low : low | word(at + 1) << (word_bits - shift);
  }
  /// No step before has room.
  [[nodiscard]] std::uint64_t first_open() const noexcept { return first_open_; }

  void pass(std::uint64_t step) {
    if (capacity_ > 1) {
      if (passing_.size() <= step) passing_.resize(step + step / 2 + 1);
      if (++passing_[step] < capacity_) return;
    }
    const std::uint64_t at = step / word_bits;
    if (full_.size() <= at) full_.resize(at + at / 2 + 1);
    full_[at] |= std::uint64_t{1} << step % word_bits;
    while ((word(first_open_ / word_bits) >> first_open_ % word_bits & 1U) != 0) ++first_open_;
  }

 private:
  [[nodiscard]] std::uint64_t word(std::uint64_t at) const noexcept {
    return at < full_.size() ? full_[at] : 0;
  }

  std::uint64_t capacity_;
  std::uint64_t first_open_ = 0;
  std::vector<std::uint64_t> full_;
  std::vector<std::uint32_t> passing_;  // by step, where there is more than one lane
};

/// Branches above the subtrees of level i - 1: one to each column.
[[nodiscard]] std::uint64_t branches_below(const SwitchTree& tree, std::size_t i) {
  return tree.processor_count() / tree.leaves_below(i - 1) * tree.columns(i);
}

/// Both directions of all branches: of those above the subtrees of a level, subtree by subtree, the
/// one that leads to each column.
class Branches {
 public:
  explicit Branches(const SwitchTree& tree) : tree_(tree) {
    for (auto& way : ways_)
      for (std::size_t i = 1; i <= tree.height(); ++i)
        way.emplace_back(branches_below(tree, i), Lanes(tree.lanes(i)));
  }

  struct Injection {
    std::uint64_t step = 0;
    std::uint64_t column = 0;
  };
  /// By the column that lets the message leave first.
  [[nodiscard]] Injection send(std::uint64_t source, std::uint64_t destination, std::size_t turn) {
    Injection best{.step = std::numeric_limits<std::uint64_t>::max()};
    const std::uint64_t columns = tree_.columns(turn);
    const std::uint64_t first = column_of_digits(tree_, destination);
    for (std::uint64_t i = 0; i < columns && best.step != 0; ++i) {
      const std::uint64_t column = (first + i) % columns;
      lay(source, destination, turn, column);
      if (const std::uint64_t step = earliest(best.step); step < best.step) best = {step, column};
    }
    lay(source, destination, turn, best.column);
    for (const auto& [lanes, later] : path_) lanes->pass(best.step + later);
    return best;
  }

 private:
  /// By a message, so many steps after it left.
  struct Passage {
    Lanes* lanes;
    std::uint64_t later;
  };

  void lay(std::uint64_t source, std::uint64_t destination, std::size_t turn,
           std::uint64_t column) {
    path_.clear();
    for (std::size_t i = 0; i < turn; ++i) {
      path_.push_back({&branch(0, i, source, column), i});
      path_.push_back({&branch(1, i, destination, column), 2 * turn - 1 - i});
    }
  }
  [[nodiscard]] Lanes& branch(std::size_t way, std::size_t level, std::uint64_t leaf,
                              std::uint64_t column) {
    const std::uint64_t columns = tree_.columns(level + 1);
    return ways_[way][level][leaf / tree_.leaves_below(level) * columns + column % columns];
  }

  /// The first step below `limit` in which a message by that path can leave; else `limit` or more.
  [[nodiscard]] std::uint64_t earliest(std::uint64_t limit) const {
    std::uint64_t step = 0;
    for (const auto& [lanes, later] : path_)
      step = std::max(step, lanes->first_open() - std::min(lanes->first_open(), later));
    for (; step < limit; step += word_bits) {
      std::uint64_t full = 0;
      for (const auto& [lanes, later] : path_) full |= lanes->full_from(step + later);
      if (full != ~std::uint64_t{0})
        return step + static_cast<std::uint64_t>(std::countr_one(full));
    }
    return step;
  }

  const SwitchTree& tree_;
  std::array<std::vector<std::vector<Lanes>>, 2> ways_;  // up, down; by level and branch
  std::vector<Passage> path_;
};

/// Steps in which the branches of some level are full throughout.
[[nodiscard]] WideCount full_steps(const SwitchTree& tree) {
  const WideCount leaves = tree.processor_count();
  WideCount steps = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const WideCount below = tree.leaves_below(i - 1);
    steps = std::max(steps, below * (leaves - below) / tree.effective_capacity(i));
  }
  return steps;
}

/// Two entries for every message; for every step and branch a bit, and a count where the branch has
/// several lanes, in two directions, in arrays that grow by half.
[[nodiscard]] WideCount bytes_of_planning(const SwitchTree& tree) {
  const WideCount leaves = tree.processor_count();
  const WideCount steps = full_steps(tree);
  WideCount bytes = 3 * leaves * leaves * sizeof(std::uint64_t);
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const WideCount counts = tree.lanes(i) > 1 ? steps * sizeof(std::uint32_t) : 0;
    const WideCount branches = branches_below(tree, i);
    bytes += 2 * branches * sizeof(Lanes);
    bytes += 3 * branches * ((steps / word_bits + 1) * sizeof(std::uint64_t) + counts);
  }
  return bytes;
}

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

FatTreeFirstFit::FatTreeFirstFit(SwitchTree tree, const Settings&)
    : tree_(std::move(tree)), ways_(tree_, FatTreeColumns::all) {
  constexpr WideCount most = WideCount{4} << 30U;
  check_countable(tree_);
  if (const WideCount bytes = bytes_of_planning(tree_); bytes > most)
    throw ResourceExhausted(fmt::format(
        "{}: the first-fit plan needs about {} MiB; allowed: up to {}", tree_.name(),
        static_cast<std::uint64_t>(bytes >> 20U), static_cast<std::uint64_t>(most >> 20U)));
}

FatTreeFirstFit::Plan FatTreeFirstFit::plan() const {
  struct Injection {
    std::uint64_t step;
    std::uint32_t source;
    std::uint32_t word;
  };
  std::vector<Injection> all;
  all.reserve(tree_.processor_count() * (tree_.processor_count() - 1));
  Plan plan;
  Branches branches(tree_);
  for (std::size_t level = tree_.height(); level >= 1; --level) {
    const FatTreeLevelMessages messages(tree_, level);
    for (std::uint64_t q = 0; q < messages.count(); ++q)
      messages.for_all_of(q, [&](std::uint64_t, std::uint64_t from, std::uint64_t to) {
        const auto [step, column] = branches.send(from, to, level);
        all.push_back({step, static_cast<std::uint32_t>(from),
                       static_cast<std::uint32_t>(ways_.word({to, column}))});
        plan.steps = std::max(plan.steps, step + 2 * level);
      });
  }
  plan.injections = std::make_shared<InjectionTimes>([&all](const InjectionTimes::Inject& inject) {
    for (const Injection& one : all) inject(one.step, one.source, one.word);
  });
  return plan;
}

Footprint FatTreeFirstFit::footprint() const {
  const std::uint64_t leaves = tree_.processor_count();
  const std::uint64_t steps = plan_.look([this] { return plan(); }).steps;
  return Program::footprint(tree_, FatTreeColumns::all, steps, leaves * (leaves - 1),
                            leaves * hops_from(tree_));
}

std::uint64_t FatTreeFirstFit::planning_bytes() const {
  return static_cast<std::uint64_t>(bytes_of_planning(tree_));
}

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
      phase.windows = *std::ranges::max_element(phase.fitted) + 1;
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

/// Total exchange in a fat tree of any capacities, level by level.
/// Model:   all-port.
/// Idea:    a phase per level, the root's first, for the messages that turn there: in each of its
///          steps e_l of them leave every child of every node of that level, from leaves that
///          are spread evenly, and then move in every step. No queues.
/// Source:  Dimakopoulos 1996, section 6.3.3.
/// Differs: the thesis leaves open who sends what; e_l = min(c_l, k_(l-1) e_(l-1)) stands for c_l,
///          which lower levels cannot always fill (equation 6.5 is wrong there); where e_l does
///          not divide N_(l-1), its steps are filled by first fit
///          (tests/papers/fat_tree_exchange_test.cpp).
constinit const FatTreeDeliveries exchange_in_phases = {
    .info = {.name = "phases",
             .operation = Operation::total_exchange,
             .model = port_models::all_port,
             .source = "Dimakopoulos, section 6.3.3",
             .costs = "sum over l of (k_l - 1) N_(l-1)^2/e_l, + 2h - 1 start-ups and message "
                      "times; without pipelining + h^2",
             .summary =
                 "level by level, messages through the root first; any capacities, no queues",
             .parameters = pipelined_parameters},
    .plan = [](const SwitchTree& tree, const Settings& settings) {
      const auto plan = std::make_shared<const FatTreePhasePlan>(tree, is_pipelined(settings));
      const auto inject_all = [=](const InjectionTimes::Inject& inject) {
        for (std::size_t level = 1; level <= tree.height(); ++level) {
          const FatTreePhasePlan::Phase& phase = plan->phase(level);
          const FatTreeLevelMessages messages(tree, level);
          for (std::uint64_t q = 0; q < messages.count(); ++q)
            messages.for_all_of(q, [&](std::uint64_t slot, std::uint64_t from, std::uint64_t to) {
              inject(phase.start + phase.window(slot), from, to);
            });
        }
      };
      return FatTreeTimetable{
          .steps = plan->steps(), .inject_all = inject_all, .bytes = plan->bytes()};
    }};

}  // namespace lockstep
