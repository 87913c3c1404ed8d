// SPDX-License-Identifier: Apache-2.0
#pragma once

/// KeptPlan: the plan that a footprint had to build, kept for the program that needs it.

#include <optional>
#include <utility>

namespace lockstep {

/// A member of an algorithm, used by one thread. `build()` returns a Plan that depends only on the
/// algorithm.
template <class Plan>
class KeptPlan {
 public:
  /// Built on first use.
  template <class Build>
  [[nodiscard]] const Plan& look(Build build) const {
    if (!plan_) plan_.emplace(build());
    return *plan_;
  }
  /// Moves the plan out; the next use builds it again.
  template <class Build>
  [[nodiscard]] Plan take(Build build) const {
    if (!plan_) return build();
    return *std::exchange(plan_, std::nullopt);
  }

 private:
  mutable std::optional<Plan> plan_;
};

}  // namespace lockstep
