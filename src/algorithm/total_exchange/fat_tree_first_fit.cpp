// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/total_exchange/fat_tree_first_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

#include "lockstep/algorithm/fat_tree/exchange_messages.hpp"
#include "lockstep/algorithm/fat_tree/furthest.hpp"
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

/// Both directions of all branches.
class Tree {
 public:
  explicit Tree(const FatTree& tree) : tree_(tree) {
    for (auto& way : ways_)
      for (std::size_t i = 1; i <= tree.height(); ++i)
        way.emplace_back(tree.processor_count() / tree.leaves_below(i - 1),
                         Lanes(tree.capacity(i)));
  }

  /// The step in which the message leaves.
  [[nodiscard]] std::uint64_t send(std::uint64_t source, std::uint64_t destination,
                                   std::size_t turn) {
    path_.clear();
    for (std::size_t i = 0; i < turn; ++i) {
      path_.push_back({&ways_[0][i][source / tree_.leaves_below(i)], i});
      path_.push_back({&ways_[1][i][destination / tree_.leaves_below(i)], 2 * turn - 1 - i});
    }
    std::uint64_t step = 0;
    for (const auto& [lanes, later] : path_)
      step = std::max(step, lanes->first_open() - std::min(lanes->first_open(), later));
    for (;; step += word_bits) {
      std::uint64_t full = 0;
      for (const auto& [lanes, later] : path_) full |= lanes->full_from(step + later);
      if (full == ~std::uint64_t{0}) continue;
      step += static_cast<std::uint64_t>(std::countr_one(full));
      for (const auto& [lanes, later] : path_) lanes->pass(step + later);
      return step;
    }
  }

 private:
  struct Passage {
    Lanes* lanes;
    std::uint64_t later;  // than the departure, in steps
  };

  const FatTree& tree_;
  std::array<std::vector<std::vector<Lanes>>, 2> ways_;  // up, down; by level and branch
  std::vector<Passage> path_;
};

}  // namespace

namespace {

/// A departure told and one in the plan; for every step and branch a bit, and a count where it has
/// several lanes.
WideCount planning_bytes(const FatTree& tree) {
  const WideCount leaves = tree.processor_count();
  WideCount steps = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const WideCount below = tree.leaves_below(i - 1);
    steps = std::max(steps, below * (leaves - below) / tree.effective_capacity(i));
  }
  WideCount bytes = 3 * leaves * leaves * sizeof(std::uint64_t);
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const WideCount branches = leaves / tree.leaves_below(i - 1);
    const WideCount counts = tree.capacity(i) > 1 ? steps * sizeof(std::uint32_t) : 0;
    bytes += 3 * branches * (steps / 8 + counts);  // two directions, arrays that grow by half
  }
  return bytes;
}

}  // namespace

FatTreeFirstFit::FatTreeFirstFit(FatTree tree, const Settings&) : tree_(std::move(tree)) {
  check_countable(tree_);
  constexpr WideCount most = WideCount{4} << 30U;
  if (const WideCount bytes = planning_bytes(tree_); bytes > most)
    throw ResourceExhausted(fmt::format("{}: a plan of about {} MiB by first fit, allowed {}",
                                        tree_.name(), static_cast<std::uint64_t>(bytes >> 20U),
                                        static_cast<std::uint64_t>(most >> 20U)));
}

FatTreeFirstFit::Plan FatTreeFirstFit::plan() const {
  Tree tree(tree_);
  struct Departure {
    std::uint64_t step;
    std::uint32_t source;
    std::uint32_t destination;
  };
  std::vector<Departure> all;
  all.reserve(tree_.processor_count() * (tree_.processor_count() - 1));
  Plan plan;
  for (std::size_t level = tree_.height(); level >= 1; --level) {
    const FatTreeLevelMessages messages(tree_, level);
    for (std::uint64_t q = 0; q < messages.count(); ++q)
      messages.for_all_of(q, [&](std::uint64_t, std::uint64_t from, std::uint64_t to) {
        const std::uint64_t step = tree.send(from, to, level);
        all.push_back({step, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
        plan.steps = std::max(plan.steps, step + 2 * level);
      });
  }
  plan.departures = std::make_shared<Departures>([&all](const Departures::Leaves& leaves) {
    for (const Departure& one : all) leaves(one.step, one.source, one.destination);
  });
  return plan;
}

Footprint FatTreeFirstFit::footprint() const {
  const std::uint64_t leaves = tree_.processor_count();
  const std::uint64_t steps = plan_.look([this] { return plan(); }).steps;
  // Not an array that grows, for which twice as much is foreseen.
  const auto planning = static_cast<std::uint64_t>(planning_bytes(tree_) / 2);
  return Program::footprint(tree_, steps, leaves * (leaves - 1), leaves * hops_from(tree_),
                            planning);
}

FatTreeDelivery FatTreeFirstFit::program() const {
  return {tree_, plan_.take([this] { return plan(); }).departures};
}

}  // namespace lockstep
