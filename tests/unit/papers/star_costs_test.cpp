// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/cost/model.hpp"
#include "papers/star/costs.hpp"

namespace lockstep {
namespace {

const std::array<Fraction, 6> ratios{Fraction{0, 1}, Fraction{1, 10},  Fraction{5, 18},
                                     Fraction{1, 1}, Fraction{100, 1}, Fraction{1'000'000, 1}};

WideCount cost(const Cost& promise, const Fraction& ratio) {
  return WideCount{promise.startups} * ratio.numerator() +
         WideCount{promise.message_times.rounded_up()} * ratio.denominator();
}

TEST(StarCosts, BestKOfAll) {
  for (std::size_t n = 2; n <= 19; ++n)
    for (const Fraction& ratio : ratios) {
      const std::size_t best = star_costs::best_k(n, ratio);
      for (std::size_t k = 1; k < n; ++k) {
        const auto [ours, other] = std::array{cost(star_costs::packing(n, best), ratio),
                                              cost(star_costs::packing(n, k), ratio)};
        EXPECT_TRUE(ours < other || (ours == other && best <= k)) << n << " " << k;
      }
    }
}

TEST(StarCosts, TiesGoToTheSmallest) {
  // Without start-up costs k = 1 and 2 are equal: both move nothing farther than it is away.
  EXPECT_EQ(star_costs::best_k(6, Fraction{0, 1}), 1U);
  // Where T(8, 2) and T(8, 3) meet, the smaller factor; a little above, the larger.
  const Fraction meet =
      break_even(star_costs::packing(8, 3), star_costs::packing(8, 2), 64).value();
  EXPECT_EQ(star_costs::best_k(8, meet), 2U);
  EXPECT_EQ(star_costs::best_k(
                8, Fraction{meet.numerator() * 1'000'000 + 1, meet.denominator() * 1'000'000}),
            3U);
}

TEST(StarCosts, MeanDistance) {
  EXPECT_EQ(star_costs::mean_distance(5, 3), Fraction(49, 20));
  EXPECT_EQ(star_costs::mean_distance(3, 1), Fraction(3, 2));
  EXPECT_EQ(star_costs::mean_distance(7, 7), Fraction(0, 1));
}

TEST(StarCosts, TheMeshNeverBeatsTheRingOfThreeOrFourSymbols) {
  EXPECT_FALSE(star_costs::least_ratio_for_mesh(3).has_value());
  EXPECT_FALSE(star_costs::least_ratio_for_mesh(4).has_value());
  for (std::size_t n = 5; n <= 20; ++n)
    EXPECT_EQ(star_costs::least_ratio_for_mesh(n), Fraction(5, factorial(n - 1) - 6)) << n;
}

TEST(StarCosts, WithoutPackingThereIsNothingToGain) {
  EXPECT_FALSE(star_costs::least_ratio_for_packing(5, 1).has_value());
}

TEST(StarCosts, RefuseOtherSizes) {
  EXPECT_THROW((void)star_costs::packing(5, 0), InvalidParameter);
  EXPECT_THROW((void)star_costs::packing(5, 5), InvalidParameter);
  EXPECT_THROW((void)star_costs::packing(20, 2), InvalidParameter);
  EXPECT_THROW((void)star_costs::best_k(1, Fraction{1, 1}), InvalidParameter);
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THROW((void)star_costs::best_k(5, Fraction{huge, 1}), InvalidParameter);
  EXPECT_THROW((void)star_costs::best_k(5, Fraction{1, huge}), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
