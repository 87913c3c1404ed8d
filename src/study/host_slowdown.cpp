// SPDX-License-Identifier: Apache-2.0
#include "study/host_slowdown.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep::study {
namespace {

/// 0 where there are no values.
[[nodiscard]] double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The medians of each value with its neighbours.
[[nodiscard]] std::vector<double> smoothed(const std::vector<double>& values) {
  constexpr std::size_t each_side = 20;
  std::vector<double> smooth;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i - std::min(i, each_side);
    const std::size_t last = std::min(values.size(), i + each_side + 1);
    smooth.push_back(median_of({values.begin() + static_cast<std::ptrdiff_t>(first),
                                values.begin() + static_cast<std::ptrdiff_t>(last)}));
  }
  return smooth;
}

}  // namespace

std::vector<double> slowdown_of(std::span<const MeasuredTime> times) {
  constexpr int rounds = 5;
  std::size_t runs = 0;
  for (const MeasuredTime& time : times) runs = std::max(runs, time.run + 1);
  std::vector<double> slowdown(times.size());
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::vector<double>> of_run(runs);
    for (std::size_t i = 0; i < times.size(); ++i)
      of_run[times[i].run].push_back(std::log(times[i].seconds) - slowdown[i]);
    std::vector<double> usual;
    for (std::vector<double>& logarithms : of_run)
      usual.push_back(median_of(std::move(logarithms)));
    for (std::size_t i = 0; i < times.size(); ++i)
      slowdown[i] = std::log(times[i].seconds) - usual[times[i].run];
    slowdown = smoothed(slowdown);
  }
  const double mostly = median_of(slowdown);
  for (double& logarithm : slowdown) logarithm = std::exp(logarithm - mostly);
  return slowdown;
}

}  // namespace lockstep::study
