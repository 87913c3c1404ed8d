// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Percentiles by nearest rank: values that were measured, not means of two of them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lockstep {

/// The smallest of the sorted values that is not below such a share of them. Precondition: not
/// empty.
[[nodiscard]] inline double at_share(const std::vector<double>& sorted, double share) {
  const auto rank =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()) - 1e-9));
  return sorted[std::clamp(rank, std::size_t{1}, sorted.size()) - 1];
}

}  // namespace lockstep
