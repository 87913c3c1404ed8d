// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How repeated measurements are spread.
///
///     const Spread spread = spread_of({1.0, 1.1, 1.0, 1.9});
///     spread.median == 1.05;  spread.varies()

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/nearest_rank.hpp"

namespace lockstep::report {

struct Spread {
  std::size_t count = 0;
  double least = 0;
  double mean = 0;
  double median = 0;
  double p95 = 0;  ///< by nearest rank: a value that was measured
  double p99 = 0;
  double most = 0;
  double deviation = 0;  ///< standard deviation of the sample; 0 of a single value
  double variation = 0;  ///< coefficient of variation: deviation / mean

  /// More than a comparison of algorithms can bear.
  [[nodiscard]] bool varies() const noexcept { return variation > 0.05; }
};

[[nodiscard]] inline Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  namespace statistics = boost::math::statistics;
  std::ranges::sort(values);
  Spread spread{.count = values.size(),
                .least = values.front(),
                .mean = statistics::mean(values),
                .p95 = at_share(values, 0.95),
                .p99 = at_share(values, 0.99),
                .most = values.back()};
  const std::size_t middle = values.size() / 2;
  spread.median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  if (values.size() > 1) spread.deviation = std::sqrt(statistics::sample_variance(values));
  if (spread.mean > 0) spread.variation = spread.deviation / spread.mean;
  return spread;
}

}  // namespace lockstep::report
