// SPDX-License-Identifier: Apache-2.0
#pragma once

/// KeptPlan: the plan that a footprint had to build, kept for the program that needs it.

#include <optional>
#include <utility>

namespace lockstep {

/// A member of an algorithm, which one thread asks. `build()` makes a Plan; what it makes depends
/// on the algorithm alone.
template <class Plan>
class KeptPlan {
 public:
  /// Built when it is first looked at.
  template <class Build>
  [[nodiscard]] const Plan& look(Build build) const {
    if (!plan_) plan_.emplace(build());
    return *plan_;
  }
  /// Handed over, not copied; built again where it is gone.
  template <class Build>
  [[nodiscard]] Plan take(Build build) const {
    if (!plan_) return build();
    return *std::exchange(plan_, std::nullopt);
  }

 private:
  mutable std::optional<Plan> plan_;
};

}  // namespace lockstep
