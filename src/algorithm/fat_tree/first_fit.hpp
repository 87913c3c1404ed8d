// SPDX-License-Identifier: Apache-2.0
#pragma once

/// First fit: a message leaves in the earliest step in which it finds room on every branch of its
/// way, as it passes. What the plans of total exchange on fat trees and XGFTs share.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lockstep/algorithm/fat_tree/departures.hpp"
#include "lockstep/algorithm/fat_tree/exchange_messages.hpp"
#include "lockstep/algorithm/total_exchange/fat_tree_first_fit.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/fat_tree.hpp"

namespace lockstep::first_fit {

inline constexpr std::uint64_t word_bits = 64;

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

/// By a message, so many steps after it left.
struct Passage {
  Lanes* lanes;
  std::uint64_t later;
};

/// The first step below `limit` in which a message by that way can leave; else `limit` or more.
[[nodiscard]] inline std::uint64_t earliest(std::span<const Passage> way, std::uint64_t limit) {
  std::uint64_t step = 0;
  for (const auto& [lanes, later] : way)
    step = std::max(step, lanes->first_open() - std::min(lanes->first_open(), later));
  for (; step < limit; step += word_bits) {
    std::uint64_t full = 0;
    for (const auto& [lanes, later] : way) full |= lanes->full_from(step + later);
    if (full != ~std::uint64_t{0}) return step + static_cast<std::uint64_t>(std::countr_one(full));
  }
  return step;
}

inline void pass(std::span<const Passage> way, std::uint64_t step) {
  for (const auto& [lanes, later] : way) lanes->pass(step + later);
}

/// A departure: when, and what is told of it (Departures).
struct Fitted {
  std::uint64_t step = 0;
  std::uint64_t word = 0;
};

/// Of the messages of a total exchange in the order of the phases; send(source, destination, level)
/// says when each leaves.
template <class Send>
[[nodiscard]] FatTreeFirstFit::Plan plan_of(const FatTree& tree, Send send) {
  struct Departure {
    std::uint64_t step;
    std::uint32_t source;
    std::uint32_t word;
  };
  std::vector<Departure> all;
  all.reserve(tree.processor_count() * (tree.processor_count() - 1));
  FatTreeFirstFit::Plan plan;
  for (std::size_t level = tree.height(); level >= 1; --level) {
    const FatTreeLevelMessages messages(tree, level);
    for (std::uint64_t q = 0; q < messages.count(); ++q)
      messages.for_all_of(q, [&](std::uint64_t, std::uint64_t from, std::uint64_t to) {
        const Fitted fitted = send(from, to, level);
        all.push_back({fitted.step, static_cast<std::uint32_t>(from),
                       static_cast<std::uint32_t>(fitted.word)});
        plan.steps = std::max(plan.steps, fitted.step + 2 * level);
      });
  }
  plan.departures = std::make_shared<Departures>([&all](const Departures::Leaves& leaves) {
    for (const Departure& one : all) leaves(one.step, one.source, one.word);
  });
  return plan;
}

/// Of one level: how many links, or branches, and lanes of each.
struct LevelLinks {
  std::uint64_t links = 0;
  std::uint64_t lanes = 0;
};
/// What a plan takes of so many steps: a departure told and one in the plan for every message; for
/// every step and link a bit, and a count where it has several lanes, in two directions, in arrays
/// that grow by half.
[[nodiscard]] inline WideCount planning_bytes(const FatTree& tree, WideCount steps,
                                              std::span<const LevelLinks> levels) {
  const WideCount leaves = tree.processor_count();
  WideCount bytes = 3 * leaves * leaves * sizeof(std::uint64_t);
  for (const auto& [links, lanes] : levels) {
    const WideCount counts = lanes > 1 ? steps * sizeof(std::uint32_t) : 0;
    bytes += 2 * WideCount{links} * sizeof(Lanes);
    bytes += 3 * WideCount{links} * ((steps / word_bits + 1) * sizeof(std::uint64_t) + counts);
  }
  return bytes;
}

/// Steps in which the branches of some level are full throughout. Of fat trees and XGFTs.
template <class Tree>
[[nodiscard]] WideCount full_steps(const Tree& tree) {
  const WideCount leaves = tree.processor_count();
  WideCount steps = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const WideCount below = tree.leaves_below(i - 1);
    steps = std::max(steps, below * (leaves - below) / tree.effective_capacity(i));
  }
  return steps;
}

/// Throws ResourceExhausted above 4 GiB.
void check_plan(const std::string& name, WideCount bytes);

}  // namespace lockstep::first_fit
