// SPDX-License-Identifier: Apache-2.0
#include "algorithm/known_plans.hpp"

#include <algorithm>

namespace lockstep {

std::shared_ptr<PlanFigures> KnownPlans::find(const Key& key) {
  const std::scoped_lock lock(mutex_);
  const auto known =
      std::ranges::find_if(plans_, [&](const auto& plan) { return plan.first == key; });
  return known == plans_.end() ? nullptr : known->second;
}

void KnownPlans::add(Key key, std::shared_ptr<PlanFigures> figures) {
  constexpr std::size_t most_plans = 8;
  const std::scoped_lock lock(mutex_);
  plans_.emplace_back(std::move(key), std::move(figures));
  if (plans_.size() > most_plans) plans_.pop_front();
}

}  // namespace lockstep
