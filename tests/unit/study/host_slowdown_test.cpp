// SPDX-License-Identifier: Apache-2.0
#include "study/host_slowdown.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "support/cases.hpp"

namespace lockstep::study {
namespace {

using test::Random;
using test::uniform;

constexpr std::size_t run_count = 200;

/// Passes over runs of 1 to 100 ms, each in an order of its own; times vary by up to 5 %.
/// `slow(i)`: how many times as long measurement i takes.
template <class Slow>
std::vector<MeasuredTime> measured_times(std::size_t passes, Slow slow) {
  Random random(7);
  std::vector<double> seconds;
  for (std::size_t run = 0; run < run_count; ++run)
    seconds.push_back(1e-3 * static_cast<double>(uniform(random, 1, 100)));
  std::vector<std::size_t> order(run_count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<MeasuredTime> times;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    std::ranges::shuffle(order, random);
    for (const std::size_t run : order) {
      const double noise = 1 + 1e-4 * static_cast<double>(uniform(random, 0, 500));
      times.push_back({run, seconds[run] * noise * slow(times.size())});
    }
  }
  return times;
}

TEST(HostSlowdown, IsFoundWhereAHostIsSlowForAWhile) {
  // All of the second pass, a part of the third, and from the middle of the fifth on.
  const auto slow = [](std::size_t i) {
    if (i / run_count == 1) return 1.8;
    if (i >= 2 * run_count + 50 && i < 2 * run_count + 150) return 1.4;
    return i >= 4 * run_count + run_count / 2 ? 1.25 : 1.0;
  };
  const std::vector<MeasuredTime> times = measured_times(5, slow);
  const std::vector<double> factors = slowdown_of(times);
  ASSERT_EQ(factors.size(), times.size());
  std::size_t far = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::abs(std::log(factors[i] / slow(i))) > 0.06) ++far;
  EXPECT_LE(far, times.size() / 20);  // where a slow time begins and ends
}

TEST(HostSlowdown, IsNoneOnASteadyHost) {
  for (const double factor : slowdown_of(measured_times(4, [](std::size_t) { return 1.0; })))
    EXPECT_NEAR(factor, 1, 0.04);
}

/// A single disturbed measurement does not change the factors of its neighbours.
TEST(HostSlowdown, LeavesTheTimesOfSingleRuns) {
  const std::vector<MeasuredTime> times =
      measured_times(5, [](std::size_t i) { return i % 70 == 0 ? 3.0 : 1.0; });
  for (const double factor : slowdown_of(times)) EXPECT_NEAR(factor, 1, 0.04);
}

TEST(HostSlowdown, OfRunsMeasuredOnceIsUnknown) {
  for (const double factor : slowdown_of(measured_times(1, [](std::size_t) { return 1.5; })))
    EXPECT_DOUBLE_EQ(factor, 1);
  EXPECT_TRUE(slowdown_of({}).empty());
}

}  // namespace
}  // namespace lockstep::study
