// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Figures of the long plans that one algorithm made last. They are asked for time and again, such
/// as for every port model that a comparison tries. Unlike topology/known_searches.hpp, the figures
/// stay shared: whoever first asks for the least port model finds it for all.
///
///     if (const auto figures = known.find(key)) return figures->cost;

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "algorithm/planned_transfers.hpp"

namespace lockstep {

/// Thread-safe.
class KnownPlans {
 public:
  /// Root and parts, and the processors and links of the network.
  using Key = std::vector<std::uint64_t>;

  /// Null where no such plan is known.
  [[nodiscard]] std::shared_ptr<PlanFigures> find(const Key& key) {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find(plans_, key, &Plan::first);
    return known == plans_.end() ? nullptr : known->second;
  }
  void add(Key key, std::shared_ptr<PlanFigures> figures) {
    constexpr std::size_t most_plans = 8;
    const std::scoped_lock lock(mutex_);
    plans_.emplace_back(std::move(key), std::move(figures));
    if (plans_.size() > most_plans) plans_.pop_front();
  }

 private:
  using Plan = std::pair<Key, std::shared_ptr<PlanFigures>>;

  std::mutex mutex_;
  std::deque<Plan> plans_;
};

}  // namespace lockstep
